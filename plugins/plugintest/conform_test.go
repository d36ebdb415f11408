package plugintest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// A good plugin passes every check, and each has something to look at.
func TestGoodPluginPasses(t *testing.T) {
	verdicts := Try(t.Context(), InMemory(sample{}), Options{Transcript: sampleScript(t), Tree: t.TempDir()})
	if len(verdicts) != len(Checks()) {
		t.Errorf("%d verdicts of %d checks", len(verdicts), len(Checks()))
	}
	for _, v := range verdicts {
		if v.State != Passed {
			t.Errorf("%s: %s %q %s", v.Check, v.State, v.Problems, v.Why)
		}
	}
}

// There is no check that can't fail: each fails for a plugin that is bad in
// one way, and says why.
func TestBadPluginsFail(t *testing.T) {
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, b := range badPlugins(tree) {
		tried[b.check] = true
		t.Run(b.check+"/"+b.name, func(t *testing.T) {
			i := slices.IndexFunc(Checks(), func(c Check) bool { return c.Name == b.check })
			if i < 0 {
				t.Fatal("there is no such check")
			}
			bench := &bench{subject: InMemory(b.plugin), options: Options{
				Transcript: sampleScript(t), Taken: []string{"journal"}, Tree: tree, Store: "vault", Limit: 500 * time.Millisecond,
			}}
			if b.check == "deadline" || b.check == "stop" {
				t.Parallel()
				bench.options.Limit = 10 * time.Second
			}
			verdict := bench.try(t.Context(), Checks()[0])
			if b.check != "start" {
				verdict = bench.try(t.Context(), Checks()[i])
			}
			if verdict.State != Failed || !strings.Contains(strings.Join(verdict.Problems, "\n"), b.says) {
				t.Errorf("%s %q %s, want it to fail with %q", verdict.State, verdict.Problems, verdict.Why, b.says)
			}
		})
	}
	for _, check := range Checks() {
		if !tried[check.Name] {
			t.Errorf("no plugin fails the check %s", check.Name)
		}
	}
}

// What can't be looked at is skipped, with the reason, and never passed.
func TestSkippedChecksSayWhy(t *testing.T) {
	verdicts := Try(t.Context(), InMemory(plain{}), Options{})
	skipped := map[string]string{}
	for _, v := range verdicts {
		if v.State == Failed {
			t.Errorf("%s: %q", v.Check, v.Problems)
		}
		if v.State == Skipped {
			skipped[v.Check] = v.Why
		}
	}
	for check, why := range map[string]string{
		"plan": "no transcript", "schema": "no settings", "questions": "asked nothing", "actions": "no plan had an action",
		"confirm": "no Confirm", "perform": "no Perform", "tree": "no directory", "findings": "no plan had a finding",
	} {
		if !strings.Contains(skipped[check], why) {
			t.Errorf("%s is skipped for %q, want %q", check, skipped[check], why)
		}
	}
	broken := Try(t.Context(), InMemory(sample{describe: func(*plugins.Description) { panic("no") }}), Options{})
	for _, v := range broken[1:] {
		if v.State != Skipped || v.Why != "it did not start" {
			t.Errorf("%s of a plugin that does not start: %s, %s", v.Check, v.State, v.Why)
		}
	}
}

// What stands behind a question is seen only where it is answered: without a
// transcript the checks that need it are skipped, and a plan in the order of a
// map is found out with one.
func TestChecksThatNeedAnswers(t *testing.T) {
	b := badPlans("")[slices.IndexFunc(badPlans(""), func(b bad) bool { return b.name == "map of two" })]
	speaking := sample{on: func(error) error { return nil }} // it plans whatever it is answered
	only := []string{"determinism", "questions", "one-answer-missing", "findings", "actions", "deadline"}
	const noTranscript = "there is no transcript, so no question was answered"
	for name, test := range map[string]struct {
		plugin  plugins.Plugin
		reasons map[string]string // where it is another one
	}{
		"behind a question": {b.plugin, map[string]string{
			"determinism": "no plan succeeded: not answered", "findings": "no plan had a finding", "actions": "no plan had an action",
		}},
		"whatever is answered": {speaking, map[string]string{"findings": "no plan had a finding"}},
	} {
		for _, v := range Try(t.Context(), InMemory(test.plugin), Options{Only: only})[1:] {
			if why := cmp.Or(test.reasons[v.Check], noTranscript); v.State != Skipped || !strings.Contains(v.Why, why) {
				t.Errorf("%s, no transcript: %s %s %q %q, want it skipped: %s", name, v.Check, v.State, v.Problems, v.Why, why)
			}
		}
	}
	for _, v := range Try(t.Context(), InMemory(b.plugin), Options{Transcript: sampleScript(t), Only: only})[1:] {
		if want := map[bool]State{true: Failed, false: Passed}[v.Check == "determinism"]; v.State != want {
			t.Errorf("with a transcript: %s %s %q %q", v.Check, v.State, v.Problems, v.Why)
		}
	}
}

// plain is the smallest plugin.
type plain struct{}

func (plain) Describe() plugins.Description {
	d := sample{}.Describe()
	d.Actions, d.Schema.Fields = nil, nil
	return d
}

func (plain) Plan(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
	return plugins.Plan{}, nil
}

func TestConform(t *testing.T) { Conform(t, sample{}, Options{Transcript: sampleScript(t)}) }

// A plugin of another language may not look at its settings again.
func TestSettingsThatAreNotLookedAt(t *testing.T) {
	for says, plan := range map[string]func() error{
		"setting percent: a value above its bounds is planned with":                         func() error { return nil },
		"setting tone: a word that is not listed is refused without the setting's name: no": func() error { return errors.New("no") },
	} {
		bench := &bench{subject: careless{plan}, options: Options{Transcript: sampleScript(t), Limit: time.Second}}
		bench.try(t.Context(), Checks()[0])
		verdict := bench.try(t.Context(), Checks()[3])
		if verdict.Check != "configuration" || verdict.State != Failed || !slices.Contains(verdict.Problems, says) {
			t.Errorf("%s is %s %q, want %q", verdict.Check, verdict.State, verdict.Problems, says)
		}
	}
}

// careless is a subject whose plans look at no setting.
type careless struct{ plan func() error }

func (c careless) Start(ctx context.Context, options StartOptions) (Running, error) {
	running, err := InMemory(unchecking{sample{}}).Start(ctx, options)
	return carelessly{running, c.plan}, err
}

// unchecking hides the Checker of a sample.
type unchecking struct{ plugins.Plugin }

type carelessly struct {
	Running
	plan func() error
}

func (c carelessly) Performs() bool { return true } // as the sample does

func (c carelessly) Plan(context.Context, plugins.Request, observe.Asker, Events) (plugins.Plan, error) {
	return plugins.Plan{}, c.plan()
}

// A plan is compared in the form in which maps have an order.
func TestCanonical(t *testing.T) {
	facts := map[string]string{}
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		facts[name] = name
	}
	first, err := canonical(plugins.Plan{Objects: []plugins.Object{{Facts: facts}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if again, err := canonical(plugins.Plan{Objects: []plugins.Object{{Facts: maps.Clone(facts)}}}); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

func TestTreeDiff(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("same", "a")
	write("changed", "a")
	write("gone", "a")
	before, err := ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	write("changed", "b")
	write("new", "")
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	after, err := ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := before.Diff(after)
	if len(got) != 3 || !strings.HasPrefix(got[0], "changed: was ") || got[1] != "gone: is gone" || got[2] != "new: is new" {
		t.Errorf("%q", got)
	}
	if same := before.Diff(before); same != nil {
		t.Errorf("nothing changed: %q", same)
	}
}
