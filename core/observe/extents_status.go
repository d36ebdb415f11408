package observe

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
)

// How the queue manager is asked: for all that it tells, and where that is not
// answered for what it tells of its log.
const (
	statusQuestion      = "DISPLAY QMSTATUS ALL"
	statusOfLogQuestion = "DISPLAY QMSTATUS LOG"
)

// statusKind says what became of DISPLAY QMSTATUS.
type statusKind uint8

const (
	statusNone   statusKind = iota // nobody answered, or nobody may ask
	statusFailed                   // asked, and no answer that can be used: a finding says why
	statusDown                     // the queue manager is not available (AMQ8146, AMQ8118)
	statusUnread                   // an answer that can't be used; a finding says why
	statusOlder                    // the level can't read the command (AMQ8405)
	statusShown                    // the queue manager showed itself
)

// status is one reading of DISPLAY QMSTATUS.
type status struct {
	kind   statusKind
	text   string // the question that was answered
	says   string // what came back, where the queue manager is down or can't read it
	object mqsc.Object
}

// tells gives an attribute, and whether it was printed: one that is blank was.
func (s status) tells(name string) (string, bool) {
	if s.kind != statusShown {
		return "", false
	}
	_, told := s.object.Get(name)
	return attribute(s.object, name), told
}

// tellsPoints tells whether the level prints recovery points at all. One that
// prints them blank does tell: of a circular log, or of a queue manager that is
// ending, there are none.
func (s status) tellsPoints() bool {
	_, restart := s.tells("RECLOG")
	_, media := s.tells("MEDIALOG")
	return restart || media || s.kind == statusUnread
}

// readStatus asks the first of the questions that is answered.
func (g *extentGatherer) readStatus(questions ...string) status {
	for _, text := range questions {
		q := Question{Language: MQSC, QueueManager: g.target.Name, Text: text}
		answer, err := g.asker.Ask(g.ctx, q)
		var failed *Failed
		switch {
		case errors.As(err, &failed) && notAvailable.Match(failed.Body):
			return status{kind: statusDown, text: text, says: unavailable(failed.Body)}
		case errors.As(err, &failed) && g.cantRead(failed.Body):
			return status{kind: statusOlder, text: text, says: telling(failed.Body)}
		case errors.As(err, new(*NotAnswered)), errors.As(err, &failed) && g.mayNotAsk(failed.Body):
			g.silent(q, err)
			continue
		case err != nil:
			// Another queue manager may have answered, or half of an answer came:
			// nobody knows what this one would have told, so nothing else may stand
			// for it.
			g.silent(q, err)
			g.openError(q, err)
			return status{kind: statusFailed, text: text, says: err.Error()}
		}
		g.setObserved(answer)
		return g.parseStatus(q, answer.Body)
	}
	return status{}
}

// unavailable gives what says that the queue manager is not available.
func unavailable(body []byte) string {
	for _, line := range queueManagerSays.FindAllSubmatch(body, -1) {
		if notAvailable.Match(line[1]) {
			return string(line[1])
		}
	}
	return firstLine(notAvailable.Find(body))
}

// cantRead tells whether this queue manager says that it can't read the command.
func (g *extentGatherer) cantRead(body []byte) bool {
	answer, err := mqsc.ParseAnswer(body)
	return err == nil && answer.SyntaxError() && len(answer.Objects) == 0 && !g.ofAnother(body)
}

// notAuthorised are the messages of one who may not ask: of the queue manager,
// and of runmqsc itself. AMQ8134 and AMQ7077 are from memory.
var notAuthorised = regexp.MustCompile(`^AMQ(?:8135|8134|7077)`)

// mayNotAsk tells whether the first thing that is said is that one may not ask.
func (g *extentGatherer) mayNotAsk(body []byte) bool {
	return notAuthorised.MatchString(telling(body)) && !g.ofAnother(body)
}

// asked is the line in which runmqsc names the queue manager that it asks.
var asked = regexp.MustCompile(`(?m)^[ \t]*Starting MQSC for queue manager (\S+?)\.?[ \t]*\r?$`)

// ofAnother tells whether runmqsc says that it asked another queue manager.
func (g *extentGatherer) ofAnother(body []byte) bool {
	named := asked.FindSubmatch(body)
	return len(named) > 1 && string(named[1]) != g.target.Name
}

// parseStatus takes an answer that shows this queue manager, once and whole.
func (g *extentGatherer) parseStatus(q Question, body []byte) status {
	answer, err := mqsc.ParseAnswer(body)
	if err != nil {
		g.open(finding.FactsUnreadable, "%s: %v", q, err)
		return status{kind: statusUnread, text: q.Text}
	}
	if notAvailable.Match(body) && len(answer.Objects) == 0 {
		return status{kind: statusDown, text: q.Text, says: unavailable(body)}
	}
	if g.cantRead(body) {
		return status{kind: statusOlder, text: q.Text, says: telling(body)}
	}
	if len(answer.Objects) != 1 {
		g.open(finding.FactsUnreadable, "%s shows %d queue managers: %s", q, len(answer.Objects), telling(body))
		return status{kind: statusUnread, text: q.Text}
	}
	s := status{kind: statusShown, text: q.Text, object: answer.Objects[0]}
	if name, told := s.tells("QMNAME"); told && name != g.target.Name {
		g.open(finding.FactsUnreadable, "%s shows the queue manager %q", q, name)
		s.kind = statusUnread
	}
	if name, twice := saidTwice(s.object); twice {
		g.open(finding.FactsUnreadable, "%s shows %s twice, and not alike", q, name)
		s.kind = statusUnread
	}
	return s
}

// saidTwice finds an attribute that stands twice and does not say the same.
func saidTwice(o mqsc.Object) (string, bool) {
	first := make(map[string]string, len(o.Attributes))
	for _, a := range o.Attributes {
		if value, twice := first[a.Name]; twice && value != a.Value {
			return a.Name, true
		}
		first[a.Name] = a.Value
	}
	return "", false
}

// sameStart are what two readings of one queue manager that was not started
// anew in between have in common. LOGSTRDA, LOGSTRTI and LOGSTRL say where its
// log begins.
var sameStart = []string{"STARTDA", "STARTTI", "LOGSTRDA", "LOGSTRTI", "LOGSTRL", "LOGTYPE", "LOGPATH"}

// readPointsAgain reads the points after the listing: forward is fine, since
// the first reading decides; backward means another incarnation. So does
// another start.
func (g *extentGatherer) readPointsAgain() {
	observed, now := g.observed, g.now
	defer func() { g.observed, g.now = observed, now }()
	if g.restart.logged {
		g.readLoggedAgain()
	}
	if g.status.kind == statusShown {
		g.compareStatus(g.readStatus(g.status.text))
	}
}

// compareStatus holds the second reading against the first.
func (g *extentGatherer) compareStatus(second status) {
	if second.kind != statusShown {
		g.facts.Log.Host, g.facts.Log.NotHere = HostUnknown, g.status.text+" was not answered again after the listing"
		if second.kind != statusUnread && second.kind != statusFailed {
			g.open(finding.FactsUnreadable, "%s was answered once, and not again after the listing: %s", g.status.text, cmp.Or(second.says, g.whyNot(g.status.text)))
		}
		return
	}
	if value, told := second.tells("STATUS"); told && value != running && g.runs {
		why := fmt.Sprintf("%s says STATUS(%s) after the listing", second.text, value)
		g.facts.Log.Host, g.facts.Log.NotHere = HostUnknown, why
		g.open(finding.NotThisHost, "%s", why)
	}
	for _, name := range sameStart {
		before, _ := g.status.tells(name)
		if after, _ := second.tells(name); after != before {
			g.open(finding.MarkWentBack, "%s went from %q to %q while the extents were listed: it is not the same start of the queue manager", name, before, after)
		}
	}
	for _, name := range []string{"CURRLOG", "RECLOG", "MEDIALOG"} {
		g.comparePoint(name, second)
	}
}

// comparePoint holds one point of the second reading against the first.
func (g *extentGatherer) comparePoint(name string, second status) {
	before, was := g.status.tells(name)
	after, is := second.tells(name)
	if was != is {
		g.open(finding.FactsUnreadable, "%s shows %s in one reading and not in the other", second.text, name)
		return
	}
	if before == after {
		return
	}
	_, from, errFrom := ParseExtent(before)
	_, to, errTo := ParseExtent(after)
	switch {
	case errFrom != nil:
		// Nothing was told by the first reading, and a finding says so.
	case errTo != nil:
		g.open(finding.MarkWentBack, "%s went from %s to %q while the extents were listed", name, before, after)
	case ExtentDistance(from, to) < 0:
		g.open(finding.MarkWentBack, "%s went from %s back to %s while the extents were listed", name, before, after)
	case name != "CURRLOG":
		g.open(finding.MarkMoved, "%s moved from %s to %s while the extents were listed", name, before, after)
	}
}

// tellsAny tells whether the reading prints one of the attributes with a value.
func (s status) tellsAny(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		value, _ := s.tells(name)
		return value != ""
	})
}
