package recovery

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"pgregory.net/rapid"
)

// steps writes a room as "cost:segments/save" for each step, and "!" when the
// need is met.
func steps(room Room) string {
	var list []string
	for _, s := range room.Steps {
		names := ""
		for _, id := range s.Segments {
			names += id.Name
		}
		list = append(list, fmt.Sprintf("%s:%s/%d", s.Cost, names, s.Save))
	}
	text := strings.Join(list, " ")
	if room.Met {
		text += " !"
	}
	return text
}

// rests writes what stays as "reason:first-last".
func rests(room Room) string {
	var list []string
	for _, r := range room.Rest {
		text := r.Verdict.Reason + ":" + r.First.Name + "-" + r.Last.Name
		if r.Needed {
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func TestReach(t *testing.T) {
	conservative := Promise{Strategy: Conservative}
	multiplatforms := func(inv *Inventory) { inv.Weakest = FastStartup }
	tests := []struct {
		name           string
		chain          string // 100 bytes each
		restart, media int
		promise        Promise
		need           int64
		change         func(*Inventory)
		steps, rest    string
	}{
		{name: "the policy alone is enough", chain: "sssssc", restart: 4, media: 2, promise: conservative, need: 200,
			steps: "nothing:01/0 rebuild:23/2 restart:4/1 !", rest: "current:5-5*"},
		{name: "never the restart where the platform does not bear it", chain: "sssssc", restart: 4, media: 2, promise: conservative, need: 500,
			change: multiplatforms, steps: "nothing:01/0 rebuild:23/2", rest: "needed-restart:4-4* current:5-5*"},
		{name: "counts and ages before any loss", chain: "sssssssssc", restart: 8, media: 8, need: 1, change: func(inv *Inventory) {
			multiplatforms(inv)
			for i := range 3 {
				inv.Segments[i].Unneeded = inv.Observed.Add(-2 * time.Hour)
			}
		}, promise: Promise{Strategy: Conservative, Margin: 1, KeepNewest: 4, MinAge: time.Hour, MaxDeletes: 1},
			steps: "nothing:0/0 limits:12/0 min-age:345/0 keep-newest:6/0 margin:7/0 !", rest: "needed-restart:8-8* current:9-9*"},
		{name: "a limit in per cent is a limit", chain: "sssssc", restart: 4, media: 4, promise: Promise{Strategy: Conservative, MaxPercent: 10}, need: 300,
			change: multiplatforms, steps: "limits:0123/0 !", rest: "needed-restart:4-4* current:5-5*"},
		{name: "what was never saved, and what waits behind it", chain: "sosooc", restart: 4, media: 4, promise: conservative, need: 400,
			change: multiplatforms, steps: "nothing:0/0 unsaved:123/2 !", rest: "needed-restart:4-4* current:5-5*"},
		{name: "what is in the store need not be saved", chain: "sssssc", restart: 4, media: 2, promise: conservative, need: 400,
			change: func(inv *Inventory) { multiplatforms(inv); copies(2, 3)(inv) },
			steps:  "nothing:01/0 rebuild:23/0 !", rest: "needed-restart:4-4* current:5-5*"},
		{name: "a task of fast-startup gives nothing up for its own", chain: "sssssc", restart: 4, media: 2, promise: Promise{Strategy: FastStartup}, need: 400,
			change: multiplatforms, steps: "nothing:0123/2 !", rest: "needed-restart:4-4* current:5-5*"},
		{name: "a task that is only reported begins with the strongest", chain: "sssssc", restart: 4, media: 2, promise: Promise{Strategy: Aggressive}, need: 400,
			change: multiplatforms, steps: "strategy:01/0 rebuild:23/2 !", rest: "needed-restart:4-4* current:5-5*"},
		{name: "holds stay under every promise, each by itself", chain: "sssssc", restart: 4, media: 4, promise: conservative, need: 1,
			change: func(inv *Inventory) {
				multiplatforms(inv)
				inv.Needs = append(inv.Needs, Need{Kind: Hold, From: 25, Source: "hold 7 case 4711"})
			}, steps: "nothing:0/0 !", rest: "on-hold:1-3 needed-restart:4-4* current:5-5*"},
		{name: "what the platform itself wants", chain: "ssssc", restart: 3, media: 3, promise: conservative, need: 1,
			change: func(inv *Inventory) { multiplatforms(inv); inv.Segments[0].Pin = "a remote journal lags" },
			steps:  "", rest: "remote-journal-behind:0-0 behind:1-2 needed-restart:3-3* current:4-4*"},
		{name: "the queue manager removes them itself", chain: "rooooc", restart: 4, media: 2, promise: conservative, need: 1,
			change: func(inv *Inventory) { multiplatforms(inv); inv.Remover = ByManager },
			steps:  "", rest: "reuse:0-0 queue-manager-removes:1-1 needed-media:2-3* needed-restart:4-4* current:5-5*"},
		{name: "the queue manager waits for word", chain: "rsoooc", restart: 4, media: 3, promise: conservative, need: 1,
			change: func(inv *Inventory) { multiplatforms(inv); inv.Remover = OnceReported },
			steps:  "", rest: "reuse:0-0 queue-manager-removes:1-1 not-archived:2-2 not-archived:3-4* current:5-5*"},
		{name: "nothing is needed", chain: "sc", restart: 1, media: 1, promise: conservative, need: 0,
			steps: "nothing:0/0 !", rest: "current:1-1*"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Observed: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC),
				Segments: chain(test.chain), Needs: []Need{needAt(Restart, test.restart), needAt(Media, test.media)}}
			if test.change != nil {
				test.change(&inv)
			}
			room := Reach([]Inventory{inv}, test.promise, test.need)
			if room.Blocked != "" {
				t.Fatal(room.Blocked)
			}
			if got := steps(room); got != test.steps && got != strings.TrimSpace(test.steps) {
				t.Errorf("steps\n got %s\nwant %s", got, test.steps)
			}
			if got := rests(room); got != test.rest {
				t.Errorf("rest\n got %s\nwant %s", got, test.rest)
			}
		})
	}
}

// How many of a step would do, what it frees, and what a recovery finds then.
func TestReachStep(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Weakest: FastStartup, Segments: chain("ssssssc"),
		Needs: []Need{needAt(Restart, 5), needAt(Media, 1)}}
	for i := range inv.Segments {
		inv.Segments[i].Bytes = int64(100 * (i + 1))
	}
	for need, enough := range map[int64][2]int{0: {0, 0}, 1: {1, 0}, 100: {1, 0}, 101: {0, 1}, 600: {0, 2}, 601: {0, 3}, 1500: {0, 4}, 1501: {0, 0}} {
		room := Reach([]Inventory{inv}, Promise{Strategy: Conservative}, need)
		if len(room.Steps) != 2 {
			t.Fatal(steps(room))
		}
		one, two := room.Steps[0], room.Steps[1]
		if got := [2]int{one.Enough, two.Enough}; got != enough || room.Met != (need <= 1500) {
			t.Errorf("of %d bytes: enough %v, met %t, want %v", need, got, room.Met, enough)
		}
		if one.Bytes != 100 || one.Total != 100 || two.Bytes != 1400 || two.Total != 1500 || two.Save != 4 {
			t.Errorf("%+v", room.Steps)
		}
		if one.Outlook[0].Rebuild.Ready != AtOnce || two.Outlook[0].Rebuild.Ready != RestoreFirst || two.Outlook[0].Restart.Ready != AtOnce {
			t.Errorf("%+v", room.Steps)
		}
	}
}

// A step gives up no more than it takes, and what it takes it says.
func TestReachGivesUpNoMore(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Weakest: FastStartup, Segments: chain("ssosssc"),
		Needs: []Need{needAt(Restart, 5), needAt(Media, 4)}}
	task := Promise{Strategy: Conservative, MaxDeletes: 3, MaxPercent: 90, KeepNewest: 2, Margin: 1}
	var promises []Promise
	for _, step := range Reach([]Inventory{inv}, task, 1).Steps {
		promises = append(promises, step.Promise)
	}
	saved, all, rebuild := task, task, task
	saved.Margin = 0 // frees nothing by itself: 3 waits behind 2, which was never saved
	saved.Unsaved = SaveUnsaved
	saved.MaxDeletes = 0
	rebuild.Unsaved, rebuild.MaxDeletes, rebuild.Margin, rebuild.Strategy = SaveUnsaved, 0, 0, FastStartup
	want := []Promise{all, saved, rebuild}
	if !reflect.DeepEqual(promises, want) {
		t.Errorf("%+v\nwant %+v", promises, want)
	}
}

// A critical finding keeps everything, whatever the disk.
func TestReachBlocked(t *testing.T) {
	sound := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssc"), Needs: []Need{needAt(Restart, 2), needAt(Media, 2)}}
	for name, change := range map[string]func(*Inventory, *Promise){
		"a question is open":        func(inv *Inventory, _ *Promise) { inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "x")} },
		"no media point":            func(inv *Inventory, _ *Promise) { inv.Needs = inv.Needs[:1] },
		"a needed one is lost":      func(inv *Inventory, _ *Promise) { inv.Segments[2].State = Absent },
		"only the error log tells":  func(inv *Inventory, _ *Promise) { inv.Needs[0].Logged = true },
		"no strategy":               func(_ *Inventory, p *Promise) { p.Strategy = NoStrategy },
		"nothing is being written":  func(inv *Inventory, _ *Promise) { inv.Segments = inv.Segments[:3] },
		"needed, only in the store": func(inv *Inventory, _ *Promise) { inv.Segments[2].State = Absent; copies(2)(inv) },
	} {
		inv, promise := sound, Promise{Strategy: Conservative}
		inv.Segments, inv.Needs = append([]Segment{}, sound.Segments...), append([]Need{}, sound.Needs...)
		change(&inv, &promise)
		room := Reach([]Inventory{sound, inv}, promise, 1)
		if room.Blocked == "" || len(room.Steps) > 0 || len(room.Rest) > 0 || room.Met {
			t.Errorf("%s: %+v", name, room)
		}
	}
}

// A promise without a bound is passed over; a weaker one that has one is not.
func TestReachPassesOver(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssc"), Needs: []Need{needAt(Published, 1)}}
	if got := steps(Reach([]Inventory{inv}, Promise{Strategy: Conservative}, 1)); got != "nothing:0/0 restart:12/2 !" {
		t.Error(got)
	}
	inv.Weakest = FastStartup
	if got := steps(Reach([]Inventory{inv}, Promise{Strategy: Conservative}, 1)); got != "nothing:0/0 !" {
		t.Error(got)
	}
}

// The steps are disjoint and in order of loss, their sums are right, together
// they are what Decide lets go under the promises that they name, and nothing
// else is on the system than what they free and what stays.
func TestReachProperties(t *testing.T) {
	several := 0
	for range 30 {
		rapid.Check(t, func(t *rapid.T) {
			inv := drawInventory(t)
			inv.Weakest = Strategy(upTo(t, 3, "weakest"))
			inv.Remover = Remover(max(0, upTo(t, 4, "remover")-2))
			for i := range inv.Segments {
				inv.Segments[i].Bytes = int64(upTo(t, 5, "bytes"))
			}
			promise, need := drawPromise(t), int64(upTo(t, 40, "need"))
			room := Reach([]Inventory{inv}, promise, need)
			if !reflect.DeepEqual(room, Reach([]Inventory{inv}, promise, need)) {
				t.Fatal("asked again it says something else")
			}
			checkRoom(t, inv, promise, need, room)
			if len(room.Steps) > 2 {
				several++
			}
		})
	}
	if several < 5 {
		t.Errorf("the draws test too little: %d", several)
	}
}

func checkRoom(t *rapid.T, inv Inventory, promise Promise, need int64, room Room) {
	if !(oracle{inv, promise}).sound() {
		if room.Blocked == "" || len(room.Steps) > 0 {
			t.Fatalf("what is not known lets something go: %+v", room)
		}
		return
	}
	place := make(map[SegmentID]int)
	for i, s := range inv.Segments {
		place[s.ID] = i
	}
	gone := make(map[SegmentID]bool)
	var total int64
	for n, step := range room.Steps {
		if n > 0 && step.Cost <= room.Steps[n-1].Cost {
			t.Fatalf("step %s after %s", step.Cost, room.Steps[n-1].Cost)
		}
		before := total
		verdicts := Decide([]Inventory{inv}, step.Promise).Managers[0].Verdicts
		save, enough := 0, 0
		for k, id := range step.Segments {
			i := place[id]
			if gone[id] || !verdicts[i].Kind.Goes() || k > 0 && i <= place[step.Segments[k-1]] {
				t.Fatalf("step %s: %s", step.Cost, id)
			}
			gone[id] = true
			if total < need && total+inv.Segments[i].Bytes >= need {
				enough = k + 1
			}
			total += inv.Segments[i].Bytes
			if verdicts[i].Kind == ArchiveDelete {
				save++
			}
		}
		if step.Bytes != total-before || step.Total != total || step.Save != save || step.Enough != enough {
			t.Fatalf("step %s: %+v, want %d of %d, %d saved, %d enough", step.Cost, step, total-before, total, save, enough)
		}
		for i, v := range verdicts { // the union is exactly what the promise of the step lets go
			if v.Kind.Goes() != gone[inv.Segments[i].ID] {
				t.Fatalf("step %s: %s goes %t", step.Cost, inv.Segments[i].ID, v.Kind.Goes())
			}
		}
	}
	if room.Met != (total >= need) {
		t.Fatalf("met %t with %d of %d", room.Met, total, need)
	}
	checkRest(t, inv, promise, room, gone)
}

// checkRest holds what stays against the weakest promise: all that it keeps is
// there, and nothing that any step frees.
func checkRest(t *rapid.T, inv Inventory, promise Promise, room Room, gone map[SegmentID]bool) {
	weakest := Promise{Strategy: inv.Weakest, Unsaved: max(promise.Unsaved, SaveUnsaved), TrustErrorLog: promise.TrustErrorLog}
	if inv.Weakest == NoStrategy {
		weakest.Strategy = Aggressive
	}
	bound := (oracle{inv, weakest}).sound()
	stays, bytes := 0, int64(0)
	for i, v := range Decide([]Inventory{inv}, weakest).Managers[0].Verdicts {
		s := inv.Segments[i]
		if gone[s.ID] && !v.Kind.Goes() && bound {
			t.Fatalf("%s goes, and %s keeps it: %s", s.ID, weakest.Strategy, v.Why)
		}
		if s.State != Absent && !gone[s.ID] {
			stays++
			bytes += s.Bytes
		}
	}
	for _, r := range room.Rest {
		stays -= r.Segments
		bytes -= r.Bytes
	}
	if stays != 0 || bytes != 0 {
		t.Fatalf("%d segments of %d bytes are nowhere in %+v", stays, bytes, room)
	}
}

func TestCostWords(t *testing.T) {
	seen := map[string]bool{}
	for c := CostNothing; c <= CostRestart; c++ {
		if c.String() == "" || seen[c.String()] {
			t.Errorf("cost %d: %q", c, c)
		}
		seen[c.String()] = true
	}
	if s := Cost(len(costWords)).String(); s != "" {
		t.Error(s)
	}
}
