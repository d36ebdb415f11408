package run

import (
	"context"
	"errors"
	"fmt"
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
	stale   bool // something was done since that it has to see
	guard   recovery.Guard
	present int // segments on the system when the first of this run was asked for
	deleted int
}

// newSecondKey begins with what the plan was made on, as the host saw it.
func newSecondKey(target observe.Target, bindings []Binding, planned look, now func() time.Time, again func(context.Context) (look, error)) *secondKey {
	k := &secondKey{target: target, bindings: bindings, observe: again, now: now, seen: planned, stale: true}
	k.present, _ = planned.present()
	k.guard = recovery.NewGuard(planned.inventories, promisesOf(bindings))
	return k
}

func promisesOf(bindings []Binding) []recovery.Promise {
	all := make([]recovery.Promise, len(bindings))
	for i, b := range bindings {
		all[i] = b.Promise
	}
	return all
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
	k.seen, k.at, k.stale = fresh, k.now(), false
	k.guard = recovery.NewGuard(fresh.inventories, promisesOf(k.bindings))
	return nil
}

// may tells whether a segment may be deleted now, by the newest observation.
func (k *secondKey) may(a plugins.Action) error {
	return k.named(a, k.guard.Allow(a.Segment, a.Fingerprint))
}

// mayOnceSaved tells whether it may be deleted when it is in a store.
func (k *secondKey) mayOnceSaved(a plugins.Action) error {
	return k.named(a, k.guard.AllowOnceSaved(a.Segment, a.Fingerprint))
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

// withinLimits tells whether one more may be deleted in this run. The rule
// applies a policy's limits to each observation anew; over a run of several
// rounds they hold as a whole.
func (k *secondKey) withinLimits() error {
	for _, b := range k.bindings {
		if limit := b.Promise.MaxDeletes; limit > 0 && k.deleted >= limit {
			return fmt.Errorf("policy %s lets at most %d segments go in one run", b.Policy, limit)
		}
		if limit := b.Promise.MaxPercent; limit > 0 && (k.deleted+1)*100 > limit*k.present {
			return fmt.Errorf("policy %s lets at most %d per cent of the segments go in one run", b.Policy, limit)
		}
	}
	return nil
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
		case a.Kind != plugins.KindDelete:
			continue
		case saved[a.Segment]:
			err = k.mayOnceSaved(a)
		default:
			err = k.named(a, k.guard.Allow(a.Segment, a.Fingerprint))
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
		return nil
	}
	return stopped(finding.GuardRefused, "%s: %d of %d segments that the plan deletes may not go: %v", k.target.Name, refused, deletes, first)
}
