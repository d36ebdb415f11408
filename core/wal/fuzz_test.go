package wal

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// Whatever a segment holds, reading it ends, gives positions that go up, and
// ends in an end or in damage within the file. An end can be gone on from, and
// what was read is still there then.
//
// Header, note and a first record of any length are made, since their checksums
// would keep chance away from all that lies behind them; FuzzHeader has any
// bytes for a header. So the inputs are short, which the fuzzer needs.
func FuzzReader(f *testing.F) {
	for _, lead := range []uint16{0, 400, 1000} {
		// Two records more, the second across a sector for some.
		h := header{ID: testID, Start: First}
		b := foreign(&h, lead, 0, nil)
		have := len(b)
		for _, payload := range []string{"DEFINE", "QLOCAL(ORDERS) DEFPSIST(YES)"} {
			off := int64(len(b))
			at := h.lsn(off)
			b = append(b, sealed(off, []byte(payload), 32, testID.seeds().at(at))...)
		}
		records := b[have:]
		f.Add(uint64(First), uint16(2048), uint16(0), lead, uint16(0), records)
		f.Add(uint64(First), uint16(512), uint16(512), lead, uint16(700), records[:40])
		records = bytes.Clone(records)
		records[20] ^= 4
		f.Add(uint64(First), uint16(0), uint16(512), lead, uint16(0), records)
	}
	f.Fuzz(func(t *testing.T, start uint64, size, grow, lead, erased uint16, records []byte) {
		h := header{ID: testID, Start: LSN(start), Size: int64(size), Grow: int64(grow)}
		readForeign(t, foreign(&h, lead, erased, records))
	})
}

// foreign makes a segment of a header, a note if anything is erased, one good
// record, and any bytes.
func foreign(h *header, lead, erased uint16, records []byte) []byte {
	b := make([]byte, firstAt)
	copy(b, h.encode())
	b = append(b, sealed(firstAt, make([]byte, lead), 0, h.ID.seeds().at(h.Start))...)
	if erased > 0 {
		n := note{Kind: noteTorn, Value: uint64(h.lsn(int64(len(b)))), End: firstAt + uint64(erased), Owner: h.Sum}
		copy(b[noteAt:], n.encode())
	}
	return append(b, records...)
}

func readForeign(t *testing.T, contents []byte) {
	d := crashdisk.New()
	d.Put("S", contents)
	chain := []Segment{{Name: "S"}}
	r, err := NewReader(From(d), chain, ReadOptions{})
	must(t, err)
	var last LSN
	count := 0
	for {
		rec, err := r.Next()
		if err == nil {
			if rec.LSN <= last && last != 0 || rec.Next <= rec.LSN || rec.LSN%Align != 0 {
				t.Fatalf("record at %s after %s", rec.LSN, last)
			}
			last = rec.LSN
			count++
			continue
		}
		damage := new(Damage)
		if errors.As(err, &damage) {
			if damage.Segment != "S" || damage.Offset < 0 || damage.Offset > int64(len(contents)) {
				t.Fatalf("damage outside the file: %v", damage)
			}
			return
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		break
	}
	tail, _ := r.Tail()
	if tail.Dropped < 0 || tail.Offset > max(firstAt, int64(len(contents))) {
		t.Fatalf("tail outside the file: %+v", tail)
	}
	w, err := Resume(d, tail, Options{})
	must(t, err)
	must(t, w.Close())
	if got, again, err := read(d, chain, ReadOptions{}); err != nil || len(got) != count || again.Torn {
		t.Fatalf("%d records after going on, %d before; %+v, %v", len(got), count, again, err)
	}
	goOn(t, d, chain, count)
}

// goOn adds a record to a log that has some.
func goOn(t *testing.T, d *crashdisk.Disk, chain []Segment, count int) {
	w, _, err := Open(d, chain, ReadOptions{}, Options{})
	must(t, err)
	_, err = w.Commit(t.Context(), []byte("one more"))
	if err == nil {
		count++
	} else if !errors.Is(err, ErrFull) && !errors.Is(err, ErrTooLong) {
		t.Fatal(err)
	}
	must(t, w.Close())
	if got, _, err := read(d, chain, ReadOptions{}); err != nil || len(got) != count {
		t.Fatalf("%d records after one more, want %d; %v", len(got), count, err)
	}
}

// Sizes that only another program's header can have are refused before
// anything is made of them.
func TestHugeHeaders(t *testing.T) {
	for _, h := range []header{
		{ID: testID, Start: First, Size: 1 << 62},
		{ID: testID, Start: First, Size: 1 << 50},
		{ID: testID, Start: First, Size: -512},
		{ID: testID, Start: First, Grow: MaxGrow + 512},
		{ID: testID, Start: First, Grow: -512},
		{ID: testID, Start: 1 << 62, Grow: 512},
		{ID: testID, Start: First + 8, Grow: 512},
		{ID: testID, Grow: 512},
	} {
		d := crashdisk.New()
		d.Put("S", h.encode())
		_, _, err := read(d, []Segment{{Name: "S"}}, ReadOptions{})
		if damage := new(Damage); !errors.As(err, &damage) || damage.Segment != "S" {
			t.Errorf("%+v: %v", h, err)
		}
	}
	if err := Prepare(crashdisk.New(), Layout{Name: "S", Grow: MaxGrow + 512}); err == nil {
		t.Error("prepared a segment that grows without bounds")
	}
}

func FuzzHeader(f *testing.F) {
	h := header{ID: testID, Start: First, Size: 4096, Grow: 512, Sequence: 7, Link: 9}
	f.Add(h.encode())
	f.Add(note{Kind: notePrepared, Value: 12288}.encode())
	f.Add(make([]byte, sector))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != sector {
			t.Skip("no sector")
		}
		if h, err := decodeHeader(b); err == nil {
			sum := h.Sum
			h.encode()
			if h.Sum != sum {
				t.Error("a header with bytes that nobody reads")
			}
		}
	})
}
