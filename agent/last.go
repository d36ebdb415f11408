package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
)

const (
	// looked is how many rows of the ledger are read to find the newest
	// firing. Those from a time when the clock was ahead are passed over.
	looked = 100
	// near is how many firings before a claim are looked at to find the one
	// with its key. A claim comes before the next firing as a rule.
	near = 64
)

// past is what the ledger knows of a task when the agent starts.
type past struct {
	// last is the moment of the newest firing that was dealt with on all
	// targets of which the ledger knows one. Zero: it knows none, and nothing
	// was missed.
	last time.Time
	// begun are the keys of firings that have not ended. Another agent is at
	// them, or their process died.
	begun []string
}

// past asks the ledger.
func (t Task) past(ctx context.Context, book Ledger, now time.Time) (past, error) {
	var p past
	for _, target := range t.Targets {
		fired, err := book.Firings(ctx, target.Name, t.Name(), looked)
		if err != nil {
			return p, fmt.Errorf("looking for what %s has missed on %s: %w", t.Name(), target, err)
		}
		for _, f := range fired {
			if f.At.After(now.Add(onTime)) {
				continue
			}
			if dealt := dealtWith(t.when, f); p.last.IsZero() || dealt.Before(p.last) {
				p.last = dealt
			}
			if f.State == ledger.FiringRunning {
				p.begun = append(p.begun, f.Key)
			}
			break
		}
	}
	return p, nil
}

// dealtWith gives the moment up to which nothing is due any more after a
// firing: its own, or just before it when it was begun and never ended. Its
// process may have died (case 73), and the firing can be claimed again.
//
// The ledger has the key of a firing and the time of its claim. A key that the
// schedule does not have any more, as it was changed, counts by its claim.
func dealtWith(when schedule.Schedule, fired ledger.Fired) time.Time {
	at := fired.At
	candidates, _ := when.Missed(time.Time{}, fired.At.Add(onTime), near)
	for _, c := range candidates {
		if c.Key == fired.Key {
			at = c.At
		}
	}
	if fired.State == ledger.FiringRunning {
		at = at.Add(-time.Nanosecond)
	}
	return at
}
