package engine

import (
	"context"
	"fmt"
)

// BackOut backs out an open unit of work on the queue manager's own account,
// as a log that is full asks for (reference, Multiplatforms 4.3 item 91). What
// the application does in it afterwards, and its commit, is [ErrBackedOut];
// commit or backout end it. One that is prepared is [ErrEnded]: it stays in
// doubt.
func (e *Engine) BackOut(ctx context.Context, unit uint64) error {
	var u *Unit
	_, err := e.change(ctx, func() (*record, error) {
		if u = e.units[unit]; u == nil || u.state != unitOpen {
			return nil, fmt.Errorf("backing out unit of work %d: %w", unit, ErrEnded)
		}
		return u.end(recBackout), nil
	}, func(Mark) {
		u.finish(false)
		u.state = unitBackedOut
		e.backedOut[unit] = u
	})
	return err
}

// told ends a unit of work that the queue manager has backed out: now its
// application knows. It gives false for any other.
func (u *Unit) told() bool {
	if u.state != unitBackedOut {
		return false
	}
	u.state = unitEnded
	delete(u.engine.backedOut, u.id)
	return true
}
