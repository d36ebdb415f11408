package qmgr_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A queue manager is created, started, used, and its recovery points are
// forced forward as the manual says: RCDMQMIMG with DSPJRNDTA(*YES).
func Example() {
	ctx := context.Background()
	now := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	sys, err := os400.Create(os400.Options{
		Disk: crashdisk.New(),
		Now:  func() time.Time { return now },
	}, os400.Settings{Name: "PAY1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := qmgr.Create(ctx, sys, qmgr.Spec{Name: "saturn.queue.manager"})
	if err == nil {
		_, err = m.Start(ctx)
	}
	if err == nil {
		err = m.DefineQueue(ctx, "ORDERS", nil)
	}
	if err == nil {
		_, err = m.Put(ctx, "ORDERS", engine.Message{Persistent: true, Body: []byte("one")})
	}
	now = now.Add(time.Hour)
	if err == nil {
		_, err = m.RecordImages(ctx, qmgr.Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	p := m.Points()
	fmt.Println(m.Library(), m.Status().State, p.Startup.Receiver, p.Media.Time.Format("15:04"))
	// Output: QMSATURN.Q RUNNING AMQA000000 03:00
}
