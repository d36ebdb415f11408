package smdsexpand

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// played answers from a transcript, as a host does.
type played struct{ observe.Asker }

func (played) Progress(int64, int64, string) {}
func (played) Log() *slog.Logger             { return slog.New(slog.DiscardHandler) }

// example is the transcript of the folder examples.
func example(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "qsg1.mqt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edit replaces a text wherever it stands, which must be somewhere.
func edit(t *testing.T, text string, oldNew ...string) string {
	t.Helper()
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("%q does not stand in the transcript", oldNew[i])
		}
		text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
	}
	return text
}

// asking gives an asker and the target of a transcript.
func asking(tb testing.TB, text string) (observe.Asker, observe.Target) {
	tb.Helper()
	script, err := transcript.Parse("qsg1.mqt", strings.NewReader(text), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return script.Player(), script.Targets()[0]
}

// planWith plans with settings.
func planWith(tb testing.TB, text string, settings map[string]any) plugins.Plan {
	tb.Helper()
	asker, target := asking(tb, text)
	return planOf(tb, asker, target, settings)
}

func planOf(tb testing.TB, asker observe.Asker, target observe.Target, settings map[string]any) plugins.Plan {
	tb.Helper()
	plan, err := Plugin{}.Plan(tb.Context(), request(tb, target, settings), played{asker})
	if err != nil {
		tb.Fatal(err)
	}
	return plan
}

func request(tb testing.TB, target observe.Target, settings map[string]any) plugins.Request {
	tb.Helper()
	config, err := schema.New(Plugin{}.Describe().Schema, settings)
	if err != nil {
		tb.Fatal(err)
	}
	return plugins.Request{Target: target, Config: config}
}

// said gives the texts of a code, without the group's name.
func said(plan plugins.Plan, code finding.Code) []string {
	var texts []string
	for _, f := range plan.Findings {
		if f.Code == code {
			texts = append(texts, strings.TrimPrefix(f.Text, "QSG1: "))
		}
	}
	return texts
}

func object(tb testing.TB, plan plugins.Plan, kind, name, owner string) plugins.Object {
	tb.Helper()
	for _, o := range plan.Objects {
		if o.Kind == kind && o.Name == name && o.Owner == owner {
			return o
		}
	}
	tb.Fatalf("no %s %s of %q", kind, name, owner)
	return plugins.Object{}
}
