package plugintest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// cutter ends a plan at one of its questions: before it is answered, when it
// must be given up, or right after.
type cutter struct {
	asker observe.Asker
	at    int  // the number of the question, from 1
	after bool // it is answered
	cut   func()
	reach chan struct{} // closed when the plan has got there

	mu    sync.Mutex
	count int
	ended time.Time // when it was cut off
}

// Ask answers until the question is reached.
func (c *cutter) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	c.mu.Lock()
	c.count++
	here := c.count == c.at
	c.mu.Unlock()
	if !here {
		return c.asker.Ask(ctx, q)
	}
	if c.after {
		// The answer is on its way when the plan is ended.
		time.AfterFunc(10*time.Millisecond, c.end)
		return c.asker.Ask(ctx, q)
	}
	c.end()
	<-ctx.Done()
	return observe.Answer{}, ctx.Err()
}

func (c *cutter) end() {
	c.moment()
	close(c.reach)
	c.cut()
}

// moment gives the time at which the plan was cut off: now, where it has
// ended before.
func (c *cutter) moment() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended.IsZero() {
		c.ended = time.Now()
	}
	return c.ended
}

// questionCount says how many questions the plan of a request has.
func (e *exam) questionCount(request plugins.Request) int {
	l := &listener{asker: e.asker()}
	e.with(StartOptions{}, func(running Running) { _, _ = e.plan(running, request, l) })
	asked, _ := l.heard()
	return len(asked)
}

func tryDeadline(e *exam) {
	if !e.planned() {
		return
	}
	request := e.requests[0]
	last := e.questionCount(request)
	if last == 0 {
		e.skip("it asked nothing, so there is no moment to cancel it at")
		return
	}
	cuts := []cutter{{at: 1}, {at: 1, after: true}, {at: last}, {at: last, after: true}}
	for i := range cuts {
		if e.cancelled(request, &cuts[i]); len(e.problems) > 0 {
			return
		}
	}
	e.needsAnswers()
}

// cancelled cancels a plan at a question. That the call has ended does not say
// that the plugin's code has: it shows in how long the plugin takes to stop,
// which waits for its calls.
func (e *exam) cancelled(request plugins.Request, c *cutter) {
	running, err := e.subject.Start(e.ctx, StartOptions{})
	if err != nil {
		e.problem("%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
	defer cancel()
	c.asker, c.cut, c.reach = e.asker(), cancel, make(chan struct{})
	_, err = running.Plan(ctx, request, c, Events{})
	cut := c.moment()
	where := map[bool]string{false: "at", true: "after"}[c.after]
	if took, late := tooLong(cut); late {
		e.problem("cancelled %s question %d, it ended after %s", where, c.at, took)
	}
	if bad := crashed(running, err); bad != "" && !errors.Is(err, context.DeadlineExceeded) {
		e.problem("cancelled %s question %d: %s", where, c.at, bad)
	}
	err = running.Stop()
	if took, late := tooLong(cut); late || err != nil {
		e.problem("cancelled %s question %d, it was still at it %s later", where, c.at, took)
	}
}

func tryStop(e *exam) {
	e.stopped("without a call", func(Running) func() { return func() {} })
	if len(e.requests) == 0 || len(e.problems) > 0 {
		return
	}
	e.stopped("in the middle of a plan", func(running Running) func() {
		ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
		c := &cutter{asker: e.asker(), at: 1, cut: func() {}, reach: make(chan struct{})}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = running.Plan(ctx, e.requests[0], c, Events{}) // it is cut off
		}()
		select {
		case <-c.reach:
		case <-ended: // it asks nothing
		}
		return func() {
			cancel()
			<-ended
		}
	})
}

// stopped stops a plugin that is at something.
func (e *exam) stopped(when string, begin func(Running) (end func())) {
	running, err := e.subject.Start(e.ctx, StartOptions{})
	if err != nil {
		e.problem("%v", err)
		return
	}
	end := begin(running)
	began := time.Now()
	err = running.Stop()
	took, late := tooLong(began)
	end()
	switch {
	case err != nil:
		e.problem("asked to end %s: %v", when, err)
	case late:
		e.problem("asked to end %s, it took %s", when, took)
	}
}

func tryStdout(e *exam) {
	var mu sync.Mutex
	var lines []string
	options := StartOptions{Stdout: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}}
	e.with(options, func(running Running) {
		for _, request := range e.requests {
			_, _ = e.plan(running, request, e.asker()) // how it ends is another check
		}
	})
	mu.Lock()
	defer mu.Unlock()
	for _, line := range lines {
		e.problem("it prints %q", line)
	}
}

func tryTree(e *exam) {
	if e.options.Tree == "" {
		e.skip("no directory was given")
		return
	}
	if !e.planned() {
		return
	}
	before, err := ReadTree(e.options.Tree)
	if err != nil {
		e.problem("%v", err)
		return
	}
	e.with(StartOptions{}, func(running Running) {
		for _, request := range e.requests {
			_, _ = e.plan(running, request, e.asker()) // how they end is another check
			_, _ = e.plan(running, request, unanswered)
		}
	})
	after, err := ReadTree(e.options.Tree)
	if err != nil {
		e.problem("%v", err)
		return
	}
	for _, line := range before.Diff(after) {
		e.problem("%s", line)
	}
}
