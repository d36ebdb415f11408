package qmgr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr/ledger"
)

var errDied = errors.New("everything has died")

// bank is a queue manager with a resource manager.
type bank struct {
	*station
	ledger *ledger.Ledger
}

func newBank(t *testing.T, kind extents.Kind) *bank {
	s := onCrashDisk(t.Context(), t, Spec{
		Log: small(kind, extents.Manual),
		Resources: []Resource{
			{Name: "OTHER", SwitchFile: "other.so"},
			{Name: "BANK", SwitchFile: "bank.so", OpenString: "open", CloseString: "close"},
		},
	})
	t.Cleanup(s.halt)
	b := &bank{station: s}
	b.start()
	b.define("Q")
	b.connect()
	return b
}

func (b *bank) connect() {
	b.Helper()
	var err error
	b.ledger, err = ledger.Open(b.crash, "bank.json", "BANK")
	b.must(err)
	b.must(b.m.Connect(b.ctx, b.ledger))
}

// transfer puts a message and books in one unit of work.
func (b *bank) transfer(message string, amount int64) (*Unit, error) {
	u, err := b.m.BeginGlobal(b.ctx, "PAY", "BANK")
	if err != nil {
		return nil, err
	}
	if _, err := u.Put(b.ctx, "Q", text(message)); err != nil {
		return nil, err
	}
	return u, b.ledger.Add(u.XID(), "A", amount)
}

// die ends the queue manager and the resource manager, and brings both up
// again.
func (b *bank) die() {
	b.Helper()
	b.must(b.m.Crash())
	b.crash.Crash()
	b.reopen()
	b.start()
	b.connect()
}

// agrees wants both sides to have so many transfers of 10.
func (b *bank) agrees(want int) {
	b.Helper()
	if got := len(b.bodies("Q")); got != want || b.ledger.Balance("A") != int64(10*want) {
		b.Fatalf("%d messages and a balance of %d, wanted %d transfers", got, b.ledger.Balance("A"), want)
	}
	if left, err := b.ledger.Recover(b.ctx); err != nil || left != nil {
		b.Fatalf("the ledger is in doubt of %q, %v", left, err)
	}
	if left := b.m.Transactions(); left != nil {
		b.Fatalf("the queue manager is in doubt of %+v", left)
	}
	for key := range b.m.Engine().Kept() {
		if strings.HasPrefix(key, keyPrepared) {
			b.Fatalf("%s is not forgotten", key)
		}
	}
}

func TestGlobalUnits(t *testing.T) {
	for _, kind := range kinds {
		b := newBank(t, kind)
		u, err := b.transfer("one", 10)
		b.must(err)
		b.must(u.Commit(b.ctx))
		b.agrees(1)
		u, err = b.transfer("two", 10)
		b.must(err)
		b.must(u.Backout(b.ctx))
		b.agrees(1)
		b.die()
		b.agrees(1)
		if _, err := b.m.BeginGlobal(b.ctx, "PAY", "NOBODY"); !errors.Is(err, ErrResource) {
			t.Error(err)
		}
		stranger, err := ledger.Open(b.crash, "stranger", "STRANGER")
		b.must(err)
		b.refuses(b.m.Connect(b.ctx, stranger), ErrResource)
	}
}

// After a crash between any two steps of a two-phase commit both sides agree:
// nothing before the decision, everything from it on.
func TestCrashBetweenAnySteps(t *testing.T) {
	var steps []string
	b := newBank(t, extents.Linear)
	b.m.step = func(step string) error { steps = append(steps, step); return nil }
	u, err := b.transfer("one", 10)
	b.must(err)
	b.must(u.Commit(b.ctx))
	if want := []string{"prepared BANK", "prepared", "decided", "committed", "told BANK"}; !slices.Equal(steps, want) {
		t.Fatalf("%q", steps)
	}
	for _, kind := range kinds {
		for n, at := range steps {
			b := newBank(t, kind)
			b.m.step = func(step string) error {
				if step == at || step == "undoing" {
					return errDied
				}
				return nil
			}
			u, err := b.transfer("one", 10)
			b.must(err)
			b.refuses(u.Commit(b.ctx), errDied)
			b.die()
			want := 0
			if n >= slices.Index(steps, "decided") {
				want = 1
			}
			b.agrees(want)
			b.die()
			b.agrees(want)
		}
	}
}

// The power fails at any operation of the disk, under both sides.
func TestPowerFailsInATwoPhaseCommit(t *testing.T) {
	done := false
	for n := 0; !done; n++ {
		b := newBank(t, extents.Linear)
		u, err := b.transfer("one", 10)
		b.must(err)
		done = true
		count := 0
		b.crash.Fault(failAfter(n, &count, &done))
		committed := u.Commit(b.ctx) == nil
		b.crash.Fault(nil)
		b.die()
		got := len(b.bodies("Q"))
		if committed && got != 1 {
			t.Fatalf("after %d operations: committed, and %d messages", n, got)
		}
		b.agrees(got)
		if n > 1000 {
			t.Fatal("it never ends")
		}
	}
}

// A resource manager that is away when it is to be told is told later, after
// any number of restarts; until then nothing is forgotten.
func TestResourceManagerAway(t *testing.T) {
	b := newBank(t, extents.Linear)
	away := &absent{Ledger: b.ledger}
	b.must(b.m.Connect(b.ctx, away))
	u, err := b.transfer("one", 10)
	b.must(err)
	away.gone = true
	b.must(u.Commit(b.ctx))
	b.holds("Q", "one")
	b.must(b.m.Crash())
	b.start()
	b.holds("Q", "one")
	b.must(b.m.Checkpoint(b.ctx))
	b.end()
	b.start()
	if b.ledger.Balance("A") != 0 {
		t.Error("it was told while it was away")
	}
	b.connect()
	b.agrees(1)
}

// A resource manager that can't prepare has everything rolled back.
func TestResourceManagerRefuses(t *testing.T) {
	b := newBank(t, extents.Linear)
	away := &absent{Ledger: b.ledger, refuses: true}
	b.must(b.m.Connect(b.ctx, away))
	u, err := b.transfer("one", 10)
	b.must(err)
	if err := u.Commit(b.ctx); err == nil {
		t.Error("it was committed")
	}
	b.agrees(0)
}

// Global units of work survive a suspension.
func TestGlobalUnitSuspended(t *testing.T) {
	b := newBank(t, extents.Linear)
	u, err := b.transfer("one", 10)
	b.must(err)
	b.must(b.m.Suspend(b.ctx))
	b.reopen()
	b.must(b.m.Resume(b.ctx))
	b.must(b.m.Connect(b.ctx, b.ledger))
	u, err = b.m.Unit(u.Number())
	b.must(err)
	b.must(u.Commit(b.ctx))
	b.agrees(1)
}

// A unit of work of another coordinator stays in doubt, and holds RECLOG.
func TestOutsideCoordinator(t *testing.T) {
	b := newBank(t, extents.Linear)
	u, err := b.m.Begin("CICS")
	b.must(err)
	_, err = u.Put(b.ctx, "Q", text("in doubt"))
	b.must(err)
	b.must(u.Prepare(b.ctx, []byte("CICS 1")))
	before := b.m.Connections()[0]
	if before.URType != "XA" || before.UnitState != "PREPARED" || before.UOWLog != "S0000000.LOG" || before.Application != "CICS" {
		t.Errorf("%+v", before)
	}
	for range 60 {
		b.put("Q", long(10_000))
	}
	b.die()
	b.must(b.m.Checkpoint(b.ctx))
	if s := b.m.Status(); s.RecLog != "S0000000.LOG" || s.CurrLog == "S0000000.LOG" {
		t.Errorf("RECLOG %s, CURRLOG %s", s.RecLog, s.CurrLog)
	}
	left := b.m.Transactions()
	if len(left) != 1 || left[0].Ours || string(left[0].XID) != "CICS 1" || left[0].Application != "CICS" {
		t.Fatalf("%+v", left)
	}
	b.must(b.m.Resolve(b.ctx, left[0].Number, true))
	b.must(b.m.Checkpoint(b.ctx))
	if s := b.m.Status(); s.RecLog == "S0000000.LOG" {
		t.Error("it still holds the log")
	}
	open, err := b.m.Begin("APP")
	b.must(err)
	_, err = open.Put(b.ctx, "Q", text("x"))
	b.must(err)
	b.refuses(b.m.Resolve(b.ctx, open.Number(), true), ErrNotInDoubt)
	b.refuses(b.m.Resolve(b.ctx, 999, true), engine.ErrEnded)
}

// absent is a ledger that may be away.
type absent struct {
	*ledger.Ledger
	gone, refuses bool
}

func (a *absent) Prepare(ctx context.Context, xid []byte) error {
	if a.refuses {
		return fmt.Errorf("preparing: %w", errDied)
	}
	return a.Ledger.Prepare(ctx, xid)
}

func (a *absent) Commit(ctx context.Context, xid []byte) error {
	if a.gone {
		return fmt.Errorf("committing: %w", errDied)
	}
	return a.Ledger.Commit(ctx, xid)
}

// In a log that is full a global unit of work can be committed too: all of its
// records have their place in the reserve.
func TestGlobalUnitsInAFullLog(t *testing.T) {
	for _, kind := range kinds {
		b := newBank(t, kind)
		doubt, err := b.m.Begin("CICS")
		b.must(err)
		_, err = doubt.Put(b.ctx, "SYSTEM.DEFAULT.LOCAL.QUEUE", text("in doubt"))
		b.must(err)
		b.must(doubt.Prepare(b.ctx, []byte("CICS 1")))
		var units []*Unit
		for n := range 10 {
			u, err := b.transfer(fmt.Sprint("transfer ", n), 10)
			b.must(err)
			units = append(units, u)
		}
		for err == nil {
			_, err = b.m.Put(b.ctx, "SYSTEM.DEFAULT.LOCAL.QUEUE", text(long(700)))
		}
		b.reason(err, ResourceProblem)
		for _, u := range units {
			b.must(u.Commit(b.ctx))
		}
		b.must(doubt.Backout(b.ctx))
		b.agrees(10)
		b.die()
		b.agrees(10)
	}
}
