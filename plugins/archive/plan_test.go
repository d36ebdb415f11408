package archive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins/schema"
)

const (
	minute = time.Minute
	day    = 24 * time.Hour
)

// What the schema documents can be set, and what it lacks can't.
func TestDescribe(t *testing.T) {
	d := Plugin{Version: "1.2.3"}.Describe()
	if d.Name != Name || d.Version != "1.2.3" || !strings.HasSuffix(d.Doc, ".") || !slices.Equal(d.Platforms, []observe.Platform{observe.Multiplatforms}) {
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
	if err != nil || config.Int("behind") != 20 || config.Duration("not_moving") != 7*day || config.Int("file_system_percent") != 80 ||
		config.Int("log_percent") != 80 || config.Bool("record_images") || config.Int("images_when_behind") != 2 ||
		config.Int("images_leave_free") != 10 || config.Duration("images_within") != time.Hour {
		t.Errorf("defaults %+v, %v", config.Settings(), err)
	}
	for _, wrong := range []map[string]any{{"behind": int64(0)}, {"not_moving": minute - 1}, {"keep": int64(3)}, {"behind": "20"},
		{"file_system_percent": int64(101)}, {"log_percent": int64(0)}, {"images_when_behind": int64(0)}, {"images_leave_free": int64(91)}, {"images_within": day + 1}} {
		if _, err := schema.New(d.Schema, wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// asked notes the languages of all questions of a plan, and that each is a
// display.
type asked struct {
	played
	t         *testing.T
	languages map[observe.Language]bool
}

func (a asked) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	a.languages[q.Language] = true
	if q.Language == observe.MQSC || q.Language == observe.CTL {
		if class, _, err := observe.Classify(q.Language, q.Text); class != observe.Display || err != nil {
			a.t.Errorf("%s is asked, which is %s, %v", q, class, err)
		}
	}
	return a.played.Ask(ctx, q)
}

// The plugin asks in no language that Describe does not name, and nothing but
// displays: the host would refuse it.
func TestLanguagesAreDescribed(t *testing.T) {
	for _, file := range []string{"images.mqt", "case12.mqt", "case36.mqt", "case24_missing.mqt"} {
		script := openCase(t, file)
		config, err := schema.New(Plugin{}.Describe().Schema, map[string]any{"behind": int64(1), "record_images": true})
		if err != nil {
			t.Fatal(err)
		}
		host := asked{played{script.Player()}, t, map[observe.Language]bool{}}
		request := bundled[1]
		request.Target, request.Config, request.Round = script.Targets()[0], config, 1
		plan, err := Plugin{}.Plan(t.Context(), request, host)
		if err != nil {
			t.Fatal(err)
		}
		d := Plugin{}.Describe()
		for language := range host.languages {
			if !slices.Contains(d.Languages, language) {
				t.Errorf("%s is asked in and not described", language)
			}
		}
		for _, a := range plan.Actions {
			if !slices.Contains(d.Actions, a.Kind) {
				t.Errorf("%s is planned and not described", a.Kind)
			}
		}
	}
}

// What could not be learned is reported, and once, and nothing is planned.
func TestOpenFindingsAreReported(t *testing.T) {
	plan := planOn(t, openCase(t, "case24_missing.mqt"), bundled[0], nil)
	count := 0
	for _, f := range append(slices.Clone(plan.Decision.Findings), plan.Findings...) {
		if f.Code == finding.LogKindUnknown {
			count++
		}
	}
	if count != 1 || len(plan.Actions) > 0 {
		t.Errorf("%d times, %d actions", count, len(plan.Actions))
	}
}

// A context that has ended is an error, never half a plan.
func TestPlanIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	script := openCase(t, "case17.mqt")
	request := bundled[0]
	request.Target = script.Targets()[0]
	if plan, err := (Plugin{}).Plan(ctx, request, played{script.Player()}); err == nil {
		t.Errorf("%+v", plan)
	}
}

// Before and after the wrap the plan is the same: it does not depend on where
// the numbers are.
func TestSamePlanAtTheWrap(t *testing.T) {
	before := steps(planOn(t, openCase(t, "case17.mqt"), bundled[1], nil))
	text := fileText(t, "case17.mqt")
	var renamed []string
	for line := range strings.Lines(text) {
		for n := range 9 {
			old, moved := observe.ExtentName(9999995+n), observe.ExtentName(500+n)
			line = strings.ReplaceAll(line, old, moved)
		}
		renamed = append(renamed, line)
	}
	after := steps(planOn(t, parse(t, strings.Join(renamed, "")), bundled[1], nil))
	var numbers []string
	for n := range 9 {
		numbers = append(numbers, " "+digitsOf(9999995+n), " "+digitsOf(500+n))
	}
	if moved := strings.NewReplacer(numbers...).Replace(before); moved != after || after == "" {
		t.Errorf("\n before %s\n  after %s", moved, after)
	}
}

// Nor do the findings, which tell of the same log wherever its numbers are: also
// with a point in the extent of number 0.
func TestSameFindingsAtTheWrap(t *testing.T) {
	const first, last = 100, 130
	text := fileText(t, "case18.mqt")
	shifted := func(by int) *transcript.Transcript {
		var names []string
		for n := first; n <= last; n++ {
			names = append(names, observe.ExtentName(n), observe.ExtentName(n+by))
		}
		return parse(t, strings.NewReplacer(names...).Replace(text))
	}
	told := func(by int) (list []string) {
		var back []string
		for n := first; n <= last; n++ {
			back = append(back, observe.ExtentName(n+by), observe.ExtentName(n))
		}
		for _, f := range planOn(t, shifted(by), bundled[0], nil).Findings {
			list = append(list, string(f.Code)+" "+strings.NewReplacer(back...).Replace(f.Text))
		}
		return list
	}
	want := told(0)
	if len(want) == 0 {
		t.Fatal("nothing is found: this shows nothing")
	}
	rapid.Check(t, func(rt *rapid.T) {
		by := rapid.OneOf(rapid.IntRange(10_000_000-last, 10_000_000-first), rapid.IntRange(0, 9_999_999)).Draw(rt, "shift")
		if got := told(by); !slices.Equal(got, want) {
			rt.Fatalf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func digitsOf(number int) string { return observe.ExtentName(number)[5:8] }
