package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
)

// handler does what the loop finds due.
type handler struct {
	*Agent
	tasks   map[string]Task
	begun   map[string][]string // by task: keys of firings that were begun before the agent, and not ended
	written sync.WaitGroup      // what is still to be recorded

	mu    sync.Mutex
	going []string                 // runs, as task and key
	notes map[string]chan struct{} // by task: closed when what was left has been recorded
}

func newHandler(a *Agent) *handler {
	h := &handler{Agent: a, tasks: make(map[string]Task), begun: make(map[string][]string), notes: make(map[string]chan struct{})}
	for _, t := range a.Tasks {
		h.tasks[t.Name()] = t
	}
	return h
}

// runs names the runs that go on.
func (h *handler) runs() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.going)
}

// enter notes that a run goes on, until the function that it gives is called.
func (h *handler) enter(f Firing) (leave func()) {
	name := f.Task.Name() + " " + f.Key
	h.mu.Lock()
	defer h.mu.Unlock()
	h.going = append(h.going, name)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if i := slices.Index(h.going, name); i >= 0 {
			h.going = slices.Delete(h.going, i, i+1)
		}
	}
}

// Fire does the run of a firing, and a second one where a lease stands in its
// way that may be a dead process's.
func (h *handler) Fire(ctx context.Context, due schedule.Due) {
	f := h.tasks[due.Entry].firing(due, h.Clock.Now())
	defer h.enter(f)()
	if !h.afterNotes(ctx, due.Entry) {
		return
	}
	record := h.once(ctx, f)
	if h.worthWaiting(ctx, f, record) {
		h.Log.Info("waits once for a claim to run out: who has it may be dead", append(f.Task.keys(), "key", f.Key, "dur", Lease)...)
		select {
		case <-ctx.Done():
			return
		case <-h.Clock.After(Lease + time.Second):
		}
		f = f.Task.firing(due, h.Clock.Now())
		record = h.once(ctx, f)
	}
	h.unclaimed(ctx, f, record)
}

// once does a run within its time and says in the log how it ended.
func (h *handler) once(ctx context.Context, f Firing) ledger.Record {
	limit := f.Task.Schedule.Timeout
	timed, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the schedule gives a run %s, and they are over", limit))
	defer cancel()
	begun := h.Clock.Now()
	record, err := h.Run(timed, f)
	took := h.Clock.Now().Sub(begun)
	if timed.Err() != nil && errors.Is(err, timed.Err()) {
		err = fmt.Errorf("%w: %w", err, context.Cause(timed))
	}
	h.outcome(ctx, f, ending{record, err, took, ctx.Err() != nil})
	return record
}

// worthWaiting tells whether a firing is to be tried again when the claims of
// others would have run out. A process that died leaves its own standing; a
// nightly run would be lost to it.
//
// Not worth it: a firing on time that the ledger has come to know since the
// agent started. Another agent is at it, or has seen it to be left out.
func (h *handler) worthWaiting(ctx context.Context, f Firing, record ledger.Record) bool {
	late := f.Late > 0 || slices.Contains(h.begun[f.Task.Name()], f.Key)
	return ctx.Err() == nil && slices.ContainsFunc(busy(record), func(s ledger.Skipped) bool {
		return late || !h.known(ctx, f, s.Target)
	})
}

// known tells whether the ledger knows the firing on a target.
func (h *handler) known(ctx context.Context, f Firing, target string) bool {
	fired, err := h.Ledger.Firings(ctx, target, f.Task.Name(), near)
	return err == nil && slices.ContainsFunc(fired, func(row ledger.Fired) bool { return row.Key == f.Key })
}

// Broke says in the log that a run panicked.
func (h *handler) Broke(due schedule.Due, err error) {
	t := h.tasks[due.Entry]
	h.Log.Error("run broke off: this is a mistake in mqhk", append(t.keys(), "key", due.Firing.Key, "err", err)...)
}
