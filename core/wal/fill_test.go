package wal

import (
	"bytes"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A record that is filled up takes just the bytes that were asked for, at
// every offset, if its payload leaves it the choice.
func TestFillTo(t *testing.T) {
	for off := int64(firstAt); off < firstAt+3*sector; off += Align {
		for _, want := range []int64{32, 48, 272, 512, 752, 1024, 1504, 5 * sector, 16 << 10, 260_000} {
			if got := recordBytes(off, fillTo(off, int(want))); got != (want+Align-1)&^(Align-1) {
				t.Fatalf("at %d: a record takes %d bytes, want %d", off, got, want)
			}
		}
	}
	if n := fillTo(firstAt, 0); n != 0 {
		t.Errorf("nothing is filled with %d bytes", n)
	}
}

// Zeros behind a payload are read with it, and only there.
func TestAppendFilled(t *testing.T) {
	d := crashdisk.New()
	w, err := Create(d, Layout{Name: "S0", Size: 64 << 10}, testID, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := w.End()
	for _, c := range []struct{ payload, bytes, want int }{{10, 750, 752}, {10, 0, 32}, {900, 260, 928}, {0, 4096, 4096}, {240, 300, 304}} {
		at, err := w.AppendFilled(bytes.Repeat([]byte{7}, c.payload), c.bytes)
		if err != nil || at != last {
			t.Fatalf("%+v: at %s, %v", c, at, err)
		}
		if took := int(w.End() - at); took != c.want {
			t.Errorf("%+v: %d bytes", c, took)
		}
		last = w.End()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(From(d), []Segment{{Name: "S0", Start: First}}, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{10, 10, 900, 0, 240} {
		rec, err := r.Next()
		if err != nil || len(rec.Payload) < n || !bytes.Equal(bytes.TrimRight(rec.Payload, "\x00"), bytes.Repeat([]byte{7}, n)) {
			t.Fatalf("%d bytes of payload: %x, %v", n, rec.Payload, err)
		}
	}
}
