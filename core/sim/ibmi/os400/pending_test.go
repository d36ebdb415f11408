package os400

import (
	"errors"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
)

// lostBegin ends a writer between the first entry of the next receiver and
// the word about it.
func lostBegin(b *bench) {
	b.t.Helper()
	w := b.w
	layout, err := w.log.Next(b.t.Context())
	b.must(err)
	b.must(w.w.Rotate(b.t.Context(), layout))
	_, err = w.w.Commit(b.t.Context(), []byte("nobody was told where this is"))
	b.must(err)
	b.must(w.w.Abandon())
	b.w = nil
	b.disk.Kill()
	b.sys, err = Open(b.opts)
	b.must(err)
}

// Whoever comes first after such an end finds the receiver in use: no entry is
// lost, and the receiver is not attached a second time.
func TestLostBegin(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*bench)
		want string
	}{
		"a start":   {func(*bench) {}, "000000O 000001O 000002A"},
		"a change":  {(*bench).change, "000000O 000001O 000002O 000003A"},
		"an IPL":    {func(b *bench) { b.must(b.sys.IPL(b.t.Context())) }, "000000O 000001O 000002O 000003A"},
		"a name":    {attachByName, "000000O 000001O 000002O 000009A"},
		"a restore": {deleteAndRestore, "000000O 000001O 000002O 100002A"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.fill(1)
			lostBegin(b)
			c.do(b)
			b.start()
			b.must(b.w.put("on"))
			b.want(c.want)
			if n, err := b.w.read(); n != 5 || err != nil {
				t.Errorf("%d entries, %v", n, err)
			}
			if r := b.receiver("AMQA000002"); r.First != 4 || r.Entries() == 0 {
				t.Errorf("%+v of %d", r.Status, r.First)
			}
		})
	}
}

// The attached receiver may have been begun too without a word.
func TestLostBeginOfTheAttached(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	b.stop()
	b.must(b.sys.IPL(t.Context()))
	w := &writer{sys: b.sys}
	log, err := b.sys.OpenJournal(jrn, w)
	b.must(err)
	r, err := wal.NewReader(log.Open, log.Segments(), wal.ReadOptions{})
	b.must(err)
	for err == nil {
		_, err = r.Next()
	}
	tail, _ := r.Tail()
	w.w, err = wal.Resume(b.sys.Disk(), tail, wal.Options{})
	b.must(err)
	layout, err := log.Next(t.Context())
	b.must(err)
	b.must(w.w.Rotate(t.Context(), layout))
	_, err = w.w.Commit(t.Context(), []byte("nobody was told where this is"))
	b.must(err)
	b.must(w.w.Abandon())
	b.disk.Kill()
	b.sys, err = Open(b.opts)
	b.must(err)
	b.change()
	b.start()
	b.must(b.w.put("on"))
	b.want("000000O 000001O 000002O 000003A")
	if n, err := b.w.read(); n != 5 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	if r := b.receiver("AMQA000002"); r.Entries() != 1 || r.End == 0 {
		t.Errorf("%+v", r)
	}
}

func attachByName(b *bench) {
	b.must(b.sys.CreateReceiver(rcv("AMQA000009"), 64))
	b.must(b.sys.ChangeJournal(b.t.Context(), jrn, Change{Receiver: "AMQA000009"}))
}

func deleteAndRestore(b *bench) {
	b.must(b.sys.CreateSaveFile(savf))
	b.must(b.sys.DeleteJournal(jrn))
	b.refused(b.saveJournal(savf), "CPF3770")
	b.must(b.sys.CreateJournal(JournalSpec{ID: jrn, First: rcv("OTHER00000"), Threshold: 64}))
	b.must(b.saveJournal(savf))
	b.must(b.sys.DeleteJournal(jrn))
	b.must(b.sys.DeleteReceiver(b.t.Context(), batch, rcv("OTHER00000"), unasked))
	// The save knows another last receiver; what is on the system counts.
	b.must(b.sys.CreateReceiver(rcv("OTHER10000"), 64))
	b.must(b.restoreJournal(savf))
	b.must(b.sys.CreateReceiver(rcv("AMQA100002"), 64))
	b.must(b.sys.ChangeJournal(b.t.Context(), jrn, Change{Receiver: "AMQA100002"}))
	b.must(b.delete("OTHER20000", unasked))
}

// A receiver that a full ASP keeps from being begun is not attached, and the
// one before it can't go.
func TestPromisedReceiver(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	b.must(b.sys.SetCapacity(b.sys.Storage().Used))
	if err := b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "*GEN"}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	b.want("000000O 000001A")
	b.refused(b.delete("AMQA000001", unasked), "CPF7022")
	b.refused(b.delete("AMQA000002", unasked), "CPF7022")
	b.refused(b.sys.Remove(rcv("AMQA000002")), "CPF7022")
	b.must(b.sys.SetCapacity(0))
	b.must(b.sys.CreateReceiver(rcv("AMQA000009"), 64))
	b.must(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "AMQA000009"}))
	b.want("000000O 000001O 000009A")
	if _, err := b.sys.Receiver(rcv("AMQA000002")); err == nil {
		t.Error("what was promised first is still there")
	}
	b.must(b.sys.CreateReceiver(rcv("AMQA000002"), 64)) // its file is gone too
	b.must(b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "AMQA000002"}))
	b.must(b.w.put("on"))
	if n, err := b.w.read(); n != 4 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}
