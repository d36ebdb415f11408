package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// The key looks again when something was done, when a minute is over, and when
// the clock was set back: how old a look is can't be told then.
func TestRefreshLooksAgain(t *testing.T) {
	begin := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	tests := []struct {
		name    string
		after   time.Duration
		changed bool
		looks   int // in all, with that of the beginning
	}{
		{"at once", 0, false, 1},
		{"within the minute", lookAgain - time.Second, false, 1},
		{"the minute is over", lookAgain, false, 2},
		{"something was done", 0, true, 2},
		{"the clock was set back by a second", -time.Second, false, 2},
		{"the clock was set back by an hour", -time.Hour, false, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			now, looks := begin, 0
			k := newSecondKey(keptJob().target, nil, plannedLook(), func() time.Time { return now }, func(context.Context) (look, error) {
				looks++
				return plannedLook(), nil
			})
			if err := k.refresh(t.Context()); err != nil || looks != 1 {
				t.Fatalf("%d looks to begin with: %v", looks, err)
			}
			now = now.Add(test.after)
			if test.changed {
				k.changed()
			}
			if err := k.refresh(t.Context()); err != nil || looks != test.looks {
				t.Errorf("%d looks, want %d: %v", looks, test.looks, err)
			}
			if err := k.refresh(t.Context()); err != nil || looks != test.looks {
				t.Errorf("%d looks, want no more: %v", looks, err)
			}
		})
	}
}

// A target that can't be observed any more stops the run; a run that was ended
// is no fault of the target's.
func TestRefreshFails(t *testing.T) {
	gone := errors.New("the connection broke")
	k := newSecondKey(keptJob().target, nil, plannedLook(), time.Now, func(context.Context) (look, error) { return look{}, gone })
	var why *Stopped
	if err := k.refresh(t.Context()); !errors.As(err, &why) || why.Code != finding.RunStopped || !strings.Contains(why.Why, gone.Error()) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := k.refresh(ctx); !errors.Is(err, context.Canceled) || errors.As(err, &why) {
		t.Errorf("ended: %v", err)
	}
	if !k.stale || len(k.seen.there) == 0 {
		t.Error("what could not be had is judged by")
	}
}

// A segment that may go only with a copy stays while there is none, whatever
// was said about saving it.
func TestMayWantsTheCopyItself(t *testing.T) {
	inv := asked.inventory()
	promise := recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved}
	k := newSecondKey(keptJob().target, []Binding{{"fast-startup", promise}}, lookOf(inv), time.Now, nil)
	needed := inv.Segments[asked.media-1] // a rebuild reads it
	action := plugins.Action{Kind: plugins.KindDelete, Segment: needed.ID, Fingerprint: needed.Fingerprint}
	if err := k.may(action); err == nil {
		t.Error("it may go without a copy")
	}
	if !k.leansOnCopy(action) {
		t.Error("it does not go by its copy")
	}
	for _, s := range inv.Segments[:asked.media] {
		inv.Copies = append(inv.Copies, recovery.Copy{Segment: s.ID, Store: "vault", Verified: true})
	}
	k.judgeBy(lookOf(inv))
	if err := k.may(action); err != nil || !k.leansOnCopy(action) {
		t.Errorf("with its copy it may go: %v", err)
	}
	action.Fingerprint += " and again"
	if err := k.may(action); err == nil {
		t.Error("another of its name may go")
	}
}

// The limits count what a run lets go, in all its rounds, against what was
// there when it began.
func TestLimitsOfARun(t *testing.T) {
	tests := []struct {
		name    string
		promise recovery.Promise
		there   int
		most    int // -1: no limit
	}{
		{"none", recovery.Promise{}, 10, -1},
		{"a number", recovery.Promise{MaxDeletes: 3}, 10, 3},
		{"a part", recovery.Promise{MaxPercent: 70}, 10, 7},
		{"a part that is not whole", recovery.Promise{MaxPercent: 50}, 9, 4},
		{"a part of few", recovery.Promise{MaxPercent: 10}, 9, 0},
		{"both, the number is less", recovery.Promise{MaxDeletes: 2, MaxPercent: 90}, 10, 2},
		{"both, the part is less", recovery.Promise{MaxDeletes: 8, MaxPercent: 50}, 10, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := keptLog{from: 1, to: test.there, restart: test.there, media: test.there}
			k := newSecondKey(keptJob().target, []Binding{{"other", recovery.Promise{}}, {"this", test.promise}}, lookOf(log.inventory()), time.Now, nil)
			gone := 0
			for gone < test.there && k.reached() == "" {
				k.gone()
				log.from++ // a later look sees less, and the limits are the same
				if log.from <= log.to {
					k.judgeBy(lookOf(log.inventory()))
				}
				gone++
			}
			switch want := test.most; {
			case want < 0 && gone != test.there, want >= 0 && gone != want:
				t.Errorf("%d of %d may go, want %d", gone, test.there, want)
			case want >= 0 && !strings.Contains(k.reached(), "policy this"):
				t.Errorf("it does not say whose limit it is: %q", k.reached())
			}
		})
	}
}
