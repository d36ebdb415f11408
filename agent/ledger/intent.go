package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/plugins"
)

// MaxBatch is how many deletes one intent may cover. After a crash each can
// be seen to be done or not, which is why they may share one.
const MaxBatch = 256

// ErrNotIntended says that an outcome is of no open intent.
var ErrNotIntended = errors.New("no such intent is open")

// intentBody is an intent as it stands in the trail.
type intentBody struct {
	Epoch   int64          `json:"epoch"`
	Actions []storedAction `json:"actions"`
}

// intentRow is one open intent in its table.
type intentRow struct {
	target, task string
	epoch        int64
	action       string
	state        string
}

// intentID names the action at one place of an intent's row.
func intentID(seq int64, place int) int64 { return seq*MaxBatch + int64(place) }

func intentRowOf(id int64) int64 { return id / MaxBatch }

// Intend records that actions are about to be done; it is durable on return,
// and nothing is sent before. One intent covers up to MaxBatch deletes of one
// queue manager, or any other single action. ErrLeaseLost when the lease no
// longer stands.
func (l *Ledger) Intend(ctx context.Context, s *Lease, actions []plugins.Action) error {
	f := s.firing
	doing := fmt.Sprintf("recording the intent of %s, %d actions", f, len(actions))
	if err := checkBatch(actions); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	body := intentBody{Epoch: s.epoch, Actions: make([]storedAction, len(actions))}
	for i, a := range actions {
		body.Actions[i] = storedAction(a)
	}
	err := l.change(ctx, doing, func(c *change) error {
		if err := s.fence(c.ctx, c.tx, true); err != nil {
			return err
		}
		seq, err := c.noteValue(row{Kind: kindIntent, Target: f.Target, Task: f.Task, Run: f.Run}, body)
		if err != nil {
			return err
		}
		return c.open(s, seq, actions)
	})
	return err
}

// open adds the actions to those whose outcome is not known, in one statement:
// one for each took most of the time of a batch.
func (c *change) open(s *Lease, seq int64, actions []plugins.Action) error {
	ids := make([]string, len(actions))
	for i, a := range actions {
		ids[i] = a.ID
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	f, first := s.firing, intentID(seq, 0)
	added, err := c.exec(`INSERT INTO open_intent (id, target, task, epoch, action, state)
		SELECT ? + key, ?, ?, ?, value, '' FROM json_each(?) WHERE true
		ON CONFLICT (target, task, epoch, action) DO NOTHING`, first, f.Target, f.Task, s.epoch, string(list))
	if err != nil || added == int64(len(actions)) {
		return err
	}
	var before string
	err = c.tx.QueryRowContext(c.ctx, `SELECT action FROM open_intent
		WHERE target = ? AND task = ? AND epoch = ? AND id < ? AND action IN (SELECT value FROM json_each(?)) ORDER BY id`,
		f.Target, f.Task, s.epoch, first, string(list)).Scan(&before)
	if err != nil {
		return err
	}
	return fmt.Errorf("action %s was intended before and its outcome is not known", before)
}

// checkBatch tells whether the actions may share one intent.
func checkBatch(actions []plugins.Action) error {
	switch {
	case len(actions) == 0:
		return errors.New("no action")
	case len(actions) > MaxBatch:
		return fmt.Errorf("at most %d deletes may share one intent", MaxBatch)
	}
	ids := make(map[string]bool, len(actions))
	for _, a := range actions {
		switch {
		case a.ID == "":
			return errors.New("an action has no ID")
		case ids[a.ID]:
			return fmt.Errorf("action %s stands twice", a.ID)
		case len(actions) > 1 && a.Kind != plugins.KindDelete:
			return fmt.Errorf("action %s is a %s, which has an intent of its own; only deletes share one", a.ID, a.Kind)
		case a.QueueManager != actions[0].QueueManager:
			return fmt.Errorf("actions %s and %s are of two queue managers, %s and %s", actions[0].ID, a.ID, actions[0].QueueManager, a.QueueManager)
		}
		ids[a.ID] = true
	}
	return nil
}
