package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// zoned gives digits as a user space has them, in EBCDIC.
func zoned(digits string) []byte {
	text := []byte(digits)
	for i := range text {
		text[i] += 0xf0 - '0'
	}
	return text
}

// Whatever becomes so between the look that was planned on and the first thing
// that is done ends the run before that: a command is not sent either.
func TestLookedAtBeforeAnythingIsDone(t *testing.T) {
	tests := []struct {
		name   string
		code   finding.Code
		happen func(s *station, d *tampered) // once the writer is opened
	}{
		{"a hold", finding.GuardRefused, func(s *station, _ *tampered) {
			_, err := s.ledger.AddHold(s.t.Context(), ledger.Hold{Target: "ORDERS", Reason: "a migration", By: "ann"})
			s.must(err)
		}},
		{"it does not plainly run any more", finding.GuardRefused, func(_ *station, d *tampered) {
			d.ask = func(_ int, q observe.Question) error {
				if q.Language == observe.MQSC && strings.Contains(q.Text, "QMSTATUS") {
					return &observe.Failed{Question: q, Body: []byte("AMQ8146: queue manager not available")}
				}
				return nil
			}
		}},
		{"the receivers can't be listed", finding.GuardRefused, func(_ *station, d *tampered) {
			d.ask = func(_ int, q observe.Question) error {
				if q.Language == observe.SQL && strings.Contains(q.Text, "RECEIVER") {
					return &observe.TimedOut{Question: q, After: time.Minute}
				}
				return nil
			}
		}},
		{"a recovery point went back", finding.RunStopped, func(_ *station, d *tampered) {
			d.answer = func(q observe.Question, a observe.Answer) observe.Answer {
				if q.Language == observe.UsrSpc { // AMQJRNINF
					a.Body = slices.Concat(a.Body[:4], zoned("000000"), a.Body[10:20], zoned("20260601080000000"))
				}
				return a
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ready(t)
			s.plugin = newCommander(changeReceiver)
			var d *tampered
			s.wrap = func(next connect.Dialer) connect.Dialer {
				d = tamper(next)
				return d
			}
			h := s.watch()
			h.opened = func() { test.happen(s, d) }
			before := s.receivers()
			record := s.run(connect.Apply, "unsaved")
			target := record.Targets[0]
			if f := target.Findings[0]; f.Code != test.code {
				t.Errorf("%v, want %s", f, test.code)
			}
			if len(h.sent) > 0 || !slices.Equal(s.receivers(), before) {
				t.Errorf("%v was sent, %v are left of %v", h.sent, s.receivers(), before)
			}
			for _, a := range target.Actions {
				if a.Outcome != "skipped" || !strings.Contains(a.Evidence, "not attempted") {
					t.Errorf("%s %s is %s: %s", a.Kind, a.Object, a.Outcome, a.Evidence)
				}
			}
			if open, err := s.ledger.OpenIntents(t.Context(), "ORDERS"); err != nil || len(open) > 0 {
				t.Errorf("intended: %v, %v", open, err)
			}
		})
	}
}
