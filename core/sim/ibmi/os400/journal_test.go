package os400

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"pgregory.net/rapid"
)

func TestNextName(t *testing.T) {
	for _, c := range []struct {
		name, five, six string
	}{
		{"AMQA000000", "AMQA000001", "AMQA000001"},
		{"AMQA000009", "AMQA000010", "AMQA000010"},
		{"AMQA099999", "AMQA000000", "AMQA100000"},
		{"AMQA999999", "AMQA900000", "AMQA000000"},
		{"AMQA100044", "AMQA100045", "AMQA100045"},
		{"RCV0001", "RCV0002", "RCV0002"},
		{"RCV9999", "RCV0000", "RCV0000"},
		{"RECEIVERS", "RECEIV0001", "RECEIV0001"},
	} {
		if got := following(c.name, 5); got != c.five {
			t.Errorf("after %s: %s, want %s", c.name, got, c.five)
		}
		if got := following(c.name, 6); got != c.six {
			t.Errorf("after %s with six digits: %s, want %s", c.name, got, c.six)
		}
	}
	for name, want := range map[string]string{"AMQA000044": "AMQA100044", "AMQA900001": "AMQA000001", "RCVA0003": "RCVA1003", "X": "X0001"} {
		if got := restoredName(name); got != want {
			t.Errorf("restored after %s: %s, want %s", name, got, want)
		}
	}
}

func TestNamesStayNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Z]{1,4}[A-Z0-9]{0,6}`).Draw(t, "name")
		for _, next := range []string{following(name, 5), following(name, 6), restoredName(name)} {
			if checkName(next) != nil || next == name {
				t.Fatalf("after %s comes %q", name, next)
			}
		}
	})
}

// Names wrap; the directory keeps the order in which receivers were attached
// (case 5).
func TestOrderIsOfTheDirectory(t *testing.T) {
	for _, c := range []struct {
		first string
		six   bool
		want  string
	}{
		{"AMQA099998", false, "099998O 099999O 000000O 000001A"},
		{"AMQA999998", true, "999998O 999999O 000000O 000001A"},
	} {
		b := newBench(t, JournalSpec{First: rcv(c.first)}, Settings{SixDigits: c.six})
		b.fill(3)
		b.want(c.want)
		b.reopen()
		b.want(c.want)
		for i, r := range b.sys.Receivers(jrn) {
			if r.Number != (Number{0, i + 1}) {
				t.Errorf("%s has number %v", r.Name, r.Number)
			}
		}
	}
}

func TestAttachAndDetach(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(3)
	all := b.sys.Receivers(jrn)
	for i, r := range all {
		if r.Attach.Nanosecond() != 0 || !r.Associated || r.Start == 0 {
			t.Errorf("%+v", r)
		}
		if i == len(all)-1 {
			break
		}
		next := all[i+1]
		if r.Entries() != 2 || r.End != next.Start || r.Last+1 != next.First || r.Next != next.ID ||
			next.Previous != r.ID || !r.Detach.Equal(next.Attach) || r.Size == 0 {
			t.Errorf("%+v\nis followed by %+v", r, next)
		}
	}
	if last := all[3]; last.Entries() != 1 || last.First != 7 || !last.Detach.IsZero() || last.End != 0 {
		t.Errorf("attached %+v", last)
	}
	for _, r := range all {
		if got, ok := b.sys.Holding(jrn, r.Start); !ok || got.ID != r.ID {
			t.Errorf("%s holds what %s does", got.ID, r.ID)
		}
		if got, ok := b.sys.Holding(jrn, r.End-wal.Align); r.End != 0 && (!ok || got.ID != r.ID) {
			t.Errorf("%s holds the last of %s", got.ID, r.ID)
		}
	}
	if _, ok := b.sys.Holding(jrn, 1); ok {
		t.Error("something holds what was before the first entry")
	}
}

// A receiver is attached when it is begun, not when it is named: entries go to
// the one before it until then.
func TestAttachTimeIsThatOfTheBegin(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	w := b.start()
	b.must(w.put("one"))
	layout, err := w.log.Next(t.Context())
	b.must(err)
	b.now = b.now.Add(5 * time.Minute)
	b.must(w.put("two"))
	begin := b.now.Truncate(time.Second)
	b.must(w.w.Rotate(t.Context(), layout))
	w.before.Store(int64(w.w.Counts().Records))
	seg, _ := w.w.Current()
	b.must(w.log.Begun(seg, w.w.Counts().Records))
	old, now := b.receiver("AMQA000000"), b.receiver("AMQA000001")
	if now.Attach.Before(begin) || !old.Detach.Equal(now.Attach) || old.Entries() != 2 {
		t.Errorf("begun at %v: %+v\nis followed by %+v", begin, old, now)
	}
}

// Without a word from the writer the entries are counted when they are asked
// for, and when the next receiver is begun.
func TestCountsSurviveACrash(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	b.disk.Crash()
	_ = b.w.w.Abandon()
	b.w = nil
	b.reopen()
	if r := b.receiver("AMQA000001"); r.First != 3 || r.Last != 3 {
		t.Errorf("%+v", r)
	}
	w := b.start()
	b.must(w.put("more"))
	b.change()
	if r := b.receiver("AMQA000001"); r.First != 3 || r.Last != 4 {
		t.Errorf("%+v", r)
	}
	b.stop()
	w = b.start()
	b.must(w.put("a"))
	b.must(w.put("b"))
	if r := b.receiver("AMQA000002"); r.First != 5 || r.Last != 6 {
		t.Errorf("%+v", r)
	}
}

func TestNameClash(t *testing.T) {
	for name, queue := range map[string]ID{"to the operator": {}, "to the journal's queue": {library, "QMQMMSG"}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, JournalSpec{MessageQueue: queue}, Settings{})
			told := operator
			if queue != (ID{}) {
				b.must(b.sys.CreateQueue(queue))
				told = queue
			}
			w := b.start()
			b.must(b.sys.CreateReceiver(b.sys.NextName(rcv("AMQA000000")), 64))
			for range 40 {
				b.must(w.put(string(make([]byte, 4000)))) // beyond the threshold
			}
			_, err := w.log.Next(t.Context())
			if !errors.Is(err, ErrSuspended) {
				t.Fatalf("got %v", err)
			}
			j, err := b.sys.Journal(jrn)
			b.must(err)
			if !j.Suspended || b.sent(told, "CPI70E3") != 1 || !w.log.Due() {
				t.Errorf("%+v, %d messages", j, b.sent(told, "CPI70E3"))
			}
			b.want("000000A")
			b.refused(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "*GEN"}), "CPF7010")
			b.must(b.sys.CreateReceiver(rcv("AMQA000100"), 64))
			b.must(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "AMQA000100", Library: library}))
			b.want("000000O 000100A")
			if j, _ := b.sys.Journal(jrn); j.Suspended {
				t.Error("it is still suspended")
			}
			b.change()
			b.want("000000O 000100O 000101A")
			b.refused(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "AMQA000100"}), "CPF701A")
			b.refused(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "NONE"}), "CPF9801")
		})
	}
}

// CPF7020 tells of the receivers that the system itself has detached: by the
// threshold or at an IPL, not by a person (reference, IBM i 1.3).
func TestWhoDetaches(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	b.stop()
	b.change()
	if n := b.sent(operator, "CPF7020"); n != 0 {
		t.Errorf("%d times CPF7020 by hand", n)
	}
	b.must(b.sys.IPL(t.Context()))
	if n := b.sent(operator, "CPF7020"); n != 1 {
		t.Errorf("%d times CPF7020 at the IPL", n)
	}
	w := b.start()
	for before := len(b.sys.Receivers(jrn)); len(b.sys.Receivers(jrn)) < before+2; {
		b.must(w.put(string(make([]byte, 4000))))
	}
	if n := b.sent(operator, "CPF7020"); n != 3 {
		t.Errorf("%d times CPF7020 by the threshold", n)
	}
}

func TestUserManaged(t *testing.T) {
	b := newBench(t, JournalSpec{UserManaged: true}, Settings{})
	w := b.start()
	for range 40 {
		b.must(w.put(string(make([]byte, 4000))))
	}
	b.want("000000A")
	if n := b.sent(operator, "CPF7099"); n != 1 {
		t.Errorf("%d times CPF7099", n)
	}
	b.change()
	b.want("000000O 000001A")
	if n := b.sent(operator, "CPF7020"); n != 0 {
		t.Errorf("%d times CPF7020", n)
	}
}

// A journal that nobody writes goes on in the new receiver all the same, and
// its log is whole.
func TestChangeAtRest(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	b.stop()
	b.change()
	b.change()
	b.want("000000O 000001O 000002O 000003A")
	b.reopen()
	w := b.start()
	b.must(w.put("on"))
	if n, err := w.read(); n != 4 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	if r := b.receiver("AMQA000003"); r.First != 4 || r.Last != 4 {
		t.Errorf("%+v", r)
	}
	if old := b.receiver("AMQA000001"); old.End != b.receiver("AMQA000003").Start {
		t.Errorf("%+v", old)
	}
}

func TestSequenceNumbers(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	b.must(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "*GEN", Reset: true}))
	b.must(b.w.put("first"))
	if r := b.receiver("AMQA000003"); r.First != 1 || r.Last != 1 {
		t.Errorf("%+v", r)
	}
	b.refused(b.sys.ChangeJournal(t.Context(), jrn, Change{Reset: true}), "CPF7018")
	b.refused(b.sys.SetSequence(jrn, 1), "CPF7018")
	b.must(b.sys.SetSequence(jrn, 2_147_483_135))
	b.must(b.w.log.Full())
	b.must(b.w.put("a"))
	b.must(b.w.log.Full())
	b.must(b.w.put("the last"))
	b.refused(b.w.log.Full(), "CPA7090")
	b.change()
	b.refused(b.w.log.Full(), "CPA7090")
	if b.sent(operator, "CPI70E7") != 1 {
		t.Error("no warning")
	}
	b.must(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "*GEN", Reset: true}))
	b.must(b.w.log.Full())
}

func TestIPL(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	other := ID{library, "OTHER"}
	b.must(b.sys.CreateJournal(JournalSpec{ID: other, First: rcv("USER000000"), Threshold: 64, UserManaged: true}))
	b.must(b.sys.CreateJournal(JournalSpec{ID: ID{library, "BIG"}, First: rcv("BIG0000000"), Threshold: 64, SizeOption: "MAXOPT3"}))
	b.fill(1)
	b.refused(b.sys.IPL(t.Context()), "SIM0101")
	b.must(b.sys.Lock(rcv("AMQA000000"), "A/B/C"))
	b.stop()
	b.must(b.sys.IPL(t.Context()))
	b.want("000000O 000001O 000002A")
	if r := b.receiver("AMQA000000"); len(r.LockedBy) != 0 {
		t.Errorf("%+v", r)
	}
	if len(b.sys.Receivers(other)) != 1 || len(b.sys.Receivers(ID{library, "BIG"})) != 2 {
		t.Error("the other journals")
	}
	w := b.start()
	b.must(w.put("first"))
	if r := b.receiver("AMQA000002"); r.First != 1 || r.Last != 1 {
		t.Errorf("%+v", r)
	}
	b.stop()
	b.must(b.sys.CreateReceiver(rcv("AMQA000003"), 64))
	b.must(b.sys.IPL(t.Context()))
	b.want("000000O 000001O 000002A")
	if j, _ := b.sys.Journal(jrn); !j.Suspended || b.sent(operator, "CPI70E3") != 1 {
		t.Errorf("%+v", j)
	}
}

func TestJournalAttributes(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	yes, no := true, false
	set := func(c Change) error { return b.sys.ChangeJournal(context.Background(), jrn, c) }
	b.must(set(Change{UserManaged: &yes}))
	b.refused(set(Change{DeleteReceivers: &yes}), "CPF70E3")
	b.must(set(Change{UserManaged: &no, DeleteReceivers: &yes, MessageQueue: &ID{library, "Q"}}))
	j, err := b.sys.Journal(jrn)
	b.must(err)
	if !j.DeleteReceivers || j.UserManaged || j.MessageQueue != (ID{library, "Q"}) {
		t.Errorf("%+v", j)
	}
	b.must(set(Change{DeleteReceivers: &no}))
	b.fill(1)
	b.refused(set(Change{DeleteReceivers: &yes}), "CPF70E3")
	_, err = b.sys.OpenJournal(jrn, b.w)
	b.refused(err, "SIM0101")
	b.refused(b.sys.DeleteJournal(jrn), "SIM0101")
	if got := b.sys.Journals(library); len(got) != 1 || len(b.sys.Journals("QGPL")) != 0 {
		t.Errorf("%v", got)
	}
}

func TestAutomaticDeletion(t *testing.T) {
	b := newBench(t, JournalSpec{DeleteReceivers: true}, Settings{})
	say := map[string]bool{}
	b.opts.Exits["QGPL/VETO"] = func(s *System, r Receiver) (bool, error) {
		if _, err := s.Journal(r.Journal); err != nil {
			return false, err
		}
		return say[r.Name], nil
	}
	b.fill(2)
	tick := func(after time.Duration) {
		b.now = b.now.Add(after)
		b.must(b.sys.Tick(t.Context()))
	}
	tick(7 * time.Minute)
	b.want("000000O 000001O 000002A")
	b.must(b.sys.AddExit("QGPL/VETO"))
	b.refused(b.sys.AddExit("QGPL/NONE"), "CPF9801")
	tick(5 * time.Minute)
	b.want("000000O 000001O 000002A")
	say["AMQA000000"] = true
	tick(9 * time.Minute)
	b.want("000000O 000001O 000002A")
	if n := b.sent(operator, "CPI70E6"); n != 1 {
		t.Errorf("%d times CPI70E6", n)
	}
	tick(2 * time.Minute)
	b.want("000001O 000002A")
	b.must(b.sys.RemoveExit("QGPL/VETO"))
	tick(11 * time.Minute)
	b.want("000002A") // unsaved, and nobody was asked
}
