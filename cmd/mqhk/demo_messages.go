package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
)

// message is a persistent message as it is compared: its place on the queue,
// when it was put, and what it says.
type message struct {
	sequence uint64
	put      time.Time
	body     [sha256.Size]byte
}

func (m message) same(o message) bool {
	return m.sequence == o.sequence && m.put.Equal(o.put) && m.body == o.body
}

func (m message) String() string {
	return fmt.Sprintf("message %d, put %s", m.sequence, m.put.Format(time.RFC3339))
}

// holdings are what a queue manager must have again after a recovery: the
// persistent messages whose put is committed, in order, and the units of work
// that are in doubt. What is open it must not have again.
type holdings struct {
	queues  map[string][]message
	open    []string
	inDoubt []string
}

// count gives the number of messages.
func (h holdings) count() int {
	n := 0
	for _, list := range h.queues {
		n += len(list)
	}
	return n
}

// holdings reads every message of a queue manager.
func (s *stage) holdings(ctx context.Context, manager string) (holdings, error) {
	h := holdings{queues: map[string][]message{}}
	err := s.simulated().work(ctx, func(e *sim.Estate) error {
		running := e.Engine(manager)
		if running == nil {
			return fmt.Errorf("queue manager %s does not run", manager)
		}
		for _, u := range running.Units() {
			switch {
			case u.Prepared:
				h.inDoubt = append(h.inDoubt, fmt.Sprint(u.ID))
			case u.Changes > 0:
				h.open = append(h.open, fmt.Sprint(u.ID))
			}
		}
		return h.read(ctx, running)
	})
	return h, err
}

// read reads the messages of all queues but those of the queue manager itself.
func (h *holdings) read(ctx context.Context, running *engine.Engine) error {
	for _, o := range running.Objects() {
		name := o.Ref.Name
		if o.Ref.Kind != engine.Queue || strings.HasPrefix(name, "SYSTEM.") {
			continue
		}
		h.queues[name] = nil // also where there is none
		err := running.Browse(name, func(got engine.Message) bool {
			if got.Persistent {
				h.queues[name] = append(h.queues[name], message{got.Sequence, got.Put, sha256.Sum256(got.Body)})
			}
			return ctx.Err() == nil
		})
		if err != nil {
			return fmt.Errorf("reading the messages of %s: %w", name, err)
		}
	}
	return ctx.Err()
}

// shownDifferences is how many differences are told.
const shownDifferences = 5

// differences says what a recovery did not bring back as it was; none: all is
// there, in order, and nothing else.
func differences(before, after holdings) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(mergedKeys(before.queues, after.queues))) {
		all = append(all, queueDifferences(name, before.queues[name], after.queues[name])...)
	}
	if !slices.Equal(before.inDoubt, after.inDoubt) {
		all = append(all, fmt.Sprintf("units of work in doubt were %s and are %s", unitList(before.inDoubt), unitList(after.inDoubt)))
	}
	if len(after.open) > 0 {
		all = append(all, "units of work are open that the restart should have backed out: "+unitList(after.open))
	}
	return all
}

func mergedKeys(a, b map[string][]message) map[string][]message {
	both := maps.Clone(a)
	if both == nil {
		both = map[string][]message{}
	}
	maps.Copy(both, b)
	return both
}

// queueDifferences compares the messages of one queue.
func queueDifferences(name string, before, after []message) []string {
	if slices.EqualFunc(before, after, message.same) {
		return nil
	}
	var all []string
	found := make(map[uint64]message, len(after))
	for _, m := range after {
		found[m.sequence] = m
	}
	for _, m := range before {
		switch got, there := found[m.sequence]; {
		case !there:
			all = append(all, fmt.Sprintf("%s: %s, is missing", name, m))
		case !got.same(m):
			all = append(all, fmt.Sprintf("%s: %s, is another now", name, m))
		}
		delete(found, m.sequence)
	}
	for _, sequence := range slices.Sorted(maps.Keys(found)) {
		all = append(all, fmt.Sprintf("%s: %s, was not there before", name, found[sequence]))
	}
	if len(all) == 0 {
		all = append(all, name+": the messages are the same, in another order")
	}
	return all
}

// compare tells whether all is there again that was there before something
// went wrong, and is an error where it is not.
func (s *stage) compare(ctx context.Context, manager string, before holdings, wrong, remedy string) error {
	after, err := s.holdings(ctx, manager)
	if err != nil {
		return err
	}
	if different := differences(before, after); len(different) > 0 {
		if more := len(different) - shownDifferences; more > 0 {
			different = append(different[:shownDifferences], fmt.Sprintf("and %d more differences", more))
		}
		return fmt.Errorf("%s brought back %d committed persistent messages of %d:\n  %s", remedy, after.count(), before.count(), strings.Join(different, "\n  "))
	}
	return s.say("Committed persistent messages before %s: %s; after %s: %s, the same.\nCompared one by one on all %s: order, time of the put, content.",
		wrong, grouped(before.count()), remedy, grouped(after.count()), counted(len(before.queues), "queue"))
}

// unitList names units of work.
func unitList(numbers []string) string {
	if len(numbers) == 0 {
		return "none"
	}
	return strings.Join(numbers, ", ")
}
