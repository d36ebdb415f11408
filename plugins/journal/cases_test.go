package journal

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// played is a host that answers from a transcript.
type played struct{ observe.Asker }

func (played) Progress(int64, int64, string) {}
func (played) Log() *slog.Logger             { return slog.New(slog.DiscardHandler) }

// planOn plans the first target of a transcript.
func planOn(t *testing.T, file string, promise recovery.Promise) plugins.Plan {
	t.Helper()
	script, err := transcript.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	config, err := schema.New(Plugin{}.Describe().Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Plugin{}.Plan(context.Background(), plugins.Request{
		Target: script.Targets()[0], Promise: promise, Config: config, Store: "vault",
	}, played{script.Player()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// verdicts writes a plan as runs of equal verdicts by the last digits of the
// names: "006-007 delete, 008-010 keep".
func verdicts(plan plugins.Plan) string {
	var runs []string
	manager := plan.Decision.Managers[0]
	for i := 0; i < len(manager.Verdicts); {
		j := i
		for j+1 < len(manager.Verdicts) && manager.Verdicts[j+1].Kind == manager.Verdicts[i].Kind {
			j++
		}
		short := func(k int) string { n := manager.Inventory.Segments[k].ID.Name; return n[len(n)-3:] }
		name := short(i)
		if j > i {
			name += "-" + short(j)
		}
		runs = append(runs, name+" "+manager.Verdicts[i].Kind.String())
		i = j + 1
	}
	return strings.Join(runs, ", ")
}

func codes(plan plugins.Plan) string {
	var list []string
	for _, f := range plan.Decision.Findings {
		list = append(list, string(f.Code))
	}
	for _, f := range plan.Findings {
		list = append(list, string(f.Code))
	}
	return strings.Join(list, " ")
}

// The situations 1 to 11 of the collection of cases, the vector published
// with the jrnmaint sample and Figure 1 of the article, with their right
// values. The transcripts say what is in them.
func TestCases(t *testing.T) {
	conservative := recovery.Promise{Strategy: recovery.Conservative}
	fast := recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved}
	aggressive := recovery.Promise{Strategy: recovery.Aggressive, Unsaved: recovery.SaveUnsaved}
	letGo := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
	tests := []struct {
		file    string
		promise recovery.Promise
		want    string
		codes   string
	}{
		{"case01.mqt", conservative, "006-007 delete, 008-010 keep", ""},
		{"case02_time.mqt", conservative, "006-007 delete, 008-010 keep", "mark-by-time mark-tie"},
		{"case02_name.mqt", conservative, "006-007 delete, 008-010 keep", "mark-tie"},
		{"case03_time.mqt", conservative, "009 delete, 010-013 keep", "mark-by-time clock-went-back"},
		{"case03_zone.mqt", conservative, "009 delete, 010-013 keep", "mark-by-time clock-went-back"},
		{"case03_name.mqt", conservative, "009-011 delete, 012-013 keep", "clock-went-back"},
		{"case03_nolinks.mqt", conservative, "009 hold, 010-013 keep", "mark-by-time chain-order-unknown clock-went-back"},
		{"case04.mqt", conservative, "*** lost, 006-010 keep", "receiver-lost media-point-not-moving"},
		{"case05_v6.mqt", conservative, "998 delete, 999-001 keep", ""},
		{"case05_v9.mqt", conservative, "998 delete, 999-001 keep", ""},
		{"case05_v9_digit.mqt", conservative, "998 delete, 999-001 keep", ""},
		{"case05_restored.mqt", conservative, "001 hold, 002-004 keep", "name-clash"},
		{"case06.mqt", conservative, "001 delete, 002-003 hold, 004-005 keep", "not-saved"},
		{"case06.mqt", letGo, "001-003 delete, 004-005 keep", ""},
		{"case08.mqt", recovery.Promise{Strategy: recovery.Conservative, KeepNewest: 2}, "001 delete, 002 hold, 003-006 keep", "not-saved"},
		{"case09.mqt", conservative, "003-006 delete, 007-008 keep", ""},
		{"case09_remote.mqt", conservative, "003-006 hold, 007-008 keep", "remote-journal-behind"},
		{"case09_attached.mqt", aggressive, "003-007 delete, 008 keep", ""},
		{"case11.mqt", conservative, "040-043 delete, 044-121 keep", "media-point-not-moving pinned-by-queue"},
		{"vector_saved.mqt", conservative, "000-007 delete, 008-010 keep", ""},
		{"vector_online.mqt", conservative, "000-007 hold, 008-010 keep", "not-saved"},
		{"vector_online.mqt", letGo, "000-007 delete, 008-010 keep", ""},
		{"figure1.mqt", conservative, "001-002 delete, 003-006 keep", "mark-by-time"},
		{"figure1.mqt", fast, "001-002 delete, 003 archive+delete, 004-006 keep", "mark-by-time"},
		{"figure1.mqt", aggressive, "001-002 delete, 003-005 archive+delete, 006 keep", "mark-by-time"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s/%s/%s", test.file, test.promise.Strategy, test.promise.Unsaved), func(t *testing.T) {
			plan := planOn(t, test.file, test.promise)
			if got := verdicts(plan); got != test.want {
				t.Errorf("verdicts\n got %s\nwant %s", got, test.want)
			}
			if got := codes(plan); got != test.codes {
				t.Errorf("findings\n got %s\nwant %s", got, test.codes)
			}
			if t.Failed() {
				for _, f := range append(plan.Decision.Findings, plan.Findings...) {
					t.Logf("%s %s: %s", f.Severity, f.Code, f.Text)
				}
			}
		})
	}
}
