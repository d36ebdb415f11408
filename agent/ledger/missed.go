package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// The states of a firing.
const (
	FiringRunning = "running" // claimed and not yet released; perhaps by a process that died
	FiringMissed  = "missed"  // nobody was there when it was due; it can still be claimed, to catch up
	FiringDone    = "done"    // run to its end, however that was
)

// Fired is what became of a firing.
type Fired struct {
	Target, Task, Policy, Key string
	At                        time.Time // when it was claimed or found missed, by the ledger's clock
	Attempts                  int       // how often it was begun
	State                     string    // running, missed, done
	Outcome                   string    // done: what Release was told; missed: why
}

// Missed records that nobody ran a firing when it was due, and why not. One
// that is known already, run or missed, stays as it is: several agents may
// find out the same.
func (l *Ledger) Missed(ctx context.Context, f Firing, why string) error {
	for name, value := range map[string]string{"target": f.Target, "task": f.Task, "key": f.Key, "why": why} {
		if err := oneLine(name, value, true); err != nil {
			return fmt.Errorf("recording a missed firing of %s: %w", f, err)
		}
	}
	err := l.change(ctx, "recording a missed firing of "+f.String(), func(c *change) error {
		added, err := c.exec(`INSERT INTO firing (target, task, key, policy, at, attempts, state, outcome) VALUES (?, ?, ?, ?, ?, 0, ?, ?)
			ON CONFLICT DO NOTHING`, f.Target, f.Task, f.Key, f.Policy, nanos(c.now), FiringMissed, why)
		if err != nil || added == 0 {
			return err
		}
		_, err = c.noteValue(row{Kind: kindMissed, Target: f.Target, Task: f.Task},
			map[string]string{"policy": f.Policy, "key": f.Key, "why": why})
		return err
	})
	return err
}

// Firings gives the newest firings of a task on a target, newest first: what
// an agent that starts compares its schedule with. A limit of 0 gives all.
func (l *Ledger) Firings(ctx context.Context, target, task string, limit int) ([]Fired, error) {
	if limit == 0 {
		limit = -1
	}
	scan := func(found *sql.Rows) (Fired, error) {
		var f Fired
		var at int64
		err := found.Scan(&f.Target, &f.Task, &f.Policy, &f.Key, &at, &f.Attempts, &f.State, &f.Outcome)
		f.At = moment(at)
		return f, err
	}
	list, err := rows(ctx, l.db, scan, `SELECT target, task, policy, key, at, attempts, state, outcome FROM firing
		WHERE target = ? AND task = ? ORDER BY at DESC, key DESC LIMIT ?`, target, task, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the firings of %s on %s: %w", task, target, err)
	}
	return list, nil
}
