package run

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/recovery"
)

// later is what is there when a plan is to be carried out: receivers are
// numbers, and so the oracle knows their order without any chain.
type later struct {
	log     keptLog
	changed map[int]bool // receivers that are others of their name
	lacks   string       // restart or media: that mark is not known; orders: nothing is
	other   string       // policy, plugin, journal: it is another one
	after   time.Duration
}

func drawLog(t *rapid.T, label string) keptLog {
	to := rapid.IntRange(1, 14).Draw(t, label+" newest")
	return keptLog{
		from: rapid.IntRange(1, to).Draw(t, label+" oldest"), to: to,
		restart: rapid.IntRange(1, to).Draw(t, label+" restart"), media: rapid.IntRange(1, to).Draw(t, label+" media"),
	}
}

func drawLater(t *rapid.T, before keptLog) later {
	l := later{log: before, changed: map[int]bool{}}
	if rapid.Bool().Draw(t, "anything") {
		l.log = drawLog(t, "later")
	} else { // a life that goes on
		l.log.to += rapid.IntRange(0, 4).Draw(t, "attached")
		l.log.restart = rapid.IntRange(before.restart, l.log.to).Draw(t, "restart moved")
		l.log.media = rapid.IntRange(before.media, l.log.to).Draw(t, "media moved")
	}
	seldom := func(label string, of ...string) string {
		if rapid.IntRange(0, 9).Draw(t, label+"?") > 0 {
			return ""
		}
		return rapid.SampledFrom(of).Draw(t, label)
	}
	l.lacks = seldom("lacks", "restart", "media", "orders")
	l.other = seldom("other", "policy", "plugin", "journal")
	if seldom("changed", "one") != "" {
		l.changed[rapid.IntRange(1, l.log.to).Draw(t, "which")] = true
	}
	l.after = time.Duration(rapid.IntRange(-2, 28*60).Draw(t, "minutes")) * time.Minute
	return l
}

func (l later) present(k Kept) Present {
	inv := l.log.inventory()
	for i := range inv.Segments {
		s := &inv.Segments[i]
		if l.changed[l.log.oldest()+i] && s.State != recovery.Absent {
			s.Fingerprint += " and again"
		}
	}
	inv.Needs = slices.DeleteFunc(inv.Needs, func(n recovery.Need) bool { return n.Kind.String() == l.lacks })
	p := presentOn(k, inv)
	switch l.other {
	case "policy":
		p.PolicyDigest += "0"
	case "plugin":
		p.Plugin.SHA256 += "0"
	case "journal":
		p.Inventories[0].Incarnation += "0"
	}
	if l.lacks == "orders" {
		p.Inventories = nil
	}
	return p
}

// reasons gives all that speak against a plan that was made on a log and
// deletes some of its receivers.
func (l later) reasons(before keptLog, deletes []int) []PlanReason {
	var list []PlanReason
	add := func(reason PlanReason, holds bool) {
		if holds {
			list = append(list, reason)
		}
	}
	on := func(n int) bool { return l.lacks != "orders" && n >= l.log.from && n <= l.log.to }
	add(PlanTooOld, l.after > 24*time.Hour || l.after < -time.Minute)
	add(TargetUnknown, l.lacks == "orders")
	add(PolicyDiffers, l.other == "policy")
	add(PluginDiffers, l.other == "plugin")
	add(IncarnationChanged, l.other == "journal")
	add(MarkWentBack, l.lacks == "restart" || l.lacks == "media" || l.back(before, before.restart, l.log.restart) || l.back(before, before.media, l.log.media))
	add(SegmentVanished, slices.ContainsFunc(deletes, func(n int) bool { return !on(n) }))
	add(SegmentChanged, slices.ContainsFunc(deletes, func(n int) bool {
		// The attached one of then may be detached now, and the other way
		// round: another fingerprint.
		return on(n) && (l.changed[n] || (n == before.to) != (n == l.log.to))
	}))
	return list
}

// back tells whether a mark went back, or whether that can't be told: its
// receiver is not in the line any more, the new one was not in it then, and
// none of those that were comes before it.
func (l later) back(before keptLog, was, is int) bool {
	if is < was {
		return true
	}
	inLine := func(n int) bool { return n >= min(before.restart, before.media) && n <= before.to }
	inFresh := func(n int) bool { return n >= l.log.oldest() && n <= l.log.to }
	told := inFresh(was) || inLine(is)
	for n := 1; n < is; n++ {
		told = told || inLine(n) && inFresh(n)
	}
	return !told
}

// A kept plan is refused exactly when one of the listed reasons holds, and the
// reason it gives is one of them.
func TestKeptModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawLog(t, "planned")
		k := keptOn(t, before)
		var deletes []int
		for n := before.from; n <= before.to; n++ {
			if slices.ContainsFunc(k.Tasks[0].Actions, func(a KeptAction) bool { return a.Segment.Name == receiverName(n) }) {
				deletes = append(deletes, n)
			}
		}
		now := drawLater(t, before)
		err := k.Refuse(keptMade.Add(now.after), k.Tasks[0], now.present(k))
		want := now.reasons(before, deletes)
		var refused *PlanRefused
		switch {
		case err == nil && len(want) > 0:
			t.Fatalf("planned on %+v, then %+v: accepted, though %v", before, now, want)
		case err != nil && (!errors.As(err, &refused) || !slices.Contains(want, refused.Reason)):
			t.Fatalf("planned on %+v, then %+v: %v, want one of %v", before, now, err, want)
		}
	})
}
