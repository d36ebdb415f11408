package sim_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// Ten simulated nights of a busy queue manager: a million persistent messages,
// everything forced to the disk of the temporary folder.
//
//	go test ./core/sim -run xxx -bench TenNights -benchtime 1x
func BenchmarkTenNights(b *testing.B) {
	p, err := workload.Named("busy")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		e, err := sim.Create(b.Context(), filepath.Join(b.TempDir(), "estate"), sim.Settings{Zone: "Europe/Berlin", Start: time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC)})
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Add(b.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "BUSY"}}); err != nil {
			b.Fatal(err)
		}
		if err := e.SetWorkload("BUSY", p, 1); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		worked, err := e.Advance(b.Context(), 240*time.Hour, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(worked[0].Report.Persistent), "persistent")
		b.ReportMetric(float64(worked[0].Report.Units.Put+worked[0].Report.Units.Get), "units")
		if err := e.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
