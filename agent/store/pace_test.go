package store

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"bytes"
)

func TestPace(t *testing.T) {
	for _, test := range []struct {
		rate        int64
		bytes       int
		least, most time.Duration
	}{
		{0, 10 << 20, 0, 0},
		{1 << 20, 10 << 20, 9900 * time.Millisecond, 10 * time.Second},
		{100, 10_000, 94 * time.Second, 100 * time.Second},
		{1, 10, 0, 10 * time.Second},
		{1 << 40, 10 << 20, 0, time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			n, err := io.Copy(io.Discard, &paced{ctx: t.Context(), from: bytes.NewReader(make([]byte, test.bytes)), pace: &pace{rate: test.rate}})
			if took := time.Since(began); err != nil || n != int64(test.bytes) || took < test.least || took > test.most {
				t.Errorf("%d bytes at %d a second took %s, %v", n, test.rate, took, err)
			}
		})
	}
}

// A source that is slower than the rate is not slowed further.
func TestPaceOfASlowSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := readerFunc(func(b []byte) (int, error) {
			time.Sleep(time.Second) // of the synthetic clock
			return copy(b, "x"), nil
		})
		began := time.Now()
		if _, err := io.CopyN(io.Discard, &paced{ctx: t.Context(), from: slow, pace: &pace{rate: 2}}, 10); err != nil || time.Since(began) != 10*time.Second {
			t.Errorf("took %s, %v", time.Since(began), err)
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestPaceEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := io.Copy(io.Discard, &paced{ctx: ctx, from: iotest.OneByteReader(bytes.NewReader(make([]byte, 1000))), pace: &pace{rate: 1}})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// The pace is that of the store: who reads several segments at once reads each
// of them slower.
func TestPaceIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, began := &pace{rate: 1 << 20}, time.Now()
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				_, err := io.Copy(io.Discard, &paced{ctx: t.Context(), from: bytes.NewReader(make([]byte, 5<<20)), pace: shared})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if took := time.Since(began); took < 19*time.Second || took > 20*time.Second {
			t.Errorf("20 MiB at 1 MiB a second took %s", took)
		}
	})
}

// A log of this machine is read at a pace where nobody says another; one that is
// fetched from elsewhere, or with no limit, is not.
func TestPacedByDefault(t *testing.T) {
	for name, test := range map[string]struct {
		rate int64
		full bool
		log  string
		want int64 // bytes a second; 0: no limit
	}{
		"a log of this machine":             {0, false, "/var/mqm/log/QM1/active", LogRate},
		"the store says more":               {LogRate * 4, false, "/var/mqm/log/QM1/active", LogRate * 4},
		"the store says less":               {1 << 20, false, "/var/mqm/log/QM1/active", 1 << 20},
		"a log of another machine":          {0, false, "", 0},
		"at the store's rate from anywhere": {1 << 20, false, "", 1 << 20},
		"no limit":                          {0, true, "/var/mqm/log/QM1/active", 0},
	} {
		d := newStore(t, func(s *Settings) { s.Rate, s.FullSpeed = test.rate, test.full })
		if got := d.paceOf(Facts{Log: test.log}); got.rate != test.want {
			t.Errorf("%s: %d bytes a second, want %d", name, got.rate, test.want)
		}
	}
}
