package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// The errors of kept plans.
var (
	ErrNoPlan = errors.New("no plan of this name was kept")
	ErrKept   = errors.New("a plan of this name was kept before")
	ErrTaken  = errors.New("this plan was taken to be run before; a kept plan runs once")
)

// Keep puts a plan away under a name that no plan had before (ErrKept), to be
// read and approved.
func (l *Ledger) Keep(ctx context.Context, id string, plan []byte) error {
	doing := "keeping plan " + id
	if err := oneLine("the plan's name", id, true); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	body, err := pack(plan)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	err = l.change(ctx, doing, func(c *change) error {
		if _, err := c.planAt(id); err == nil {
			return ErrKept
		} else if !errors.Is(err, ErrNoPlan) {
			return err
		}
		_, err := c.note(row{Kind: kindKeep, Run: id, Body: body})
		return err
	})
	if err != nil {
		return err
	}
	return l.seal(ctx)
}

// Take gives a kept plan to whoever is about to run it, exactly once: a second
// time is ErrTaken, also for another process and after a crash. ErrNoPlan when
// it was never kept.
func (l *Ledger) Take(ctx context.Context, id, by string) ([]byte, error) {
	doing := "taking plan " + id
	if err := oneLine("by", by, true); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	var plan []byte
	err := l.change(ctx, doing, func(c *change) error {
		kept, err := c.planAt(id)
		if err != nil {
			return err
		}
		before, err := rows(c.ctx, c.tx, scanRow, "SELECT "+rowColumns+" FROM trail WHERE about = ? AND kind = ?", kept.Seq, kindTake)
		if err != nil {
			return err
		}
		if len(before) > 0 {
			return taken(before[0])
		}
		if plan, err = unpack(kept.Body); err != nil {
			return err
		}
		_, err = c.noteValue(row{Kind: kindTake, Run: id, About: kept.Seq}, takeBody{by})
		return err
	})
	if err != nil {
		return nil, err
	}
	return plan, l.seal(ctx)
}

// Taken tells whether a plan was taken before.
func (l *Ledger) Taken(ctx context.Context, id string) (bool, error) {
	var taken bool
	err := l.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM trail WHERE run = ? AND kind = '"+kindTake+"')", id).Scan(&taken)
	if err != nil {
		return false, fmt.Errorf("asking whether plan %s was taken: %w", id, explain(err))
	}
	return taken, nil
}

type takeBody struct {
	By string `json:"by"`
}

func taken(r row) error {
	var body takeBody
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return ErrTaken
	}
	return fmt.Errorf("%w: by %s at %s", ErrTaken, body.By, r.At)
}

// planAt gives the row in which a plan was kept, or ErrNoPlan.
func (c *change) planAt(id string) (row, error) {
	found, err := rows(c.ctx, c.tx, scanRow, "SELECT "+rowColumns+" FROM trail WHERE run = ? AND kind = '"+kindKeep+"'", id)
	if err != nil {
		return row{}, err
	}
	if len(found) == 0 {
		return row{}, ErrNoPlan
	}
	return found[0], nil
}
