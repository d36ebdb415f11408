package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

const (
	minute = time.Minute
	day    = 24 * time.Hour
)

// orders is a transcript of a queue manager with six receivers, of which the
// media point needs the third and the restart point the fifth.
const orders = `>>> CLOCK 2026-05-28T02:00:00+02:00
>>> QMGR QM1 ibmi
>>> SQL QM1: QSYS2.JOURNAL_INFO
JOURNAL_NAME,JOURNAL_LIBRARY,JOURNAL_TYPE,ATTACHED_JOURNAL_RECEIVER_NAME,MESSAGE_QUEUE,MESSAGE_QUEUE_LIBRARY,DELETE_RECEIVER_OPTION,RECEIVER_MAXIMUM_SIZE,NUMBER_JOURNAL_RECEIVERS,NUMBER_REMOTE_JOURNALS
AMQAJRN,QMQM1,LOCAL,AMQA000006,QSYSOPR,QSYS,NO,MAXOPT2,6,0
>>> USRSPC QM1: QMQM1/AMQJRNINF
AMQA000003QMQM1     20260527123000000
>>> MQSC QM1: DISPLAY QMSTATUS
QMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA000005) MEDIALOG(AMQA000003)
>>> MQSC QM1: DISPLAY CONN
CONN(A1B2) APPLTAG(order.exe) UOWLOG(AMQA000005) UOWLOGDA(2026-05-27) UOWLOGTI(14.30.00)
>>> MQSC QM1: DISPLAY QSTATUS
QUEUE(DEEP.Q) CURDEPTH(500) MEDIALOG(AMQA000003)
>>> SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO
JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS,SIZE,ATTACH_TIMESTAMP,DETACH_TIMESTAMP,FIRST_SEQUENCE_NUMBER,LAST_SEQUENCE_NUMBER
QMQM1,AMQA000001,SAVED,100,2026-05-27-10.00.00,2026-05-27-11.00.00,1,100
QMQM1,AMQA000002,ONLINE,100,2026-05-27-11.00.00,2026-05-27-12.00.00,101,200
QMQM1,AMQA000003,ONLINE,100,2026-05-27-12.00.00,2026-05-27-13.00.00,201,300
QMQM1,AMQA000004,SAVED,100,2026-05-27-13.00.00,2026-05-27-14.00.00,301,400
QMQM1,AMQA000005,SAVED,100,2026-05-27-14.00.00,2026-05-27-15.00.00,401,500
QMQM1,AMQA000006,ATTACHED,100,2026-05-27-15.00.00,,501,600
`

// edit replaces a text that must stand in the transcript.
func edit(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q does not stand in the transcript", old)
	}
	return strings.Replace(text, old, replacement, 1)
}

// planText plans the first target of a transcript in a text.
func planText(t *testing.T, text string, promise recovery.Promise, settings map[string]any) plugins.Plan {
	t.Helper()
	script, err := transcript.Parse("orders.mqt", strings.NewReader(text), func(name string) ([]byte, error) {
		return nil, errors.New("no file beside it: " + name)
	})
	if err != nil {
		t.Fatal(err)
	}
	config, err := schema.New(Plugin{}.Describe().Schema, settings)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Plugin{}.Plan(t.Context(), plugins.Request{
		Target: script.Targets()[0], Promise: promise, Config: config, Store: "vault",
	}, played{script.Player()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A receiver is saved before it goes, and goes when the one before it has
// gone (case 9).
func TestActions(t *testing.T) {
	tests := []struct {
		name    string
		promise recovery.Promise
		want    string
	}{
		{"conservative, unsaved held", recovery.Promise{Strategy: recovery.Conservative}, "delete-1 001"},
		{"conservative, unsaved let go", recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved},
			"delete-1 001; delete-2 002 after delete-1"},
		{"fast-startup", recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved},
			"delete-1 001; archive-2 002 to vault; delete-3 002 after archive-2 delete-1; archive-4 003 to vault; delete-5 003 after archive-4 delete-3; " +
				"archive-6 004 to vault; delete-7 004 after archive-6 delete-5"},
		{"nothing goes", recovery.Promise{}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := planText(t, orders, test.promise, nil)
			var got []string
			seen := map[string]bool{}
			for _, a := range plan.Actions {
				text := a.ID + " " + a.Segment.Name[7:]
				if a.Store != "" {
					text += " to " + a.Store
				}
				if len(a.After) > 0 {
					text += " after " + strings.Join(a.After, " ")
				}
				got = append(got, text)
				checkAction(t, a, plan, seen)
				seen[a.ID] = true
			}
			if s := strings.Join(got, "; "); s != test.want {
				t.Errorf("\n got %s\nwant %s", s, test.want)
			}
		})
	}
}

// checkAction holds what is so of every action: it is of a segment of the
// plan as it was observed, of a kind that Describe names, and starts after
// earlier ones only.
func checkAction(t *testing.T, a plugins.Action, plan plugins.Plan, seen map[string]bool) {
	t.Helper()
	manager := plan.Decision.Managers[0]
	i := slices.IndexFunc(manager.Inventory.Segments, func(s recovery.Segment) bool { return s.ID == a.Segment })
	if i < 0 || !manager.Verdicts[i].Kind.Goes() {
		t.Fatalf("%s acts on %s", a.ID, a.Segment)
	}
	if a.Fingerprint == "" || a.Fingerprint != manager.Inventory.Segments[i].Fingerprint || a.Reason != manager.Verdicts[i].Why ||
		a.Object != a.Segment.String() || a.QueueManager != "QM1" || seen[a.ID] || a.Command != (plugins.Command{}) {
		t.Errorf("%+v", a)
	}
	for _, id := range a.After {
		if !seen[id] {
			t.Errorf("%s waits for %s, which is not before it", a.ID, id)
		}
	}
	if !slices.Contains(Plugin{}.Describe().Actions, a.Kind) {
		t.Errorf("%s is of kind %s, which Describe does not name", a.ID, a.Kind)
	}
}

// What the schema documents can be set, and what it lacks can't.
func TestDescribe(t *testing.T) {
	d := Plugin{Version: "1.2.3"}.Describe()
	if d.Name != Name || d.Version != "1.2.3" || !strings.HasSuffix(d.Doc, ".") || !slices.Equal(d.Platforms, []observe.Platform{observe.IBMi}) {
		t.Errorf("%+v", d)
	}
	for _, language := range d.Languages {
		if !language.Known() {
			t.Errorf("language %s", language)
		}
	}
	for _, f := range d.Schema.Fields {
		if f.Name == "" || !strings.HasSuffix(f.Doc, ".") || f.Default == nil || f.Kind != schema.Bool && f.Min >= f.Max {
			t.Errorf("%+v", f)
		}
	}
	config, err := schema.New(d.Schema, nil)
	if err != nil || config.Int("behind") != 20 || config.Duration("not_moving") != 7*day || config.Int("long_chain") != 200 ||
		config.Bool("record_images") || config.Int("images_when_behind") != 2 || config.Int("images_leave_free") != 10 || config.Duration("images_within") != 60*minute {
		t.Errorf("defaults %+v, %v", config.Settings(), err)
	}
	for _, wrong := range []map[string]any{{"behind": int64(0)}, {"long_chain": int64(1)}, {"not_moving": minute - 1}, {"keep": int64(3)}, {"behind": "20"},
		{"images_when_behind": int64(1)}, {"images_leave_free": int64(0)}, {"images_leave_free": int64(91)}, {"images_within": day + 1}} {
		if _, err := schema.New(d.Schema, wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// asked notes the languages of all questions of a plan.
type asked struct {
	played
	languages map[observe.Language]bool
}

func (a asked) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	a.languages[q.Language] = true
	return a.played.Ask(ctx, q)
}

// The plugin asks in no language that Describe does not name: the host would
// refuse it.
func TestLanguagesAreDescribed(t *testing.T) {
	for _, text := range []string{orders, textOf(t, "images.mqt")} {
		script, err := transcript.Parse("orders.mqt", strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		config, err := schema.New(Plugin{}.Describe().Schema, map[string]any{"behind": int64(1), "record_images": true})
		if err != nil {
			t.Fatal(err)
		}
		host := asked{played{script.Player()}, map[observe.Language]bool{}}
		_, err = Plugin{}.Plan(t.Context(), plugins.Request{Target: script.Targets()[0], Promise: recovery.Promise{Strategy: recovery.Conservative}, Config: config}, host)
		if err != nil {
			t.Fatal(err)
		}
		for language := range host.languages {
			if !slices.Contains(Plugin{}.Describe().Languages, language) {
				t.Errorf("%s is asked in and not described", language)
			}
		}
	}
}

// Systems without the SQL services, or without a column, are noticed: one
// finding that names the question, exit code by its severity, no action.
func TestServicesMissing(t *testing.T) {
	for name, text := range map[string]string{
		"no JOURNAL_INFO":          edit(t, orders, ">>> SQL QM1: QSYS2.JOURNAL_INFO\n", ">>> ERROR SQL QM1: QSYS2.JOURNAL_INFO\nSQL0204 JOURNAL_INFO in QSYS2 type *FILE not found.\n"),
		"no JOURNAL_RECEIVER_INFO": edit(t, orders, ">>> SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO\n", ">>> ERROR SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO\n[SQL0204] JOURNAL_RECEIVER_INFO in QSYS2 type *FILE not found.\n"),
		"a column is refused":      edit(t, orders, ">>> SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO\n", ">>> ERROR SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO\nSQL0206 Column or global variable ATTACH_TIMESTAMP not found.\n"),
		"a column is missing":      edit(t, orders, "ATTACH_TIMESTAMP,", "ATTACHED,"),
	} {
		for _, strategy := range []recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive} {
			plan := planText(t, text, recovery.Promise{Strategy: strategy}, nil)
			missing := slices.IndexFunc(plan.Findings, func(f finding.Finding) bool {
				return f.Code == finding.ServiceMissing && f.Severity == finding.Critical && strings.Contains(f.Text, "QSYS2.JOURNAL_")
			})
			if missing < 0 || len(plan.Actions) > 0 {
				t.Errorf("%s, %s: %d actions, %v", name, strategy, len(plan.Actions), plan.Findings)
			}
		}
	}
}

// A receiver that was saved while it was attached, or in the second of its
// detach, is not saved: it waits, and all behind it (reference, IBM i, trap 16).
func TestSavedWhileAttached(t *testing.T) {
	text := textOf(t, "images.mqt")
	for _, saved := range []string{"2026-05-19-17.00.00", "2026-05-19-18.00.00", ""} {
		plan := planText(t, edit(t, text, "2026-05-19-18.00.00,2026-05-20-01.00.00", "2026-05-19-18.00.00,"+saved), recovery.Promise{Strategy: recovery.Conservative}, nil)
		if got := verdicts(plan); got != "043 hold, 044-050 keep" || !strings.Contains(codes(plan), "not-saved save-doubtful") || len(plan.Actions) > 0 {
			t.Errorf("%q: %s, %s", saved, got, codes(plan))
		}
	}
}

// What could not be learned is reported, and once.
func TestOpenFindingsAreReported(t *testing.T) {
	plan := planText(t, edit(t, orders, "AMQA000003QMQM1     2026", "AMQA000003QMQM1     20x6"), recovery.Promise{Strategy: recovery.Conservative}, nil)
	count := 0
	for _, f := range append(plan.Findings, plan.Decision.Findings...) {
		if f.Code == finding.MarkUnreadable {
			count++
		}
	}
	if count != 1 || len(plan.Actions) > 0 {
		t.Errorf("%d times, %d actions", count, len(plan.Actions))
	}
}

// A long chain keeps its order in the actions: each waits for the one before.
func TestActionsOfALongChain(t *testing.T) {
	manager := recovery.ManagerDecision{}
	for i := range 300 {
		manager.Inventory.Segments = append(manager.Inventory.Segments, recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Library: "L", Name: fmt.Sprintf("AMQA%06d", i)}, Fingerprint: "f"})
		manager.Verdicts = append(manager.Verdicts, recovery.Verdict{Kind: recovery.Delete})
	}
	steps := actions(manager, plugins.Request{})
	for i, step := range steps {
		if i > 0 && (len(step.After) != 1 || step.After[0] != steps[i-1].ID) {
			t.Fatalf("%+v", step)
		}
	}
}
