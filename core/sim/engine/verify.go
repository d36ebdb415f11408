package engine

import (
	"context"
	"errors"
	"fmt"
)

// Verify reads the file of an object. If it is gone, or not what it should be,
// the object is damaged from now on, and that is the error ([ErrDamaged]), as
// it is for one that was damaged before. An object that no checkpoint has seen
// has no file yet, and nothing can be wrong with it.
func (e *Engine) Verify(ctx context.Context, ref Ref) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	o, err := e.sound(ref)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	if o.file.hardened == 0 {
		return nil
	}
	_, bad := e.store.reread(o)
	if bad == nil || !unreadable(bad) {
		return bad
	}
	err = e.spoil(ctx, o)
	if err == nil {
		err = e.force(ctx, e.last)
	}
	return errors.Join(fmt.Errorf("%s: %w: %w", ref, ErrDamaged, bad), err)
}

// spoil makes an object damaged whose file was found so. The log says it, since
// the next start could take what is there for the file.
func (e *Engine) spoil(ctx context.Context, o *object) error {
	if _, err := e.write(ctx, &record{kind: recDamage, object: o.id}); err != nil {
		return fmt.Errorf("noting that %s is damaged: %w", o.ref, err)
	}
	o.lose()
	return nil
}
