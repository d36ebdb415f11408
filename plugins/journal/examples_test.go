package journal

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// named writes a plan as runs of equal verdicts by whole names: after a
// restore the last digits alone do not tell receivers apart (case 5).
func named(plan plugins.Plan) string {
	var runs []string
	manager := plan.Decision.Managers[0]
	for i := 0; i < len(manager.Verdicts); {
		j := i
		for j+1 < len(manager.Verdicts) && manager.Verdicts[j+1].Kind == manager.Verdicts[i].Kind {
			j++
		}
		name := manager.Inventory.Segments[i].ID.Name
		if j > i {
			name += "-" + manager.Inventory.Segments[j].ID.Name
		}
		runs = append(runs, name+" "+manager.Verdicts[i].Kind.String())
		i = j + 1
	}
	return strings.Join(runs, ", ")
}

// The transcripts of the folder examples, under the promises of the three
// bundled policies: each has to show what its comments and its README say.
func TestExamples(t *testing.T) {
	bundled := []recovery.Promise{
		{Strategy: recovery.Conservative, MaxDeletes: 500, MaxPercent: 90},
		{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved, MaxDeletes: 500, MaxPercent: 90},
		{Strategy: recovery.Aggressive, Unsaved: recovery.SaveUnsaved, MaxDeletes: 500},
	}
	tests := []struct {
		file     string
		critical bool // exit code 3
		want     [3]string
		codes    [3]string
	}{
		{
			file: "orders.mqt",
			want: [3]string{
				"AMQA000031-AMQA000035 delete, AMQA000036 hold, AMQA000037-AMQA000044 keep",
				"AMQA000031-AMQA000035 delete, AMQA000036-AMQA000041 archive+delete, AMQA000042-AMQA000044 keep",
				"AMQA000031-AMQA000035 delete, AMQA000036-AMQA000043 archive+delete, AMQA000044 keep",
			},
			codes: [3]string{
				"not-saved media-point-not-moving pinned-by-queue",
				"media-point-not-moving pinned-by-queue",
				"media-point-not-moving pinned-by-queue",
			},
		},
		{
			file: "receivers-lost.mqt", critical: true,
			want: [3]string{
				"********** lost, AMQA000040-AMQA000044 keep",
				"********** lost, AMQA000040-AMQA000044 keep",
				"********** lost, AMQA000040-AMQA000044 keep",
			},
			codes: [3]string{
				"receiver-lost media-point-not-moving",
				"receiver-lost media-point-not-moving",
				"receiver-lost media-point-not-moving",
			},
		},
		{
			file: "restored.mqt",
			want: [3]string{
				"AMQA000050-AMQA000051 delete, AMQA000052 hold, ********** keep, AMQA100052 hold, AMQA100053-AMQA100054 keep",
				"AMQA000050-AMQA000051 delete, AMQA000052 archive+delete, ********** keep, AMQA100052 delete, AMQA100053-AMQA100054 keep",
				"AMQA000050-AMQA000051 delete, AMQA000052 archive+delete, ********** keep, AMQA100052 delete, AMQA100053 archive+delete, AMQA100054 keep",
			},
			codes: [3]string{"not-saved chain-break", "chain-break", "chain-break"},
		},
		{
			file: "clock-back.mqt",
			want: [3]string{
				"AMQA000070-AMQA000071 delete, AMQA000072-AMQA000075 keep",
				"AMQA000070-AMQA000071 delete, AMQA000072-AMQA000074 archive+delete, AMQA000075 keep",
				"AMQA000070-AMQA000071 delete, AMQA000072-AMQA000074 archive+delete, AMQA000075 keep",
			},
			codes: [3]string{
				"mark-by-time clock-went-back clock-went-back",
				"mark-by-time clock-went-back clock-went-back",
				"mark-by-time clock-went-back clock-went-back",
			},
		},
	}
	for _, test := range tests {
		for i, promise := range bundled {
			t.Run(test.file+"/"+promise.Strategy.String(), func(t *testing.T) {
				plan := planOn(t, "../../../examples/"+test.file, promise)
				if got := named(plan); got != test.want[i] {
					t.Errorf("verdicts\n got %s\nwant %s", got, test.want[i])
				}
				if got := codes(plan); got != test.codes[i] {
					t.Errorf("findings\n got %s\nwant %s", got, test.codes[i])
				}
				critical := false
				for _, f := range append(plan.Decision.Findings, plan.Findings...) {
					critical = critical || f.Severity == finding.Critical
					if t.Failed() {
						t.Logf("%s %s: %s", f.Severity, f.Code, f.Text)
					}
				}
				if critical != test.critical {
					t.Errorf("critical is %v, want %v", critical, test.critical)
				}
			})
		}
	}
}
