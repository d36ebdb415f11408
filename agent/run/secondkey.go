package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// lookAgain is how old an observation may be while segments are deleted
// (design, The second key).
const lookAgain = time.Minute

// Stopped says why a run on a target went no further.
type Stopped struct {
	Code finding.Code
	Why  string
}

func (e *Stopped) Error() string { return e.Why }

func stopped(code finding.Code, format string, args ...any) *Stopped {
	return &Stopped{code, fmt.Sprintf(format, args...)}
}

// secondKey is the host's own judgement of what may go: it observes afresh and
// asks every promise that binds the target. Plugins plan; this decides.
type secondKey struct {
	target   observe.Target
	bindings []Binding
	observe  func(context.Context) (look, error)
	now      func() time.Time

	seen    look // the newest observation
	at      time.Time
	stale   bool           // something was done since that it has to see
	whole   recovery.Guard // judges a plan as a whole, with the limits of the policies
	each    recovery.Guard // judges single segments; the limits are counted here
	bare    recovery.Guard // as each, as if no store held anything
	present int            // segments on the system when the first of this run was asked for
	deleted int
}

// newSecondKey begins with what the plan was made on, as the host saw it.
func newSecondKey(target observe.Target, bindings []Binding, planned look, now func() time.Time, again func(context.Context) (look, error)) *secondKey {
	k := &secondKey{target: target, bindings: bindings, observe: again, now: now, stale: true}
	k.present, _ = planned.present()
	k.judgeBy(planned)
	return k
}

// judgeBy judges by an observation from now on. A plan as a whole is held
// against the limits of the policies as the rule applies them: to all that
// could go. What was planned within them is not stopped on its way by what
// could go since: of that [secondKey.reached] counts what this run lets go.
func (k *secondKey) judgeBy(seen look) {
	promises, unlimited := make([]recovery.Promise, len(k.bindings)), make([]recovery.Promise, len(k.bindings))
	for i, b := range k.bindings {
		promises[i], unlimited[i] = b.Promise, b.Promise
		unlimited[i].MaxDeletes, unlimited[i].MaxPercent = 0, 0
	}
	k.seen = seen
	k.whole = recovery.NewGuard(seen.inventories, promises)
	k.each = recovery.NewGuard(seen.inventories, unlimited)
	without := slices.Clone(seen.inventories)
	for i := range without {
		without[i].Copies = nil
	}
	k.bare = recovery.NewGuard(without, unlimited)
}

// leansOnCopy tells whether a segment may go only because a copy of it is in a
// store.
func (k *secondKey) leansOnCopy(a plugins.Action) bool {
	return k.bare.Allow(a.Segment, a.Fingerprint) != nil
}

// refresh observes the target unless that was done a moment ago and nothing
// happened since. Its error is *Stopped, or that of the context.
func (k *secondKey) refresh(ctx context.Context) error {
	if !k.stale && k.now().Sub(k.at) < lookAgain && !k.now().Before(k.at) {
		return nil
	}
	fresh, err := k.observe(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return stopped(finding.RunStopped, "%s can't be observed any more: %v", k.target.Name, err)
	}
	if why := departed(k.seen, fresh); why != "" {
		return stopped(finding.RunStopped, "%s: %s", k.target.Name, why)
	}
	k.judgeBy(fresh)
	k.at, k.stale = k.now(), false
	return nil
}

// recent observes the target where that was done too long ago, for a step that
// what was done since can't bear upon.
func (k *secondKey) recent(ctx context.Context) error {
	if age := k.now().Sub(k.at); age < lookAgain && age >= 0 {
		return nil
	}
	return k.refresh(ctx)
}

// may tells whether a segment may be deleted now, by the newest observation.
func (k *secondKey) may(a plugins.Action) error {
	return k.named(a, k.each.Allow(a.Segment, a.Fingerprint))
}

// named adds to a refusal the policy that keeps the segment.
func (k *secondKey) named(a plugins.Action, err error) error {
	var refusal *recovery.Refusal
	if !errors.As(err, &refusal) || refusal.Strategy == recovery.NoStrategy {
		return err
	}
	for _, b := range k.bindings {
		alone := recovery.NewGuard(k.seen.inventories, []recovery.Promise{b.Promise})
		var own *recovery.Refusal
		if errors.As(alone.AllowOnceSaved(a.Segment, a.Fingerprint), &own) && own.Why == refusal.Why {
			return fmt.Errorf("policy %s: %w", b.Policy, refusal)
		}
	}
	return err
}

// reached says which limit keeps one more segment in this run; empty: none.
// The limits hold for all rounds of a run together.
func (k *secondKey) reached() string {
	for _, b := range k.bindings {
		if limit := b.Promise.MaxDeletes; limit > 0 && k.deleted >= limit {
			return fmt.Sprintf("policy %s lets at most %s go in one run", b.Policy, k.target.Platform.Pieces(limit))
		}
		if limit := b.Promise.MaxPercent; limit > 0 && (k.deleted+1)*100 > limit*k.present {
			return fmt.Sprintf("policy %s lets at most %d per cent of the %ss go in one run", b.Policy, limit, k.target.Platform.Piece())
		}
	}
	return ""
}

// gone notes that a segment was deleted.
func (k *secondKey) gone() { k.deleted++ }

// changed notes that something was done that the next judgement has to see.
func (k *secondKey) changed() { k.stale = true }

// disagrees says what a plan would delete that may not go; nil: nothing.
// A segment that is saved first by an action of the plan counts as saved.
func (k *secondKey) disagrees(plan []plugins.Action) *Stopped {
	saved := make(map[recovery.SegmentID]bool)
	refused, first := 0, error(nil)
	deletes := 0
	for _, a := range plan {
		var err error
		switch {
		case a.Kind == plugins.KindArchive:
			saved[a.Segment] = true
			continue
		case a.Kind == plugins.KindMarkArchived:
			err = k.mayReport(a, saved[a.Segment])
		case a.Kind != plugins.KindDelete:
			continue
		case saved[a.Segment]:
			err = k.named(a, k.whole.AllowOnceSaved(a.Segment, a.Fingerprint))
		default:
			err = k.named(a, k.whole.Allow(a.Segment, a.Fingerprint))
		}
		deletes++
		if err == nil {
			continue
		}
		if refused++; first == nil {
			first = err
		}
	}
	if refused == 0 {
		return k.outOfOrder(plan)
	}
	return stopped(finding.GuardRefused, "%s: %d of %s that the plan lets go may not go: %v", k.target.Name, refused, k.target.Platform.Pieces(deletes), first)
}

// mayReport tells whether the queue manager may be told of a copy that the plan
// makes before, or that a store has.
func (k *secondKey) mayReport(a plugins.Action, saved bool) error {
	if err := k.whole.AllowReport(a.Segment, a.Fingerprint); err != nil {
		return k.named(a, err)
	}
	if !saved && !k.seen.saved(a.Segment) {
		return &recovery.Refusal{Segment: a.Segment, Why: "no store has a whole copy of it"}
	}
	return nil
}

// outOfOrder says which delete of a plan would not be of the oldest segment
// that is left, where segments go oldest first; nil: none.
func (k *secondKey) outOfOrder(plan []plugins.Action) *Stopped {
	for _, inv := range k.seen.inventories {
		if !inv.Ordered {
			continue
		}
		line := slices.DeleteFunc(slices.Clone(inv.Segments), func(s recovery.Segment) bool {
			return s.State == recovery.Absent || s.State == recovery.Empty || s.State == recovery.Reuse
		})
		for _, a := range plan {
			if a.Kind != plugins.KindDelete || a.Segment.QueueManager != inv.QueueManager {
				continue
			}
			if len(line) == 0 || line[0].ID != a.Segment {
				return stopped(finding.GuardRefused, "%s: the plan deletes %s before an older segment: they go oldest first, and none is left out", k.target.Name, a.Segment)
			}
			line = line[1:]
		}
	}
	return nil
}
