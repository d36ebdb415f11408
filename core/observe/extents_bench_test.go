package observe_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// answers gives the same answers however often it is asked.
type answers map[string][]byte

func (a answers) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	body, ok := a[q.String()]
	if !ok && !q.Language.OfHost() {
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	return observe.Answer{Body: body, At: worldNow}, nil
}

// BenchmarkExtents reads and decides over a log of many extents, half of which
// are in a store, and of which an earlier run saw all.
func BenchmarkExtents(b *testing.B) {
	const n = 100_000
	s := linear(files(0, n), observe.ExtentName(n), observe.ExtentName(n-5), observe.ExtentName(n-10))
	asker := answers{}
	for _, block := range s.blocks {
		asker[block[0]] = []byte(block[1])
	}
	rows := []byte(manifestColumns)
	for i := range n / 2 {
		rows = append(rows, manifestOf(i)...)
	}
	asker[manifests] = rows
	history := []byte("AT,KIND,LIBRARY,SEGMENT,POSITION\n")
	for i := range n {
		history = fmt.Appendf(history, "2026-05-27T02:00:00Z,unneeded,,%s,\n", observe.ExtentName(i))
	}
	asker[seen] = history
	for b.Loop() {
		facts, err := observe.ReadExtents(b.Context(), asker, observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
		if err != nil {
			b.Fatal(err)
		}
		decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, conservative)
		if decision.Managers[0].Cut != n-10 {
			b.Fatal(decision.Managers[0].Cut, facts.Inventory.Open)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/extent")
}
