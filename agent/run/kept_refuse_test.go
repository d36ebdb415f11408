package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// planned is the log on which the plan of these tests was made: it deletes the
// receivers 1 to 4.
var planned = keptLog{from: 1, to: 9, restart: 8, media: 5}

// A plan is carried out when marks only moved forward and what it touches is
// as it was.
func TestKeptIsAccepted(t *testing.T) {
	k := keptOn(t, planned)
	for name, log := range map[string]keptLog{
		"nothing changed":                       planned,
		"both marks moved":                      {from: 1, to: 9, restart: 9, media: 6},
		"new receivers, marks where they were":  {from: 1, to: 14, restart: 8, media: 5},
		"new receivers, marks in them":          {from: 1, to: 14, restart: 14, media: 13},
		"the media mark passed the restart one": {from: 1, to: 14, restart: 8, media: 12},
	} {
		if err := k.Refuse(keptMade.Add(time.Hour), k.Tasks[0], presentOn(k, log.inventory())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, now := range map[string]time.Time{
		"at once": keptMade, "after 24 hours": keptMade.Add(24 * time.Hour), "a clock a minute behind": keptMade.Add(-time.Minute),
	} {
		if err := k.Refuse(now, k.Tasks[0], presentOn(k, planned.inventory())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Entries within the receiver of a mark move forward too, and no fingerprint
// counts but those of what the plan touches.
func TestKeptIsAcceptedInDetail(t *testing.T) {
	k := keptOn(t, planned)
	for name, change := range map[string]func(*recovery.Inventory){
		"a later entry": func(inv *recovery.Inventory) { inv.Needs[0].Entry = keptEntry(8, 30) },
		"another source": func(inv *recovery.Inventory) {
			inv.Needs[0].Source, inv.Needs[0].Entry = "RECLOG of DISPLAY QMSTATUS", ""
		},
		"the order of needs": func(inv *recovery.Inventory) { inv.Needs[0], inv.Needs[1] = inv.Needs[1], inv.Needs[0] },
		"a hold": func(inv *recovery.Inventory) {
			inv.Needs = append(inv.Needs, recovery.Need{Kind: recovery.Hold, From: 1})
		},
		"the rest changed":    func(inv *recovery.Inventory) { inv.Segments[5].Fingerprint = "restored" },
		"one was saved":       func(inv *recovery.Inventory) { inv.Segments[0].State = recovery.Freed },
		"an empty one before": func(inv *recovery.Inventory) { inv.Segments = append(inv.Segments, emptyReceiver()) },
		"a second restart mark that is newer": func(inv *recovery.Inventory) {
			inv.Needs = append(inv.Needs, recovery.Need{Kind: recovery.Restart, From: 9, Name: receiverName(9), Source: "RECLOG"})
		},
	} {
		inv := planned.inventory()
		change(&inv)
		if err := k.Refuse(keptMade, k.Tasks[0], presentOn(k, inv)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// emptyReceiver was made and never attached.
func emptyReceiver() recovery.Segment {
	return recovery.Segment{ID: receiverID(90), From: 90, To: 90, State: recovery.Empty}
}

func TestKeptIsRefused(t *testing.T) {
	k := keptOn(t, planned)
	now := func(l keptLog, change func(*recovery.Inventory)) Present {
		inv := l.inventory()
		if change != nil {
			change(&inv)
		}
		return presentOn(k, inv)
	}
	other := func(change func(*Present)) Present {
		p := now(planned, nil)
		change(&p)
		return p
	}
	for _, test := range []struct {
		name    string
		after   time.Duration
		present Present
		reason  PlanReason
		says    string
	}{
		{"more than a day", 24*time.Hour + 1, now(planned, nil), PlanTooOld, "24h0m0s"},
		{"a clock behind", -time.Minute - 1, now(planned, nil), PlanTooOld, "clock shows 2026-05-28T01:58:59Z"},
		{"no inventory", 0, presentOn(k), TargetUnknown, "ORDERS"},
		{"two inventories", 0, presentOn(k, planned.inventory(), planned.inventory()), TargetUnknown, "ORDERS"},
		{"another policy", 0, other(func(p *Present) { p.PolicyDigest = "0" }), PolicyDiffers, "has 0 now"},
		{"another plugin", 0, other(func(p *Present) { p.Plugin.Name = "diary" }), PluginDiffers, "diary 1.0.0"},
		{"another version", 0, other(func(p *Present) { p.Plugin.Version = "1.0.1" }), PluginDiffers, "journal 1.0.1"},
		{"another file", 0, other(func(p *Present) { p.Plugin.SHA256 = "5f1f" }), PluginDiffers, "SHA-256 5f1f"},
		{"another journal", 0, now(planned, func(inv *recovery.Inventory) { inv.Incarnation = "QMORDERS/AMQBJRN" }), IncarnationChanged, "AMQBJRN"},
		{"no journal", 0, now(planned, func(inv *recovery.Inventory) { inv.Incarnation = "" }), IncarnationChanged, `is ""`},
		{"the restart mark went back", 0, now(keptLog{from: 1, to: 9, restart: 7, media: 5}, nil), MarkWentBack, "restart point went back from AMQA000008"},
		{"the media mark went back", 0, now(keptLog{from: 1, to: 9, restart: 8, media: 4}, nil), MarkWentBack, "media point"},
		{"back within its receiver", 0, now(planned, func(inv *recovery.Inventory) { inv.Needs[1].Entry = keptEntry(4, 59) }), MarkWentBack, "media point"},
		{"back, by another source", 0, now(keptLog{from: 1, to: 9, restart: 7, media: 5}, func(inv *recovery.Inventory) { inv.Needs[0].Source = "RECLOG" }), MarkWentBack, "nothing tells"},
		{"a mark is gone", 0, now(planned, func(inv *recovery.Inventory) { inv.Needs = inv.Needs[:1] }), MarkWentBack, "not known now"},
		{"nothing is known", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments, inv.Needs = nil, nil }), MarkWentBack, "not known now"},
		{"before everything", 0, now(planned, func(inv *recovery.Inventory) { inv.Needs[1].Name, inv.Needs[1].From = "", 0 }), MarkWentBack, "in no segment that is named"},
		{"another line altogether", 0, now(keptLog{from: 50, to: 60, restart: 58, media: 55}, nil), MarkWentBack, "nothing tells"},
		{"one vanished", 0, now(keptLog{from: 2, to: 9, restart: 8, media: 5}, nil), SegmentVanished, "AMQA000001 is not on the system"},
		{"one is absent", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments[3].State = recovery.Absent }), SegmentVanished, "AMQA000004"},
		{"another of its name", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments[3].Fingerprint = "attached later" }), SegmentChanged, "attached later"},
		{"without a fingerprint", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments[3].Fingerprint = "" }), SegmentChanged, `is ""`},
		{"in another library", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments[3].ID.Library = "OTHER" }), SegmentVanished, "QMORDERS/AMQA000004"},
		{"twice in the list", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments[2] = inv.Segments[3]; inv.Segments[0] = inv.Segments[3] }), SegmentVanished, "AMQA000001"},
		{"listed twice", 0, now(planned, func(inv *recovery.Inventory) { inv.Segments = append(inv.Segments, inv.Segments[3]) }), SegmentChanged, "stands twice"},
	} {
		err := k.Refuse(keptMade.Add(test.after), k.Tasks[0], test.present)
		var refused *PlanRefused
		if !errors.As(err, &refused) || !errors.Is(err, test.reason) || refused.Task != "conservative/receivers on ORDERS" || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %s with %q", test.name, err, test.reason, test.says)
		}
	}
	foreign := k.Tasks[0]
	foreign.Target = "PAYROLL"
	if err := k.Refuse(keptMade, foreign, now(planned, nil)); !errors.Is(err, TargetUnknown) {
		t.Errorf("a task that is not in the plan: %v", err)
	}
}

// On a later night of fast-startup the media mark lies in receivers that are
// only in the store, and moves from one to the next: the first is not in the
// line any more, and that is no reason.
func TestMarkOfAReceiverThatIsGone(t *testing.T) {
	k := keptOn(t, keptLog{from: 6, to: 9, restart: 8, media: 3})
	if len(k.Tasks[0].Actions) != 0 {
		t.Fatalf("%+v", k.Tasks[0].Actions)
	}
	for name, test := range map[string]struct {
		log keptLog
		ok  bool
	}{
		"to one that is gone too":    {keptLog{from: 6, to: 9, restart: 8, media: 5}, true},
		"to one on the system":       {keptLog{from: 6, to: 9, restart: 8, media: 7}, true},
		"to a new one":               {keptLog{from: 6, to: 12, restart: 12, media: 11}, true},
		"to one before it":           {keptLog{from: 6, to: 9, restart: 8, media: 2}, false},
		"where nothing is as it was": {keptLog{from: 20, to: 29, restart: 28, media: 25}, false},
	} {
		if err := k.Refuse(keptMade, k.Tasks[0], presentOn(k, test.log.inventory())); (err == nil) != test.ok || err != nil && !errors.Is(err, MarkWentBack) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A mark in a hole that nobody names has a place, and no name by which it
// could be found again.
func TestMarkWithoutAName(t *testing.T) {
	unnamed := func(l keptLog) recovery.Inventory {
		inv := l.inventory()
		inv.Segments[0].ID.Name, inv.Needs[1].Name = "", ""
		return inv
	}
	l := keptLog{from: 6, to: 9, restart: 8, media: 5}
	k, err := KeepPlan(keptMade, "host1", []KeptTask{keepTask(keptJob(), journalPlugin, planOn(unnamed(l)))})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Refuse(keptMade, k.Tasks[0], presentOn(k, keptLog{from: 6, to: 9, restart: 8, media: 7}.inventory())); err != nil {
		t.Errorf("forward to a named one: %v", err)
	}
	if err := k.Refuse(keptMade, k.Tasks[0], presentOn(k, unnamed(l))); !errors.Is(err, MarkWentBack) {
		t.Errorf("a hole and a hole: %v", err)
	}
}
