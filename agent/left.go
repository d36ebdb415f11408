package agent

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
)

// recorded is how many firings that were left out are written down one by one,
// the newest ones: each is a durable change of the ledger for each target.
const recorded = 100

// Left records firings that did not become runs, in the order in which they
// were left and in a goroutine of its own: the loop has no time to wait for a
// disk. A run of the task waits for it ([handler.afterNotes]), so the ledger's
// newest row of a task is always that of its newest firing.
func (h *handler) Left(left schedule.Left) {
	t := h.tasks[left.Entry]
	first, last := left.Firings[0], left.Firings[len(left.Firings)-1]
	h.Log.Warn("no run", append(t.keys(), "why", string(left.Why), "firings", len(left.Firings), "and_before", left.More, "first", first.Key, "last", last.Key)...)
	h.mu.Lock()
	defer h.mu.Unlock()
	before, done := h.notes[left.Entry], make(chan struct{})
	h.notes[left.Entry] = done
	h.written.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		h.note(t, left)
	})
}

// note writes down what was left.
func (h *handler) note(t Task, left schedule.Left) {
	firings, more := left.Firings, ""
	if over := len(left.Firings) - recorded; over > 0 || left.More {
		firings = firings[max(over, 0):]
		more = "; so were others before it"
	}
	for i, f := range firings {
		why := string(left.Why)
		if i == 0 {
			why += more
		}
		for _, target := range t.Targets {
			h.miss(context.Background(), t, target.Name, f.Key, why)
		}
	}
}

// miss records one firing that nobody ran on one target. The ledger's own
// patience bounds it, no context: it is also done while the agent stops.
func (h *handler) miss(ctx context.Context, t Task, target, key, why string) {
	err := h.Ledger.Missed(context.WithoutCancel(ctx), ledger.Firing{Target: target, Task: t.Name(), Policy: t.Policy.Name, Key: key}, why)
	if err != nil {
		h.Log.Error("recording a missed firing", append(t.keys(), "key", key, "err", err)...)
	}
}

// afterNotes waits until what was left of a task so far is recorded; false
// when ctx ended before.
func (h *handler) afterNotes(ctx context.Context, entry string) bool {
	h.mu.Lock()
	done := h.notes[entry]
	h.mu.Unlock()
	if done == nil {
		return true
	}
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// unclaimed records a firing as missed on those targets that others kept busy.
// Where they ran this very firing the ledger knows it and nothing changes. A
// run that failed before it claimed anything is not missed: an agent that
// starts within catch_up_within tries it again.
func (h *handler) unclaimed(ctx context.Context, f Firing, record ledger.Record) {
	for _, s := range busy(record) {
		h.miss(ctx, f.Task, s.Target, f.Key, fmt.Sprintf("%s: %.200s", schedule.Overlapped, s.Why))
	}
}
