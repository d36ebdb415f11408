package observe

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// readOperator looks on the operator's message queue, and on the journal's,
// for what a person has to see to: that no new receiver could be attached, that
// journaling has stopped, that a job waits for a reply.
func (g *gatherer) readOperator() {
	var attached Stamp
	for _, r := range g.chain.receivers {
		if r.State == recovery.Current {
			attached = r.Attach
		}
	}
	if attached.IsZero() {
		return // nothing tells which is attached, and that is a finding already
	}
	queues := []recovery.SegmentID{{Library: "QSYS", Name: "QSYSOPR"}}
	if q := g.facts.Journal.MessageQueue; q.Library != "" && q.Name != "" && q.Name != "QSYSOPR" {
		queues = append(queues, q)
	}
	var waiting []inquiry
	for _, q := range queues {
		t, ok := g.table(fmt.Sprintf("QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='%s' MESSAGE_QUEUE_NAME='%s'", q.Library, q.Name), true)
		if !ok {
			continue
		}
		found, err := messages(t, q.Library, q.Name, clashMessage, stoppedMessage, unsavedMessage, inactiveMessage)
		if err != nil {
			continue // a queue without times tells nothing of when
		}
		g.noteClash(found, attached, q)
		waiting = append(waiting, unanswered(t, found, q)...)
	}
	if m := g.facts.Messages; !m.Clash.IsZero() {
		g.open(finding.NameClash, "CPI70E3 on %s at %s: %s", m.ClashQueue, m.Clash, m.ClashText)
	}
	g.openStopped(waiting)
	g.openWaiting(waiting)
}

// noteClash notes the message that no new receiver could be attached: the
// attached one then grows without an end (reference, IBM i 1.1). One older
// than the attached receiver has been dealt with.
func (g *gatherer) noteClash(found []message, attached Stamp, queue recovery.SegmentID) {
	for _, m := range found {
		if m.id == clashMessage && m.sent.After(attached.Time) && g.mentionsJournal(m) {
			g.facts.Messages.Clash, g.facts.Messages.ClashText, g.facts.Messages.ClashQueue = m.sent, m.row.Text("MESSAGE_TEXT"), queue.String()
		}
	}
}

// mentionsJournal tells whether a message may be about this journal. Its
// text is not documented: one that names no journal at all counts.
func (g *gatherer) mentionsJournal(m message) bool {
	text := m.row.Raw("MESSAGE_TEXT") + m.row.Raw("MESSAGE_TOKENS")
	return strings.Contains(text, g.facts.Journal.Name) || !strings.Contains(text, "JRN")
}
