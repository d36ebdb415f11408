package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// longestShared is how long the goroutines of this process share the lock of a
// folder. Who comes later waits until all have left, and a little longer, so
// that another process can have it.
const longestShared = time.Minute

// folders lets goroutines of this process work in a folder together while no
// other process does: several segments of a queue manager are kept at once,
// each by one goroutine.
type folders struct {
	lock    locker
	longest time.Duration

	mu   sync.Mutex
	held map[string]*held
}

func newFolders(lock locker) *folders {
	return &folders{lock: lock, longest: longestShared, held: map[string]*held{}}
}

// held is a folder that this process has, or is about to have.
type held struct {
	users   int
	until   time.Time     // nobody joins after
	ready   chan struct{} // closed when the lock is there, or could not be had
	failed  bool          // it could not; set before ready is closed
	release func() error
	gone    chan struct{}            // closed when it was given back
	busy    map[string]chan struct{} // the names that somebody has, closed when free
}

// enter gives a name in a folder to one goroutine of one process. Who gets the
// folder for the process makes it ready before anybody else is in it.
func (s *folders) enter(ctx context.Context, folder, name string, makeReady func() error) (leave func() error, err error) {
	h, err := s.join(ctx, folder, makeReady)
	if err != nil {
		return nil, err
	}
	if err := s.take(ctx, h, name); err != nil {
		return nil, errors.Join(err, s.leave(folder, h))
	}
	return func() error {
		s.mu.Lock()
		close(h.busy[name])
		delete(h.busy, name)
		s.mu.Unlock()
		return s.leave(folder, h)
	}, nil
}

// join makes the caller one of those who share a folder.
func (s *folders) join(ctx context.Context, folder string, makeReady func() error) (*held, error) {
	for {
		s.mu.Lock()
		h, first := s.held[folder], false
		if h == nil {
			h, first = &held{ready: make(chan struct{}), gone: make(chan struct{}), busy: map[string]chan struct{}{}}, true
			s.held[folder] = h
			h.until = time.Now().Add(s.longest)
		}
		joined := first || h.users > 0 && time.Now().Before(h.until)
		if joined {
			h.users++
		}
		s.mu.Unlock()
		switch {
		case first:
			return h, s.open(ctx, folder, h, makeReady)
		case !joined:
			if err := await(ctx, h.gone); err != nil {
				return nil, err
			}
			if err := wait(ctx, 2*retry); err != nil {
				return nil, err
			}
		default:
			if err := await(ctx, h.ready); err != nil {
				return nil, errors.Join(err, s.leave(folder, h))
			}
			if !h.failed {
				return h, nil
			} // else this one tries: the other's context may have ended
		}
	}
}

// open locks a folder for the process.
func (s *folders) open(ctx context.Context, folder string, h *held, makeReady func() error) error {
	release, err := s.lock(ctx, folder)
	if err == nil {
		if err = makeReady(); err != nil {
			err = errors.Join(err, release())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h.release, h.failed = release, err != nil
	if h.failed {
		delete(s.held, folder)
		close(h.gone)
	}
	h.until = time.Now().Add(s.longest)
	close(h.ready)
	return err
}

// leave gives the folder back when nobody of this process is in it any more.
func (s *folders) leave(folder string, h *held) error {
	s.mu.Lock()
	h.users--
	last := h.users == 0 && !h.failed // who opened it is one of them
	s.mu.Unlock()
	if !last {
		return nil
	}
	err := h.release()
	s.mu.Lock()
	delete(s.held, folder)
	s.mu.Unlock()
	close(h.gone)
	return err
}

// take waits until nobody else has a name.
func (s *folders) take(ctx context.Context, h *held, name string) error {
	for {
		s.mu.Lock()
		busy, taken := h.busy[name]
		if !taken {
			h.busy[name] = make(chan struct{})
		}
		s.mu.Unlock()
		if !taken {
			return nil
		}
		if err := await(ctx, busy); err != nil {
			return err
		}
	}
}

// await waits for a channel to be closed.
func await(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
