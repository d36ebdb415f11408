package local

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// BenchmarkList answers LOGDIR of a directory of 100,000 extents, on this machine
// and through a prefix as in a container. One run is enough: -benchtime 1x.
func BenchmarkList(b *testing.B) {
	const many = 100_000
	folder := b.TempDir()
	for i := range many {
		if err := os.WriteFile(filepath.Join(folder, observe.ExtentName(i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, prefix := range map[string][]string{"this machine": nil, "prefix": {"env"}} {
		b.Run(name, func(b *testing.B) {
			m := newMachine(Settings{Prefix: prefix, Timeout: defaultTimeout})
			for b.Loop() {
				body, err := m.files.list(b.Context(), folder)
				if lines := bytes.Count(body, []byte("\n")); err != nil || lines != many {
					b.Fatal(lines, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/many, "µs/extent")
		})
	}
}
