package schedule

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// tick is how long the clock is left unread at most. A clock that was set, or
// a machine that slept, is noticed within it.
const tick = time.Minute

// Clock is the time that a loop goes by. Now has to be the wall clock, that
// people set. After sends once, when a duration has passed.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// System is the clock of the machine.
func System() Clock {
	// Without Round a comparison would go by the monotonic clock, which does
	// not know that the other one was set.
	return Clock{Now: func() time.Time { return time.Now().Round(0) }, After: time.After}
}

// Handler does what a loop finds due.
type Handler interface {
	// Fire does a run and returns when it is over. Runs of one entry never
	// overlap; each is in a goroutine of its own. When ctx ends the run is
	// to stop after its current action: the loop waits for it.
	Fire(ctx context.Context, due Due)
	// Left is told of firings that do not become runs, in the loop's own
	// goroutine: it must not wait for anything long.
	Left(left Left)
	// Broke is told, in the run's goroutine, that Fire panicked. Other runs,
	// and later ones of the entry, go on.
	Broke(due Due, err error)
}

// Loop starts what is due until ctx has ended, and returns when the last run
// has. What was missed since each entry's Last is dealt with first. A run that
// waits for the end of another one when ctx ends is not started and not
// reported: it counts as missed when the entry is looped over again.
func Loop(ctx context.Context, entries []Entry, clock Clock, handler Handler) {
	l := &loop{clock: clock, handler: handler, over: make(chan *waiting), read: clock.Now()}
	for _, e := range entries {
		l.entries = append(l.entries, newWaiting(e, l.read))
	}
	for ctx.Err() == nil {
		l.startDue(ctx)
		select {
		case <-ctx.Done():
		case w := <-l.over:
			l.ended(ctx, w)
		case <-l.clock.After(l.untilNext()):
		}
	}
	for l.runs > 0 {
		<-l.over
		l.runs--
	}
}

// loop is the state of one Loop. Only its own goroutine touches it; runs
// report their end through a channel. No lock is held while waiting.
type loop struct {
	clock   Clock
	handler Handler
	entries []*waiting
	over    chan *waiting // a run of the entry has ended
	runs    int           // that go on
	read    time.Time     // the clock, when it was last read
}

// startDue reads the clock and starts what it says is due.
func (l *loop) startDue(ctx context.Context) {
	now := l.clock.Now()
	// Smaller steps back, as time servers cause, only make the wait longer.
	back := l.read.Sub(now) > tick
	l.read = now
	for _, w := range l.entries {
		if back {
			w.setBack(now)
		}
		due, more := w.take(now)
		run, left := w.makeUp(due, now)
		if len(left) > 0 {
			l.handler.Left(Left{Entry: w.Name, Firings: left, More: more, Why: Missed})
		}
		if run != nil {
			l.start(ctx, w, *run)
		}
	}
}

// start begins a run, unless the entry's last one still goes on.
func (l *loop) start(ctx context.Context, w *waiting, due Due) {
	if w.running {
		l.overlap(w, due)
		return
	}
	w.running = true
	w.past.note(due.Firing.At)
	l.runs++
	go func() {
		defer func() { l.over <- w }()
		defer func() {
			if value := recover(); value != nil {
				l.handler.Broke(due, fmt.Errorf("run %s of %s panicked: %v\n%s", due.Firing.Key, due.Entry, value, debug.Stack()))
			}
		}()
		l.handler.Fire(ctx, due)
	}()
}

// overlap queues a firing or leaves it out.
func (l *loop) overlap(w *waiting, due Due) {
	out := due
	if w.Overlap == Queue {
		waits := w.queued
		w.queued = &due
		if waits == nil {
			return
		}
		out = *waits
	}
	l.handler.Left(Left{Entry: w.Name, Firings: []Firing{out.Firing}, Why: Overlapped})
}

// ended lets the next run of the entry begin.
func (l *loop) ended(ctx context.Context, w *waiting) {
	l.runs--
	w.running = false
	if next := w.queued; next != nil && ctx.Err() == nil {
		w.queued = nil
		l.start(ctx, w, *next)
	}
}

// untilNext gives how long nothing can become due, at most a tick.
func (l *loop) untilNext() time.Duration {
	now := l.clock.Now()
	wait := tick
	for _, w := range l.entries {
		if w.next != nil {
			wait = min(wait, w.next.Start.Sub(now))
		}
	}
	return max(wait, 0)
}
