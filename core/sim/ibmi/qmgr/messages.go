package qmgr

import (
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

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

// message makes a message of the table. In the old form the two messages of
// the recovery points carry the time alone.
func message(id string, f fields, old bool) os400.Message {
	m := wording.Of(id)
	text, data := m.Say(f, old)
	return os400.Message{
		ID: id, Kind: os400.Informational, Severity: m.Severity,
		Text: text, Help: m.Help, Tokens: data, Program: program, User: user,
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

// char10 gives the name of an object in its field, as char(10) has it.
func char10(name string) string { return fmt.Sprintf("%-10.10s", name) }

// milliseconds gives the three digits behind the second.
func milliseconds(t time.Time) string {
	return fmt.Sprintf("%03d", t.Nanosecond()/int(time.Millisecond))
}
