package qmgr

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// An IPL while the queue manager is down attaches a receiver; the start writes
// in it, with numbers from 1 on.
func TestIPLWhileDown(t *testing.T) {
	for _, clean := range []bool{true, false} {
		s := station1(t)
		s.put("A", text("1"))
		if clean {
			s.must(s.m.End(t.Context(), EndOptions{}))
		} else {
			s.crash()
		}
		before := len(s.receivers())
		s.must(s.sys.IPL(t.Context()))
		s.open()
		s.start()
		all := s.sys.Receivers(s.m.Journal())
		last := all[len(all)-1]
		if len(all) != before+1 || last.Status != os400.Attached || last.First != 1 || last.Last == 0 || last.Start == 0 {
			t.Fatalf("clean %v: %d receivers, the last is %+v", clean, len(all), last)
		}
		if old := all[len(all)-2]; old.Status != os400.Online || old.End != last.Start {
			t.Errorf("clean %v: the one before is %+v", clean, old)
		}
		s.put("A", text("2"))
		s.power()
		s.start()
		if got := s.bodies("A"); !slices.Equal(got, []string{"1", "2"}) {
			t.Errorf("clean %v: %q", clean, got)
		}
		s.entriesAgree()
	}
}

// entriesAgree compares what the directory says of receivers with what is in
// them.
func (s *station) entriesAgree() {
	s.t.Helper()
	next := uint64(0)
	for _, r := range s.sys.Receivers(s.m.Journal()) {
		if r.Start == 0 || r.Status == os400.Freed || r.Status == os400.Partial {
			continue
		}
		n, err := s.sys.CountEntries(r.ID)
		s.must(err)
		if r.Status != os400.Attached && n != r.Entries() {
			s.t.Errorf("%s: the directory says %d to %d, %d entries are in it", r.Name, r.First, r.Last, n)
		}
		if r.First == 0 {
			continue // it has none
		}
		if next != 0 && r.First != next && r.First != 1 {
			s.t.Errorf("%s begins with %d, want %d", r.Name, r.First, next)
		}
		next = r.Last + 1
	}
}

// CHGJRN by hand, with an open unit of work: it goes on in the next receiver.
func TestManualChange(t *testing.T) {
	s := station1(t)
	u := s.begin("LONG")
	s.unitPut(u, "A", "1")
	before := s.receivers()
	s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN"}))
	s.unitPut(u, "A", "2")
	s.must(u.Commit(t.Context()))
	if got := s.receivers(); len(got) != len(before)+1 || s.m.Status().CurrLog != got[len(got)-1] {
		t.Errorf("receivers %q, current %s", got, s.m.Status().CurrLog)
	}
	s.power()
	s.start()
	if got := s.bodies("A"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("%q", got)
	}
	s.entriesAgree()
}

// The image of a deep queue fills receivers one after the other.
func TestDeepImage(t *testing.T) {
	s := station1(t)
	s.fill("A", 5)
	before, publications := len(s.receivers()), len(s.messages("AMQ7460"))
	s.images()
	if n := len(s.receivers()); n < before+4 {
		t.Errorf("the image of five receivers' messages filled %d", n-before)
	}
	if n := len(s.messages("AMQ7460")) - publications; n != 1 {
		t.Errorf("published %d times", n)
	}
	for _, receiver := range s.before(s.m.Points().Media.Receiver) {
		s.must(s.sys.Remove(s.id(receiver)))
	}
	s.rebuildAll()
	s.power()
	s.start()
	s.entriesAgree()
}

// The generated name is there already: CPI70E3 once, the attached receiver
// grows until a person attaches another one (reference, IBM i 1.1).
func TestNameClash(t *testing.T) {
	s := station1(t)
	attached := s.m.Status().CurrLog
	clash := s.sys.NextName(s.id(attached))
	s.must(s.sys.CreateReceiver(clash, 64))
	for range 40 {
		s.put("A", body(6000))
	}
	if now := s.m.Status().CurrLog; now != attached {
		t.Errorf("attached is %s", now)
	}
	if r, err := s.sys.Receiver(s.id(attached)); err != nil || r.Size < 200_000 {
		t.Errorf("%+v, %v", r, err)
	}
	operator := os400.ID{Library: "QSYS", Name: "QSYSOPR"}
	if sent := s.messagesOn(operator, "CPI70E3"); len(sent) != 1 {
		t.Errorf("CPI70E3 was sent %d times", len(sent))
	}
	s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: clash.Name, Library: clash.Library}))
	s.fill("A", 2)
	if len(s.bodies("A")) < 40 {
		t.Error("messages are missing")
	}
	s.power()
	s.start()
	s.rebuildAll()
}

// A full ASP: CPA7090 reason 1, the operator is asked once, nothing is lost,
// and with room it goes on.
func TestFullASP(t *testing.T) {
	s := station1(t)
	s.put("A", text("before"))
	s.must(s.sys.SetCapacity(s.sys.Storage().Used + 10_000))
	var refused *os400.Error
	count := 1
	for refused == nil {
		_, err := s.m.Put(t.Context(), "A", body(6000))
		if errors.As(err, &refused); refused == nil {
			s.must(err)
			count++
		}
	}
	want := "CPA7090: Entry not journaled to journal AMQAJRN in QMTEST, receiver " + s.m.Status().CurrLog +
		" in QMTEST. Reason code 1: there is no storage left. (C R)"
	if refused.Error() != want || !errors.Is(refused, syscall.ENOSPC) {
		t.Errorf("%v", refused)
	}
	for range 3 {
		if _, err := s.m.Put(t.Context(), "A", body(6000)); !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
	}
	if sent := s.messagesOn(operator, "CPA7090"); len(sent) != 1 || sent[0].Kind != os400.Inquiry {
		t.Errorf("%+v", sent)
	}
	s.must(s.m.Suspend(t.Context()))
	s.open()
	s.must(s.m.Resume(t.Context()))
	if s.sys.Storage().Total == 0 {
		t.Error("the limit is gone")
	}
	s.must(s.sys.SetCapacity(0))
	s.put("A", text("after"))
	s.power()
	s.start()
	if n := len(s.bodies("A")); n != count+1 {
		t.Errorf("%d messages, want %d", n, count+1)
	}
	s.rebuildAll()
}

// The sequence numbers are used up: CPA7090 reason 4 until a person resets
// them (reference, IBM i 1.4).
func TestSequenceMaximum(t *testing.T) {
	s := newStation(t, t, Spec{Threshold: thresholdDefault})
	j, err := s.sys.Journal(s.m.Journal())
	s.must(err)
	s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN"}))
	s.must(s.sys.SetSequence(s.m.Journal(), j.MaxSequence()-20))
	var refused *os400.Error
	count := 0
	for ; refused == nil && count < 30; count++ {
		if _, err := s.m.Put(t.Context(), "A", text("x")); !errors.As(err, &refused) {
			s.must(err)
		}
	}
	if refused == nil || refused.ID != "CPA7090" || !strings.Contains(refused.Text, "Reason code 4") {
		t.Fatalf("after %d: %v", count, refused)
	}
	if sent := s.messagesOn(operator, "CPA7090"); len(sent) != 1 {
		t.Errorf("asked %d times", len(sent))
	}
	s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN", Reset: true}))
	s.put("A", text("y"))
	if n := len(s.bodies("A")); n != count {
		t.Errorf("%d messages, want %d", n, count)
	}
}

// A prepared unit of work pins the startup mark over restarts, and is found
// with its application.
func TestPreparedPinsStartup(t *testing.T) {
	s := station1(t)
	u := s.begin("PAYROLL")
	s.unitPut(u, "A", "in doubt")
	s.must(u.Prepare(t.Context(), []byte("xid")))
	pinned := s.m.Transactions()[0]
	for range 2 {
		s.fill("B", 2)
		s.images()
		s.power()
		done := s.start()
		if len(done.InDoubt) != 1 || s.m.Points().Startup.Receiver != pinned.Receiver {
			t.Fatalf("%+v, published %+v", done, s.m.Points())
		}
	}
	got := s.m.Transactions()
	if len(got) != 1 || got[0].State != "PREPARED" || got[0].Application != "PAYROLL" || got[0].Job != pinned.Job ||
		!got[0].Started.Equal(pinned.Started) || string(got[0].XID) != "xid" {
		t.Errorf("%+v, was %+v", got, pinned)
	}
	active := s.begin("OTHER")
	if err := s.m.Resolve(t.Context(), active.Number(), true); !errors.Is(err, ErrNotInDoubt) {
		t.Errorf("resolving one that is active: %v", err)
	}
	s.must(active.Backout(t.Context()))
	s.must(s.m.Resolve(t.Context(), got[0].Number, true))
	s.images()
	if s.m.Points().Startup.Receiver == pinned.Receiver || len(s.m.Transactions()) != 0 {
		t.Errorf("published %+v", s.m.Points())
	}
	if got := s.bodies("A"); !slices.Equal(got, []string{"in doubt"}) {
		t.Errorf("%q", got)
	}
}

// Ends: a controlled one waits for units of work, only one with images moves
// the media mark of a deep queue.
func TestEnds(t *testing.T) {
	s := station1(t)
	s.put("A", text("deep"))
	u := s.begin("LONG")
	s.unitPut(u, "B", "x")
	if err := s.m.End(t.Context(), EndOptions{}); !errors.Is(err, ErrUnits) || s.m.Status().State != string(Running) {
		t.Errorf("controlled end: %v, %s", err, s.m.Status().State)
	}
	media := func(queue string) engine.Mark {
		o, err := s.m.Engine().Object(engine.Ref{Kind: engine.Queue, Name: queue})
		s.must(err)
		return o.Media
	}
	a, b := media("A"), media("B")
	s.must(s.m.End(t.Context(), EndOptions{Immediate: true}))
	if state := s.m.Status().State; state != string(Ended) || s.m.Queues() != nil {
		t.Errorf("%s", state)
	}
	s.start()
	if media("A") != a || len(s.bodies("B")) != 0 {
		t.Errorf("without images that of A moved, or B has messages")
	}
	s.must(s.m.End(t.Context(), EndOptions{}))
	s.start()
	if media("A") != a || media("B") == b {
		t.Errorf("an end records the images of empty queues, and of no others")
	}
	s.must(s.m.End(t.Context(), EndOptions{Images: true}))
	s.start()
	if media("A") == a {
		t.Errorf("the end with images left A alone")
	}
	s.entriesAgree()
}

// What needs a running queue manager says so, and what needs an ended one too.
func TestWrongState(t *testing.T) {
	s := station1(t)
	ctx := t.Context()
	if _, err := s.m.Start(ctx); !errors.Is(err, ErrRunning) {
		t.Errorf("second start: %v", err)
	}
	if err := s.m.Resume(ctx); !errors.Is(err, ErrNotSuspended) {
		t.Errorf("resume: %v", err)
	}
	if _, err := Create(ctx, s.sys, Spec{Name: "TEST"}); !errors.Is(err, ErrExists) {
		t.Errorf("create: %v", err)
	}
	if _, err := Open(s.sys, "OTHER"); !errors.Is(err, ErrUnknown) {
		t.Errorf("open: %v", err)
	}
	s.must(s.m.End(ctx, EndOptions{}))
	for what, do := range map[string]func(context.Context) error{
		"put":     func(ctx context.Context) error { _, err := s.m.Put(ctx, "A", text("")); return err },
		"end":     func(ctx context.Context) error { return s.m.End(ctx, EndOptions{}) },
		"crash":   s.m.Crash,
		"suspend": s.m.Suspend,
		"images": func(ctx context.Context) error {
			_, err := s.m.RecordImages(ctx, Selection{Name: "*ALL", Type: "*ALL"})
			return err
		},
	} {
		if err := do(ctx); !errors.Is(err, ErrNotRunning) || !errors.Is(err, engine.ErrStopped) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.must(s.m.Tick(ctx))
}

func TestSelections(t *testing.T) {
	s := station1(t)
	for _, c := range []struct {
		name, kind string
		want       int
		err        error
	}{
		{"*ALL", "*ALL", len(systemQueues) + 4, nil},
		{"*ALL", "*Q", len(systemQueues) + 2, nil},
		{"*ALL", "*MQM", 1, nil},
		{"*ALL", "*CTLG", 1, nil},
		{"SYSTEM.*", "*LCLQ", len(systemQueues), nil},
		{"*ALL", "*TOPIC", 0, nil},
		{"B", "*Q", 1, nil},
		{"C", "*Q", 0, engine.ErrNoObject},
		{"C*", "*Q", 0, nil},
		{"A", "*NONSENSE", 0, ErrSelection},
		{"", "*ALL", 0, ErrSelection},
	} {
		n, err := s.m.RecordImages(t.Context(), Selection{Name: c.name, Type: c.kind})
		if n != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("OBJ(%s) OBJTYPE(%s): %d, %v", c.name, c.kind, n, err)
		}
	}
	s.must(s.m.Damage(t.Context(), "A"))
	n, err := s.m.RecordImages(t.Context(), Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true})
	var damaged *DamagedError
	if n != len(systemQueues)+3 || !errors.Is(err, engine.ErrDamaged) || !errors.As(err, &damaged) ||
		len(damaged.Objects) != 1 || err.Error() != "recording media images: A *LCLQ: the object is damaged" {
		t.Errorf("with one that is damaged: %d, %v", n, err)
	}
}
