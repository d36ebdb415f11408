package plugintest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// prepare makes the requests that are planned: for each target of the
// transcript, under each strategy where the plugin lets log pieces go.
func (e *exam) prepare() (requests []plugins.Request, unfit string) {
	config, err := schema.New(e.description.Schema, e.options.Settings)
	if err != nil {
		return nil, fmt.Sprintf("it can't be tried with these settings: %s. Give it others: --settings FILE with what stands in a config block, Options.Settings in a test",
			strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	promises := []recovery.Promise{{Strategy: recovery.Conservative}}
	if slices.Contains(e.description.Actions, plugins.KindDelete) || slices.Contains(e.description.Actions, plugins.KindArchive) {
		promises = append(promises,
			recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved},
			recovery.Promise{Strategy: recovery.Aggressive, Unsaved: recovery.SaveUnsaved})
	}
	targets := e.targets()
	for _, target := range targets {
		for _, promise := range promises {
			requests = append(requests, plugins.Request{
				Run: "check", Task: "check/" + e.description.Name, Round: 1, Target: target,
				Config: config, Promise: promise, Store: e.options.Store,
			})
		}
	}
	if len(requests) == 0 {
		return nil, "no target of the transcript is of a platform that it names"
	}
	return requests, ""
}

// targets gives those of the transcript that the plugin is for; without a
// transcript, a queue manager of its first platform.
func (e *exam) targets() (fit []observe.Target) {
	platforms := e.description.Platforms
	if e.options.Transcript == nil {
		if len(platforms) == 0 {
			return nil
		}
		return []observe.Target{{Name: "QM1", Platform: platforms[0]}}
	}
	for _, target := range e.options.Transcript.Targets() {
		if slices.Contains(platforms, target.Platform) {
			fit = append(fit, target)
		}
	}
	return fit
}

// planned says whether there is anything to plan for.
func (e *exam) planned() bool {
	if e.unfit != "" {
		e.skip("%s", e.unfit)
	}
	return e.unfit == ""
}

// needsAnswers skips a check of a plugin that asks, where nobody answers: what it
// does once it knows something has not been seen. What failed has failed all the
// same.
func (e *exam) needsAnswers() {
	if e.options.Transcript != nil {
		return
	}
	if !e.counted {
		e.counted, e.asks = true, e.questionCount(e.requests[0]) > 0
	}
	if e.asks {
		e.skip("there is no transcript, so no question was answered")
	}
}

func tryConfiguration(e *exam) {
	if len(e.requests) == 0 {
		e.problem("%s", e.unfit)
		return
	}
	e.with(StartOptions{}, func(running Running) {
		e.goodConfiguration(running)
		for _, f := range e.description.Schema.Fields {
			bad := badValues(f)
			for _, what := range slices.Sorted(maps.Keys(bad)) {
				e.badConfiguration(running, f, what, bad[what])
			}
		}
	})
}

// goodConfiguration sees that a configuration that fits is not refused, and
// that complaints can be shown where they belong.
func (e *exam) goodConfiguration(running Running) {
	for _, request := range e.requests {
		ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
		complaints, err := running.Check(ctx, request)
		cancel()
		if err != nil {
			e.problem("checking a configuration that fits the schema: %v", err)
			return
		}
		for _, c := range complaints {
			if _, ok := e.description.Schema.Field(setting(c.Path)); !ok && c.Path != "" && !slices.Contains(taskArguments, c.Path) {
				e.problem("it complains of %q, which is neither a setting nor an argument of a task", c.Path)
			}
			if strings.TrimSpace(c.Text) == "" {
				e.problem("it complains of %q without a word", c.Path)
			}
			e.problem("it refuses the configuration that it is tried with: %s: %s", c.Path, c.Text)
		}
	}
}

// taskArguments are the arguments of a task that a plugin may complain of.
var taskArguments = []string{
	"targets", "strategy", "store", "margin", "keep_newest", "min_age", "unsaved", "trust_error_log",
}

// badConfiguration sees that a setting that does not fit is refused by name,
// by the check of the configuration or at the latest by the plan. A host has
// refused it before; but a kept plan or another host may not have.
func (e *exam) badConfiguration(running Running, f schema.Field, what string, value any) {
	request := e.requests[0]
	request.Config = unchecked(request.Config, f, value)
	ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
	defer cancel()
	complaints, err := running.Check(ctx, request)
	if slices.ContainsFunc(complaints, func(c plugins.Complaint) bool { return setting(c.Path) == f.Name }) {
		return
	}
	if err == nil {
		_, err = running.Plan(ctx, request, e.asker(), Events{})
	}
	switch text := fmt.Sprint(err); {
	case err == nil:
		e.problem("setting %s: %s is planned with", f.Name, what)
	case crashed(running, err) != "":
		e.problem("setting %s: %s: %s", f.Name, what, crashed(running, err))
	case !names(text, f.Name):
		e.problem("setting %s: %s is refused without the setting's name: %s", f.Name, what, text)
	}
}

// unchecked is a configuration in which one setting has a value that its
// schema refuses; nil: none.
func unchecked(config schema.Value, f schema.Field, value any) schema.Value {
	settings := maps.Clone(config.Settings())
	if settings == nil {
		settings = map[string]any{}
	}
	settings[f.Name] = value
	if value == nil {
		delete(settings, f.Name)
	}
	var lax schema.Schema
	for name, held := range settings {
		lax.Fields = append(lax.Fields, schema.Field{Name: name, Kind: kindOf(held)})
	}
	loose, err := schema.New(lax, settings)
	if err != nil {
		panic(err) // each field is made for its value
	}
	return loose
}

func kindOf(value any) schema.Kind {
	for kind := schema.String; kind <= schema.Strings; kind++ {
		if (schema.Field{Kind: kind}).Check(value) == "" {
			return kind
		}
	}
	return 0
}
