package workload

import (
	"context"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// nothing is a queue manager that takes no time: what is measured is the
// workload's own.
type nothing struct{ number uint64 }

func (n *nothing) Now() time.Time                                      { return monday }
func (n *nothing) Define(context.Context, string) error                { return nil }
func (n *nothing) Depth(string) (int, error)                           { return 0, nil }
func (n *nothing) Put(context.Context, string, engine.Message) error   { return nil }
func (n *nothing) Get(context.Context, string) (engine.Message, error) { return engine.Message{}, nil }
func (n *nothing) Begin(string) (Unit, error)                          { n.number++; return n, nil }
func (n *nothing) Unit(uint64) (Unit, error)                           { return n, nil }
func (n *nothing) Force(context.Context) error                         { return nil }
func (n *nothing) Number() uint64                                      { return n.number }
func (n *nothing) Commit(context.Context) error                        { return nil }
func (n *nothing) CommitLater(context.Context) error                   { return nil }
func (n *nothing) Backout(context.Context) error                       { return nil }
func (n *nothing) Prepare(context.Context, []byte) error               { return nil }

// BenchmarkTenBusyNights is about a million persistent messages, put and got.
func BenchmarkTenBusyNights(b *testing.B) {
	p := named(b, "busy")
	b.ReportAllocs()
	for b.Loop() {
		s := New(p, 1, monday)
		qm := &nothing{}
		r, err := s.Run(b.Context(), qm, monday.AddDate(0, 0, 10), func(time.Time) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Persistent), "persistent")
	}
}
