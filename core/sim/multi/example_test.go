package multi_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A machine in memory: a queue manager is made and started, its objects are
// imaged, and it ends.
func ExampleHost_Run() {
	ctx := context.Background()
	now := time.Date(2026, 3, 10, 22, 0, 0, 0, time.UTC)
	host, err := multi.Create(multi.Options{Disk: crashdisk.New(), Now: func() time.Time { return now }}, multi.Settings{Name: "lnx1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range []string{
		"crtmqm -ll -lf 64 QM1", "rcdmqimg -m QM1 -t qlocal SYSTEM.DEFAULT.LOCAL.QUEUE", "strmqm QM1",
		"rcdmqimg -m QM1 -t qlocal SYSTEM.DEFAULT.LOCAL.QUEUE", "dspmq -o status", "endmqm -w QM1",
	} {
		result := host.Run(ctx, strings.Fields(line), nil)
		last := strings.Split(strings.TrimSpace(string(result.Out)+string(result.Err)), "\n")
		fmt.Printf("$ %s\n%s (%d)\n", line, last[len(last)-1], result.Code)
	}
	// Output:
	// $ crtmqm -ll -lf 64 QM1
	// Setup completed. (0)
	// $ rcdmqimg -m QM1 -t qlocal SYSTEM.DEFAULT.LOCAL.QUEUE
	// AMQ8146E: IBM MQ queue manager not available. (40)
	// $ strmqm QM1
	// IBM MQ queue manager 'QM1' started using V9.4.0.0. (0)
	// $ rcdmqimg -m QM1 -t qlocal SYSTEM.DEFAULT.LOCAL.QUEUE
	// Media image for object SYSTEM.DEFAULT.LOCAL.QUEUE, type qlocal recorded. (0)
	// $ dspmq -o status
	// QMNAME(QM1)                                               STATUS(Running) (0)
	// $ endmqm -w QM1
	// IBM MQ queue manager 'QM1' ended. (0)
}
