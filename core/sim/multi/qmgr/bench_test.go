package qmgr

import (
	"context"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// BenchmarkCommit is a unit of work of one message of 1 KiB, forced to the disk.
func BenchmarkCommit(b *testing.B) {
	for name, noSync := range map[string]bool{"forced": false, "no sync": true} {
		b.Run(name, func(b *testing.B) {
			root, c := b.TempDir(), newClock()
			site := Site{Disk: disk.At(root), Root: root, Now: c.read, NoSync: noSync}
			ctx := context.Background()
			m, err := Create(ctx, site, Spec{Name: "QM1", Log: extents.Settings{Kind: extents.Linear, Management: extents.Automatic, FilePages: 4096}})
			if err == nil {
				_, err = m.Start(ctx)
			}
			if err == nil {
				err = m.Define(ctx, "Q")
			}
			if err != nil {
				b.Fatal(err)
			}
			msg := text(long(1024))
			for b.Loop() {
				u, err := m.Begin("APP")
				if err == nil {
					_, err = u.Put(ctx, "Q", msg)
				}
				if err == nil {
					err = u.Commit(ctx)
				}
				if err == nil {
					_, err = m.Get(ctx, "Q")
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			if err := m.Crash(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
