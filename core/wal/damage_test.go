package wal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"pgregory.net/rapid"
)

// logs draws a log of some segments, part of which is acknowledged, after a
// crash.
func logs(t *rapid.T) *history {
	h := begun(t)
	for range rapid.IntRange(1, 3).Draw(t, "segments") - 1 {
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			h.append(t)
			if rapid.Bool().Draw(t, "force") {
				h.force(t)
			}
		}
		h.rotate(t)
	}
	for range rapid.IntRange(1, 8).Draw(t, "last records") {
		h.append(t)
		if rapid.Bool().Draw(t, "force") {
			h.force(t)
		}
	}
	return h
}

// place finds the segment and the offset of a record, and where it ends.
func (h *history) place(i int) (segment string, off, end int64) {
	for _, s := range h.chain {
		if s.Start <= h.all[i].at {
			segment, off = s.Name, firstAt+int64(h.all[i].at-s.Start)
		}
	}
	return segment, off, off + recordBytes(off, len(h.all[i].payload))
}

// A bit that flips in an acknowledged record is damage, with the segment and
// the offset of the record, whatever the crash left behind it; and everything
// before it is read.
func TestFlippedBitIsDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := logs(t)
		if h.acked == 0 {
			t.Skip("nothing was acknowledged")
		}
		h.crash(t)
		i := rapid.IntRange(0, h.acked-1).Draw(t, "record")
		name, off, end := h.place(i)
		b, err := h.disk.Contents(name)
		if err != nil {
			t.Fatal(err)
		}
		bit := rapid.Int64Range(8*off, 8*end-1).Draw(t, "bit")
		b[bit/8] ^= 1 << (bit % 8)
		h.disk.Put(name, b)

		got, _, err := read(h.disk, h.chain, ReadOptions{})
		damage := new(Damage)
		if !errors.As(err, &damage) || damage.Segment != name || damage.Offset != off || damage.LSN != h.all[i].at {
			t.Fatalf("record %d at %s %d (%s): %v", i, name, off, h.all[i].at, err)
		}
		if !same(got, h.all[:i]) {
			t.Fatalf("%d records before the damage, want %d", len(got), i)
		}
	})
}

// The log cut at any byte at or after the last acknowledged force: the end of
// the log, and all that was acknowledged is there.
func TestCutAfterTheLastForceIsTorn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := logs(t)
		h.disk.Kill()
		last := h.chain[len(h.chain)-1]
		b, err := h.disk.Contents(last.Name)
		if err != nil {
			t.Fatal(err)
		}
		from := int64(firstAt)
		if name := ""; h.acked > 0 {
			if name, _, from = h.place(h.acked - 1); name != last.Name {
				from = firstAt
			}
		}
		clear(b[rapid.Int64Range(from, int64(len(b))).Draw(t, "cut"):])
		h.disk.Put(last.Name, b)
		h.reopen(t)
	})
}

// The log cut before the last acknowledged force is damage for an owner who
// knows how far it was.
func TestCutBeforeTheLastForceIsDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := logs(t)
		if h.acked == 0 {
			t.Skip("nothing was acknowledged")
		}
		h.crash(t)
		name, off, end := h.place(rapid.IntRange(0, h.acked-1).Draw(t, "record"))
		b, err := h.disk.Contents(name)
		if err != nil {
			t.Fatal(err)
		}
		cut := rapid.Int64Range(off, end-1).Draw(t, "cut")
		if rapid.Bool().Draw(t, "shorter") {
			b = b[:cut]
		} else {
			clear(b[cut:])
		}
		h.disk.Put(name, b)
		got, _, err := read(h.disk, h.chain, ReadOptions{Durable: h.durable()})
		if damage := new(Damage); !errors.As(err, &damage) || damage.Segment != name {
			t.Fatalf("cut at byte %d of %s: %v", cut, name, err)
		}
		if !same(got, h.all[:len(got)]) {
			t.Fatal("a record is not what was written")
		}
	})
}

// What can be seen without the owner's knowledge.
func TestDamage(t *testing.T) {
	const size = 16 << 10
	cases := []struct {
		name    string
		damage  func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment
		segment int // in the list that is read
		offset  int64
		why     string
	}{
		{"segment is missing", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			must(t, d.Remove(chain[1].Name))
			return chain
		}, 1, 0, "missing"},
		{"segment is not listed", func(_ *testing.T, _ *crashdisk.Disk, chain []Segment) []Segment {
			return slices.Delete(slices.Clone(chain), 1, 2)
		}, 0, firstAt + 10*320, "next segment"},
		{"preformatted segment is shorter", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			change(t, d, chain[2].Name, func(b []byte) []byte { return b[:len(b)-1] })
			return chain
		}, 2, firstAt + size - 1, "too short"},
		{"header is gone", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			change(t, d, chain[1].Name, func(b []byte) []byte { clear(b[:sector]); return b })
			return chain
		}, 1, 0, "never written"},
		{"bit in a header", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			change(t, d, chain[2].Name, func(b []byte) []byte { b[40] ^= 1; return b })
			return chain
		}, 2, 0, "checksum"},
		{"segment of another log", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			w, err := Create(d, layout(7, size, 0), ID{'e', 'l', 's', 'e'}, chain[1].Start, Options{})
			must(t, err)
			must(t, w.Close())
			must(t, d.Rename(layout(7, 0, 0).Name, chain[1].Name))
			return chain
		}, 1, 0, "belongs to log"},
		{"list is wrong", func(_ *testing.T, _ *crashdisk.Disk, chain []Segment) []Segment {
			chain[0].Start += Align
			return chain
		}, 0, 0, "begins at"},
		{"segment of another life of the same log", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			w, err := Create(d, layout(7, size, 512), testID, chain[0].Start, Options{})
			must(t, err)
			for w.End() < chain[1].Start {
				_, err = w.Append(nil)
				must(t, err)
			}
			must(t, d.Remove(chain[1].Name))
			must(t, w.Rotate(context.Background(), Layout{Name: chain[1].Name, Size: size}))
			must(t, w.Close())
			return chain
		}, 1, 0, "does not follow"},
		{"hole in the last segment, later force", func(t *testing.T, d *crashdisk.Disk, chain []Segment) []Segment {
			change(t, d, chain[2].Name, func(b []byte) []byte { clear(b[firstAt : firstAt+sector]); return b })
			return chain
		}, 2, firstAt, "was written after"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := crashdisk.New()
			chain := threeSegments(t, d, size)
			list := c.damage(t, d, slices.Clone(chain))
			_, _, err := read(d, list, ReadOptions{ID: testID})
			damage := new(Damage)
			if !errors.As(err, &damage) || damage.Segment != list[c.segment].Name || damage.Offset != c.offset {
				t.Fatalf("got %v, want %s at byte %d", err, list[c.segment].Name, c.offset)
			}
			if !strings.Contains(err.Error(), c.why) {
				t.Errorf("got %q, want %q in it", err, c.why)
			}
			if errors.Is(err, fs.ErrNotExist) != (c.why == "missing") {
				t.Errorf("%v: not to be told from a missing segment", err)
			}
		})
	}
}

// threeSegments has ten records of 300 bytes in each.
func threeSegments(t *testing.T, d *crashdisk.Disk, size int64) (chain []Segment) {
	t.Helper()
	w, err := Create(d, layout(0, size, 0), testID, 0, Options{})
	must(t, err)
	for i := range 3 {
		if i > 0 {
			must(t, w.Rotate(context.Background(), layout(i, size, 0)))
		}
		s, _ := w.Current()
		chain = append(chain, s)
		for j := range 10 {
			_, err := w.Commit(context.Background(), fmt.Appendf(nil, "%0298d%02d", i, j))
			must(t, err)
		}
	}
	must(t, w.Close())
	return chain
}

// change damages a file.
func change(t *testing.T, d *crashdisk.Disk, name string, how func([]byte) []byte) {
	t.Helper()
	b, err := d.Contents(name)
	must(t, err)
	d.Put(name, how(b))
}

// Sectors of the last force that never reached the disk, in any choice, are
// torn and not damage: the disk writes them in any order.
func TestHolesInTheLastForceAreTorn(t *testing.T) {
	for seed := range uint64(300) {
		d := crashdisk.New()
		w, err := Create(d, layout(0, 64<<10, 0), testID, 0, Options{})
		must(t, err)
		first, err := w.Commit(t.Context(), []byte("acknowledged"))
		must(t, err)
		d.Fault(func(op crashdisk.Op) error {
			if op.Kind == crashdisk.Sync {
				return crashdisk.ErrNotDone
			}
			return nil
		})
		for range 20 {
			_, err = w.Append(make([]byte, 700)) // zeros at the ends of sectors
			must(t, err)
		}
		must(t, w.Close())
		d.CrashScattered(rand.New(rand.NewPCG(seed, 1)))
		d.Fault(nil)
		chain := []Segment{{layout(0, 0, 0).Name, First}}
		got, tail, err := read(d, chain, ReadOptions{})
		if err != nil || len(got) == 0 || got[0].at != first {
			t.Fatalf("seed %d: %d records, %v", seed, len(got), err)
		}
		w, err = Resume(d, tail, Options{})
		must(t, err)
		_, err = w.Commit(t.Context(), nil)
		must(t, err)
		d.Crash()
		if again, tail, err := read(d, chain, ReadOptions{}); err != nil || tail.Torn || len(again) != len(got)+1 {
			t.Fatalf("seed %d: %d records after %d and one, %+v, %v", seed, len(again), len(got), tail, err)
		}
	}
}

// A position that no record has must not be taken for a torn tail: all that
// lies behind it would be erased.
func TestSeekToNoRecordIsDamage(t *testing.T) {
	d := crashdisk.New()
	chain := threeSegments(t, d, 16<<10)
	r, err := NewReader(From(d), chain, ReadOptions{})
	must(t, err)
	end := chain[2].Start + 10*320
	for _, at := range []LSN{chain[2].Start + 9*320 + Align, chain[0].Start + Align, end, end + 64} {
		must(t, r.Seek(at))
		_, _, err := readOn(r)
		if damage := new(Damage); !errors.As(err, &damage) {
			t.Errorf("at %s: %v", at, err)
		}
	}
	for _, at := range []LSN{3, 0} {
		if err := r.Seek(at); err == nil {
			t.Errorf("at %s: no error", at)
		}
	}
	r, err = NewReader(From(d), chain, ReadOptions{Durable: end})
	must(t, err)
	must(t, r.Seek(end))
	if got, tail, err := readOn(r); err != nil || len(got) != 0 || tail.LSN != end {
		t.Errorf("at the known end: %v", err)
	}
}
