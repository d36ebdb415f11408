package ledger

import (
	"context"
	"encoding/json"
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
	err := l.change(ctx, doing, func(c *change) error {
		var err error
		h.ID, err = c.noteValue(row{Kind: kindHold, Target: h.Target}, h)
		return err
	})
	if err != nil {
		return Hold{}, err
	}
	return h, l.seal(ctx)
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
		_, err = c.noteValue(row{Kind: kindLift, Target: found[0].Target, About: id}, map[string]string{"by": by})
		return err
	})
	if err != nil {
		return err
	}
	return l.seal(ctx)
}

// holdStands is true for a row of the trail that is a hold which was not
// lifted.
const holdStands = "kind = '" + kindHold + "' AND NOT EXISTS (SELECT 1 FROM trail o WHERE o.kind = '" + kindLift + "' AND o.about = trail.seq)"

// Holds gives the holds of a target that were not lifted, oldest first. Those
// whose time is over are among them: whoever observes the target compares with
// its clock.
func (l *Ledger) Holds(ctx context.Context, target string) ([]Hold, error) {
	found, err := rows(ctx, l.db, scanRow, "SELECT "+rowColumns+" FROM trail WHERE target = ? AND "+holdStands+" ORDER BY seq", target)
	if err != nil {
		return nil, fmt.Errorf("reading the holds of %s: %w", target, err)
	}
	holds := make([]Hold, len(found))
	for i, r := range found {
		if err := json.Unmarshal(r.Body, &holds[i]); err != nil {
			return nil, fmt.Errorf("reading hold %d of %s: %w", r.Seq, target, err)
		}
		holds[i].ID, holds[i].Target = r.Seq, target
	}
	return holds, nil
}

// wall gives a time as it is stored: UTC, without a monotonic reading.
func wall(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Round(0)
}
