package wal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"go.uber.org/goleak"
)

// Records of every length against the windows that a file is read in: within
// one, across two, longer than what fits in front of one, longer than two.
func TestRecordsAcrossWindows(t *testing.T) {
	defer goleak.VerifyNone(t)
	d, w := created(t, 0, 1<<20, Options{})
	var want []entry
	for i, n := range []int{window - 3*headBytes, 100, front, 2 * front, 5, window - 40, 3 * window, 0, 17, front + 1, window} {
		payload := bytes.Repeat([]byte{byte(i), 0, 255}, n/3+1)[:n]
		at, err := w.Append(payload)
		must(t, err)
		want = append(want, entry{at, payload})
	}
	must(t, w.Close())
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	got, _, err := read(d, chain, ReadOptions{})
	must(t, err)
	if !same(got, want) {
		t.Errorf("%d records are not the %d written", len(got), len(want))
	}
	for i := range want { // and from each on
		r, err := NewReader(From(d), chain, ReadOptions{})
		must(t, err)
		must(t, r.Seek(want[i].at))
		if got, _, err := readOn(r); err != nil || !same(got, want[i:]) {
			t.Errorf("from record %d: %d records, %v", i, len(got), err)
		}
	}
}

func TestReaderClosesInTheMiddle(t *testing.T) {
	defer goleak.VerifyNone(t)
	d, w := created(t, 4<<20, 0, Options{})
	for range 10000 {
		_, err := w.Append(make([]byte, 300))
		must(t, err)
	}
	must(t, w.Close())
	r, err := NewReader(From(d), []Segment{{layout(0, 0, 0).Name, First}}, ReadOptions{})
	must(t, err)
	for range 5000 {
		_, err := r.Next()
		must(t, err)
	}
	must(t, r.Close())
	if _, err := r.Next(); !errors.Is(err, ErrClosed) {
		t.Errorf("after close: %v", err)
	}
	must(t, r.Seek(First))
	_, err = r.Next()
	must(t, err)
	must(t, r.Close())
}

// A disk that can't be read is damage, and is not taken for the log's end.
func TestReadErrorIsDamage(t *testing.T) {
	d := crashdisk.New()
	chain := threeSegments(t, d, 1<<20)
	for n := range 9 {
		d.Fault(failing(crashdisk.Read, "", n, syscall.EIO))
		_, _, err := read(d, chain, ReadOptions{})
		damage := new(Damage)
		if err != nil && (!errors.As(err, &damage) || !errors.Is(err, syscall.EIO)) {
			t.Errorf("the read after %d fails: %v", n, err)
		}
		if err == nil && n < 8 {
			t.Errorf("the read after %d failed and nobody noticed", n)
		}
	}
}

func TestReaderRefusesAWrongList(t *testing.T) {
	d := crashdisk.New()
	for _, chain := range [][]Segment{
		nil,
		{{"a", 0}, {"b", 64}},
		{{"a", 64}, {"b", 32}},
		{{"a", 17}},
	} {
		if _, err := NewReader(From(d), chain, ReadOptions{}); err == nil {
			t.Errorf("%v: no error", chain)
		}
	}
}

func TestInspect(t *testing.T) {
	d := crashdisk.New()
	chain := threeSegments(t, d, 8192)
	for _, want := range chain {
		if s, err := Inspect(From(d), want.Name); err != nil || s != want {
			t.Errorf("%+v, %v; want %+v", s, err, want)
		}
	}
	must(t, Prepare(d, layout(5, 4096, 0)))
	if s, err := Inspect(From(d), layout(5, 0, 0).Name); err != nil || s.Start != 0 {
		t.Errorf("prepared: %+v, %v", s, err)
	}
	d.Put("foreign", bytes.Repeat([]byte("x"), 9000))
	if _, err := Inspect(From(d), "foreign"); err == nil {
		t.Error("a file that is no segment has a beginning")
	}
	if _, err := Inspect(From(d), "missing"); err == nil {
		t.Error("a file that is not there has a beginning")
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	d, w := created(t, 8<<20, 0, Options{})
	for range 20000 {
		_, err := w.Append(make([]byte, 300))
		must(t, err)
	}
	must(t, w.Close())
	r, err := NewReader(From(d), []Segment{{layout(0, 0, 0).Name, First}}, ReadOptions{})
	must(t, err)
	defer r.Close()
	if allocs := testing.AllocsPerRun(15000, func() {
		if _, err := r.Next(); err != nil {
			t.Error(err)
		}
	}); allocs > 0 {
		t.Errorf("%v allocations for each record", allocs)
	}
}

// A log is opened again and again, and each time something is added.
func TestOpenGoesOn(t *testing.T) {
	d, w := created(t, 8192, 0, Options{})
	must(t, w.Close())
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	for i := range 20 {
		w, tail, err := Open(d, chain, ReadOptions{ID: testID}, Options{})
		must(t, err)
		if tail.Torn {
			t.Fatalf("time %d: %+v", i, tail)
		}
		_, err = w.Commit(context.Background(), []byte{byte(i)})
		must(t, err)
		d.Crash()
	}
	got, _, err := read(d, chain, ReadOptions{})
	if err != nil || len(got) != 20 || got[19].payload[0] != 19 {
		t.Errorf("%d records, %v", len(got), err)
	}
	if _, _, err := Open(d, chain, ReadOptions{Until: got[3].at}, Options{}); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("opening a log that was not read to its end: %v", err)
	}
	if _, _, err := Open(d, chain, ReadOptions{ID: ID{1}}, Options{}); err == nil {
		t.Error("opening another log")
	}
	if _, err := Resume(d, Tail{Segment: chain[0].Name}, Options{}); err == nil {
		t.Error("going on at a tail that nobody found")
	}
}
