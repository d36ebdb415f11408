package plugintest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// asker answers as the transcript does, from its beginning.
func (e *exam) asker() observe.Asker {
	if e.options.Transcript == nil {
		return unanswered
	}
	return e.options.Transcript.Player()
}

// answering is an asker that is a function.
type answering func(context.Context, observe.Question) (observe.Answer, error)

// Ask calls the function.
func (a answering) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	return a(ctx, q)
}

var unanswered = answering(func(_ context.Context, q observe.Question) (observe.Answer, error) {
	return observe.Answer{}, &observe.NotAnswered{Question: q}
})

// plan makes one plan within the limit of a call.
func (e *exam) plan(running Running, request plugins.Request, asker observe.Asker) (plugins.Plan, error) {
	ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
	defer cancel()
	return running.Plan(ctx, request, asker, Events{})
}

// crashed says what is worse than an error; empty: the plugin is well.
func crashed(running Running, err error) string {
	travelled := new(wire.Error)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &travelled) && travelled.Panic:
		return travelled.Text
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not end in time"
	case running.Gone():
		return fmt.Sprintf("its process ended: %v", err)
	default:
		return ""
	}
}

// label names a request where there are several.
func label(r plugins.Request) string {
	return fmt.Sprintf("%s, %s", r.Target, r.Promise.Strategy)
}

// everyPlan makes a plan for each request, and looks at those that were made.
func (e *exam) everyPlan(look func(plugins.Request, plugins.Plan, error)) {
	e.with(StartOptions{}, func(running Running) {
		for _, request := range e.requests {
			plan, err := e.plan(running, request, e.asker())
			look(request, plan, err)
			if crashed(running, err) != "" {
				return // it takes long enough to see that once
			}
		}
	})
}

func tryPlan(e *exam) {
	if !e.planned() {
		return
	}
	if e.options.Transcript == nil {
		e.skip("there is no transcript to plan on")
		return
	}
	e.everyPlan(func(request plugins.Request, _ plugins.Plan, err error) {
		if err != nil {
			e.problem("%s: %v", label(request), err)
		}
	})
}

// The same plan is made so often, in so many processes, with so many at a
// time. A map of two keys comes in its other order one time in eight.
const (
	tries     = 20
	processes = 4
	atATime   = 4
)

func tryDeterminism(e *exam) {
	if !e.planned() {
		return
	}
	first := make([]made, len(e.requests))
	for range processes {
		ok := e.with(StartOptions{}, func(running Running) {
			for range tries / processes {
				for i, request := range e.requests {
					if e.again(running, request, &first[i]); len(e.problems) > 0 {
						return
					}
				}
			}
		})
		if !ok || len(e.problems) > 0 {
			return
		}
	}
	if i := slices.IndexFunc(first, func(m made) bool { return m.err == nil }); i < 0 {
		e.skip("no plan succeeded: %v", first[0].err)
		return
	}
	e.needsAnswers()
}

// canonical writes a plan in one form: JSON, whose maps are in order.
func canonical(plan plugins.Plan) ([]byte, error) { return json.MarshalIndent(plan, "", " ") }

// made is a plan in its canonical form, or why there is none.
type made struct {
	text []byte
	err  error
}

// again makes one plan several times and compares it with the first one. Plans
// that fail are not compared with each other: an error is for people, and may
// say what it likes.
func (e *exam) again(running Running, request plugins.Request, first *made) {
	for _, plan := range e.sameTime(running, request) {
		if first.text == nil && first.err == nil {
			*first = plan
		}
		switch {
		case (first.err == nil) != (plan.err == nil):
			e.problem("%s: the plan fails at one time and not at another: %v", label(request), cmp.Or(first.err, plan.err))
			return
		case !bytes.Equal(first.text, plan.text):
			e.problem("%s: the plan is another one when it is made again: %s", label(request), difference(first.text, plan.text))
			return
		}
	}
}

// sameTime makes one plan several times at a time.
func (e *exam) sameTime(running Running, request plugins.Request) []made {
	list := make([]made, atATime)
	var group sync.WaitGroup
	for i := range list {
		group.Go(func() {
			plan, err := e.plan(running, request, e.asker())
			if err == nil {
				list[i].text, err = canonical(plan)
			}
			list[i].err = err
		})
	}
	group.Wait()
	return list
}

// difference shows the first line that is another one.
func difference(first, again []byte) string {
	lines, others := strings.Split(string(first), "\n"), strings.Split(string(again), "\n")
	for i, line := range lines {
		if i < len(others) && others[i] != line {
			return fmt.Sprintf("%s was %s", strings.TrimSpace(others[i]), strings.TrimSpace(line))
		}
	}
	return "it is longer or shorter"
}

// slug is what alerts and tickets are keyed by.
var slug = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func tryFindings(e *exam) {
	if !e.planned() {
		return
	}
	seen := 0
	e.everyPlan(func(request plugins.Request, plan plugins.Plan, _ error) {
		for _, f := range allFindings(plan) {
			seen++
			if !slug.MatchString(string(f.Code)) {
				e.problem("%s: finding code %q is no slug such as queue-filling", label(request), f.Code)
			}
			if f.Severity > finding.Critical {
				e.problem("%s: finding %s has the severity %d", label(request), f.Code, f.Severity)
			}
			if strings.TrimSpace(f.Text) == "" || strings.ContainsAny(f.Text, "\r\n") {
				e.problem("%s: finding %s says %q: it is one line, and not empty", label(request), f.Code, f.Text)
			}
		}
		for _, o := range plan.Objects {
			seen++
			if o.Kind == "" || o.Name == "" {
				e.problem("%s: an object has the kind %q and the name %q", label(request), o.Kind, o.Name)
			}
		}
	})
	if seen == 0 && len(e.problems) == 0 {
		e.skip("no plan had a finding or an object")
		return
	}
	e.needsAnswers()
}

func allFindings(plan plugins.Plan) []finding.Finding {
	found := append(append([]finding.Finding(nil), plan.Findings...), plan.Decision.Findings...)
	for _, m := range plan.Decision.Managers {
		found = append(found, m.Inventory.Open...)
	}
	return found
}

// tooLong tells whether something took longer than it may.
func tooLong(began time.Time) (time.Duration, bool) {
	took := time.Since(began)
	return took.Round(time.Millisecond), took >= EndLimit
}
