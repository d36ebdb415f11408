package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrFired says that the firing with this key was run to its end already.
var ErrFired = errors.New("this firing was run already")

// Firing is one time at which one task is due on one target.
type Firing struct {
	Target string        // the target's name
	Task   string        // as the caller tells tasks apart
	Policy string        // for people
	Key    string        // which firing: the time it was due, say; empty: by hand
	Run    string        // the run's ID
	By     string        // who: host and process, for people
	For    time.Duration // how long the lease lasts; several times what Renew is called at
}

// String names the task and the target.
func (f Firing) String() string { return f.Task + " on " + f.Target }

func (f Firing) check() error {
	for name, value := range map[string]string{"target": f.Target, "task": f.Task, "by": f.By} {
		if err := oneLine(name, value, true); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{"policy": f.Policy, "key": f.Key, "run": f.Run} {
		if err := oneLine(name, value, false); err != nil {
			return err
		}
	}
	if f.For <= 0 {
		return fmt.Errorf("a lease of %s lasts %s, which is no time", f, f.For)
	}
	return nil
}

// Claim takes the lease for a firing. While another has it the error is Held;
// ErrFired when the same key was run to its end, by whomever. A firing that was
// begun and not ended can be claimed again when its lease has run out: look at
// [Ledger.OpenIntents] first, nothing is done twice blindly.
func (l *Ledger) Claim(ctx context.Context, f Firing) (*Lease, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("claiming: %w", err)
	}
	s := &Lease{ledger: l, firing: f, attempt: 1}
	err := l.change(ctx, "claiming "+f.String(), func(c *change) error {
		if err := c.fire(s); err != nil {
			return err
		}
		if err := c.take(s); err != nil {
			return err
		}
		_, err := c.noteValue(row{Kind: kindClaim, Target: f.Target, Task: f.Task, Run: f.Run}, claimBody{
			Policy: f.Policy, Key: f.Key, By: f.By, Epoch: s.epoch, Until: s.until.UTC().Format(time.RFC3339Nano),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type claimBody struct {
	Policy string `json:"policy,omitempty"`
	Key    string `json:"key,omitempty"`
	By     string `json:"by"`
	Epoch  int64  `json:"epoch"`
	Until  string `json:"until"`
}

// fire begins the firing, unless it has been run.
func (c *change) fire(s *Lease) error {
	f := s.firing
	if f.Key == "" {
		return nil
	}
	var state, outcome string
	var attempts int
	err := c.tx.QueryRowContext(c.ctx, "SELECT state, outcome, attempts FROM firing WHERE target = ? AND task = ? AND key = ?",
		f.Target, f.Task, f.Key).Scan(&state, &outcome, &attempts)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case state == FiringDone:
		return fmt.Errorf("%w: %s: %s", ErrFired, f.Key, outcome)
	}
	s.attempt = attempts + 1
	_, err = c.exec(`INSERT INTO firing (target, task, key, policy, at, attempts, state, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, '')
		ON CONFLICT DO UPDATE SET policy = excluded.policy, at = excluded.at, attempts = excluded.attempts, state = excluded.state, outcome = ''`,
		f.Target, f.Task, f.Key, f.Policy, nanos(c.now), s.attempt, FiringRunning)
	return err
}

// take takes the lease, if nobody has it.
func (c *change) take(s *Lease) error {
	f := s.firing
	var holder string
	var epoch, until int64
	err := c.tx.QueryRowContext(c.ctx, "SELECT epoch, holder, until FROM lease WHERE target = ? AND task = ?", f.Target, f.Task).Scan(&epoch, &holder, &until)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case holder != "" && until > c.now.UnixNano():
		return &Held{By: holder, Until: moment(until)}
	}
	s.epoch, s.until = epoch+1, c.now.Add(f.For)
	_, err = c.exec(`INSERT INTO lease (target, task, epoch, holder, until) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, until = excluded.until`,
		f.Target, f.Task, s.epoch, f.By, nanos(s.until))
	return err
}
