package host

import (
	"context"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// BenchmarkStart is launch, mutual TLS, description and stop of one plugin;
// the running file is hashed once before.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		p, err := Start(b.Context(), source("nothing"), Settings{})
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHash is what a plugin in a file of its own costs in addition.
func BenchmarkHash(b *testing.B) {
	running, err := self()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		opened, err := openBinary(runningFile(running.path), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		opened.close()
	}
}

// BenchmarkQuestion is one question and its answer over the real process.
func BenchmarkQuestion(b *testing.B) {
	p := begin(b, "one question after another", Settings{})
	r := request
	r.Round = b.N
	asked := 0
	counting := answers(func(_ context.Context, q observe.Question) (observe.Answer, error) {
		asked++
		return observe.Answer{Body: []byte(q.Text)}, nil
	})
	b.ResetTimer()
	if _, err := p.Plan(b.Context(), r, counting, Events{}); err != nil {
		b.Fatal(err)
	}
	if asked != b.N {
		b.Fatalf("%d questions of %d", asked, b.N)
	}
}

// BenchmarkInventoryStream is a plan over 100,000 segments with a verdict for
// each: made by the plugin, sent, read and joined.
func BenchmarkInventoryStream(b *testing.B) {
	p := begin(b, "inventory", Settings{})
	if _, err := p.Plan(b.Context(), request, echo, Events{}); err != nil { // it makes its plan once
		b.Fatal(err)
	}
	for b.Loop() {
		plan, err := p.Plan(b.Context(), request, echo, Events{})
		if err != nil || len(plan.Decision.Managers[0].Verdicts) != 100_000 {
			b.Fatal(err)
		}
	}
}
