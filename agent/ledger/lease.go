package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrLeaseLost says that a lease has run out, was released, or that another
// process has taken it over. Whoever gets it starts nothing more on the target.
var ErrLeaseLost = errors.New("the lease is lost")

// Held says that somebody else has the lease.
type Held struct {
	By    string
	Until time.Time // unless it is renewed
}

func (e *Held) Error() string {
	return fmt.Sprintf("held by %s until %s", e.By, e.Until.Format(time.RFC3339))
}

// Lease is the right to do one task on one target, until it runs out. It is
// safe for concurrent use.
//
// Its epoch is higher than that of every lease before it on the same target
// and task; the ledger takes no intent under an older one. But a lease can't
// stop a hand that is on its way: its holder asks Check before each step that
// can't be undone, and gives the step no longer than Left.
type Lease struct {
	ledger  *Ledger
	firing  Firing
	epoch   int64
	attempt int

	mu    sync.Mutex
	until time.Time // with the clock's monotonic reading, where it has one
}

// Epoch gives the lease's number on its target and task, from 1.
func (s *Lease) Epoch() int64 { return s.epoch }

// Attempt says how often the firing was begun, this time included. More than 1
// means that a process began it and did not end it.
func (s *Lease) Attempt() int { return s.attempt }

// Left gives how long the lease still lasts by this process's clock; at most
// zero when it is over. It does not ask the ledger.
func (s *Lease) Left() time.Duration {
	now := s.ledger.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return left(now, s.until)
}

// left gives the shorter of what two clocks say: the monotonic one, which
// nobody sets back but which stands still while a system sleeps, and the wall
// clock, by which other processes judge.
func left(now, until time.Time) time.Duration {
	return min(until.Sub(now), until.Round(0).Sub(now.Round(0)))
}

// Check tells whether the lease still stands: nil, or ErrLeaseLost. The clock
// is read after the ledger was asked, so that a process that was frozen in
// between learns of it.
func (s *Lease) Check(ctx context.Context) error {
	if err := s.fence(ctx, s.ledger.db, true); err != nil {
		return fmt.Errorf("checking the lease of %s: %w", s.firing, err)
	}
	return nil
}

// fence tells whether nobody has taken the lease over and, where it must last,
// whether it has not run out.
func (s *Lease) fence(ctx context.Context, q querier, last bool) error {
	var epoch int64
	var holder string
	err := q.QueryRowContext(ctx, "SELECT epoch, holder FROM lease WHERE target = ? AND task = ?", s.firing.Target, s.firing.Task).Scan(&epoch, &holder)
	over := s.Left()
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return explain(err)
	case err != nil:
		return fmt.Errorf("%w: the ledger does not know it", ErrLeaseLost)
	case epoch != s.epoch:
		return fmt.Errorf("%w: it was taken over, its epoch is %d and no longer %d", ErrLeaseLost, epoch, s.epoch)
	case holder == "":
		return fmt.Errorf("%w: it was released", ErrLeaseLost)
	case last && over <= 0:
		return fmt.Errorf("%w: it ran out %s ago", ErrLeaseLost, -over)
	}
	return nil
}

// Renew gives the lease its whole length again, from now on. One that has run
// out is lost even if nobody took it over: what was seen before may have
// changed in between.
func (s *Lease) Renew(ctx context.Context) error {
	var until time.Time
	err := s.ledger.change(ctx, "renewing the lease of "+s.firing.String(), func(c *change) error {
		if err := s.fence(c.ctx, c.tx, true); err != nil {
			return err
		}
		until = c.now.Add(s.firing.For)
		_, err := c.exec("UPDATE lease SET until = ? WHERE target = ? AND task = ?", nanos(until), s.firing.Target, s.firing.Task)
		return err
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.until) { // of two who renew at once, the later counts
		s.until = until
	}
	return nil
}

// Release gives the lease back and says how the firing ended; its key does not
// fire again. A lease that has run out but was not taken over can still be
// released; ErrLeaseLost otherwise.
func (s *Lease) Release(ctx context.Context, outcome string) error {
	return s.give(ctx, outcome, true)
}

// Abandon gives the lease back without an end of the firing: it can be claimed
// again, as if its process had died, but at once. The outcome says why.
func (s *Lease) Abandon(ctx context.Context, outcome string) error {
	return s.give(ctx, outcome, false)
}

func (s *Lease) give(ctx context.Context, outcome string, ended bool) error {
	if err := oneLine("outcome", outcome, true); err != nil {
		return err
	}
	f := s.firing
	err := s.ledger.change(ctx, "releasing the lease of "+f.String(), func(c *change) error {
		if err := s.fence(c.ctx, c.tx, false); err != nil {
			return err
		}
		if _, err := c.exec("UPDATE lease SET holder = '', until = 0 WHERE target = ? AND task = ?", f.Target, f.Task); err != nil {
			return err
		}
		if ended {
			if _, err := c.exec("UPDATE firing SET state = ?, outcome = ? WHERE target = ? AND task = ? AND key = ?",
				FiringDone, outcome, f.Target, f.Task, f.Key); err != nil {
				return err
			}
		}
		_, err := c.noteValue(row{Kind: kindRelease, Target: f.Target, Task: f.Task, Run: f.Run},
			releaseBody{Key: f.Key, Epoch: s.epoch, Outcome: outcome, Again: !ended})
		return err
	})
	return err
}

type releaseBody struct {
	Key     string `json:"key,omitempty"`
	Epoch   int64  `json:"epoch"`
	Outcome string `json:"outcome"`
	Again   bool   `json:"again,omitempty"` // the firing has not ended
}
