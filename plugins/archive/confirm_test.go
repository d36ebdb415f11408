package archive

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// Images are confirmed by where the media point is, never by their acceptance.
func TestSeen(t *testing.T) {
	was := before{media: "S9999998.LOG", current: "S0000003.LOG"}
	stopped := finding.New(finding.NotThisHost, "QM1: STATUS(QUIESCING)")
	tests := []struct {
		name  string
		media string
		open  []finding.Finding
		state plugins.State
		says  string
	}{
		{"not yet", "S9999998.LOG", nil, plugins.Pending, "the media point is in S9999998.LOG; it was in S9999998.LOG when the images were planned, and S0000003.LOG was written"},
		{"where they began", "S0000003.LOG", nil, plugins.Done, "the media point is in S0000003.LOG"},
		{"later", "S0000005.LOG", nil, plugins.Done, "in S0000005.LOG"},
		{"moved, over the wrap, and not as far", "S0000001.LOG", nil, plugins.Done, "S0000003.LOG was written: some object has no new image"},
		{"went back", "S9999990.LOG", nil, plugins.Pending, "in S9999990.LOG"},
		{"not told", "", nil, plugins.Unknown, "the media point is not known"},
		{"ended", "S9999998.LOG", []finding.Finding{stopped}, plugins.Failed, "STATUS(QUIESCING)"},
		{"ended after them", "S0000003.LOG", []finding.Finding{stopped}, plugins.Done, "S0000003.LOG"},
		{"can't be read", "S0000003.LOG", []finding.Finding{finding.New(finding.NotAnswered, "QM1: nobody answered")}, plugins.Unknown, "nobody answered"},
		{"a warning", "S9999998.LOG", []finding.Finding{finding.New(finding.ForeignFiles, "QM1: core")}, plugins.Pending, "S9999998.LOG"},
	}
	for _, test := range tests {
		facts := observe.ExtentFacts{Log: observe.Log{Media: test.media}, Inventory: recovery.Inventory{Open: test.open}}
		got := was.seen(facts)
		if got.State != test.state || !strings.Contains(got.Evidence, test.says) || (got.After == points.AskAgain) != (test.state == plugins.Pending) {
			t.Errorf("%s: %+v, want %s: %s", test.name, got, test.state, test.says)
		}
	}
}

// goodImages is the action of a plan.
func goodImages(t *testing.T) plugins.Action {
	t.Helper()
	v := decide(logOf(101, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Current), configured(t, nil))
	return v.imageAction("because")
}

// nobody answers nothing.
type nobody struct{}

func (nobody) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if ctx.Err() != nil {
		return observe.Answer{}, ctx.Err()
	}
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

// Only commands of the plugin, with what it gave them, are confirmed.
func TestConfirmRefuses(t *testing.T) {
	for name, change := range map[string]func(*plugins.Action){
		"a delete":           func(a *plugins.Action) { a.Kind = plugins.KindDelete },
		"another command":    func(a *plugins.Action) { a.Command.Text = `rcrmqobj -m QM1 -t all "*"` },
		"no command":         func(a *plugins.Action) { a.Command.Text = "" },
		"more than a word":   func(a *plugins.Action) { a.Command.Text = "rcdmqimg; rm" },
		"no items":           func(a *plugins.Action) { a.Items = nil },
		"no media point":     func(a *plugins.Action) { a.Items = a.Items[1:] },
		"no extent":          func(a *plugins.Action) { a.Items = append(slices.Clone(a.Items), "current S000013.LOG") },
		"an extent of reuse": func(a *plugins.Action) { a.Items = append(slices.Clone(a.Items), "media R0000130.LOG") },
	} {
		action := goodImages(t)
		change(&action)
		if result, err := (Plugin{}).Confirm(t.Context(), action, played{nobody{}}); err == nil || !strings.Contains(err.Error(), action.ID) {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	if result, err := (Plugin{}).Confirm(t.Context(), goodImages(t), played{nobody{}}); err != nil || result.State != plugins.Unknown || result.Action != "command-1" {
		t.Errorf("nobody answers: %+v, %v", result, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Plugin{}).Confirm(ctx, goodImages(t), played{nobody{}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is noted in an action is read again as it was.
func TestBeforeReadsWhatItWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := func(label string) string { return observe.ExtentName(rapid.IntRange(0, 9999999).Draw(t, label)) }
		b := before{media: name("media"), current: name("current"), zone: rapid.SampledFrom([]string{"", "Europe/Berlin"}).Draw(t, "zone")}
		got, err := readBefore(b.items())
		if err != nil || got != b {
			t.Fatalf("%+v is read as %+v, %v", b, got, err)
		}
	})
}

// Items come back from a ledger, so anything may stand in them.
func FuzzReadBefore(f *testing.F) {
	f.Add("media S0000104.LOG\ncurrent S0000130.LOG\nzone Europe/Berlin")
	f.Add("media s0000104.log\ncurrent")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := readBefore(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		if again, err := readBefore(b.items()); err != nil || again != b {
			t.Errorf("%+v is read as %+v, %v", b, again, err)
		}
	})
}

// An exit code is explained where it is known, and told as it is where not.
func TestExitMeaning(t *testing.T) {
	for answer, want := range map[string]string{
		"exit code 28":                            "an object is not media recoverable",
		"rcdmqimg: exit code 68":                  "media recovery is not supported: the log is not linear",
		"AMQ7084E: damaged\nexit code 132\n":      "an object is damaged",
		"exit code 119 (QM1)":                     "the user is not authorised",
		"exit code 7":                             "",
		"exit code 1280":                          "",
		"exit code 99999999999999999999999999999": "",
		"exit codes":                              "",
		"":                                        "",
	} {
		if got := exitMeaning(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}
