package qmgr

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// A busy application: units of work of ten persistent messages of 500 bytes,
// put and got, forced every hundred of them. Issue 3 wants a million messages
// in less than thirty seconds.
func BenchmarkUnits(b *testing.B) {
	ctx := b.Context()
	c := &clock{now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	sys, err := os400.Create(os400.Options{Disk: disk.At(b.TempDir()), Now: c.read}, os400.Settings{Name: "PAY1"})
	var m *Manager
	if err == nil {
		m, err = Create(ctx, sys, Spec{Name: "TEST"})
	}
	if err == nil {
		_, err = m.Start(ctx)
	}
	if err == nil {
		err = m.DefineQueue(ctx, "A", nil)
	}
	message := body(500)
	for n := 0; b.Loop() && err == nil; n++ {
		var u *Unit
		u, err = m.Begin("BATCH")
		for i := 0; i < 10 && err == nil; i++ {
			if _, err = u.Put(ctx, "A", message); err == nil {
				_, err = u.Get(ctx, "A")
			}
		}
		if err == nil {
			err = u.CommitLater(ctx)
		}
		if err == nil && n%100 == 0 {
			err = m.Force(ctx)
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N*10)/b.Elapsed().Seconds(), "messages/s")
}
