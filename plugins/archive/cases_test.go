package archive

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
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

// bundled are the promises of the three bundled policies, and their stores.
var bundled = [3]plugins.Request{
	{Promise: recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved, MaxDeletes: 500, MaxPercent: 90}},
	{Promise: recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved, MaxDeletes: 500}, Store: "vault"},
	{Promise: recovery.Promise{Strategy: recovery.Aggressive, Unsaved: recovery.SaveUnsaved, MaxDeletes: 500}, Store: "vault"},
}

// planOn plans the first target of a transcript. What the request lacks is
// filled in.
func planOn(t *testing.T, script *transcript.Transcript, request plugins.Request, settings map[string]any) plugins.Plan {
	t.Helper()
	config, err := schema.New(Plugin{}.Describe().Schema, settings)
	if err != nil {
		t.Fatal(err)
	}
	request.Target, request.Config = script.Targets()[0], config
	if request.Round == 0 {
		request.Round = 1
	}
	plan, err := Plugin{}.Plan(t.Context(), request, played{script.Player()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func openCase(t *testing.T, file string) *transcript.Transcript {
	t.Helper()
	script, err := transcript.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// verdicts writes a plan as runs of equal verdicts by the last digits of the
// numbers: "995-997 delete, 998-003 keep".
func verdicts(plan plugins.Plan) string {
	var runs []string
	manager := plan.Decision.Managers[0]
	for i := 0; i < len(manager.Verdicts); {
		j := i
		for j+1 < len(manager.Verdicts) && manager.Verdicts[j+1].Kind == manager.Verdicts[i].Kind {
			j++
		}
		name := digits(manager.Inventory.Segments[i].ID)
		if j > i {
			name += "-" + digits(manager.Inventory.Segments[j].ID)
		}
		runs = append(runs, name+" "+manager.Verdicts[i].Kind.String())
		i = j + 1
	}
	return strings.Join(runs, ", ")
}

func digits(id recovery.SegmentID) string { return id.Name[5:8] }

// codes lists the findings of a plan, those of the decision first.
func codes(plan plugins.Plan) string {
	var list []string
	for _, f := range append(append([]finding.Finding(nil), plan.Decision.Findings...), plan.Findings...) {
		list = append(list, string(f.Code))
	}
	return strings.Join(list, " ")
}

// steps writes the actions in their order: "archive-1 104; delete-2 104 after
// archive-1".
func steps(plan plugins.Plan) string {
	var list []string
	for _, a := range plan.Actions {
		text := a.ID
		if a.Segment.Name != "" {
			text += " " + digits(a.Segment)
		}
		if len(a.After) > 0 {
			text += " after " + strings.Join(a.After, " ")
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// The situations of the collection of cases with their right values, under the
// promises of the three bundled policies. The transcripts say what is in them.
func TestCases(t *testing.T) {
	const watched, late = "queue-manager-removes", "media-point-not-moving pinned-by-queue"
	tests := []struct {
		file  string
		want  [3]string
		codes [3]string // a single one stands for all three
	}{
		{"case12.mqt", [3]string{"000-065 keep", "000-055 archive+delete, 056-065 keep", "000-056 hold, 057-065 keep"},
			[3]string{late + " never-imaged", "", "report-only " + late + " never-imaged"}},
		{"case12_seen.mqt", [3]string{"000-065 keep"}, [3]string{late + " never-imaged", "", "report-only " + late + " never-imaged"}},
		{"case12_young.mqt", [3]string{"000-065 keep"}, [3]string{"", "", "report-only"}},
		{"case12_automatic.mqt", [3]string{"000-065 keep", "000-065 keep", "000-065 keep"}, [3]string{watched + " " + late + " never-imaged"}},
		{"case13.mqt", [3]string{"000-004 delete, 005-009 keep", "000-006 archive+delete, 007-009 keep", "000-008 hold, 009 keep"}, [3]string{"not-checked", "not-checked", "report-only not-checked"}},
		{"case13_replicated.mqt", [3]string{"000-009 keep", "000-009 keep", "000-009 keep"}, [3]string{watched}},
		{"case17.mqt", [3]string{"995-997 delete, 998-003 keep", "995-000 archive+delete, 001-003 keep", "995-002 hold, 003 keep"}, [3]string{"", "", "report-only"}},
		{"case18.mqt", [3]string{"100-111 delete, 112-130 keep", "100-111 archive+delete, 112-130 keep", "100-129 hold, 130 keep"},
			[3]string{"pinned-by-unit-of-work", "", "report-only pinned-by-unit-of-work"}},
		{"case21.mqt", [3]string{"100-103 delete, 104-130 keep", "100-127 archive+delete, 128-130 keep", "100-129 hold, 130 keep"},
			[3]string{late, "", "report-only " + late}},
		{"case24_linear.mqt", [3]string{"100-103 delete, 104-130 keep", "100-127 archive+delete, 128-130 keep", "100-129 hold, 130 keep"}, [3]string{late, "", "report-only " + late}},
		{"case24_replicated.mqt", [3]string{"100-130 keep", "100-130 keep", "100-130 keep"}, [3]string{watched + " " + late}},
		{"case24_missing.mqt", [3]string{"100-103 hold, 104-130 keep", "100-103 hold, 104-130 keep", "100-103 hold, 104-130 keep"}, [3]string{"log-kind-unknown " + late}},
		{"case36.mqt", [3]string{"125-126 keep, 127-129 archive, 130 keep", "125-126 keep, 127-129 archive, 130 keep", "125-126 keep, 127-129 archive, 130 keep"},
			[3]string{watched + " store-not-configured", watched, watched}},
	}
	for _, test := range tests {
		for i, request := range bundled {
			t.Run(test.file+"/"+request.Promise.Strategy.String(), func(t *testing.T) {
				plan := planOn(t, openCase(t, test.file), request, nil)
				if got := verdicts(plan); test.want[i] != "" && got != test.want[i] {
					t.Errorf("verdicts\n got %s\nwant %s", got, test.want[i])
				}
				want := test.codes[i]
				if want == "" && i > 0 {
					want = test.codes[0]
				}
				if got := codes(plan); got != want {
					t.Errorf("findings\n got %s\nwant %s", got, want)
				}
				for _, a := range plan.Actions {
					checkAction(t, plan, a)
				}
				if t.Failed() {
					for _, f := range append(plan.Decision.Findings, plan.Findings...) {
						t.Logf("%s %s: %s", f.Severity, f.Code, f.Text)
					}
				}
			})
		}
	}
}

// checkAction holds what is so of every action on an extent: it names its whole
// path and the extent as it was observed, and is of a kind that the verdict
// wants. No R extent, no control file and not the one being written is ever
// touched.
func checkAction(t *testing.T, plan plugins.Plan, a plugins.Action) {
	t.Helper()
	manager := plan.Decision.Managers[0]
	for i, s := range manager.Inventory.Segments {
		if s.ID != a.Segment {
			continue
		}
		kind := manager.Verdicts[i].Kind
		fits := map[plugins.Kind]bool{
			plugins.KindDelete:       kind.Goes(),
			plugins.KindArchive:      kind == recovery.ArchiveDelete || kind == recovery.Archive,
			plugins.KindMarkArchived: kind == recovery.Archive,
		}
		if !fits[a.Kind] || s.State == recovery.Current || s.State == recovery.Reuse || s.State == recovery.Empty {
			t.Errorf("%s of %s, which is %s: %s", a.Kind, s.ID, s.State, kind)
		}
		if a.Fingerprint == "" || a.Fingerprint != s.Fingerprint || a.Object != "/var/mqm/log/QM1/active/"+s.ID.Name ||
			a.QueueManager != "QM1" || a.Reason == "" || (a.Store != "") != (a.Kind == plugins.KindArchive) {
			t.Errorf("%+v", a)
		}
		return
	}
	t.Errorf("%s acts on %s, which is no segment", a.ID, a.Segment)
}

// The order of the steps: copies wait for nothing, a delete for its own copy and
// the delete before it; a report to the queue manager for its own copy alone.
func TestCaseSteps(t *testing.T) {
	vault := bundled[1]
	saved := vault
	saved.Promise.Strategy = recovery.Conservative
	tests := []struct {
		file    string
		request plugins.Request
		want    string
	}{
		{"case17.mqt", bundled[0], "delete-1 995; delete-2 996 after delete-1; delete-3 997 after delete-2"},
		{"case17.mqt", saved, "archive-1 995; delete-2 995 after archive-1; archive-3 996; delete-4 996 after archive-3 delete-2; archive-5 997; delete-6 997 after archive-5 delete-4"},
		{"case17.mqt", bundled[2], ""},
		{"case12_automatic.mqt", vault, ""},
		{"case13_replicated.mqt", vault, ""},
		{"case24_missing.mqt", vault, ""},
		{"case24_replicated.mqt", vault, ""},
		{"case36.mqt", bundled[0], ""},
		{"case36.mqt", vault, "archive-1 127; mark-archived-2 127 after archive-1; archive-3 128; mark-archived-4 128 after archive-3; archive-5 129; mark-archived-6 129 after archive-5"},
		{"case36_copied.mqt", vault, "mark-archived-1 127; archive-2 128; mark-archived-3 128 after archive-2; archive-4 129; mark-archived-5 129 after archive-4"},
		{"case36.mqt", bundled[2], "archive-1 127; mark-archived-2 127 after archive-1; archive-3 128; mark-archived-4 128 after archive-3; archive-5 129; mark-archived-6 129 after archive-5"},
	}
	for _, test := range tests {
		t.Run(test.file+"/"+test.request.Promise.Strategy.String(), func(t *testing.T) {
			if got := steps(planOn(t, openCase(t, test.file), test.request, nil)); got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

// An age counts from when an extent stopped being needed, never from its file
// (case 21).
func TestAgeIsNotThatOfTheFile(t *testing.T) {
	request := bundled[0]
	request.Promise.MinAge = 7 * day
	plan := planOn(t, openCase(t, "case21.mqt"), request, nil)
	if got, want := verdicts(plan), "100-101 delete, 102-103 hold, 104-130 keep"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// textOf gives the text of the first finding with a code.
func textOf(plan plugins.Plan, code finding.Code) string {
	for _, f := range append(append([]finding.Finding(nil), plan.Decision.Findings...), plan.Findings...) {
		if f.Code == code {
			return f.Text
		}
	}
	return ""
}

// What a person is told in the cases.
func TestCaseTexts(t *testing.T) {
	tests := []struct {
		file string
		code finding.Code
		says string
	}{
		{"case12.mqt", finding.MediaNotMoving, "QM1: the media point is 57 extents behind the one being written (S0000000.LOG, MEDIALOG"},
		{"case12.mqt", finding.MediaNotMoving, "no run has seen it elsewhere, and the log was begun at 2026-01-10T08:00:00+01:00 (137 days)"},
		{"case12.mqt", finding.PinnedByQueue, "QM1: the media point stays at S0000000.LOG for queue ORDERS.PARKED (depth 418)"},
		{"case12.mqt", finding.NeverImaged, "QM1: no media image since the oldest extent: ORDERS.PARKED (depth 418)"},
		{"case12_automatic.mqt", finding.ManagerRemoves, "QM1: LogManagement=Automatic: the queue manager removes and reuses extents itself, and the strategy conservative changes nothing about that"},
		{"case13_replicated.mqt", finding.ManagerRemoves, "the log is REPLICATED"},
		{"case18.mqt", finding.PinnedByUnit, "QM1: the restart point stays at S0000112.LOG for unit of work of connection 414D5143514D3120 (payments.batch, started 2026-05-27 21.14.03)"},
		{"case36.mqt", finding.ManagerRemoves, "LogManagement=Archive: the queue manager removes and reuses extents itself once they are superfluous and reported to it as archived, and the strategy"},
		{"case36.mqt", finding.StoreNotConfigured, "QM1: the queue manager waits for word that 3 of its extents are archived, and the task names no store"},
	}
	for _, test := range tests {
		if got := textOf(planOn(t, openCase(t, test.file), bundled[0], nil), test.code); !strings.Contains(got, test.says) {
			t.Errorf("%s %s:\n got %s\nwant %s", test.file, test.code, got, test.says)
		}
	}
}
