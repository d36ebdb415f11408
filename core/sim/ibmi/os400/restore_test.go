package os400

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// reAll restores all that is in the save file; what is there stays.
func (b *bench) reAll() {
	b.t.Helper()
	var e *Error
	if err := b.restore("AMQA*"); err != nil && (!errors.As(err, &e) || e.ID != "CPF3773") {
		b.t.Fatal(err)
	}
}

// oneChain says what is not one sound chain, in the order in which its
// receivers were attached.
func (b *bench) oneChain() error {
	all := b.sys.Receivers(jrn)
	for i, r := range all {
		if !r.Associated || r.Number.Chain != all[0].Number.Chain {
			return fmt.Errorf("%s is in a chain of its own: %s", r.Name, b.listing(all))
		}
		if i > 0 && (r.Attach.Before(all[i-1].Attach) || all[i-1].Next != r.ID || r.Previous != all[i-1].ID) {
			return fmt.Errorf("%s does not follow %s: %s", r.Name, all[i-1].Name, b.listing(all))
		}
	}
	return b.sound()
}

func (b *bench) listing(all []Receiver) (out string) {
	for _, r := range all {
		out += fmt.Sprintf("\n%s %v %s %d..%d, %s to %s, then %s", r.Name, r.Number, r.Status, r.Start, r.End,
			r.Attach.Format(time.TimeOnly), r.Detach.Format(time.TimeOnly), r.Next.Name)
	}
	return out
}

// A receiver without entries begins where the next one does: restoring it
// damages no chain.
func TestRestoreWithoutEntries(t *testing.T) {
	for _, gone := range [][]string{
		{"AMQA000000"}, {"AMQA000001"}, {"AMQA000002"}, {"AMQA000003"}, {"AMQA000001", "AMQA000003"},
		{"AMQA000000", "AMQA000001", "AMQA000002", "AMQA000003"},
	} {
		t.Run(fmt.Sprint(gone), func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.fill(1)
			for range 3 {
				b.change() // the last one is attached and has no entries either
			}
			b.must(b.sys.CreateSaveFile(savf))
			_, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{})
			b.must(err)
			for _, name := range gone {
				b.must(b.sys.Remove(rcv(name)))
			}
			b.reAll()
			b.want("000000S 000001S 000002S 000003S 000004A")
			b.must(b.oneChain())
			b.must(b.w.put("on"))
			if n, err := b.w.read(); n != 4 || err != nil {
				t.Errorf("%d entries, %v", n, err)
			}
		})
	}
}

// Saved between an IPL and STRMQM a receiver does not know yet where it ends.
func TestSavedBeforeTheStart(t *testing.T) {
	for _, ipls := range []int{1, 2, 4} {
		for _, gone := range []string{"AMQA000001", "AMQA000000"} {
			t.Run(fmt.Sprint(ipls, gone), func(t *testing.T) {
				b := newBench(t, JournalSpec{}, Settings{})
				b.fill(1)
				b.stop()
				for range ipls {
					b.must(b.sys.IPL(t.Context()))
				}
				b.must(b.sys.CreateSaveFile(savf))
				n, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{})
				if n != ipls+2 || err != nil {
					t.Fatalf("%d saved, %v", n, err)
				}
				b.start()
				b.must(b.w.put("on"))
				b.must(b.sys.Remove(rcv(gone)))
				b.reAll()
				b.must(b.oneChain())
				if n, err := b.w.read(); n != 4 || err != nil {
					t.Errorf("%d entries, %v", n, err)
				}
				if r := b.receiver("AMQA000001"); r.End == 0 || r.First != 3 || r.Last != 3 {
					t.Errorf("%+v", r)
				}
			})
		}
	}
}

// Where one went while nobody wrote, the log was begun again at its position.
// It is no part of that log when it comes back, and harms none of it.
func TestGoneBeforeTheStart(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	b.stop()
	b.must(b.sys.IPL(t.Context()))
	b.must(b.sys.CreateSaveFile(savf))
	_, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{})
	b.must(err)
	b.must(b.sys.Remove(rcv("AMQA000002")))
	end := b.receiver("AMQA000001").End
	b.start()
	b.must(b.w.put("on"))
	if got := b.receiver("AMQA000001").End; got != end {
		t.Errorf("it ended at %s, and now at %s", end, got)
	}
	b.reAll()
	if n, err := b.sys.Associate(jrn); n != 0 || err != nil {
		t.Errorf("%d associated, %v", n, err)
	}
	b.must(b.sound())
	if n, err := b.w.read(); n != 5 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	b.reopen()
}

// A second IPL detaches a receiver that was never begun. It is saved, freed
// and restored like any other.
func TestNeverBegun(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	b.stop()
	b.must(b.sys.IPL(t.Context()))
	b.must(b.sys.IPL(t.Context()))
	b.must(b.sys.CreateSaveFile(savf))
	_, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{Free: true})
	b.must(err)
	b.want("000000F 000001F 000002F 000003A")
	b.reAll()
	b.want("000000S 000001S 000002S 000003A")
	b.must(b.oneChain())
	b.reopen()
	b.start()
	b.must(b.w.put("on"))
	if n, err := b.w.read(); n != 4 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	for _, name := range []string{"AMQA000000", "AMQA000001", "AMQA000002"} {
		b.must(b.delete(name, DeleteOptions{})) // saved: nobody is asked
	}
	b.reAll()
	b.must(b.oneChain())
}

// What a copy is worth is decided by what it holds, not by its name.
func TestCopiesOfOneReceiver(t *testing.T) {
	older, whole := ID{"QGPL", "OLDER"}, ID{"QGPL", "WHOLE"}
	prepare := func(t *testing.T) *bench {
		b := newBench(t, JournalSpec{}, Settings{})
		b.must(b.sys.CreateSaveFile(older))
		b.must(b.sys.CreateSaveFile(whole))
		b.fill(1)
		_, err := b.sys.SaveReceivers(library, []string{"AMQA000001"}, older, SaveOptions{}) // it is attached
		b.must(err)
		b.must(b.w.put("not in the older save"))
		b.change()
		b.must(b.w.put("newest"))
		_, err = b.sys.SaveReceivers(library, []string{"AMQA000001"}, whole, SaveOptions{Free: true})
		b.must(err)
		b.want("000000O 000001F 000002A")
		return b
	}
	bring := func(b *bench, file ID) error {
		_, err := b.sys.RestoreReceivers([]string{"AMQA000001"}, library, file, library)
		return err
	}
	t.Run("the older one is partial", func(t *testing.T) {
		b := prepare(t)
		b.must(bring(b, older))
		b.want("000000O 000001P 000002A")
		if r := b.receiver("AMQA000001"); r.Associated || r.Entries() != 1 {
			t.Errorf("%+v", r)
		}
		b.refused(bring(b, older), "CPF3773")
		b.must(bring(b, whole))
		b.want("000000O 000001S 000002A")
		b.must(b.oneChain())
		if n, err := b.w.read(); n != 5 || err != nil {
			t.Errorf("%d entries, %v", n, err)
		}
	})
	t.Run("it replaces nothing better", func(t *testing.T) {
		b := prepare(t)
		b.must(bring(b, whole))
		b.refused(bring(b, older), "CPF3773")
		b.want("000000O 000001S 000002A")
		b.must(b.oneChain())
	})
	t.Run("another one of the name", func(t *testing.T) {
		b := prepare(t)
		err := b.sys.change(func(st *state) error {
			r := st.receivers.of(rcv("AMQA000001"))
			r.Attach = r.Attach.Add(-time.Second)
			st.receivers.put(r)
			return nil
		})
		b.must(err)
		b.refused(bring(b, whole), "CPF3773")
		b.want("000000O 000001F 000002A")
	})
}

// history is a journal's life so far, with receivers that have entries, have
// none, or were never begun.
func (b *bench) history(rt *rapid.T) {
	b.start()
	for range rapid.IntRange(1, 12).Draw(rt, "steps") {
		switch rapid.IntRange(0, 4).Draw(rt, "step") {
		case 0, 1:
			b.must(b.w.put("entry"))
		case 2, 3:
			b.change()
		case 4:
			b.stop()
			for range rapid.IntRange(0, 3).Draw(rt, "IPLs") {
				b.must(b.sys.IPL(b.t.Context()))
			}
			b.start()
			if rapid.Bool().Draw(rt, "first entry") {
				b.must(b.w.put("first"))
			}
		}
		if rapid.Bool().Draw(rt, "later") {
			b.now = b.now.Add(time.Second)
		}
	}
}

// Saved in full, gone, and all restored in one command means one chain again,
// whenever that was done and whatever was gone.
func TestSavedGoneRestored(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, JournalSpec{}, Settings{})
		b.must(b.sys.CreateSaveFile(savf))
		b.history(rt)
		entries, err := b.w.read()
		b.must(err)
		// The save may be one of a system whose queue manager is down.
		if rapid.Bool().Draw(rt, "down") {
			b.stop()
			for range rapid.IntRange(0, 3).Draw(rt, "IPLs") {
				b.must(b.sys.IPL(b.t.Context()))
			}
		}
		before := b.sys.Receivers(jrn)
		_, err = b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{Free: rapid.Bool().Draw(rt, "free")})
		b.must(err)
		startFirst := b.w == nil && rapid.Bool().Draw(rt, "start first") && !slices.ContainsFunc(b.sys.Receivers(jrn), freed)
		if startFirst {
			b.start()
		}
		for _, r := range before[:len(before)-1] {
			if rapid.Bool().Draw(rt, "gone") {
				b.must(b.sys.Remove(r.ID))
			}
		}
		b.reAll()
		if err := b.oneChain(); err != nil {
			rt.Fatal(err)
		}
		if b.w == nil {
			b.start()
		}
		if err := b.oneChain(); err != nil {
			rt.Fatal("started: ", err)
		}
		if n, err := b.w.read(); n != entries || err != nil {
			rt.Fatalf("%d entries of %d, %v: %s", n, entries, err, b.listing(b.sys.Receivers(jrn)))
		}
		for i, r := range b.sys.Receivers(jrn)[:len(before)] {
			if r.ID != before[i].ID {
				rt.Fatalf("%s stands where %s was", r.Name, before[i].Name)
			}
		}
	})
}

func freed(r Receiver) bool { return r.Status == Freed }
