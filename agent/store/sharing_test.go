package store

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// oneLock is a lock that another process may hold, and counts how often this
// one got it.
type oneLock struct {
	held chan struct{}
	got  atomic.Int64
}

func newOneLock() *oneLock { return &oneLock{held: make(chan struct{}, 1)} }

func (l *oneLock) lock(ctx context.Context, _ string) (func() error, error) {
	select {
	case l.held <- struct{}{}:
		l.got.Add(1)
		return func() error { <-l.held; return nil }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func nothing() error { return nil }

func enter(t *testing.T, s *folders, name string) func() {
	t.Helper()
	leave, err := s.enter(t.Context(), "ORDERS.qm", name, nothing)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := leave(); err != nil {
			t.Error(err)
		}
	}
}

func TestFolderIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOneLock()
		s := newFolders(l.lock)
		first, second := enter(t, s, "a"), enter(t, s, "b")
		var third func()
		go func() { third = enter(t, s, "a") }()
		synctest.Wait()
		if third != nil {
			t.Error("two have the same name")
		}
		first()
		synctest.Wait()
		second()
		if third == nil || len(l.held) != 1 {
			t.Fatal("the name is not given on, or the lock is not kept")
		}
		third()
		if len(l.held) != 0 || l.got.Load() != 1 || len(s.held) != 0 {
			t.Errorf("%d held after %d times, %d left", len(l.held), l.got.Load(), len(s.held))
		}
	})
}

// What a crash left is cleared away before anybody else is in the folder, and
// never beside them.
func TestFolderIsMadeReadyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFolders(newOneLock().lock)
		ready := make(chan struct{})
		var made, entered atomic.Int64
		for _, name := range []string{"a", "b", "c"} {
			go func() {
				leave, err := s.enter(t.Context(), "ORDERS.qm", name, func() error { made.Add(1); <-ready; return nil })
				if err != nil {
					t.Error(err)
					return
				}
				entered.Add(1)
				time.Sleep(time.Second) // of the synthetic clock
				if err := leave(); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		if made.Load() != 1 || entered.Load() != 0 {
			t.Errorf("%d made it ready, %d entered", made.Load(), entered.Load())
		}
		close(ready)
		synctest.Wait()
		if made.Load() != 1 || entered.Load() != 3 {
			t.Errorf("%d made it ready, %d entered", made.Load(), entered.Load())
		}
		time.Sleep(2 * time.Second)
	})
}

// Who comes one after the other must not keep another process out for ever.
func TestAnotherProcessGetsItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOneLock()
		s := newFolders(l.lock)
		ctx, stop := context.WithCancel(t.Context())
		for _, name := range []string{"a", "b"} { // never both out at once
			go func() {
				for ctx.Err() == nil {
					leave, err := s.enter(ctx, "ORDERS.qm", name, nothing)
					if err != nil {
						return
					}
					time.Sleep(7 * time.Second)
					if err := leave(); err != nil {
						t.Error(err)
					}
				}
			}()
			time.Sleep(3 * time.Second)
		}
		began := time.Now()
		release, err := l.lock(t.Context(), "")
		if waited := time.Since(began); err != nil || waited > 2*longestShared {
			t.Errorf("waited %s, %v", waited, err)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
		stop()
		synctest.Wait()
		time.Sleep(time.Minute)
	})
}

// The end of one context is not that of the others who wait for the same lock.
func TestFolderWhenTheFirstGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOneLock()
		l.held <- struct{}{} // another process
		s := newFolders(l.lock)
		ctx, cancel := context.WithCancel(t.Context())
		var first, second error
		done := false
		go func() { _, first = s.enter(ctx, "ORDERS.qm", "a", nothing) }()
		synctest.Wait()
		go func() {
			var leave func() error
			leave, second = s.enter(t.Context(), "ORDERS.qm", "b", nothing)
			if second == nil {
				second, done = leave(), true
			}
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(first, context.Canceled) || second != nil || done {
			t.Fatalf("%v, %v, %t", first, second, done)
		}
		<-l.held
		synctest.Wait()
		if !done || second != nil || len(s.held) != 0 {
			t.Errorf("%t, %v, %d left", done, second, len(s.held))
		}
	})
}

func TestFolderThatCannotBeMadeReady(t *testing.T) {
	l := newOneLock()
	s := newFolders(l.lock)
	broken := errors.New("broken")
	_, err := s.enter(t.Context(), "ORDERS.qm", "a", func() error { return broken })
	if is(t, err, broken); len(l.held) != 0 || len(s.held) != 0 {
		t.Error("the lock is kept")
	}
	enter(t, s, "a")()
}
