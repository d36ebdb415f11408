package qmgr

import (
	"fmt"
	"sync"
	"testing"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Methods from many goroutines at once, with questions meanwhile: while the
// system changes receivers, and while a person does.
func TestConcurrent(t *testing.T) {
	images := func(s *station) error {
		_, err := s.m.RecordImages(t.Context(), Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true})
		return err
	}
	change := func(s *station) error {
		return s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN"})
	}
	for name, c := range map[string]struct {
		threshold int64
		meanwhile []func(*station) error
	}{
		"by the system": {64, []func(*station) error{images, images}},
		"by both":       {64, []func(*station) error{images, change, change}},
		"by a person":   {thresholdDefault, []func(*station) error{images, change, change}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, t, Spec{Threshold: c.threshold})
			var all sync.WaitGroup
			for n := range 8 {
				all.Go(func() { s.apply(n) })
			}
			for _, do := range c.meanwhile {
				all.Go(func() {
					for range 5 {
						if err := do(s); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Go(s.look)
			all.Wait()
			before := len(s.receivers())
			s.power()
			s.start()
			if a, b := len(s.bodies("A")), len(s.bodies("B")); a != 200 || b != 24 || before < 5 {
				t.Errorf("%d and %d messages, %d receivers", a, b, before)
			}
			s.entriesAgree()
			s.rebuildAll()
		})
	}
}

// apply is what one of the applications does.
func (s *station) apply(n int) {
	ctx := s.testT.Context()
	for i := range 25 {
		u, err := s.m.Begin(fmt.Sprint("APP", n))
		if err == nil {
			_, err = u.Put(ctx, "A", body(1000))
		}
		if err == nil {
			err = u.Commit(ctx)
		}
		if err == nil && i%10 == 0 {
			_, err = s.m.Put(ctx, "B", body(2000))
		}
		if err != nil {
			s.t.Errorf("application %d: %v", n, err)
		}
	}
}

// look asks whatever can be asked.
func (s *station) look() {
	for range 50 {
		_, _, _, _ = s.m.Status(), s.m.Points(), s.m.Queues(), s.m.Transactions()
		_ = s.sys.Receivers(s.m.Journal())
	}
}
