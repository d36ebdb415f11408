package wal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var testID = ID{'t', 'e', 's', 't'}

// layout gives the n-th segment of a test's log.
func layout(n int, size, grow int64) Layout {
	return Layout{Name: fmt.Sprintf("log/S%07d", n), Size: size, Grow: grow}
}

// must stops a test at an error.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

type entry struct {
	at      LSN
	payload []byte
}

// read reads a log to its end or to damage.
func read(d disk.FS, chain []Segment, how ReadOptions) ([]entry, Tail, error) {
	r, err := NewReader(From(d), chain, how)
	if err != nil {
		return nil, Tail{}, err
	}
	return readOn(r)
}

func readOn(r *Reader) ([]entry, Tail, error) {
	var all []entry
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			tail, _ := r.Tail()
			return all, tail, nil
		}
		if err != nil {
			return all, Tail{}, err
		}
		all = append(all, entry{rec.LSN, bytes.Clone(rec.Payload)})
	}
}

// write makes a log of segments, each with so many records, all durable.
func write(tb testing.TB, d disk.FS, l Layout, perSegment ...int) (chain []Segment, all []entry) {
	tb.Helper()
	w, err := Create(d, l, testID, 0, Options{})
	must(tb, err)
	for i, n := range perSegment {
		if i > 0 {
			next := l
			next.Name = fmt.Sprintf("%s.%d", l.Name, i)
			must(tb, w.Rotate(context.Background(), next))
		}
		s, _ := w.Current()
		chain = append(chain, s)
		for range n {
			payload := fmt.Appendf(nil, "record %d: %s", len(all), bytes.Repeat([]byte{byte(len(all))}, 40*len(all)%700))
			at, err := w.Commit(context.Background(), payload)
			must(tb, err)
			all = append(all, entry{at, payload})
		}
	}
	must(tb, w.Close())
	return chain, all
}

func same(a, b []entry) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].at != b[i].at || !bytes.Equal(a[i].payload, b[i].payload) {
			return false
		}
	}
	return true
}

func TestLogReadsBack(t *testing.T) {
	for _, grow := range []int64{0, 512} {
		d := crashdisk.New()
		chain, want := write(t, d, layout(0, 16<<10, grow), 10, 0, 25)
		got, tail, err := read(d, chain, ReadOptions{ID: testID})
		must(t, err)
		if !same(got, want) {
			t.Errorf("grow %d: %d records, want %d", grow, len(got), len(want))
		}
		if tail.Torn || tail.Segment != chain[2].Name {
			t.Errorf("grow %d: %+v", grow, tail)
		}
	}
}

func TestSeek(t *testing.T) {
	d := crashdisk.New()
	chain, all := write(t, d, layout(0, 16<<10, 0), 10, 10, 10)
	var opened []string
	open := func(name string) (Source, error) {
		opened = append(opened, name)
		return d.Open(name)
	}
	for _, i := range []int{15, 0, 29, 10} {
		opened = nil
		r, err := NewReader(open, chain, ReadOptions{})
		must(t, err)
		must(t, r.Seek(all[i].at))
		got, _, err := readOn(r)
		must(t, err)
		if !same(got, all[i:]) {
			t.Errorf("from record %d: %d records, want %d", i, len(got), len(all)-i)
		}
		if len(opened) != 3-i/10 || opened[0] != chain[i/10].Name {
			t.Errorf("from record %d: opened %q", i, opened)
		}
	}
}

// The owner lists a segment before it is begun, and does not know whether it
// was.
func TestLastSegmentOfUnknownStart(t *testing.T) {
	d := crashdisk.New()
	chain, all := write(t, d, layout(0, 16<<10, 0), 10, 10)
	chain[1].Start = 0
	r, err := NewReader(From(d), chain, ReadOptions{})
	must(t, err)
	for _, i := range []int{5, 15} {
		must(t, r.Seek(all[i].at))
		if got, _, err := readOn(r); err != nil || !same(got, all[i:]) {
			t.Errorf("from record %d: %d records, %v", i, len(got), err)
		}
	}
	name := layout(9, 0, 0).Name
	for _, c := range []struct {
		state string
		make  func()
	}{
		{"missing", func() {}},
		{"prepared", func() { must(t, Prepare(d, layout(9, 4096, 0))) }},
		{"torn", func() { d.Put(name, []byte(headerMagic)) }},
	} {
		c.make()
		got, tail, err := read(d, append(chain[:1:1], Segment{Name: name}), ReadOptions{})
		if err != nil || !same(got, all[:10]) || tail.Unbegun != name {
			t.Errorf("%s: %d records, %+v, %v", c.state, len(got), tail, err)
		}
	}
}

func TestReadUntil(t *testing.T) {
	d := crashdisk.New()
	w, err := Create(d, layout(0, 16<<10, 0), testID, 0x1230, Options{})
	must(t, err)
	at, err := w.Commit(t.Context(), []byte("one"))
	must(t, err)
	if at != 0x1230 {
		t.Errorf("the log begins at %s", at)
	}
	_, err = w.Append([]byte("two"))
	must(t, err)
	got, tail, err := read(d, []Segment{{layout(0, 0, 0).Name, 0x1230}}, ReadOptions{Until: w.Durable()})
	if err != nil || len(got) != 1 || tail.Segment != "" {
		t.Errorf("%d records, %+v, %v", len(got), tail, err)
	}
	_, _, err = read(d, []Segment{{layout(0, 0, 0).Name, 0x1230}}, ReadOptions{Until: w.End()})
	if damage := new(Damage); !errors.As(err, &damage) {
		t.Errorf("reading what is not written yet: %v", err)
	}
}
