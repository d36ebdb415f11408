package cfbackup

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/plugintest"
	"github.com/mqhk/mqhk/plugins/schema"
)

// The plugin keeps what every plugin has to.
func TestConform(t *testing.T) {
	plugintest.Conform(t, Plugin{Version: "1"}, plugintest.Options{
		Transcript: parse(t, exampleText(t)), Tree: t.TempDir(), Settings: dedicated(map[string]any{"recovery_set": true}),
	})
}

// What the schema documents can be set, and what it lacks can't.
func TestDescribe(t *testing.T) {
	d := Plugin{Version: "1.2.3"}.Describe()
	if d.Name != Name || d.Version != "1.2.3" || !slices.Equal(d.Platforms, []observe.Platform{observe.ZOS}) || !slices.Equal(d.Actions, []plugins.Kind{plugins.KindCommand}) {
		t.Errorf("%+v", d)
	}
	for _, f := range d.Schema.Fields {
		if f.Name == "" || !strings.HasSuffix(f.Doc, ".") || f.Default == nil {
			t.Errorf("%+v", f)
		}
	}
	for _, wrong := range []map[string]any{{"interval": 25 * time.Hour}, {"exclint": 29 * time.Second}, {"exclint": 601 * time.Second}, {"nearly_empty": int64(0)}, {"recover": true}} {
		if _, err := schema.New(d.Schema, wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// A window is two times of the day, over midnight too.
func TestWindow(t *testing.T) {
	for text, want := range map[string][3]bool{ // holds 21:59, 22:00, 04:59
		"22:00-05:00": {false, true, true}, "21:00-22:00": {true, false, false}, " 4:00 - 5:00 ": {false, false, true},
	} {
		w, err := parseWindow(text)
		got := [3]bool{w.holds(21*time.Hour + 59*time.Minute), w.holds(22 * time.Hour), w.holds(4*time.Hour + 59*time.Minute)}
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"22:00", "22-05", "22:00-22:00", "24:00-05:00", "night", "-"} {
		config, err := schema.New(Plugin{}.Describe().Schema, map[string]any{"window": text})
		if err != nil {
			t.Fatal(err)
		}
		complaints := Plugin{}.Check(t.Context(), plugins.Request{Config: config})
		if len(complaints) != 1 || complaints[0].Path != "window" {
			t.Errorf("%q: %v", text, complaints)
		}
	}
}

// asked counts questions, and notes which are no displays.
type asked struct {
	played
	t     *testing.T
	count map[observe.Question]int
}

func (a asked) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	a.count[q]++
	if class, _, err := observe.Classify(q.Language, q.Text); q.Language == observe.MQSC && (class != observe.Display || err != nil) {
		a.t.Errorf("%s is asked, which is %s, %v", q, class, err)
	}
	return a.played.Ask(ctx, q)
}

// Each question is asked once, is a display, and is in a language that Describe
// names; what is planned is described.
func TestQuestions(t *testing.T) {
	script := parse(t, exampleText(t))
	host := asked{played{script.Player()}, t, map[observe.Question]int{}}
	plan, err := Plugin{}.Plan(t.Context(), requestOn(t, script, dedicated(nil)), host)
	if err != nil || len(plan.Actions) != 2 {
		t.Fatalf("%+v, %v", plan.Actions, err)
	}
	d := Plugin{}.Describe()
	for q, n := range host.count {
		if n != 1 || !slices.Contains(d.Languages, q.Language) {
			t.Errorf("%d times: %s", n, q)
		}
	}
}

// A question that nobody answers is a finding; nothing is planned on a guess, and
// the answer is never yes.
func TestUnanswered(t *testing.T) {
	whole := exampleText(t)
	for _, head := range []string{
		"MQSC QSG1: DISPLAY CFSTRUCT(*) ALL", "MQSC QSG1: DISPLAY CFSTATUS(*) TYPE(BACKUP)", "JOB QMA1: CSQJU004", "JOB QMBK: CSQJU004",
		"DB2 QSG1: CSQ.ADMIN_B_STRBACKUP", "MQSC QSG1: DISPLAY GROUP",
	} {
		plan := planOn(t, strings.Replace(whole, ">>> "+head, ">>> ERROR "+head, 1), dedicated(nil))
		if plan.Objects[0].Verdict == "yes" || len(plan.Findings) == 0 {
			t.Errorf("%s: %s\n%s", head, plan.Objects[0].Verdict, shown(plan))
		}
	}
	plan := planOn(t, ">>> CLOCK 2026-05-28T02:00:00+02:00\n>>> QSG QSG1 zos\n>>> MEMBER QMA1 QSG1 active\n", dedicated(nil))
	if len(plan.Actions) > 0 || plan.Objects[0].Verdict != "not known" {
		t.Errorf("%s", shown(plan))
	}
}

// Every layout in which a group answers gives the same plan.
func TestLayouts(t *testing.T) {
	g := qsgtest.Make(7, qsgtest.Size{Members: 3, Structures: 4, Archives: 6})
	want := ""
	for _, layout := range qsgtest.Layouts() {
		plan := planOn(t, string(qsgtest.Write(g, layout)), dedicated(nil))
		got := plan.Objects[0].Verdict + " " + steps(plan)
		if want == "" {
			want = got
		}
		if got != want || !strings.HasPrefix(got, "yes QMBK: BACKUP") {
			t.Errorf("%s\n got %s\nwant %s\n%s", layout, got, want, codes(plan))
		}
	}
}

// The thresholds of a late backup.
func TestLate(t *testing.T) {
	for age, want := range map[time.Duration]finding.Code{
		time.Hour: "", 119 * time.Minute: "", 2 * time.Hour: finding.BackupLate, 23*time.Hour + 59*time.Minute: finding.BackupLate, day: finding.BackupDayOld,
	} {
		g := made()
		at(&g, 0, age)
		v := viewOf(t, &g, dedicated(nil))
		var got finding.Code
		for _, f := range v.findings(v.choose()) {
			if (f.Code == finding.BackupLate || f.Code == finding.BackupDayOld) && strings.Contains(f.Text, "APPSTR01") {
				got = f.Code
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", age, got, want)
		}
	}
}

// A context that has ended is an error, never half a plan; a single queue manager
// has nothing to back up.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	script := parse(t, exampleText(t))
	request := requestOn(t, script, dedicated(nil))
	if plan, err := (Plugin{}).Plan(ctx, request, played{script.Player()}); err == nil {
		t.Errorf("%+v", plan)
	}
	request.Target = observe.Target{Name: "QM01", Platform: observe.ZOS}
	plan, err := Plugin{}.Plan(t.Context(), request, played{script.Player()})
	if err != nil || len(plan.Actions)+len(plan.Findings)+len(plan.Objects) > 0 {
		t.Errorf("%+v, %v", plan, err)
	}
}

// The target names the member that takes the backups, the task overrides it.
func TestTargetNamesTheMember(t *testing.T) {
	g := made()
	v := viewOf(t, &g, nil)
	if v.request.Target.Backup = "QMA1"; v.dedicated() != "QMA1" {
		t.Error(v.dedicated())
	}
	v = viewOf(t, &g, dedicated(nil))
	if v.request.Target.Backup = "QMA1"; v.dedicated() != "QMBK" {
		t.Error(v.dedicated())
	}
}

// BenchmarkPlan plans the largest group that is asked for.
func BenchmarkPlan(b *testing.B) {
	text := string(qsgtest.Write(qsgtest.Make(1, qsgtest.Size{Members: 32, Structures: 63, Archives: 500}), qsgtest.CommandServer))
	script := parse(b, text)
	request := requestOn(b, script, map[string]any{"backup_queue_manager": "QMBK"})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Plugin{}).Plan(b.Context(), request, played{script.Player()}); err != nil {
			b.Fatal(err)
		}
	}
}
