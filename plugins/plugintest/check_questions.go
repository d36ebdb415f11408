package plugintest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// listener notes the questions of a plan, those that were refused too.
type listener struct {
	asker observe.Asker

	mu      sync.Mutex
	asked   []observe.Question
	refused []*observe.Refused
}

// Ask notes a question and hands it on.
func (l *listener) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	l.mu.Lock()
	l.asked = append(l.asked, q)
	l.mu.Unlock()
	return l.asker.Ask(ctx, q)
}

// Refused notes a question that was not passed on.
func (l *listener) Refused(r *observe.Refused) {
	l.mu.Lock()
	l.refused = append(l.refused, r)
	l.mu.Unlock()
}

// heard gives what was noted; an asker may still be at work for a call that
// has ended.
func (l *listener) heard() ([]observe.Question, []*observe.Refused) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked), slices.Clone(l.refused)
}

func tryQuestions(e *exam) {
	if !e.planned() {
		return
	}
	seen := 0
	e.with(StartOptions{}, func(running Running) {
		for _, request := range e.requests {
			l := &listener{asker: e.asker()}
			_, _ = e.plan(running, request, l) // how it ends is another check
			asked, refused := l.heard()
			seen += len(asked) + len(refused)
			for _, r := range refused {
				e.problem("%s: %v", label(request), r)
			}
			for _, q := range asked {
				if why := objection(e.description, q); why != "" {
					e.problem("%s: %s: %s", label(request), q, why)
				}
			}
		}
	})
	if seen == 0 && len(e.problems) == 0 {
		e.skip("it asked nothing")
		return
	}
	e.needsAnswers()
}

// troubles are the ways in which a question gets no answer.
var troubles = map[string]func(observe.Question) error{
	"unanswered": func(q observe.Question) error { return &observe.NotAnswered{Question: q} },
	"refused": func(q observe.Question) error {
		return &observe.Refused{Question: q, Why: "it is tried what happens then"}
	},
	"failed": func(q observe.Question) error {
		return &observe.Failed{Question: q, Body: []byte("AMQ8146E: IBM MQ queue manager not available.\n")}
	},
	"timed out": func(q observe.Question) error { return &observe.TimedOut{Question: q, After: time.Minute} },
}

func tryNoAnswers(e *exam) {
	if !e.planned() {
		return
	}
	asks := false
	for _, how := range slices.Sorted(maps.Keys(troubles)) {
		e.with(StartOptions{}, func(running Running) {
			for _, request := range e.requests {
				l := &listener{asker: answering(func(_ context.Context, q observe.Question) (observe.Answer, error) {
					return observe.Answer{}, troubles[how](q)
				})}
				plan, err := e.plan(running, request, l)
				asked, _ := l.heard()
				asks = asks || len(asked) > 0
				which := label(request) + ", every question " + how
				if bad := crashed(running, err); bad != "" {
					e.problem("%s: %s", which, bad)
					return // it takes long enough to see that once
				}
				if err == nil && len(asked) > 0 {
					e.unheard(which, plan)
				}
			}
		})
	}
	if !asks && len(e.problems) == 0 {
		e.skip("it asked nothing")
	}
}

// unheard judges a plan whose questions had no answer.
func (e *exam) unheard(which string, plan plugins.Plan) {
	for _, a := range plan.Actions {
		if a.Kind != plugins.KindAlert {
			e.problem("%s: it plans %s %q (%s), though it knows nothing", which, a.Kind, a.ID, a.Object)
		}
	}
	if len(allFindings(plan)) == 0 {
		e.problem("%s: it neither fails nor has a finding: a report of it would look as if all were well", which)
	}
}

// mostQuestions is how many questions are made to fail one by one.
const mostQuestions = 50

func tryOneMissing(e *exam) {
	if !e.planned() {
		return
	}
	seen := 0
	e.with(StartOptions{}, func(running Running) {
		for _, request := range e.requests {
			l := &listener{asker: e.asker()}
			_, _ = e.plan(running, request, l) // how it ends is another check
			asked, _ := l.heard()
			for _, q := range distinct(asked) {
				seen++
				_, err := e.plan(running, request, without(e.asker(), q))
				if bad := crashed(running, err); bad != "" {
					e.problem("%s, %s failed: %s", label(request), q, bad)
					return // it takes long enough to see that once
				}
			}
		}
	})
	if seen == 0 && len(e.problems) == 0 {
		e.skip("it asked nothing")
		return
	}
	e.needsAnswers()
}

func distinct(asked []observe.Question) (list []observe.Question) {
	for _, q := range asked {
		if !slices.Contains(list, q) && len(list) < mostQuestions {
			list = append(list, q)
		}
	}
	return list
}

// without answers every question but one.
func without(asker observe.Asker, missing observe.Question) observe.Asker {
	return answering(func(ctx context.Context, q observe.Question) (observe.Answer, error) {
		if q == missing {
			return observe.Answer{}, troubles["failed"](q)
		}
		return asker.Ask(ctx, q)
	})
}
