package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNoHold says that no hold of this ID stands.
var ErrNoHold = errors.New("no such hold stands")

// Hold keeps a target, or its log from one segment on: a support case, a
// migration, a recovery under way.
type Hold struct {
	ID      int64     `json:"-"`
	Target  string    `json:"-"`
	Since   time.Time `json:"since"`          // by the target's clock, where it has one of its own
	Until   time.Time `json:"until,omitzero"` // likewise; zero: until it is lifted
	Library string    `json:"library,omitempty"`
	Segment string    `json:"segment,omitempty"` // empty: the whole target
	Reason  string    `json:"reason"`
	By      string    `json:"by,omitempty"` // who put it there
	// UntilStart ends it at the queue manager's next clean start after Since,
	// if Until does not come first: what was restored for a recovery is held
	// until that is over. [Ledger.LiftStarted] does it; nothing else looks at
	// this, so that a hold is never over for want of somebody who knows.
	UntilStart bool `json:"until_start,omitempty"`
}

// AddHold puts a hold on a target and gives it with its ID. Since is now when
// it is zero. A segment may be given as LIBRARY/SEGMENT. A hold without a
// reason, with a name that can't be one, or that ends before it begins is
// refused.
func (l *Ledger) AddHold(ctx context.Context, h Hold) (Hold, error) {
	doing := "holding " + h.Target
	if h.Since.IsZero() {
		h.Since = l.clock()
	}
	h.Since, h.Until = wall(h.Since), wall(h.Until)
	h.Reason = strings.TrimSpace(h.Reason)
	h.Library, h.Segment = qualified(h.Library, h.Segment)
	if err := h.check(); err != nil {
		return Hold{}, fmt.Errorf("%s: %w", doing, err)
	}
	var err error
	if h.ID, err = l.enter(ctx, doing, row{Kind: kindHold, Target: h.Target}, h); h.ID == 0 {
		return Hold{}, err
	}
	return h, err
}

func (h Hold) check() error {
	if err := oneLine("target", h.Target, true); err != nil {
		return err
	}
	if err := oneLine("reason", h.Reason, true); err != nil {
		return err
	}
	if err := oneLine("by", h.By, false); err != nil {
		return err
	}
	if !h.Until.IsZero() && !h.Since.Before(h.Until) {
		return fmt.Errorf("it ends %s, not after it begins, %s", h.Until.Format(time.RFC3339), h.Since.Format(time.RFC3339))
	}
	return pieceName(h.Library, h.Segment)
}

// LiftHold ends a hold. ErrNoHold when there is none of this ID, or it was
// lifted before.
func (l *Ledger) LiftHold(ctx context.Context, id int64, by string) error {
	doing := fmt.Sprintf("lifting hold %d", id)
	if err := oneLine("by", by, false); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	err := l.change(ctx, doing, func(c *change) error {
		found, err := rows(c.ctx, c.tx, scanRow, "SELECT "+rowColumns+" FROM trail WHERE seq = ? AND "+holdStands, id)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return ErrNoHold
		}
		return c.lift(found[0].Target, id, liftBody{By: by})
	})
	if err != nil {
		return err
	}
	return l.seal(ctx)
}

// LiftStarted ends the holds of a target that wait for a clean start and were
// put there before one, and gives them, oldest first. Started is when the
// queue manager began, by the target's clock as Hold.Since is, and it must be
// plain that the start is over: a hold that is lifted too early lets go what a
// recovery still reads.
func (l *Ledger) LiftStarted(ctx context.Context, target string, started time.Time, by string) ([]Hold, error) {
	doing := "lifting what " + target + " held until its start"
	if err := oneLine("by", by, false); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	var lifted []Hold
	err := l.change(ctx, doing, func(c *change) error {
		lifted = nil
		holds, err := holdsOf(c.ctx, c.tx, target)
		if err != nil {
			return err
		}
		for _, h := range holds {
			if !h.UntilStart || !h.Since.Before(started) {
				continue
			}
			if err := c.lift(target, h.ID, liftBody{By: by, Started: wall(started)}); err != nil {
				return err
			}
			lifted = append(lifted, h)
		}
		return nil
	})
	if err != nil || len(lifted) == 0 {
		return nil, err
	}
	return lifted, l.seal(ctx)
}

// liftBody is how a hold or a note ended.
type liftBody struct {
	By      string    `json:"by"`
	Started time.Time `json:"started,omitzero"` // the start that ended it
	Text    string    `json:"text,omitempty"`   // why
}

func (c *change) lift(target string, id int64, body liftBody) error {
	_, err := c.noteValue(row{Kind: kindLift, Target: target, About: id}, body)
	return err
}

// holdStands is true for a row of the trail that is a hold which was not
// lifted.
const holdStands = "kind = '" + kindHold + "' AND NOT EXISTS (SELECT 1 FROM trail o WHERE o.kind = '" + kindLift + "' AND o.about = trail.seq)"

// Holds gives the holds of a target that were not lifted, oldest first. Those
// whose time is over are among them: whoever observes the target compares with
// its clock.
func (l *Ledger) Holds(ctx context.Context, target string) ([]Hold, error) {
	holds, err := holdsOf(ctx, l.db, target)
	if err != nil {
		return nil, fmt.Errorf("reading the holds of %s: %w", target, err)
	}
	return holds, nil
}

func holdsOf(ctx context.Context, q querier, target string) ([]Hold, error) {
	return entries(ctx, q, target, holdStands, func(h *Hold, r row) { h.ID, h.Target = r.Seq, r.Target })
}
