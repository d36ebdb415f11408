package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/plugins"
)

// noSuchJournal is a command that the system refuses.
const noSuchJournal = "CHGJRN JRN(QMORDERS/NOSUCH) JRNRCV(*GEN)"

// countTo counts the segments that are let go, and does something at the nth.
func countTo(n int, count *int, do func()) func(context.Context, recovery.SegmentID, bool) {
	return func(context.Context, recovery.SegmentID, bool) {
		if *count++; *count == n {
			do()
		}
	}
}

// open counts the actions of which the ledger does not know the outcome.
func (s *station) openActions() int {
	s.t.Helper()
	open, err := s.ledger.OpenIntents(s.t.Context(), "ORDERS")
	s.must(err)
	return len(open)
}

// The ledger says that segments are gone when that is durable on the system,
// and not before: a power failure in between would bring them back.
func TestForcedBeforeItIsRecorded(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, fails := range []error{nil, broken} {
		s := ready(t)
		h := s.watch()
		forced, intended, removed := 0, 0, 0
		h.force = func(next func() error) error {
			forced++
			intended = s.openActions()
			return errors.Join(next(), fails)
		}
		h.remove = countTo(1, &removed, func() {})
		record := s.run(connect.Apply, "unsaved")
		target := record.Targets[0]
		if removed == 0 || forced != 1 || intended != removed {
			t.Errorf("forced %d times, with %d of %d open", forced, intended, removed)
		}
		switch open := s.openActions(); {
		case fails == nil && (open != 0 || record.Run.Outcome != Applied):
			t.Errorf("%d open, %s", open, record.Run.Outcome)
		case fails != nil && (open != removed || !strings.Contains(target.Error, broken.Error()) || record.Run.Outcome != Failed):
			t.Errorf("%d of %d open, %s: %q", open, removed, record.Run.Outcome, target.Error)
		}
		s.wrap = nil
		if next := s.run(connect.Apply, "unsaved"); next.Run.Outcome != Applied || s.openActions() != 0 {
			t.Errorf("the next run: %s, %d open", next.Run.Outcome, s.openActions())
		}
	}
}

// arranged is a commander whose plan is put into another order.
type arranged struct {
	commander
	arrange func(do plugins.Action, deletes []plugins.Action) []plugins.Action
}

func (p arranged) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	plan, err := p.commander.Plan(ctx, request, asker, progress)
	if err == nil {
		plan.Actions = p.arrange(plan.Actions[0], plan.Actions[2:])
	}
	return plan, err
}

// A delete waits for what it comes after, also when it could go by itself and
// others that wait for nothing are deleted meanwhile.
func TestDeleteWaitsForWhatIsBeforeIt(t *testing.T) {
	for _, test := range []struct {
		text, want string
	}{
		{noSuchJournal, "done failed skipped"},
		{changeReceiver, "done done done"},
	} {
		s := ready(t)
		s.plugin = arranged{newCommander(test.text), func(do plugins.Action, deletes []plugins.Action) []plugins.Action {
			do.After = []string{deletes[0].ID}
			for i := range deletes[1:] {
				deletes[i+1].After = []string{do.ID}
			}
			return slices.Concat(deletes[:1], []plugins.Action{do}, deletes[1:])
		}}
		before := len(s.receivers())
		h := s.watch()
		sent := -1
		removed := 0
		h.remove = func(context.Context, recovery.SegmentID, bool) {
			if removed++; removed == 2 {
				sent = len(h.sent)
			}
		}
		record := s.run(connect.Apply, "unsaved")
		got := inOrder(record)
		deletes := len(record.Targets[0].Actions) - 1
		last := test.want[strings.LastIndex(test.want, " ")+1:]
		if !strings.HasPrefix(got, test.want) || strings.Count(got, last) < deletes-1 {
			t.Errorf("%s, want %s and no other: %s", got, test.want, record.Targets[0].Actions[1].Evidence)
		}
		switch left := len(s.receivers()); last {
		case "skipped":
			if left != before-1 {
				t.Errorf("%d of %d left", left, before)
			}
		default:
			if left != before-deletes+1 || sent != 1 {
				t.Errorf("%d of %d left, %d commands before the second delete", left, before, sent)
			}
		}
	}
}

// A delete gets no more time than the claim has left, and none that its plan
// does not give it.
func TestDeleteHasTheTimeOfTheClaim(t *testing.T) {
	for lease, most := range map[time.Duration]time.Duration{40 * time.Second: 40 * time.Second, time.Hour: deleteWithin} {
		s := ready(t)
		h := s.watch()
		removed := 0
		h.remove = func(ctx context.Context, _ recovery.SegmentID, _ bool) {
			removed++
			if until, ok := ctx.Deadline(); !ok || time.Until(until) > most {
				t.Errorf("a lease of %s, and %s for a delete, %v", lease, time.Until(until), ok)
			}
		}
		order := s.order(connect.Apply, "unsaved")
		order.Lease = lease
		if record, err := Run(t.Context(), order); err != nil || record.Run.Outcome != Applied || removed == 0 {
			t.Errorf("%s, %v", record.Run.Outcome, err)
		}
	}
}

// More deletes than one intent covers are intended and done batch by batch, and
// forced and recorded four batches at a time.
func TestMoreThanOneIntent(t *testing.T) {
	s := newStation(t, 1)
	s.open(func(e *sim.Estate) {
		job := e.Job()
		for range forcedTogether + 20 {
			_, err := e.CLLater(t.Context(), "ORDERS", job, changeReceiver)
			s.must(err)
		}
	})
	s.cl(recordImages)
	s.run(connect.Plan, "unsaved")
	h := s.watch()
	removed := 0
	var intended, forced []int
	h.remove = func(context.Context, recovery.SegmentID, bool) {
		if removed++; removed%ledger.MaxBatch == 1 {
			intended = append(intended, s.openActions())
		}
	}
	h.force = func(next func() error) error {
		forced = append(forced, removed)
		return next()
	}
	record := s.run(connect.Apply, "unsaved")
	if removed <= forcedTogether || removed >= forcedTogether+ledger.MaxBatch || record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted != removed {
		t.Fatalf("%d deleted, %s: %+v", removed, record.Run.Outcome, record.Targets[0].ReadBack)
	}
	one := ledger.MaxBatch
	if want := []int{one, 2 * one, 3 * one, 4 * one, removed - 4*one}; !slices.Equal(intended, want) {
		t.Errorf("%v were intended, want %v", intended, want)
	}
	if want := []int{4 * one, removed}; !slices.Equal(forced, want) {
		t.Errorf("%v were gone when they were forced, want %v", forced, want)
	}
}
