package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/plugins"
)

// leaseModel is what leases are, without a database: two processes (handles),
// one target, two tasks, a clock.
type leaseModel struct {
	t       *rapid.T
	clock   *fakeClock
	ledgers []*Ledger
	target  string

	tasks  map[string]*modelTask
	fired  map[[2]string]bool // task, key: run to its end
	leases []*modelLease
	open   map[string]bool // actions whose outcome is not known
	n      int
}

type modelTask struct {
	epoch int64
	held  bool
	until time.Time
}

type modelLease struct {
	lease  *Lease
	ledger *Ledger
	task   string
	key    string
	epoch  int64
	until  time.Time
}

// current tells whether nobody took the lease over and it was not released;
// stands, whether it has not run out either.
func (m *leaseModel) current(s *modelLease) bool {
	task := m.tasks[s.task]
	return task.epoch == s.epoch && task.held
}

func (m *leaseModel) stands(s *modelLease) bool {
	return m.current(s) && m.clock.Now().Before(s.until)
}

func (m *leaseModel) expect(what string, ok bool, err error) {
	if ok && err != nil || !ok && !errors.Is(err, ErrLeaseLost) {
		m.t.Fatalf("%s: expected %v, got %v", what, ok, err)
	}
}

func (m *leaseModel) Claim(t *rapid.T) {
	name := rapid.SampledFrom([]string{"receivers", "structures"}).Draw(t, "task")
	key := rapid.SampledFrom([]string{"", "1", "2", "3", "4", "5"}).Draw(t, "key")
	l := rapid.SampledFrom(m.ledgers).Draw(t, "ledger")
	f := firing(key)
	f.Target, f.Task, f.For = m.target, name, time.Duration(rapid.IntRange(1, 60).Draw(t, "for"))*time.Second
	task := m.tasks[name]
	lease, err := l.Claim(context.Background(), f)
	switch held := new(Held); {
	case m.fired[[2]string{name, key}]:
		if !errors.Is(err, ErrFired) {
			t.Fatalf("key %s was fired, got %v", key, err)
		}
	case task.held && m.clock.Now().Before(task.until):
		if !errors.As(err, &held) || !held.Until.Equal(task.until) {
			t.Fatalf("held until %s, got %v", task.until, err)
		}
	case err != nil:
		t.Fatal(err)
	default:
		task.epoch, task.held, task.until = task.epoch+1, true, m.clock.Now().Add(f.For)
		if lease.Epoch() != task.epoch {
			t.Fatalf("epoch %d, want %d", lease.Epoch(), task.epoch)
		}
		m.leases = append(m.leases, &modelLease{lease, l, name, key, task.epoch, task.until})
	}
}

func (m *leaseModel) pick(t *rapid.T) *modelLease {
	if len(m.leases) == 0 {
		t.Skip("no lease yet")
	}
	return rapid.SampledFrom(m.leases).Draw(t, "lease")
}

func (m *leaseModel) Check(t *rapid.T) {
	s := m.pick(t)
	m.expect("check", m.stands(s), s.lease.Check(context.Background()))
}

func (m *leaseModel) Renew(t *rapid.T) {
	s := m.pick(t)
	stands := m.stands(s)
	m.expect("renew", stands, s.lease.Renew(context.Background()))
	if stands {
		s.until = m.clock.Now().Add(s.lease.firing.For)
		m.tasks[s.task].until = s.until
	}
}

func (m *leaseModel) Release(t *rapid.T) {
	s := m.pick(t)
	current := m.current(s)
	m.expect("release", current, s.lease.Release(context.Background(), "done"))
	if current {
		m.tasks[s.task].held = false
		if s.key != "" {
			m.fired[[2]string{s.task, s.key}] = true
		}
	}
}

func (m *leaseModel) Intend(t *rapid.T) {
	s := m.pick(t)
	m.n++
	action := deletion(time.Duration(m.n).String())
	stands := m.stands(s)
	m.expect("intend", stands, s.ledger.Intend(context.Background(), s.lease, []plugins.Action{action}))
	if stands {
		m.open[action.ID] = true
	}
}

func (m *leaseModel) Seen(t *rapid.T) {
	s := m.pick(t)
	open, err := s.ledger.OpenIntents(context.Background(), m.target)
	must(t, err)
	for _, o := range open {
		if o.Task == s.task && o.Epoch == s.epoch {
			current := m.current(s)
			m.expect("seen", current, s.ledger.Seen(context.Background(), s.lease, []plugins.Result{{Action: o.Action.ID, State: plugins.Done}}))
			if current {
				delete(m.open, o.Action.ID)
			}
			return
		}
	}
}

func (m *leaseModel) Advance(t *rapid.T) {
	m.clock.Advance(time.Duration(rapid.IntRange(1, 40).Draw(t, "seconds")) * time.Second)
}

// Invariant: at most one lease of a task stands, and what is open is open.
func (m *leaseModel) Invariant(t *rapid.T) {
	standing := map[string]int{}
	for _, s := range m.leases {
		if s.lease.Check(context.Background()) == nil {
			standing[s.task]++
		}
	}
	for task, n := range standing {
		if n > 1 {
			t.Fatalf("%d leases of %s stand", n, task)
		}
	}
	open, err := m.ledgers[0].OpenIntents(context.Background(), m.target)
	must(t, err)
	if len(open) != len(m.open) {
		t.Fatalf("%d intents are open, want %d", len(open), len(m.open))
	}
}

func TestLeasesAgainstModel(t *testing.T) {
	dir := folder(t)
	clock := newClock()
	ledgers := []*Ledger{openAt(t, dir, Options{Clock: clock.Now}), openAt(t, dir, Options{Clock: clock.Now})}
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		m := &leaseModel{
			t: t, clock: clock, ledgers: ledgers, target: fmt.Sprint("QM", n),
			fired: map[[2]string]bool{}, open: map[string]bool{},
			tasks: map[string]*modelTask{"receivers": {}, "structures": {}},
		}
		t.Repeat(map[string]func(*rapid.T){
			"claim": m.Claim, "check": m.Check, "renew": m.Renew, "release": m.Release,
			"intend": m.Intend, "seen": m.Seen, "advance": m.Advance, "": m.Invariant,
		})
	})
	if _, err := ledgers[1].Verify(context.Background()); err != nil {
		t.Error(err)
	}
}
