package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// lookOf is a look at the logs of inventories.
func lookOf(inventories ...recovery.Inventory) look {
	l := look{inventories: inventories, there: map[recovery.SegmentID]recovery.Segment{}}
	for _, inv := range inventories {
		for _, s := range inv.Segments {
			if s.State != recovery.Absent {
				l.there[s.ID] = s
			}
		}
	}
	return l
}

// asked is a log that other looks are held against.
var asked = keptLog{from: 1, to: 9, restart: 6, media: 3}

// otherLooks are later looks at the log of asked, and what of each says that it
// is another log, or the same gone back; empty: nothing does.
func otherLooks() map[string]struct {
	later look
	says  string
} {
	change := func(l keptLog, with func(*recovery.Inventory)) look {
		inv := l.inventory()
		with(&inv)
		return lookOf(inv)
	}
	same := func(*recovery.Inventory) {}
	anew := lookOf(asked.inventory())
	anew.started = "2026-05-28 01.00.00"
	return map[string]struct {
		later look
		says  string
	}{
		"the same":              {change(asked, same), ""},
		"all moved forward":     {change(keptLog{from: 2, to: 11, restart: 8, media: 5}, same), ""},
		"the restart went back": {change(keptLog{from: 1, to: 9, restart: 5, media: 3}, same), "the restart point went back"},
		"the media went back":   {change(keptLog{from: 1, to: 9, restart: 6, media: 2}, same), "the media point went back"},
		"another journal":       {change(asked, func(i *recovery.Inventory) { i.Incarnation = "QMORDERS/OTHER" }), "ORDERS is not what it was"},
		"no journal":            {change(asked, func(i *recovery.Inventory) { i.Incarnation = "" }), "ORDERS is not what it was"},
		"another queue manager": {change(asked, func(i *recovery.Inventory) { i.QueueManager = "STOCK" }), "STOCK answers in place of ORDERS"},
		"one more":              {lookOf(asked.inventory(), asked.inventory()), "another number"},
		"none":                  {lookOf(), "another number"},
		"it was started anew":   {anew, "started anew"},
	}
}

func plannedLook() look {
	l := lookOf(asked.inventory())
	l.started = "2026-05-01 06.00.00"
	return l
}

// A later look at another log than that of the plan, or at the same one gone
// back, is told from one at the same log (design, The second key).
func TestDeparted(t *testing.T) {
	for name, test := range otherLooks() {
		t.Run(name, func(t *testing.T) {
			why := departed(plannedLook(), test.later)
			if (why == "") != (test.says == "") || !strings.Contains(why, test.says) {
				t.Errorf("%q, want %q", why, test.says)
			}
		})
	}
	unsaid := lookOf(asked.inventory())
	if why := departed(unsaid, plannedLook()); why != "" {
		t.Errorf("a start that was not said before: %s", why)
	}
}

// What was seen of a log that departed is not judged by: the key stops, and
// what it saw before is what it keeps.
func TestRefreshStopsAtAnotherLog(t *testing.T) {
	for name, test := range otherLooks() {
		t.Run(name, func(t *testing.T) {
			k := newSecondKey(keptJob().target, nil, plannedLook(), time.Now, func(context.Context) (look, error) { return test.later, nil })
			err := k.refresh(t.Context())
			var why *Stopped
			switch {
			case test.says == "" && (err != nil || len(k.seen.there) != len(test.later.there)):
				t.Errorf("%v, %d segments seen", err, len(k.seen.there))
			case test.says != "" && (!errors.As(err, &why) || why.Code != finding.RunStopped || !strings.Contains(why.Why, test.says)):
				t.Errorf("%v, want one that says %q", err, test.says)
			case test.says != "" && (!k.stale || k.seen.started != plannedLook().started):
				t.Error("it is judged by what is of another log")
			}
		})
	}
}
