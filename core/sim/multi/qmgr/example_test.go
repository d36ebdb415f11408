package qmgr_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A queue manager crashes, and has everything that was acknowledged.
func Example() {
	ctx := context.Background()
	now := time.Date(2026, 7, 14, 22, 0, 0, 0, time.UTC)
	site := qmgr.Site{Disk: crashdisk.New(), Now: func() time.Time { return now }}
	m, err := qmgr.Create(ctx, site, qmgr.Spec{Name: "QM1", Log: extents.Settings{Kind: extents.Linear, FilePages: 64}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := m.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	if err := m.Define(ctx, "ORDERS"); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := m.Put(ctx, "ORDERS", engine.Message{Persistent: true, Body: []byte("500 bolts")}); err != nil {
		fmt.Println(err)
		return
	}
	if err := m.Crash(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.State())
	if _, err := m.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}
	msg, err := m.Get(ctx, "ORDERS")
	fmt.Printf("%s, %v\n", msg.Body, err)
	fmt.Println("RECLOG", m.Status().RecLog)
	// Output:
	// Ended unexpectedly
	// 500 bolts, <nil>
	// RECLOG S0000000.LOG
}
