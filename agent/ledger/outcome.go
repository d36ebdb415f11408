package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

// outcomeBody is what became of some intents, as it stands in the trail.
type outcomeBody struct {
	Epoch    int64     `json:"epoch"` // of the lease under which it was seen
	Outcomes []outcome `json:"outcomes"`
}

type outcome struct {
	Intent   int64         `json:"intent"`
	Action   string        `json:"action"`
	State    plugins.State `json:"state"`
	Evidence string        `json:"evidence,omitempty"`
}

// settled tells whether nothing is left to be found out. A retry is known not
// to have been done; pending and unknown stay open.
func settled(state plugins.State) bool {
	switch state {
	case plugins.Done, plugins.Failed, plugins.Skipped, plugins.Retry:
		return true
	default:
		return false
	}
}

func checkState(o outcome) error {
	switch o.State {
	case plugins.Done, plugins.Failed, plugins.Skipped, plugins.Retry, plugins.Pending, plugins.Unknown:
		return nil
	default:
		return fmt.Errorf("%q of action %s is no outcome", o.State, o.Action)
	}
}

// Seen records what became of actions that this lease intended. Those that
// are done, failed, skipped or to be sent again are no longer open; those that
// are pending or unknown still are. It takes all or none: an action that is
// not open is ErrNotIntended.
//
// A lease that was taken over gives ErrLeaseLost, since its successor has
// looked for itself. One that has merely run out is heard: what it saw is true.
func (l *Ledger) Seen(ctx context.Context, s *Lease, results []plugins.Result) error {
	if len(results) == 0 {
		return nil
	}
	return l.settle(ctx, s, len(results), func(c *change) ([]outcome, error) {
		ids, err := c.openOf(s, results)
		if err != nil {
			return nil, err
		}
		outcomes := make([]outcome, len(results))
		for i, r := range results {
			id, ok := ids[r.Action]
			if !ok {
				return nil, fmt.Errorf("action %s: %w", r.Action, ErrNotIntended)
			}
			delete(ids, r.Action) // one that stands twice is not open the second time
			outcomes[i] = outcome{id, r.Action, r.State, r.Evidence}
		}
		return outcomes, nil
	})
}

// openOf gives the intents of the lease that are open, of those that the
// results name, by action.
func (c *change) openOf(s *Lease, results []plugins.Result) (map[string]int64, error) {
	names := make([]string, len(results))
	for i, r := range results {
		names[i] = r.Action
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	found, err := c.tx.QueryContext(c.ctx, `SELECT action, id FROM open_intent
		WHERE target = ? AND task = ? AND epoch = ? AND action IN (SELECT value FROM json_each(?))`,
		s.firing.Target, s.firing.Task, s.epoch, string(list))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	ids := make(map[string]int64, len(results))
	for found.Next() {
		var action string
		var id int64
		if err := found.Scan(&action, &id); err != nil {
			return nil, err
		}
		ids[action] = id
	}
	return ids, found.Err()
}

// Settlement is what was found out about an intent that an earlier lease left
// open.
type Settlement struct {
	Intent   int64 // OpenIntent.ID
	State    plugins.State
	Evidence string
}

// Settle records what was found out about intents of the lease's target that
// others left open. One whose own lease still stands is left to its holder: an
// error. It takes all or none.
func (l *Ledger) Settle(ctx context.Context, s *Lease, found []Settlement) error {
	if len(found) == 0 {
		return nil
	}
	return l.settle(ctx, s, len(found), func(c *change) ([]outcome, error) {
		outcomes := make([]outcome, len(found))
		for i, one := range found {
			action, err := c.leftOpen(s, one.Intent)
			if err != nil {
				return nil, fmt.Errorf("intent %d: %w", one.Intent, err)
			}
			outcomes[i] = outcome{one.Intent, action, one.State, one.Evidence}
		}
		return outcomes, nil
	})
}

// leftOpen gives the action of an open intent that the lease may settle.
func (c *change) leftOpen(s *Lease, id int64) (string, error) {
	var task, action string
	var epoch int64
	err := c.tx.QueryRowContext(c.ctx, "SELECT task, epoch, action FROM open_intent WHERE id = ? AND target = ?", id, s.firing.Target).Scan(&task, &epoch, &action)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", ErrNotIntended
	case err != nil || task == s.firing.Task && epoch == s.epoch:
		return action, err
	}
	live, err := isLive(c.ctx, c.tx, s.firing.Target, task, epoch, s.ledger.clock())
	if err == nil && live {
		err = fmt.Errorf("it is of %s, whose lease still stands", task)
	}
	return action, err
}

// isLive tells whether the lease of an epoch still stands.
func isLive(ctx context.Context, q querier, target, task string, epoch int64, now time.Time) (bool, error) {
	var live bool
	err := q.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM lease WHERE target = ? AND task = ? AND epoch = ? AND holder <> '' AND until > ?)",
		target, task, epoch, now.UnixNano()).Scan(&live)
	return live, err
}

// settle records n outcomes, which find gives.
func (l *Ledger) settle(ctx context.Context, s *Lease, n int, find func(*change) ([]outcome, error)) error {
	f := s.firing
	err := l.change(ctx, fmt.Sprintf("recording %d outcomes of %s", n, f), func(c *change) error {
		if err := s.fence(c.ctx, c.tx, false); err != nil {
			return err
		}
		outcomes, err := find(c)
		if err != nil {
			return err
		}
		if err := c.mark(outcomes); err != nil {
			return err
		}
		_, err = c.noteValue(row{Kind: kindOutcome, Target: f.Target, Task: f.Task, Run: f.Run}, outcomeBody{s.epoch, outcomes})
		return err
	})
	return err
}

// mark closes open intents, or notes that they were looked at.
func (c *change) mark(outcomes []outcome) error {
	over := []int64{}
	for _, o := range outcomes {
		if err := checkState(o); err != nil {
			return err
		}
		if settled(o.State) {
			over = append(over, o.Intent)
			continue
		}
		if _, err := c.exec("UPDATE open_intent SET state = ? WHERE id = ?", string(o.State), o.Intent); err != nil {
			return err
		}
	}
	list, err := json.Marshal(over)
	if err != nil {
		return err
	}
	_, err = c.exec("DELETE FROM open_intent WHERE id IN (SELECT value FROM json_each(?))", string(list))
	return err
}
