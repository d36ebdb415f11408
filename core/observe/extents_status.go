package observe

import (
	"errors"
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
	statusNone   statusKind = iota // nobody answered
	statusDown                     // the queue manager is not available (AMQ8146, AMQ8118)
	statusUnread                   // an answer that can't be used; a finding says why
	statusOlder                    // the level can't read the command (AMQ8405)
	statusShown                    // the queue manager showed itself
)

// status is one reading of DISPLAY QMSTATUS.
type status struct {
	kind   statusKind
	text   string // the question that was answered
	says   string // what came back, where the queue manager is down
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
			return status{kind: statusDown, text: text, says: firstLine(notAvailable.Find(failed.Body))}
		case errors.As(err, &failed) && cantRead(failed.Body):
			return status{kind: statusOlder, text: text}
		case err != nil:
			g.silent(q, err)
			continue
		}
		g.setObserved(answer)
		return g.parseStatus(q, answer.Body)
	}
	return status{}
}

func cantRead(body []byte) bool {
	answer, err := mqsc.ParseAnswer(body)
	return err == nil && answer.SyntaxError()
}

// parseStatus takes an answer that shows this queue manager, once and whole.
func (g *extentGatherer) parseStatus(q Question, body []byte) status {
	answer, err := mqsc.ParseAnswer(body)
	if err != nil {
		g.open(finding.FactsUnreadable, "%s: %v", q, err)
		return status{kind: statusUnread, text: q.Text}
	}
	if match := notAvailable.Find(body); match != nil && len(answer.Objects) == 0 {
		return status{kind: statusDown, text: q.Text, says: string(match)}
	}
	if answer.SyntaxError() {
		return status{kind: statusOlder, text: q.Text}
	}
	if len(answer.Objects) != 1 {
		g.open(finding.FactsUnreadable, "%s shows %d queue managers: %s", q, len(answer.Objects), firstLine(body))
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
	if g.status.kind != statusShown {
		return
	}
	observed, now := g.observed, g.now
	second := g.readStatus(g.status.text)
	g.observed, g.now = observed, now
	if second.kind != statusShown {
		if second.kind != statusUnread {
			g.open(finding.FactsUnreadable, "%s was answered once, and not again after the listing %s", g.status.text, second.says)
		}
		return
	}
	if value, told := second.tells("STATUS"); told && value != running && g.runs {
		g.open(finding.NotThisHost, "%s says STATUS(%s) after the listing", second.text, value)
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
