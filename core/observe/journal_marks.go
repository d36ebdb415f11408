package observe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/recovery"
)

// SourcesOfMarks names the sources of recovery points on IBM i in their
// order of trust. All that can be had are used, and of what they say the
// oldest position counts; the order says which is shown first and which a
// person should believe when they disagree.
func SourcesOfMarks() []string {
	return []string{
		"AMQJRNINF, which the queue manager writes whenever it publishes: the older of both points",
		"the newest pair of AMQ7460 (restart) and AMQ7462 (media) on QMQMMSG",
		"RECLOG (restart) and MEDIALOG (media) of DISPLAY QMSTATUS",
	}
}

func (g *gatherer) spaceName() string { return g.facts.Journal.Library + "/AMQJRNINF" }

// readMarks reads the recovery points from every source, in order of trust.
func (g *gatherer) readMarks() {
	if m, ok := g.readSpace(); ok && g.plausible(m) {
		g.first = m
		g.marks = append(g.marks, m)
		if m.name == "" && !m.gone {
			g.open(finding.MarkByTime, "%s gives a time and no receiver: the time alone places the recovery point", m.source)
		}
	}
	g.readMessages()
	g.readStatus()
	g.compareSources()
}

// readSpace reads AMQJRNINF. Without it nothing is deleted: a missing space
// says that the queue manager never ran at a level that publishes.
func (g *gatherer) readSpace() (mark, bool) {
	body, ok := g.ask(UsrSpc, g.spaceName())
	if !ok {
		return mark{}, false
	}
	m, err := parseUserSpace(body)
	if err != nil {
		g.open(finding.MarkUnreadable, "user space %s: %v", g.spaceName(), err)
		return mark{}, false
	}
	m.source = "AMQJRNINF in " + g.facts.Journal.Library
	return m, true
}

// plausible refuses a mark in the future. An hour is allowed for a clock
// that has just gone back.
func (g *gatherer) plausible(m mark) bool {
	if g.now.IsZero() || m.entry.IsZero() || m.entry.Sub(g.now.Time) <= time.Hour {
		return true
	}
	g.open(finding.MarkUnreadable, "%s gives %s, which is in the future: the system's clock shows %s", m.source, m.entry, g.now)
	return false
}

func (g *gatherer) readMessages() {
	library := g.facts.Journal.Library
	t, ok := g.table("QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='"+library+"' MESSAGE_QUEUE_NAME='QMQMMSG'", true)
	if !ok {
		return
	}
	found, err := messages(t, library, "QMQMMSG", startupMessage, mediaMessage, missingMessage, damageMessage)
	if err != nil {
		g.open(finding.FactsUnreadable, "QSYS2.MESSAGE_QUEUE_INFO of %s/QMQMMSG: %v", library, err)
		return
	}
	marks, err := newestPair(found, library)
	if err != nil {
		g.open(finding.MarkUnreadable, "%s/QMQMMSG: %v", library, err)
	}
	for _, m := range marks {
		if g.plausible(m) {
			g.marks = append(g.marks, m)
		}
	}
	g.readNotices(found)
}

// readNotices reads what else QMQMMSG says. A missing entry (AMQ7432) blocks
// until the queue manager has published recovery points after it: then it
// runs again.
func (g *gatherer) readNotices(found []message) {
	for _, id := range []string{startupMessage, mediaMessage} {
		if m := last(found, id); m != nil && m.sent.After(g.published.Time) {
			g.published = m.sent
		}
	}
	for _, m := range found {
		if m.id == damageMessage && g.clock.mayFollow(m.sent, g.published) {
			g.facts.Messages.Damaged = append(g.facts.Messages.Damaged, fmt.Sprintf("%s sent %s %s", m.id, m.sent, m.row.Text("MESSAGE_TEXT")))
		}
	}
	if m := last(found, missingMessage); m != nil && g.clock.mayFollow(m.sent, g.published) {
		g.open(finding.RecoveryFailed, "%s sent %s: %s", m.id, m.sent, m.row.Text("MESSAGE_TEXT"))
	}
}

// readStatus reads RECLOG and MEDIALOG, which hold receivers on IBM i. Blank
// or foreign values are no source.
func (g *gatherer) readStatus() {
	q := Question{Language: MQSC, QueueManager: g.target.Name, Text: "DISPLAY QMSTATUS ALL"}
	got, err := g.asker.Ask(g.ctx, q)
	var failed *Failed
	if errors.As(err, &failed) && notAvailable.Match(failed.Body) {
		g.open(finding.ManagerNotRunning, "DISPLAY QMSTATUS: %s", firstLine(failed.Body))
		return
	}
	if g.silent(q, err); err != nil {
		return
	}
	body := got.Body
	answer, err := mqsc.ParseAnswer(body)
	if err != nil {
		g.open(finding.FactsUnreadable, "DISPLAY QMSTATUS: %v", err)
		return
	}
	if answer.SyntaxError() {
		g.stateless = true // a level that has no DISPLAY QMSTATUS
		return
	}
	shown := 0
	for _, object := range answer.Objects {
		if name, ok := object.Get("QMNAME"); ok && name != g.target.Name {
			continue
		}
		shown++
		status, said := object.Get("STATUS")
		switch {
		case !said:
			g.stateless = true
		case status != "RUNNING":
			g.open(finding.ManagerNotRunning, "DISPLAY QMSTATUS says STATUS(%s)", status)
		}
		g.statusMark(object, "RECLOG", recovery.Restart)
		g.statusMark(object, "MEDIALOG", recovery.Media)
	}
	if shown == 0 {
		g.open(finding.FactsUnreadable, "DISPLAY QMSTATUS shows nothing of the queue manager: %s", firstLine(body))
	}
}

// ofQueueManagerStatus ends the source of a recovery point that DISPLAY
// QMSTATUS shows.
const ofQueueManagerStatus = " of DISPLAY QMSTATUS"

func (g *gatherer) statusMark(object mqsc.Object, attribute string, kind recovery.NeedKind) {
	value, _ := object.Get(attribute)
	value = strings.TrimSpace(value)
	if receiverPattern.FindString(value) != value || value == "" {
		return
	}
	g.marks = append(g.marks, mark{kind: kind, name: value, source: attribute + ofQueueManagerStatus})
}

// notAvailable fits what runmqsc says of a queue manager that is not running
// (AMQ8146, AMQ8118: it does not exist).
var notAvailable = regexp.MustCompile(`AMQ8146|AMQ8118`)

// compareSources warns when AMQJRNINF is not the older of the newest pair:
// both are written together. The older of all counts: where AMQJRNINF is older
// than both, it may be the restart point as well as the media point, and is
// taken for both, also by a strategy that else keeps from AMQ7460 alone.
func (g *gatherer) compareSources() {
	var older Stamp
	kinds := make(map[recovery.NeedKind]bool)
	for _, m := range g.marks {
		if strings.HasPrefix(m.source, "AMQ746") && !m.entry.IsZero() {
			kinds[m.kind] = true
			if older.IsZero() || m.entry.Before(older.Time) {
				older = m.entry
			}
		}
	}
	first := g.first.entry
	if len(kinds) < 2 || first.IsZero() || first.Second().Equal(older.Second().Time) {
		return
	}
	g.open(finding.MarksDisagree, "AMQJRNINF gives %s, but the older of AMQ7460 and AMQ7462 is %s; the older counts", first, older)
	if first.Before(older.Time) {
		restart := g.first
		restart.kind = recovery.Restart
		restart.source += ", older than both messages"
		g.marks = append(g.marks, restart)
	}
}

// readMarksAgain reads AMQJRNINF after the listing: forward is fine, since
// the first reading decides; backward means another incarnation, and a needed
// receiver that has gone meanwhile is no better.
func (g *gatherer) readMarksAgain() {
	if g.first.source == "" {
		return
	}
	observed, now := g.observed, g.now
	second, ok := g.readSpace()
	g.observed, g.now = observed, now
	switch {
	case !ok:
	case second.gone && !g.first.gone:
		g.open(finding.MarkWentBack, "AMQJRNINF went from %s to %s while the receivers were listed: a needed receiver has gone", g.first, second)
	case second.entry.Before(g.first.entry.Time):
		g.open(finding.MarkWentBack, "AMQJRNINF went from %s back to %s while the receivers were listed", g.first, second)
	case second.entry.After(g.first.entry.Time):
		g.open(finding.MarkMoved, "AMQJRNINF moved from %s to %s while the receivers were listed", g.first, second)
	case second.name != g.first.name || second.library != g.first.library || second.gone != g.first.gone:
		g.open(finding.MarkWentBack, "AMQJRNINF changed from %s to %s while the receivers were listed", g.first, second)
	}
}
