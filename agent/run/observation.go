package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// observation is what one target was asked in one run. Several policies are
// planned on the same answers: each plays them from the beginning, and only
// what nobody asked before is asked of the target.
type observation struct {
	asker observe.Asker

	mu      sync.Mutex
	answers map[observe.Question][]answered
}

type answered struct {
	answer observe.Answer
	err    error
}

func newObservation(asker observe.Asker) *observation {
	return &observation{asker: asker, answers: make(map[observe.Question][]answered)}
}

// view gives an asker that sees the observation from its beginning.
func (o *observation) view() *view {
	return &view{observation: o, asked: make(map[observe.Question]int)}
}

// view is one policy's way through an observation.
type view struct {
	observation *observation
	asked       map[observe.Question]int
	newest      time.Time // by the clocks of the systems that answered
	unanswered  []string
	refused     []string // questions that are no displays
}

// Ask gives the answer that the question had at this point in an earlier
// view, or asks the target. The lock is held while the target is asked: the
// same question is never on its way twice.
func (v *view) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	o := v.observation
	if refused := display(q); refused != nil {
		v.Refused(refused)
		return observe.Answer{}, refused
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	key := q
	key.Text = observe.Fold(q.Text)
	n := v.asked[key]
	if n == len(o.answers[key]) {
		answer, err := o.asker.Ask(ctx, q)
		if ctx.Err() != nil {
			return answer, err // not an answer of the target
		}
		o.answers[key] = append(o.answers[key], answered{answer, err})
	}
	v.asked[key] = n + 1
	known := o.answers[key][n]
	if known.err == nil && known.answer.At.After(v.newest) {
		v.newest = known.answer.At
	}
	if errors.As(known.err, new(*observe.NotAnswered)) && !slices.Contains(v.unanswered, q.String()) {
		v.unanswered = append(v.unanswered, q.String())
	}
	return known.answer, known.err
}

// display refuses a question that is not a display, or that nobody knows.
func display(q observe.Question) *observe.Refused {
	class, _, err := observe.Classify(q.Language, q.Text)
	switch {
	case err != nil:
		return &observe.Refused{Question: q, Why: err.Error()}
	case class != observe.Display:
		return &observe.Refused{Question: q, Why: "it is a " + class.String() + ", not a display"}
	}
	return nil
}

// Refused notes a question that was not asked because it is no display.
func (v *view) Refused(r *observe.Refused) {
	v.observation.mu.Lock()
	defer v.observation.mu.Unlock()
	v.refused = append(v.refused, r.Error())
}

// Refusals gives the questions that were not asked.
func (v *view) Refusals() []string {
	v.observation.mu.Lock()
	defer v.observation.mu.Unlock()
	return slices.Clone(v.refused)
}

// Newest gives the time of the last answer, by the clock of the system that gave
// it; zero when none of them told its time.
func (v *view) Newest() time.Time {
	v.observation.mu.Lock()
	defer v.observation.mu.Unlock()
	return v.newest
}

// Unanswered gives the questions that nobody answered, in the order asked.
func (v *view) Unanswered() []string {
	v.observation.mu.Lock()
	defer v.observation.mu.Unlock()
	return slices.Clone(v.unanswered)
}
