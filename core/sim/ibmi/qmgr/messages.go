package qmgr

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// row is a message of MQ as this simulator words it. Identifiers and what is
// carried are documented; no source confirms wording, severity and order of
// the substitution data, so all that stands in this one table.
type row struct {
	id       string
	severity int
	text     string  // with the names of fields in braces; {stamp} is date and time for people
	old      string  // text of the V5.1/V5.2 form, where it differs
	help     string  // second level
	tokens   []token // substitution data, in their order
	oldData  []token // that of the old form
	verified bool    // the wording is MQ's own
	source   string
}

// token is a field of substitution data and its width in characters.
type token struct {
	name  string
	width int
}

var (
	pointData = []token{{"receiver", 10}, {"library", 10}, {"date", 8}, {"time", 9}}
	timeData  = []token{{"date", 8}, {"time", 9}}
	objectTok = []token{{"object", 48}, {"type", 10}}
)

// rows are the messages that a queue manager sends.
var rows = []row{
	{
		id: "AMQ7432", severity: 40,
		text:   "Journal entry of {stamp}, needed for {purpose}, is not available: {detail}.",
		help:   "Restore the journal receivers from that time on and repeat the command.",
		tokens: timeData, source: "reference, IBM i 2.2 [S7]; severity and wording ours",
	},
	{
		id: "AMQ7460", severity: 0,
		text:   "Startup journal information: the oldest entry needed is of {stamp}, receiver {receiver} in library {library}.",
		old:    "Startup journal information: the oldest entry needed is of {stamp}.",
		help:   "A start of the queue manager reads the journal from this entry on.",
		tokens: pointData, oldData: timeData, source: "reference, IBM i 2.1 [S6,S1]; severity and wording ours",
	},
	{
		id: "AMQ7461", severity: 0,
		text:   "Object {object}, type {type}, was re-created.",
		help:   "Give authorities to the object again.",
		tokens: objectTok, source: "reference, IBM i 2.2, unverified; wording ours",
	},
	{
		id: "AMQ7462", severity: 0,
		text:   "Media recovery journal information: the oldest entry needed is of {stamp}, receiver {receiver} in library {library}.",
		old:    "Media recovery journal information: the oldest entry needed is of {stamp}.",
		help:   "To re-create a damaged object the journal is read from this entry on at the earliest.",
		tokens: pointData, oldData: timeData, source: "reference, IBM i 2.1 [S6,S1]; severity and wording ours",
	},
	{
		id: "AMQ7472", severity: 40,
		text:   "Object {object}, type {type}, is damaged.",
		help:   "Re-create the object from its media image with RCRMQMOBJ.",
		tokens: objectTok, source: "reference, IBM i 2.2 [S57]; wording ours",
	},
}

// rowOf gives the row of an id that is in the table.
func rowOf(id string) *row {
	for i := range rows {
		if rows[i].id == id {
			return &rows[i]
		}
	}
	panic("no such message in the table: " + id)
}

// The program and the user that send messages: the checkpoint process and the
// product's profile (reference, IBM i 3.2, 7.3).
const (
	program = "AMQALMPX"
	user    = "QMQM"
)

// fields are the values that a message carries, by their names in the table.
type fields map[string]string

// at adds a time: as a person reads it and as substitution data has it.
func (f fields) at(t time.Time) fields {
	f["stamp"] = t.Format("2006-01-02 15.04.05.000")
	f["date"] = t.Format("20060102")
	f["time"] = t.Format("150405") + milliseconds(t)
	return f
}

// fill puts the values in a text.
func (f fields) fill(text string) string {
	for name, value := range f {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// message makes a message of the table. In the old form the two messages of
// the recovery points carry the time alone.
func message(id string, f fields, old bool) os400.Message {
	r := rowOf(id)
	text, data := r.text, r.tokens
	if old && r.old != "" {
		text, data = r.old, r.oldData
	}
	var tokens strings.Builder
	for _, t := range data {
		tokens.WriteString(char(f[t.name], t.width))
	}
	return os400.Message{
		ID: id, Kind: os400.Informational, Severity: r.severity,
		Text: f.fill(text), Help: f.fill(r.help), Tokens: tokens.String(), Program: program, User: user,
	}
}

// tell sends a message of the table to the queue manager's queue. Where
// somebody has deleted that, it is made anew: a queue manager must not be kept
// from running by it.
func (m *Manager) tell(id string, f fields) error {
	msg := message(id, f, m.spec.OldMessages)
	msg.Job = m.job(program, 0)
	_, err := m.sys.Send(m.MessageQueue(), msg)
	var escape *os400.Error
	if errors.As(err, &escape) && escape.ID == "CPF9801" {
		if err = m.sys.CreateQueue(m.MessageQueue()); err == nil {
			_, err = m.sys.Send(m.MessageQueue(), msg)
		}
	}
	if err != nil {
		return fmt.Errorf("sending %s to %s: %w", id, m.MessageQueue(), err)
	}
	return nil
}

// char gives a text in a field of fixed width, as char(n) has it.
func char(text string, width int) string { return fmt.Sprintf("%-*.*s", width, width, text) }

// milliseconds gives the three digits behind the second.
func milliseconds(t time.Time) string {
	return fmt.Sprintf("%03d", t.Nanosecond()/int(time.Millisecond))
}
