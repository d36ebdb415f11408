package errlog_test

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/errlog"
)

// The media recovery point is told, the restart point is not: no plan.
func ExampleWatermarks() {
	log := `05/01/26 10:00:00 - Process(2272.1) User(mqm) Program(amqzmuc0)
                    Host(h1) Installation(Installation1)
                    VRMF(9.1.0.0) QMgr(QMA1)
                    Time(2026-05-01T08:00:00.000Z)

AMQ7468I: The oldest log file required to perform media recovery of queue
manager QMA1 is S0000104.LOG.

EXPLANATION:
...
----- amqalfl0.c : 100 --------------------------------------------------------
`
	marks, err := errlog.Watermarks("QMA1", errlog.File{Name: "AMQERR01.LOG", Log: strings.NewReader(log)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(marks.Media.Extent, "by", marks.Media.Seen)
	fmt.Println("missing:", marks.Missing())
	// Output:
	// S0000104.LOG by AMQ7468 in AMQERR01.LOG, line 1
	// missing: [AMQ7467]
}
