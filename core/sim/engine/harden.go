package engine

import (
	"context"
	"errors"
	"fmt"
)

// Harden brings the file of one object up to the present, as the next checkpoint
// would: for files that others read while the queue manager runs. One whose file
// is gone or changed is damaged from now on, and that is the error.
func (e *Engine) Harden(ctx context.Context, ref Ref) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	o, err := e.sound(ref)
	if err != nil {
		return fmt.Errorf("hardening: %w", err)
	}
	if !o.changed {
		return nil
	}
	// The log first: a crash must not find a file that it does not reach to.
	if err := e.force(ctx, e.last); err != nil {
		return err
	}
	err = e.store.write(o, e.log.Durable())
	if errors.Is(err, errChanged) {
		noted := e.spoil(ctx, o)
		if noted == nil {
			noted = e.force(ctx, e.last)
		}
		return errors.Join(fmt.Errorf("%s: %w: %w", ref, ErrDamaged, err), noted)
	}
	if err != nil {
		return err
	}
	return e.store.syncNames()
}
