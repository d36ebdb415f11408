package qsg_test

import (
	"bytes"
	"testing"

	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
	"github.com/mqhk/mqhk/core/transcript"
)

// BenchmarkRead reads the largest group that is asked for: 32 members, 63
// structures, 90 days of history.
func BenchmarkRead(b *testing.B) {
	text := qsgtest.Write(qsgtest.Make(1, qsgtest.Size{Members: 32, Structures: 63, Days: 90, Archives: 500}), qsgtest.CommandServer)
	script, err := transcript.Parse("group.mqt", bytes.NewReader(text), nil)
	if err != nil {
		b.Fatal(err)
	}
	target := script.Targets()[0]
	for name, wanted := range map[string]qsg.Wanted{
		"everything": qsg.Everything &^ (qsg.Messages | qsg.Allocations),
		"backups":    qsg.Structures | qsg.Backups | qsg.Logs | qsg.Archives | qsg.BSDS,
		"datasets":   qsg.Structures | qsg.DataSets | qsg.History,
		"bsds":       qsg.BSDS,
		"catalog":    qsg.Archives | qsg.BSDS | qsg.ArchiveCatalog,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(float64(len(text))/(1<<20), "MiB")
			for b.Loop() {
				if _, err := qsg.Read(b.Context(), script.Player(), target, wanted); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
