package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
)

const (
	// stepLength is how far the estate goes before it writes down where it is.
	stepLength = time.Hour
	// tickLength is how often systems and queue managers do what is due.
	tickLength = time.Minute
	// commandTakes is how much time a command given by hand takes.
	commandTakes = 2 * time.Second
)

// Worked is what the applications of one queue manager did.
type Worked struct {
	QueueManager string
	Report       workload.Report
	// Stopped says why they rested, the last time that they did; empty: they
	// did not.
	Stopped string
}

// Advance lets time pass. Applications work, checkpoints and whatever the
// systems do by themselves happen when they are due. Passed is told after each
// step how far the estate's time is; nil: nobody is told.
func (e *Estate) Advance(ctx context.Context, by time.Duration, passed func(time.Time)) ([]Worked, error) {
	if by < 0 {
		return nil, fmt.Errorf("time does not go back by %s; putting a clock back is a fault", -by)
	}
	if err := checkTime(e.state.Now.Add(by)); err != nil {
		return nil, err
	}
	done := &works{}
	for end := e.state.Now.Add(by); e.state.Now.Before(end); {
		next := e.state.Now.Add(stepLength)
		if next.After(end) {
			next = end
		}
		if err := e.step(ctx, next, done); err != nil {
			return done.all, err
		}
		if passed != nil {
			passed(e.Now())
		}
	}
	return done.all, nil
}

// step goes to a moment. That it is under way is written down first: a process
// that dies meanwhile must not leave a clock behind what the systems wrote.
func (e *Estate) step(ctx context.Context, to time.Time, done *works) error {
	e.state.Until, e.ahead = to, false
	if err := e.saveState(); err != nil {
		return err
	}
	for _, s := range e.systems {
		if err := e.live(ctx, s, to, done); err != nil {
			return fmt.Errorf("system %s at %s: %w", s.name, s.clock.Now().Format(time.DateTime), err)
		}
	}
	e.state.Now = to
	if err := e.saveWorkloads(); err != nil {
		return err
	}
	return e.saveState()
}

// live lets one system live until a moment.
func (e *Estate) live(ctx context.Context, s *system, to time.Time, done *works) error {
	var working []string
	for _, m := range s.managers() {
		if e.workloads[m.Name()] != nil {
			working = append(working, m.Name())
		}
	}
	e.restLost(s, to, done)
	ticker := &ticker{system: s, last: s.clock.estate()}
	stretch := to.Sub(s.clock.estate())
	if len(working) != 1 {
		stretch = tickLength // nobody's applications get ahead of another's
	}
	for at := s.clock.estate(); at.Before(to); {
		if at = at.Add(stretch); at.After(to) {
			at = to
		}
		for _, name := range working {
			if err := e.work(ctx, s, name, at, ticker, done.of(name)); err != nil {
				return err
			}
		}
		if err := ticker.to(ctx, at); err != nil {
			return err
		}
	}
	return nil
}

// work lets the applications of a queue manager work. While it does not run
// they rest.
func (e *Estate) work(ctx context.Context, s *system, name string, until time.Time, t *ticker, done *Worked) error {
	_, m, err := e.find(name)
	if err != nil {
		return err
	}
	if state, running := m.state(); !running {
		e.workloads[name].Pause(until)
		done.Stopped = fmt.Sprintf("%s is %s", name, state)
		return nil
	}
	report, err := e.workloads[name].Run(ctx, m.work(s.clock.Now), until, func(at time.Time) error { return t.to(ctx, at) })
	done.Report.Add(report)
	if errors.Is(err, engine.ErrStopped) {
		e.workloads[name].Pause(until)
		done.Stopped = err.Error()
		return nil
	}
	return err
}

// pass lets a little time pass in which nobody's applications work: that of a
// command given by hand.
func (e *Estate) pass(ctx context.Context) error {
	e.state.Until, e.ahead = e.state.Now.Add(commandTakes), false
	if err := e.saveState(); err != nil {
		return err
	}
	if err := e.tick(ctx, e.state.Until); err != nil {
		return err
	}
	return e.saveState()
}

// passLater is pass for one of many commands. It writes down a whole step as
// begun and then nothing until that is over, or the estate is closed: if the
// process dies in it, the clock stands where it would have ended.
func (e *Estate) passLater(ctx context.Context, by time.Duration) error {
	to := e.state.Now.Add(by)
	if !e.ahead || to.After(e.state.Until) {
		e.state.Until = to.Add(stepLength)
		if checkTime(e.state.Until) != nil {
			e.state.Until = to
		}
		if err := e.saveState(); err != nil {
			return err
		}
	}
	e.ahead = false // a system may be behind to if it does not get there
	if err := e.tick(ctx, to); err != nil {
		return err
	}
	e.ahead = true
	return nil
}

// tick brings all systems to a moment and has them do what is due then.
func (e *Estate) tick(ctx context.Context, to time.Time) error {
	for _, s := range e.systems {
		t := &ticker{system: s, last: s.clock.estate()}
		if err := t.now(ctx, to); err != nil {
			return err
		}
	}
	e.state.Now = to
	return nil
}

// ticker moves the clock of a system and has it do what is due.
type ticker struct {
	system *system
	last   time.Time // when that was done last
}

// to goes to a moment, minute by minute.
func (t *ticker) to(ctx context.Context, at time.Time) error {
	for next := t.last.Add(tickLength); !next.After(at); next = t.last.Add(tickLength) {
		if err := t.now(ctx, next); err != nil {
			return err
		}
	}
	t.system.clock.set(at)
	return nil
}

func (t *ticker) now(ctx context.Context, at time.Time) error {
	t.system.clock.set(at)
	t.last = at
	return t.system.tick(ctx)
}

// works collects what applications did, by queue manager in the order of
// their first work.
type works struct{ all []Worked }

func (w *works) of(name string) *Worked {
	for i := range w.all {
		if w.all[i].QueueManager == name {
			return &w.all[i]
		}
	}
	w.all = append(w.all, Worked{QueueManager: name})
	return &w.all[len(w.all)-1]
}
