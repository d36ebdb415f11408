package plugintest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// sample is a plugin that passes every check; each field that is set spoils it.
type sample struct {
	describe func(*plugins.Description)
	plan     func(context.Context, plugins.Request, plugins.Host, *plugins.Plan) error
	check    func(plugins.Request) []plugins.Complaint
	confirm  func(plugins.Action) (plugins.Result, error)
	perform  func(context.Context, plugins.Action, plugins.Hands) (plugins.Result, error)
	on       func(err error) error // what is made of a question's error
}

func (s sample) Describe() plugins.Description {
	d := plugins.Description{
		Name: "sample", Version: "1.0.0", Doc: "Tells how deep queues are.",
		Platforms: []observe.Platform{observe.Multiplatforms},
		Languages: []observe.Language{observe.MQSC},
		Actions:   []plugins.Kind{plugins.KindAlert, plugins.KindCommand, plugins.KindCustom},
		Schema: schema.Schema{Doc: "When a depth is a finding.", Fields: []schema.Field{
			{Name: "percent", Kind: schema.Int, Default: int64(80), Min: 1, Max: 100, Doc: "From which depth on."},
			{Name: "tone", Kind: schema.String, Default: "soft", OneOf: []string{"soft", "loud"}, Doc: "How it is said."},
			{Name: "every", Kind: schema.Duration, Doc: "How often."},
			{Name: "queues", Kind: schema.Strings, Doc: "Which queues."},
			{Name: "quiet", Kind: schema.Bool, Doc: "Whether nothing is said."},
		}},
	}
	if s.describe != nil {
		s.describe(&d)
	}
	return d
}

func (s sample) Check(_ context.Context, request plugins.Request) []plugins.Complaint {
	if s.check != nil {
		return s.check(request)
	}
	return nil
}

func (s sample) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	var plan plugins.Plan
	for _, text := range []string{"DISPLAY QMSTATUS ALL", "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"} {
		answer, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: request.Target.Name, Text: text})
		if err != nil && s.on != nil {
			err = s.on(err)
		}
		if err != nil {
			return plan, err
		}
		if err := read(&plan, answer.Body); err != nil {
			return plan, err
		}
	}
	plan.Actions = []plugins.Action{
		{ID: "1", Kind: plugins.KindAlert, Object: "Q1", Reason: "It is deep."},
		{ID: "2", Kind: plugins.KindCommand, QueueManager: request.Target.Name, Object: "Q1", After: []string{"1"}, Reason: "It is deep.",
			Command: plugins.Command{Language: observe.MQSC, QueueManager: request.Target.Name, Text: "ALTER QLOCAL(Q1) MAXDEPTH(10)"}},
	}
	if s.plan != nil {
		if err := s.plan(ctx, request, host, &plan); err != nil {
			return plan, err
		}
	}
	return plan, ctx.Err()
}

func read(plan *plugins.Plan, body []byte) error {
	answer, err := mqsc.ParseAnswer(body)
	if err != nil {
		return err
	}
	for _, object := range answer.Objects {
		name, ok := object.Get("QUEUE")
		if !ok {
			continue
		}
		depth, _ := object.Get("CURDEPTH")
		plan.Objects = append(plan.Objects, plugins.Object{Kind: "queue", Name: name, Facts: map[string]string{"depth": depth}})
		plan.Findings = append(plan.Findings, finding.Finding{Severity: finding.Warning, Code: "queue-deep", Text: name + " has " + depth + "."})
	}
	return nil
}

func (s sample) Confirm(_ context.Context, action plugins.Action, _ plugins.Host) (plugins.Result, error) {
	if s.confirm != nil {
		return s.confirm(action)
	}
	return plugins.Result{}, fmt.Errorf("%s is no action of this plugin", action.ID)
}

func (s sample) Perform(ctx context.Context, action plugins.Action, hands plugins.Hands) (plugins.Result, error) {
	if s.perform != nil {
		return s.perform(ctx, action, hands)
	}
	return plugins.Result{}, fmt.Errorf("%s is no action of this plugin", action.ID)
}

const sampleTranscript = `
>>> CLOCK 2026-05-28T02:00:00+02:00
>>> QMGR QM1 multiplatforms
>>> MQSC QM1: DISPLAY QMSTATUS
QMNAME(QM1)  STATUS(RUNNING)
>>> MQSC QM1: DISPLAY QSTATUS
AMQ8450I: Display queue status details.
   QUEUE(Q1)  TYPE(QUEUE)  CURDEPTH(5)
AMQ8450I: Display queue status details.
   QUEUE(Q2)  TYPE(QUEUE)  CURDEPTH(6)
`

func sampleScript(t *testing.T) *transcript.Transcript {
	t.Helper()
	script, err := transcript.Parse("sample.mqt", strings.NewReader(sampleTranscript), nil)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func planning(do func(context.Context, plugins.Request, plugins.Host, *plugins.Plan) error) sample {
	return sample{plan: do}
}

func spoilt(do func(*plugins.Plan)) sample {
	return planning(func(_ context.Context, _ plugins.Request, _ plugins.Host, plan *plugins.Plan) error {
		do(plan)
		return nil
	})
}

func described(do func(*plugins.Description)) sample { return sample{describe: do} }

func field(do func(*schema.Field)) sample {
	return described(func(d *plugins.Description) { do(&d.Schema.Fields[0]) })
}

// bad is a plugin that fails one check, with a part of what is said of it.
type bad struct {
	check, name string
	plugin      plugins.Plugin
	says        string
}

func badPlugins(tree string) []bad {
	return slices.Concat(badDescriptions(), badPlans(tree), badAnswers(), badActions(), badEnds())
}

func badDescriptions() []bad {
	return []bad{
		{"start", "panics", described(func(*plugins.Description) { panic("who am I") }), "who am I"},
		{"start", "default of no kind", field(func(f *schema.Field) { f.Default = 80 }), "default of setting percent"},
		{"description", "name", described(func(d *plugins.Description) { d.Name = "Sample One" }), "lower-case"},
		{"description", "taken", described(func(d *plugins.Description) { d.Name = "journal" }), "ships with mqhk"},
		{"description", "version", described(func(d *plugins.Description) { d.Version = "" }), "version"},
		{"description", "doc", described(func(d *plugins.Description) { d.Doc = "" }), "it is empty"},
		{"description", "doc of two lines", described(func(d *plugins.Description) { d.Doc = "One.\nTwo." }), "more than one line"},
		{"description", "no platform", described(func(d *plugins.Description) { d.Platforms = nil }), "no platform"},
		{"description", "platform", described(func(d *plugins.Description) { d.Platforms = []observe.Platform{"tandem"} }), `"tandem" is not known`},
		{"description", "language", described(func(d *plugins.Description) { d.Languages = append(d.Languages, "COBOL") }), `"COBOL" is not known`},
		{"description", "language twice", described(func(d *plugins.Description) { d.Languages = append(d.Languages, observe.MQSC) }), "listed twice"},
		{"description", "action", described(func(d *plugins.Description) { d.Actions = append(d.Actions, "reboot") }), `"reboot" is not known`},
		{"description", "performs nothing", described(func(d *plugins.Description) { d.Actions = d.Actions[:2] }), "custom actions: false"},
		{"schema", "no doc", described(func(d *plugins.Description) { d.Schema.Doc = "" }), "Schema.Doc"},
		{"schema", "name", field(func(f *schema.Field) { f.Name = "Per-Cent" }), "lower-case"},
		{"schema", "twice", field(func(f *schema.Field) { f.Name = "tone" }), "there twice"},
		{"schema", "field without doc", field(func(f *schema.Field) { f.Doc = "" }), "setting percent, what it is for"},
		{"schema", "kind", field(func(f *schema.Field) { *f = schema.Field{Name: "percent", Doc: "None.", Kind: 77} }), "kind 77"},
		{"schema", "default of another kind", field(func(f *schema.Field) { f.Default = "80" }), "must be a number"},
		{"schema", "default outside", field(func(f *schema.Field) { f.Default = int64(101) }), "not between"},
		{"schema", "zero value outside", field(func(f *schema.Field) { f.Default = nil }), "give it a default"},
		{"schema", "bounds", field(func(f *schema.Field) { f.Min, f.Max = 90, 10 }), "wrong way round"},
		{"schema", "default and required", field(func(f *schema.Field) { f.Required = true }), "never used"},
		{"schema", "secret number", field(func(f *schema.Field) { f.Secret = true }), "only a string"},
		{"configuration", "refuses all", sample{check: func(plugins.Request) []plugins.Complaint {
			return []plugins.Complaint{{Path: "config.tone", Text: "is wrong"}}
		}}, "config.tone: is wrong"},
		{"configuration", "of nothing", sample{check: func(plugins.Request) []plugins.Complaint {
			return []plugins.Complaint{{Path: "config.pitch", Text: "is wrong"}}
		}}, "neither a setting"},
		{"configuration", "without a word", sample{check: func(plugins.Request) []plugins.Complaint { return []plugins.Complaint{{Path: "tone"}} }}, "without a word"},
		{"configuration", "panics", sample{check: func(plugins.Request) []plugins.Complaint { panic("settings") }}, "panic in Check"},
		{"configuration", "required", field(func(f *schema.Field) { f.Required, f.Default = true, nil }), "percent: must be set"},
	}
}

func badPlans(tree string) []bad {
	count := 0
	var flips atomic.Int64
	return []bad{
		{"plan", "fails", planning(func(context.Context, plugins.Request, plugins.Host, *plugins.Plan) error {
			return errors.New("not today")
		}), "not today"},
		{"plan", "panics", spoilt(func(plan *plugins.Plan) { plan.Objects[99].Name = "x" }), "panic in Plan"},
		{"plan", "hangs", planning(func(ctx context.Context, _ plugins.Request, _ plugins.Host, _ *plugins.Plan) error {
			<-ctx.Done()
			return ctx.Err()
		}), "deadline exceeded"},
		{"plan", "undescribed action", spoilt(func(plan *plugins.Plan) { plan.Actions[0].Kind = plugins.KindDelete }), `of kind "delete"`},
		{"determinism", "map of two", spoilt(func(plan *plugins.Plan) {
			objects := map[string]plugins.Object{}
			for _, o := range plan.Objects {
				objects[o.Name] = o
			}
			plan.Objects = nil
			for _, o := range objects {
				plan.Objects = append(plan.Objects, o)
			}
		}), "another one when it is made again"},
		{"determinism", "clock", spoilt(func(plan *plugins.Plan) { plan.Objects[0].Reason = time.Now().String() }), `"Reason"`},
		{"determinism", "state", planning(func(_ context.Context, r plugins.Request, _ plugins.Host, plan *plugins.Plan) error {
			lock <- struct{}{}
			defer func() { <-lock }()
			count++
			plan.Again = count > 50
			return nil
		}), `"Again": true`},
		{"determinism", "fails now and then", planning(func(context.Context, plugins.Request, plugins.Host, *plugins.Plan) error {
			if flips.Add(1)%7 == 0 {
				return errors.New("the seventh")
			}
			return nil
		}), "fails at one time and not at another: the seventh"},
		{"findings", "no slug", spoilt(func(plan *plugins.Plan) { plan.Findings[0].Code = "Queue deep" }), "no slug"},
		{"findings", "severity", spoilt(func(plan *plugins.Plan) { plan.Findings[0].Severity = 9 }), "severity"},
		{"findings", "no text", spoilt(func(plan *plugins.Plan) { plan.Findings[0].Text = "" }), "not empty"},
		{"findings", "nameless object", spoilt(func(plan *plugins.Plan) { plan.Objects[0].Name = "" }), "an object"},
		{"standard-output", "prints", spoilt(func(*plugins.Plan) { fmt.Println("got here") }), `"got here"`},
		{"tree", "writes", spoilt(func(*plugins.Plan) { _ = os.WriteFile(tree+"/new", nil, 0o600) }), "new: is new"},
		{"tree", "changes", spoilt(func(*plugins.Plan) { _ = os.WriteFile(tree+"/old", []byte(time.Now().String()), 0o600) }), "old: was"},
	}
}

// lock guards what a bad plugin keeps between its plans.
var lock = make(chan struct{}, 1)

func asking(language observe.Language, text string) sample {
	return planning(func(ctx context.Context, r plugins.Request, host plugins.Host, _ *plugins.Plan) error {
		_, _ = host.Ask(ctx, observe.Question{Language: language, QueueManager: r.Target.Name, Text: text}) // it is refused
		return nil
	})
}

func badAnswers() []bad {
	swallow := func(error) error { return nil }
	return []bad{
		{"questions", "change", asking(observe.MQSC, "ALTER QLOCAL(Q1) PUT(DISABLED)"), "a change is no question"},
		{"questions", "second command", asking(observe.MQSC, "DISPLAY QLOCAL(Q1)\nDELETE QLOCAL(Q1)"), "refused"},
		{"questions", "language", asking(observe.CTL, "dspmq"), "does not say of itself that it asks in CTL"},
		{"no-answers", "acts all the same", sample{on: swallow}, "though it knows nothing"},
		{"no-answers", "says nothing", sample{on: swallow, plan: func(_ context.Context, _ plugins.Request, _ plugins.Host, plan *plugins.Plan) error {
			plan.Actions = nil
			return nil
		}}, "as if all were well"},
		{"no-answers", "panics", sample{on: func(err error) error { panic(err) }}, "panic in Plan: not answered"},
		{"no-answers", "hangs", sample{on: func(error) error {
			time.Sleep(700 * time.Millisecond)
			return nil
		}}, "did not end in time"},
		{"one-answer-missing", "panics", sample{on: func(err error) error { panic(err) }}, "panic in Plan: failed"},
	}
}

func badActions() []bad {
	on := func(do func(*plugins.Action)) sample {
		return spoilt(func(plan *plugins.Plan) { do(&plan.Actions[1]) })
	}
	done := func(plugins.Action) (plugins.Result, error) { return plugins.Result{State: plugins.Done}, nil }
	return []bad{
		{"actions", "no identifier", on(func(a *plugins.Action) { a.ID = "" }), "no identifier"},
		{"actions", "identifier twice", on(func(a *plugins.Action) { a.ID = "1" }), "has its identifier"},
		{"actions", "later", on(func(a *plugins.Action) { a.After = []string{"3"} }), "no earlier action"},
		{"actions", "itself", on(func(a *plugins.Action) { a.After = []string{"2"} }), "no earlier action"},
		{"actions", "less than no time", on(func(a *plugins.Action) { a.Within = -1 }), "less than no time"},
		{"actions", "more than a day", on(func(a *plugins.Action) { a.Within = plugins.MostWithin + 1 }), "is the most"},
		{"actions", "labelled", on(func(a *plugins.Action) { a.QueueManager = "QM2" }), "labelled"},
		{"actions", "alert with a command", on(func(a *plugins.Action) { a.Kind = plugins.KindAlert }), "comes with a command"},
		{"actions", "no reason", on(func(a *plugins.Action) { a.Reason = "" }), "no reason"},
		{"actions", "display", on(func(a *plugins.Action) { a.Command.Text = "DISPLAY QLOCAL(Q1)" }), "has to be a change"},
		{"actions", "nonsense", on(func(a *plugins.Action) { a.Command.Text = "please" }), "PLEASE"},
		{"actions", "elsewhere", on(func(a *plugins.Action) { a.Command.QueueManager = "QM2" }), "not the target"},
		{"confirm", "anything is done", sample{confirm: done}, "is done"},
		{"confirm", "panics", sample{confirm: func(a plugins.Action) (plugins.Result, error) { panic(a.ID) }}, "panic in Confirm"},
		{"perform", "anything is done", sample{perform: func(_ context.Context, a plugins.Action, _ plugins.Hands) (plugins.Result, error) {
			return plugins.Result{State: plugins.Done}, nil
		}}, "is done"},
		{"perform", "panics", sample{perform: func(_ context.Context, a plugins.Action, _ plugins.Hands) (plugins.Result, error) { panic(a.ID) }}, "panic in Perform"},
	}
}

func badEnds() []bad {
	sleepy := planning(func(context.Context, plugins.Request, plugins.Host, *plugins.Plan) error {
		time.Sleep(EndLimit + 300*time.Millisecond)
		return nil
	})
	deaf := sample{on: func(err error) error {
		time.Sleep(EndLimit + 300*time.Millisecond)
		return err
	}}
	return []bad{
		{"deadline", "sleeps", sleepy, "it was still at it"},
		{"deadline", "does not heed its context", deaf, "it was still at it"},
		{"stop", "does not heed its context", deaf, "in the middle of a plan"},
	}
}
