package wal

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// failing gives the error to operations of one kind on files with the name
// (empty: all), from the n-th on, counted from 0.
func failing(kind crashdisk.Kind, name string, n int, err error) func(crashdisk.Op) error {
	return func(op crashdisk.Op) error {
		if op.Kind != kind || name != "" && op.Name != name {
			return nil
		}
		if n--; n < 0 {
			return err
		}
		return nil
	}
}

func created(t *testing.T, size, grow int64, opts Options) (*crashdisk.Disk, *Writer) {
	t.Helper()
	d := crashdisk.New()
	w, err := Create(d, layout(0, size, grow), testID, 0, opts)
	must(t, err)
	return d, w
}

func TestFailedSyncIsFinal(t *testing.T) {
	for _, kind := range []crashdisk.Kind{crashdisk.Sync, crashdisk.Write} {
		d, w := created(t, 8192, 0, Options{})
		first, err := w.Commit(t.Context(), []byte("durable"))
		must(t, err)
		d.Fault(failing(kind, "", 0, syscall.EIO))
		lost, err := w.Commit(t.Context(), []byte("not durable"))
		if !errors.Is(err, ErrFailed) || !errors.Is(err, syscall.EIO) {
			t.Fatalf("a %s that fails: %v", kind, err)
		}
		d.Fault(nil) // the disk is well again, but nobody knows what is on it
		if _, err := w.Append(nil); !errors.Is(err, ErrFailed) {
			t.Errorf("append after a failed %s: %v", kind, err)
		}
		if err := w.Force(t.Context(), lost); !errors.Is(err, ErrFailed) {
			t.Errorf("force after a failed %s: %v", kind, err)
		}
		if err := w.Rotate(t.Context(), layout(1, 8192, 0)); !errors.Is(err, ErrFailed) {
			t.Errorf("rotation after a failed %s: %v", kind, err)
		}
		if err := w.Force(t.Context(), first); err != nil {
			t.Errorf("what was durable before is no more: %v", err)
		}
		if !errors.Is(w.Err(), ErrFailed) || w.Durable() != lost {
			t.Errorf("error %v, durable up to %s", w.Err(), w.Durable())
		}
		if err := w.Close(); !errors.Is(err, ErrFailed) {
			t.Errorf("close after a failed %s: %v", kind, err)
		}
	}
}

// After a sync that failed, Linux shows what was written and has forgotten to
// write it. A log that is opened again must not believe its own eyes.
func TestRecordsOfAFailedSyncAreWrittenAgain(t *testing.T) {
	d, w := created(t, 8192, 0, Options{})
	d.Fault(failing(crashdisk.Sync, "", 0, syscall.EIO))
	if _, err := w.Commit(t.Context(), []byte("seen")); !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	d.Fault(nil)
	d.Kill()
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	_, tail, err := Open(d, chain, ReadOptions{}, Options{})
	must(t, err)
	if tail.LSN == First {
		t.Fatal("the record is not seen, though only the process died")
	}
	d.Crash()
	if got, _, err := read(d, chain, ReadOptions{Durable: tail.LSN}); err != nil || len(got) != 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// So for the header of a segment: seen after the process died, and never on
// the disk, it would take with it all that was committed behind it.
func TestHeaderOfAFailedSyncIsWrittenAgain(t *testing.T) {
	d, w := created(t, 8192, 0, Options{})
	next := layout(1, 8192, 0)
	must(t, Prepare(d, next))
	d.Fault(failing(crashdisk.Sync, next.Name, 0, syscall.EIO))
	if err := w.Rotate(t.Context(), next); !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	d.Fault(nil)
	d.Kill()
	chain := []Segment{{layout(0, 0, 0).Name, First}, {Name: next.Name}}
	w, tail, err := Open(d, chain, ReadOptions{}, Options{})
	must(t, err)
	if tail.Segment != next.Name {
		t.Fatalf("the header is not seen, though only the process died: %+v", tail)
	}
	_, err = w.Commit(t.Context(), []byte("behind it"))
	must(t, err)
	d.Crash()
	if got, _, err := read(d, chain, ReadOptions{}); err != nil || len(got) != 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

func TestFullSegment(t *testing.T) {
	d, w := created(t, 1024, 0, Options{})
	if _, err := w.Append(make([]byte, 1024)); !errors.Is(err, ErrTooLong) {
		t.Errorf("longer than a segment: %v", err)
	}
	if _, err := w.Append(make([]byte, MaxPayload+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("longer than a record: %v", err)
	}
	_, err := w.Append(make([]byte, 900))
	must(t, err)
	if _, err := w.Append(make([]byte, 900)); !errors.Is(err, ErrFull) {
		t.Errorf("in a full segment: %v", err)
	}
	s, used := w.Current()
	if s.Name != layout(0, 0, 0).Name || used == 0 || used > 1024 {
		t.Errorf("%+v, %d bytes used", s, used)
	}
	must(t, w.Rotate(t.Context(), layout(1, 1024, 0)))
	if _, used := w.Current(); used != 0 {
		t.Errorf("%d bytes used in a new segment", used)
	}
	_, err = w.Commit(t.Context(), make([]byte, 900))
	must(t, err)
	names, err := d.List("log")
	if err != nil || len(names) != 2 {
		t.Errorf("files %q, %v", names, err)
	}
}

// A disk that is full refuses the record and harms nothing.
func TestDiskWithoutRoom(t *testing.T) {
	d, w := created(t, 512, 512, Options{})
	d.Limit(firstAt + 600)
	_, err := w.Append(make([]byte, 100))
	must(t, err)
	if _, err := w.Append(make([]byte, 800)); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrFailed) {
		t.Fatalf("no room to grow: %v", err)
	}
	if err := w.Rotate(t.Context(), layout(1, 4096, 0)); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrFailed) {
		t.Fatalf("no room for a segment: %v", err)
	}
	if names, _ := d.List("log"); len(names) != 1 {
		t.Errorf("half a segment is left: %q", names)
	}
	d.Limit(0)
	at, err := w.Append(make([]byte, 800))
	must(t, err)
	must(t, w.Force(t.Context(), at))
	must(t, w.Close())
	d.Crash()
	if got, _, err := read(d, []Segment{{layout(0, 0, 0).Name, First}}, ReadOptions{}); err != nil || len(got) != 2 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// If it is not known whether the next segment was begun, nothing may follow in
// this one.
func TestFailedRotation(t *testing.T) {
	next := layout(1, 4096, 0)
	t.Run("before it", func(t *testing.T) {
		d, w := created(t, 4096, 0, Options{})
		d.Fault(failing(crashdisk.SyncDir, "", 0, syscall.EIO))
		if err := w.Rotate(t.Context(), next); !errors.Is(err, syscall.EIO) || errors.Is(err, ErrFailed) {
			t.Fatal(err)
		}
		d.Fault(nil)
		_, err := w.Commit(t.Context(), nil)
		must(t, err)
		must(t, w.Rotate(t.Context(), next))
	})
	t.Run("its header", func(t *testing.T) {
		d, w := created(t, 4096, 0, Options{})
		must(t, Prepare(d, next))
		d.Fault(failing(crashdisk.Sync, next.Name, 0, syscall.EIO))
		if err := w.Rotate(t.Context(), next); !errors.Is(err, ErrFailed) {
			t.Fatal(err)
		}
		if _, err := w.Append(nil); !errors.Is(err, ErrFailed) {
			t.Errorf("append: %v", err)
		}
	})
	t.Run("the records before it", func(t *testing.T) {
		d, w := created(t, 4096, 0, Options{})
		_, err := w.Append(nil)
		must(t, err)
		d.Fault(failing(crashdisk.Sync, layout(0, 0, 0).Name, 0, syscall.EIO))
		if err := w.Rotate(t.Context(), next); !errors.Is(err, ErrFailed) {
			t.Fatal(err)
		}
		if s, err := Inspect(From(d), next.Name); err != nil || s.Start != 0 {
			t.Errorf("the next segment was begun: %+v, %v", s, err)
		}
	})
	t.Run("it is a segment already", func(t *testing.T) {
		_, w := created(t, 4096, 0, Options{})
		if err := w.Rotate(t.Context(), layout(0, 4096, 0)); !errors.Is(err, fs.ErrExist) || errors.Is(err, ErrFailed) {
			t.Fatal(err)
		}
	})
	t.Run("it has no size", func(t *testing.T) {
		_, w := created(t, 4096, 0, Options{})
		for _, l := range []Layout{{}, {Name: "x"}, {Name: "x", Size: 100}, {Name: "x", Size: 512, Grow: -512}} {
			if err := w.Rotate(t.Context(), l); err == nil || errors.Is(err, ErrFailed) {
				t.Errorf("%+v: %v", l, err)
			}
		}
	})
}

// A segment that is used again brings nothing of its former life with it, even
// when the crash comes while it is made ready; until then it is what it was.
func TestReuse(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		d := crashdisk.New()
		chain := threeSegments(t, d, 8192)
		must(t, d.Rename(chain[0].Name, "log/again"))
		must(t, d.SyncDir("log"))
		old, err := d.Contents("log/again")
		must(t, err)
		again := Layout{Name: "log/again", Size: 8192, Reuse: true}
		d.Fault(after(r.IntN(12), syscall.EIO))
		_ = Prepare(d, again) // as far as it gets
		d.Fault(nil)
		d.CrashScattered(r)

		s, err := Inspect(From(d), again.Name)
		must(t, err)
		now, err := d.Contents(again.Name)
		must(t, err)
		if s.Start != 0 && !bytes.Equal(now[firstAt:], old[firstAt:]) {
			t.Fatalf("seed %d: it looks like the segment that it was, and is not", seed)
		}
		w, _, err := Open(d, chain[1:], ReadOptions{}, Options{})
		must(t, err)
		must(t, w.Rotate(t.Context(), again))
		now, err = d.Contents(again.Name)
		must(t, err)
		if !bytes.Equal(now[firstAt:], make([]byte, 8192)) {
			t.Fatalf("seed %d: old records are still there", seed)
		}
	}
}

func TestClosedAndAbandoned(t *testing.T) {
	d, w := created(t, 4096, 0, Options{})
	_, err := w.Append([]byte("forced by close"))
	must(t, err)
	must(t, w.Close())
	must(t, w.Close())
	if _, err := w.Append(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("append: %v", err)
	}
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	w, _, err = Open(d, chain, ReadOptions{}, Options{})
	must(t, err)
	at, err := w.Append([]byte("abandoned"))
	must(t, err)
	must(t, w.Abandon())
	if err := w.Force(t.Context(), at); !errors.Is(err, ErrClosed) {
		t.Errorf("force: %v", err)
	}
	if got, _, err := read(d, chain, ReadOptions{}); err != nil || len(got) != 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

func TestForceWhatIsNotThere(t *testing.T) {
	_, w := created(t, 4096, 0, Options{})
	if err := w.Force(t.Context(), w.End()); err == nil || errors.Is(err, ErrFailed) {
		t.Errorf("beyond the end: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	at, err := w.Append(nil)
	must(t, err)
	<-w.lead // somebody writes
	if err := w.Force(ctx, at); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if err := w.Rotate(ctx, layout(1, 4096, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("rotation: %v", err)
	}
	w.lead <- struct{}{}
	must(t, w.Force(t.Context(), at))
}

func TestNoSyncSyncsNothing(t *testing.T) {
	d, w := created(t, 4096, 0, Options{NoSync: true})
	at, err := w.Commit(t.Context(), []byte("rehearsal"))
	must(t, err)
	if c := w.Counts(); c.Syncs != 0 || c.Writes != 1 || c.Records != 1 || w.Durable() <= at {
		t.Errorf("%+v, durable up to %s", c, w.Durable())
	}
	if d.Unsynced() == 0 {
		t.Error("it was synced")
	}
	d.Crash()
	if got, _, err := read(d, []Segment{{layout(0, 0, 0).Name, First}}, ReadOptions{}); err != nil || len(got) != 0 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

func TestCreateRefuses(t *testing.T) {
	d := crashdisk.New()
	if _, err := Create(d, layout(0, 4096, 0), testID, 17, Options{}); err == nil {
		t.Error("a start between two positions")
	}
	d.Fault(failing(crashdisk.Create, "", 0, syscall.EACCES))
	if _, err := Create(d, layout(0, 4096, 0), testID, 0, Options{}); !errors.Is(err, syscall.EACCES) {
		t.Errorf("got %v", err)
	}
}
