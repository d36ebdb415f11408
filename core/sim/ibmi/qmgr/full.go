package qmgr

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// operator is the queue of inquiries that no job shows to a person.
var operator = os400.ID{Library: "QSYS", Name: "QSYSOPR"}

// stuck makes the escape message CPA7090 of an entry that could not be
// journaled, reason 1: there is no space. That of reason 4, sequence numbers
// used up, is made by the journal itself. The operator gets the inquiry once
// until entries are taken again.
func (m *Manager) stuck(escape *os400.Error, err error) error {
	answer := err
	if escape == nil {
		escape = m.noSpace(err)
		answer = escape
	}
	if m.full.Swap(true) {
		return answer
	}
	inquiry := os400.Message{
		ID: escape.ID, Kind: os400.Inquiry, Severity: 99, Text: escape.Text,
		Job: m.job(program, 0), User: user, Program: program,
	}
	if _, err := m.sys.Send(operator, inquiry); err != nil {
		m.full.Store(false) // it was not sent: there is no room for the message either
		return fmt.Errorf("%w (the operator could not be told: %w)", answer, err)
	}
	return answer
}

// noSpace makes CPA7090 with reason 1 for the attached receiver.
func (m *Manager) noSpace(err error) *os400.Error {
	j, missing := m.sys.Journal(m.Journal())
	return os400.NotJournaled(m.Journal(), j.Attached, os400.NoStorage, errors.Join(err, missing))
}
