package workload

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// manager is a queue manager without a disk: it counts messages, notes what
// happens when, and fails when it is told to.
type manager struct {
	t     testing.TB
	zone  *time.Location
	clock time.Time
	depth map[string]int
	open  map[uint64]*unit
	last  uint64
	// log is a hash over every call with its time.
	log uint64
	// fails gives the error of an operation; nil: none does.
	fails func(operation, queue string) error
	// seen is called for each message that is put.
	seen   func(queue string, m engine.Message)
	forces int
	// unforced: a commit has not been forced.
	unforced bool
}

type unit struct {
	m        *manager
	number   uint64
	put, got map[string]int
	prepared bool
	began    time.Time
}

func newManager(tb testing.TB, zone *time.Location) *manager {
	return &manager{t: tb, zone: zone, depth: map[string]int{}, open: map[uint64]*unit{}}
}

func (m *manager) setClock(now time.Time) error {
	if now.Before(m.clock) {
		m.t.Errorf("the clock went back from %s to %s", m.clock, now)
	}
	if !now.Truncate(time.Minute).Equal(m.clock.Truncate(time.Minute)) && m.unforced {
		m.t.Errorf("at %s something of %s is not forced", now, m.clock)
	}
	m.clock = now
	return nil
}

// did notes an operation and gives its error.
func (m *manager) did(operation, queue string, more uint64) error {
	if m.fails != nil {
		if err := m.fails(operation, queue); err != nil {
			return err
		}
	}
	const prime = 1099511628211 // of FNV-1a
	for _, n := range []uint64{uint64(m.clock.UnixNano()), more} {
		m.log = (m.log ^ n) * prime
	}
	for _, s := range []string{operation, queue} {
		for i := range len(s) {
			m.log = (m.log ^ uint64(s[i])) * prime
		}
	}
	return nil
}

func (m *manager) Now() time.Time { return m.clock.In(m.zone) }

func (m *manager) Define(_ context.Context, queue string) error { return m.did("define", queue, 0) }

func (m *manager) Depth(queue string) (int, error) { return m.depth[queue], nil }

func (m *manager) Put(_ context.Context, queue string, msg engine.Message) error {
	if err := m.note("put", queue, msg); err != nil {
		return err
	}
	m.depth[queue]++
	return nil
}

func (m *manager) note(operation, queue string, msg engine.Message) error {
	if err := m.did(operation, queue, uint64(len(msg.Body))); err != nil {
		return err
	}
	if m.seen != nil {
		m.seen(queue, msg)
	}
	return nil
}

func (m *manager) Get(_ context.Context, queue string) (engine.Message, error) {
	if m.depth[queue] == 0 {
		return engine.Message{}, engine.ErrNoMessage
	}
	if err := m.did("get", queue, 0); err != nil {
		return engine.Message{}, err
	}
	m.depth[queue]--
	return engine.Message{}, nil
}

func (m *manager) Begin(string) (Unit, error) {
	if err := m.did("begin", "", m.last); err != nil {
		return nil, err
	}
	m.last++
	u := &unit{m: m, number: m.last, put: map[string]int{}, got: map[string]int{}, began: m.clock}
	m.open[u.number] = u
	return u, nil
}

func (m *manager) Unit(number uint64) (Unit, error) {
	if u := m.open[number]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("unit %d: %w", number, engine.ErrEnded)
}

func (m *manager) Force(context.Context) error {
	m.forces++
	m.unforced = false
	if m.fails != nil { // a force is no part of the log of calls: each step ends with one
		return m.fails("force", "")
	}
	return nil
}

// restart backs out what is open, as that of a queue manager does.
func (m *manager) restart() (backedOut int) {
	for n, u := range m.open {
		if !u.prepared {
			u.finish(false)
			delete(m.open, n)
			backedOut++
		}
	}
	return backedOut
}

func (u *unit) Number() uint64 { return u.number }

func (u *unit) Put(_ context.Context, queue string, msg engine.Message) error {
	if err := u.m.note("put", queue, msg); err != nil {
		return err
	}
	u.put[queue]++
	return nil
}

func (u *unit) Get(_ context.Context, queue string) (engine.Message, error) {
	if u.m.depth[queue] == 0 {
		return engine.Message{}, engine.ErrNoMessage
	}
	if err := u.m.did("get", queue, u.number); err != nil {
		return engine.Message{}, err
	}
	u.m.depth[queue]--
	u.got[queue]++
	return engine.Message{}, nil
}

func (u *unit) Commit(context.Context) error { return u.end("commit", true) }

func (u *unit) CommitLater(context.Context) error {
	if err := u.end("commit", true); err != nil {
		return err
	}
	u.m.unforced = true
	return nil
}

func (u *unit) Backout(context.Context) error { return u.end("backout", false) }

func (u *unit) Prepare(_ context.Context, xid []byte) error {
	if err := u.m.did("prepare", string(xid), u.number); err != nil {
		return err
	}
	u.prepared = true
	return nil
}

func (u *unit) end(operation string, commit bool) error {
	if u.m.open[u.number] == nil {
		return engine.ErrEnded
	}
	if err := u.m.did(operation, "", u.number); err != nil {
		return err
	}
	u.finish(commit)
	return nil
}

func (u *unit) finish(commit bool) {
	counts := u.got
	if commit {
		counts = u.put
	}
	for queue, n := range counts {
		u.m.depth[queue] += n
	}
	delete(u.m.open, u.number)
}

// berlin is a zone with daylight saving; its days of 23 and 25 hours in 2026
// are March 29 and October 25.
func berlin(tb testing.TB) *time.Location {
	tb.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tb.Skip("no time zones here:", err)
	}
	return zone
}

func named(tb testing.TB, name string) Profile {
	tb.Helper()
	p, err := Named(name)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func run(tb testing.TB, s *State, m *manager, until time.Time) Report {
	tb.Helper()
	r, err := s.Run(tb.Context(), m, until, m.setClock)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
