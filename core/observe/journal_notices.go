package observe

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/recovery"
)

// readClash looks on the journal's message queue, and on the operator's, for
// the message that no new receiver could be attached: the attached one then
// grows without an end (reference, IBM i 1.1). One older than the attached
// receiver has been dealt with.
func (g *gatherer) readClash() {
	queues := []recovery.SegmentID{{Library: "QSYS", Name: "QSYSOPR"}}
	if q := g.facts.Journal.MessageQueue; q.Library != "" && q.Name != "" && q.Name != "QSYSOPR" {
		queues = append(queues, q)
	}
	var attached Stamp
	for _, r := range g.chain.receivers {
		if r.State == recovery.Current {
			attached = r.Attach
		}
	}
	defer func() {
		if m := g.facts.Messages; !m.Clash.IsZero() {
			g.open(finding.NameClash, "CPI70E3 on %s at %s: %s", m.ClashQueue, m.Clash, m.ClashText)
		}
	}()
	if attached.IsZero() {
		return // nothing tells which is attached, and that is a finding already
	}
	for _, q := range queues {
		t, ok := g.table(fmt.Sprintf("QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='%s' MESSAGE_QUEUE_NAME='%s'", q.Library, q.Name), true)
		if !ok {
			continue
		}
		found, err := messages(t, q.Library, q.Name, clashMessage)
		if err != nil {
			continue // a queue without times tells nothing of when
		}
		for _, m := range found {
			if m.sent.After(attached.Time) && g.mentionsJournal(m) {
				g.facts.Messages.Clash, g.facts.Messages.ClashText, g.facts.Messages.ClashQueue = m.sent, m.row.Text("MESSAGE_TEXT"), q.String()
			}
		}
	}
}

// mentionsJournal tells whether a message may be about this journal. Its
// text is not documented: one that names no journal at all counts.
func (g *gatherer) mentionsJournal(m message) bool {
	text := m.row.Raw("MESSAGE_TEXT") + m.row.Raw("MESSAGE_TOKENS")
	return strings.Contains(text, g.facts.Journal.Name) || !strings.Contains(text, "JRN")
}

// Pin is what holds a recovery point back.
type Pin struct {
	Kind    recovery.NeedKind // Restart or Media
	Segment string            // the receiver that it needs
	What    string            // the connection or the queue, for people
}

// ReadPins asks the queue manager which units of work and which queues need
// the oldest receivers. A queue manager that can't be asked has none to show.
func ReadPins(ctx context.Context, asker Asker, target Target) []Pin {
	ask := func(text string) []mqsc.Object {
		answer, err := asker.Ask(ctx, Question{Language: MQSC, QueueManager: target.Name, Text: text})
		if err != nil {
			return nil
		}
		parsed, err := mqsc.ParseAnswer(answer.Body)
		if err != nil {
			return nil
		}
		return parsed.Objects
	}
	var pins []Pin
	for _, o := range ask("DISPLAY CONN(*) ALL") {
		if receiver := attribute(o, "UOWLOG"); receiverPattern.MatchString(receiver) {
			what := fmt.Sprintf("unit of work of connection %s (%s, started %s %s)", attribute(o, "CONN"), attribute(o, "APPLTAG"), attribute(o, "UOWLOGDA"), attribute(o, "UOWLOGTI"))
			pins = append(pins, Pin{recovery.Restart, receiver, what})
		}
	}
	for _, o := range ask("DISPLAY QSTATUS(*) TYPE(QUEUE) MEDIALOG CURDEPTH") {
		if receiver := attribute(o, "MEDIALOG"); receiverPattern.MatchString(receiver) {
			pins = append(pins, Pin{recovery.Media, receiver, fmt.Sprintf("queue %s (depth %s)", attribute(o, "QUEUE"), attribute(o, "CURDEPTH"))})
		}
	}
	return pins
}

func attribute(o mqsc.Object, name string) string {
	value, _ := o.Get(name)
	return strings.TrimSpace(value)
}
