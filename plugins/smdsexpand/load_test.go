package smdsexpand

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/plugintest"
)

// noting counts the questions that it hands on.
type noting struct {
	observe.Asker
	mu    sync.Mutex
	asked map[observe.Question]int
}

func (n *noting) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	n.mu.Lock()
	n.asked[q]++
	n.mu.Unlock()
	return n.Asker.Ask(ctx, q)
}

// Looking is no load: each fact is asked for once, of DISPLAY USAGE only the type
// SMDS, and of each structure two questions (trap 32).
func TestQuestions(t *testing.T) {
	asker, target := asking(t, example(t))
	n := &noting{Asker: asker, asked: map[observe.Question]int{}}
	planOf(t, n, target, nil)
	languages := Plugin{}.Describe().Languages
	var texts []string
	for q, times := range n.asked {
		if times != 1 {
			t.Errorf("asked %d times: %s", times, q)
		}
		if !slices.Contains(languages, q.Language) {
			t.Errorf("%s is in no language that is described", q)
		}
		if q.Language == observe.MQSC {
			texts = append(texts, q.QueueManager+" "+q.Text)
		}
	}
	slices.Sort(texts)
	want := []string{
		"QSG1 DISPLAY CFSTATUS(*) TYPE(BACKUP)", "QSG1 DISPLAY CFSTATUS(*) TYPE(SMDS)", "QSG1 DISPLAY CFSTATUS(*) TYPE(SUMMARY)",
		"QSG1 DISPLAY CFSTRUCT(*) ALL", "QSG1 DISPLAY GROUP",
		"QSG1 DISPLAY SMDS(*) CFSTRUCT(APPSTR1) ALL", "QSG1 DISPLAY SMDS(*) CFSTRUCT(CSQSYSAPPL) ALL",
		"QSG1 DISPLAY SMDSCONN(*) CFSTRUCT(APPSTR1) CMDSCOPE(*)", "QSG1 DISPLAY SMDSCONN(*) CFSTRUCT(CSQSYSAPPL) CMDSCOPE(*)",
		"QSG1 DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)",
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
}

// However a group prints its answers, the plan is the same.
func TestLayouts(t *testing.T) {
	g := qsgtest.Make(7, qsgtest.Size{Members: 3, Structures: 3, Days: 6})
	first := planWith(t, string(qsgtest.Write(g, qsgtest.CommandServer)), nil)
	if len(first.Objects) != 12 {
		t.Fatalf("%d objects", len(first.Objects))
	}
	for _, layout := range qsgtest.Layouts() {
		plan := planWith(t, string(qsgtest.Write(g, layout)), nil)
		if diff := cmp.Diff(first.Objects, plan.Objects); diff != "" {
			t.Errorf("%s: %s", layout, diff)
		}
		if diff := cmp.Diff(first.Findings, plan.Findings); diff != "" {
			t.Errorf("%s: %s", layout, diff)
		}
	}
}

// What every plugin does.
func TestConforms(t *testing.T) {
	script, err := transcript.Parse("qsg1.mqt", strings.NewReader(example(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	plugintest.Conform(t, Plugin{Version: "1"}, plugintest.Options{
		Transcript: script, Tree: t.TempDir(),
		Settings: map[string]any{"alter_buffers": true, "expand_again": []string{"APPSTR1/QMA1"}},
	})
}

// The largest group that is asked for: 32 members, 63 structures, 90 days.
func largest(tb testing.TB) (*transcript.Transcript, observe.Target) {
	tb.Helper()
	g := qsgtest.Make(1, qsgtest.Size{Members: 32, Structures: 63, Days: 90})
	script, err := transcript.Parse("group.mqt", strings.NewReader(string(qsgtest.Write(g, qsgtest.CommandServer))), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return script, script.Targets()[0]
}

// No plan of a large group is larger than a host takes, and each of its data sets
// is told.
func TestLarge(t *testing.T) {
	g := qsgtest.Make(1, qsgtest.Size{Members: 12, Structures: 20, Days: 5, Archives: 5})
	plan := planWith(t, string(qsgtest.Write(g, qsgtest.CommandServer)), map[string]any{"pictures": int64(100)})
	if len(plan.Objects) != 20*12+20 || len(plan.Pictures) > 200 || plugins.CheckPictures(plan.Pictures) != nil {
		t.Errorf("%d objects, %d pictures", len(plan.Objects), len(plan.Pictures))
	}
	forecasts := 0
	for _, o := range plan.Objects {
		if strings.Contains(o.Facts["forecast"], "nine in ten times") {
			forecasts++
		}
	}
	if forecasts == 0 || forecasts > mostForecasts {
		t.Errorf("%d forecasts", forecasts)
	}
}

func BenchmarkLargest(b *testing.B) {
	script, target := largest(b)
	runtime.GC()
	b.ReportAllocs()
	for b.Loop() {
		planOf(b, script.Player(), target, nil)
	}
}

// Beside reading the facts a plan takes little.
func BenchmarkView(b *testing.B) {
	script, target := largest(b)
	g, err := qsg.Read(b.Context(), script.Player(), target, wanted)
	if err != nil {
		b.Fatal(err)
	}
	c := usual(b)
	for b.Loop() {
		v := viewOf(b.Context(), &g, c)
		_ = findings(&g, v, c)
		_, _ = objects(v, c), pictures(&g, v, c)
	}
}

// A plan that is no longer wanted ends.
func TestCancelled(t *testing.T) {
	asker, target := asking(t, example(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	cancel()
	if _, err := (Plugin{}).Plan(ctx, request(t, target, nil), played{asker}); err == nil {
		t.Error("it planned on")
	}
}
