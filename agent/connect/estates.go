package connect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/mqhk/mqhk/core/sim"
)

// Estates reaches the simulated estates of one run. An estate is open for one
// command or one run: it is opened to be changed when the first writer is
// asked for, all targets share it, and it is closed with the last of those who
// use it.
type Estates struct {
	mu  sync.Mutex
	all map[string]*held // by folder
}

// NewEstates makes one for a run.
func NewEstates() *Estates { return &Estates{all: make(map[string]*held)} }

// At gives the way to the IBM i systems of the estate in a folder. It opens
// nothing.
func (e *Estates) At(dir string) Dialer { return dialer{held: e.held(dir)} }

// held gives the estate in a folder, which is the same by every path to it.
func (e *Estates) held(dir string) *held {
	key := dir
	if absolute, err := filepath.Abs(dir); err == nil {
		key = absolute
	}
	if resolved, err := filepath.EvalSymlinks(key); err == nil {
		key = resolved
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all[key] == nil {
		e.all[key] = &held{dir: dir, turn: newTurn()}
	}
	return e.all[key]
}

// held is an estate with all of this process who use it.
type held struct {
	dir string

	// opening is held for writing while the estate is opened to be changed or
	// closed again, and for reading while somebody begins to look.
	opening sync.RWMutex
	estate  *sim.Estate  // open to be changed; nil: nobody does
	users   atomic.Int64 // of estate
	lookers atomic.Int64 // who have it open for themselves

	turn turn // of those who work on the estate, which is for one at a time
}

// look gives the estate to be asked, and what is to be called in the end.
func (h *held) look(ctx context.Context) (*sim.Estate, func() error, error) {
	h.opening.RLock()
	defer h.opening.RUnlock()
	if h.estate != nil {
		h.users.Add(1)
		return h.estate, h.leave, nil
	}
	open, err := sim.Look(ctx, h.dir)
	if err != nil {
		return nil, nil, err
	}
	h.lookers.Add(1)
	return open, func() error {
		defer h.lookers.Add(-1)
		return open.Close(context.WithoutCancel(ctx))
	}, nil
}

// join opens the estate to be changed, or shares it.
func (h *held) join(ctx context.Context) error {
	h.opening.Lock()
	defer h.opening.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if h.estate == nil {
		open, err := sim.Open(ctx, h.dir)
		if n := h.lookers.Load(); n > 0 && errors.Is(err, sim.ErrLocked) {
			err = fmt.Errorf("%w: readers of this run that are still open: %d", err, n)
		}
		if err != nil {
			return err
		}
		h.estate = open
	}
	h.users.Add(1)
	return nil
}

// leave closes the estate when nobody uses it any more.
func (h *held) leave() error {
	h.opening.Lock()
	defer h.opening.Unlock()
	if h.users.Add(-1) > 0 {
		return nil
	}
	open := h.estate
	h.estate = nil
	return open.Close(context.Background())
}
