package archive

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// logOf makes a log of queue manager QM1: extents 100 and on in the given
// states, the restart point in the second last and the media point in extent
// media.
func logOf(media int, states ...recovery.State) observe.ExtentFacts {
	facts := observe.ExtentFacts{
		Inventory: recovery.Inventory{QueueManager: "QM1", Incarnation: "qmid=QM1_2", Ordered: true, Weakest: recovery.FastStartup},
		Log: observe.Log{
			Directory: "/var/mqm/log/QM1/active", Type: observe.Linear, Management: observe.Manual, InUse: -1, Utilised: -1,
			Media: observe.ExtentName(media), Restart: observe.ExtentName(100 + len(states) - 2), Current: observe.ExtentName(100 + len(states) - 1),
		},
	}
	for i, state := range states {
		at := recovery.Position(i + 1)
		facts.Inventory.Segments = append(facts.Inventory.Segments, recovery.Segment{
			ID: extentID(100 + i), From: at, To: at, State: state, Bytes: 16785408, Fingerprint: fmt.Sprintf("bytes=16785408 %d", i),
		})
		facts.Extents = append(facts.Extents, observe.Extent{Name: observe.ExtentName(100 + i), Number: 100 + i, Bytes: 16785408})
	}
	facts.Inventory.Needs = []recovery.Need{
		{Kind: recovery.Restart, From: recovery.Position(len(states) - 1), Name: facts.Log.Restart, Source: "RECLOG of DISPLAY QMSTATUS"},
		{Kind: recovery.Media, From: recovery.Position(media - 99), Name: facts.Log.Media, Source: "MEDIALOG of DISPLAY QMSTATUS"},
	}
	return facts
}

func extentID(number int) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: "QM1", Name: observe.ExtentName(number)}
}

// decide gives the view of a log under a request.
func decide(facts observe.ExtentFacts, request plugins.Request) view {
	request.Target = observe.Target{Name: "QM1", Platform: observe.Multiplatforms}
	manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, request.Promise).Managers[0]
	return view{facts: facts, manager: manager, request: request}
}

func stepsOf(v view) string { return steps(plugins.Plan{Actions: v.actions()}) }

// Who removes extents decides what is planned; the strategy only where that is
// the task itself.
func TestMatrix(t *testing.T) {
	const online, saved = recovery.Online, recovery.Saved
	manual := logOf(102, online, online, online, online, recovery.Current)
	automatic := logOf(102, online, online, online, online, recovery.Current)
	automatic.Inventory.Remover, automatic.Log.Management = recovery.ByManager, observe.Automatic
	replicated := logOf(102, online, online, online, online, recovery.Current)
	replicated.Inventory.Remover, replicated.Log.Management, replicated.Log.Type = recovery.ByManager, observe.Archiving, observe.Replicated
	archiving := logOf(102, saved, online, online, online, recovery.Current)
	archiving.Inventory.Remover, archiving.Log.Management = recovery.OnceReported, observe.Archiving
	noted := func(facts observe.ExtentFacts, kind recovery.NeedKind, from recovery.Position) observe.ExtentFacts {
		facts.Inventory.Needs = append(slices.Clone(facts.Inventory.Needs), recovery.Need{Kind: kind, From: from, Name: observe.ExtentName(99 + int(from)), Source: "note 17"})
		return facts
	}
	reported := logOf(102, saved, saved, saved, online, recovery.Current)
	reported.Inventory.Remover, reported.Log.Management = recovery.OnceReported, observe.Archiving
	copied := noted(reported, recovery.DataBackup, 2)
	copied.Inventory.Copies = []recovery.Copy{{Segment: extentID(101), Store: "vault", Verified: true, Incarnation: "qmid=QM1_2"}, {Segment: extentID(102), Store: "vault", Incarnation: "qmid=QM1_2"}}
	const watched, unkept = "queue-manager-removes", "queue-manager-removes backup-not-kept"
	const all = "archive-1 101; archive-2 102; archive-3 103"
	const reports = "archive-1 101; mark-archived-2 101 after archive-1; archive-3 102; mark-archived-4 102 after archive-3; archive-5 103; mark-archived-6 103 after archive-5"
	tests := []struct {
		name  string
		facts observe.ExtentFacts
		want  [3]string // by the bundled promises
		codes string    // of removerFindings, of the first two
	}{
		{"manual", manual, [3]string{"delete-1 100; delete-2 101 after delete-1",
			"archive-1 100; delete-2 100 after archive-1; archive-3 101; delete-4 101 after archive-3 delete-2; archive-5 102; delete-6 102 after archive-5 delete-4", ""}, "/"},
		{"automatic", automatic, [3]string{}, "queue-manager-removes/queue-manager-removes"},
		{"replicated", replicated, [3]string{}, "queue-manager-removes/queue-manager-removes"},
		{"archive", archiving, [3]string{"", reports, reports}, "queue-manager-removes store-not-configured/queue-manager-removes"},
		{"automatic, a data backup is noted", noted(automatic, recovery.DataBackup, 2), [3]string{"", all, all}, unkept + "/" + watched},
		{"replicated, another replays it", noted(replicated, recovery.Replay, 2), [3]string{"", all, all}, unkept + "/" + watched},
		{"automatic, it is held", noted(automatic, recovery.Hold, 2), [3]string{"", all, all}, unkept + "/" + watched},
		{"automatic, the backup needs only what is written", noted(automatic, recovery.DataBackup, 5), [3]string{}, watched + "/" + watched},
		{"archive, what was reported is in no store", noted(reported, recovery.DataBackup, 2), [3]string{"", "archive-1 101; archive-2 102; archive-3 103; mark-archived-4 103 after archive-3",
			"archive-1 101; archive-2 102; archive-3 103; mark-archived-4 103 after archive-3"}, unkept + " store-not-configured/" + watched},
		{"archive, a copy of it is damaged", copied, [3]string{"", "archive-1 102; archive-2 103; mark-archived-3 103 after archive-2",
			"archive-1 102; archive-2 103; mark-archived-3 103 after archive-2"}, unkept + " store-not-configured/" + watched},
	}
	for _, test := range tests {
		var said []string
		for i, request := range bundled {
			v := decide(test.facts, request)
			if got := stepsOf(v); got != test.want[i] {
				t.Errorf("%s, %s\n got %s\nwant %s", test.name, request.Promise.Strategy, got, test.want[i])
			}
			said = append(said, codes(plugins.Plan{Findings: v.removerFindings()}))
			for _, a := range v.actions() {
				if a.Kind == plugins.KindDelete && test.name != "manual" {
					t.Errorf("%s: deletes %s", test.name, a.Object)
				}
			}
		}
		if got := strings.Join(said[:2], "/"); got != test.codes {
			t.Errorf("%s: findings %s, want %s", test.name, got, test.codes)
		}
	}
}

// What is in a store of this incarnation already is reported, and not copied
// again. A copy that is damaged, or of which it is not known that it belongs to
// this log, is none.
func TestReportsWhatIsArchived(t *testing.T) {
	facts := logOf(102, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Current)
	facts.Inventory.Remover = recovery.OnceReported
	facts.Inventory.Copies = []recovery.Copy{
		{Segment: extentID(100), Store: "vault", Verified: true, Incarnation: "qmid=QM1_2"},
		{Segment: extentID(101), Store: "vault", Verified: true, Incarnation: "qmid=QM1_1"},
		{Segment: extentID(102), Store: "vault", Verified: true},
		{Segment: extentID(103), Store: "vault", Incarnation: "qmid=QM1_2"},
	}
	v := decide(facts, bundled[1])
	want := "mark-archived-1 100; archive-2 101; mark-archived-3 101 after archive-2; archive-4 102; mark-archived-5 102 after archive-4; archive-6 103; mark-archived-7 103 after archive-6"
	if got := stepsOf(v); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := v.actions()[0].Reason; got != "it is in store vault; the queue manager keeps it until it is told that it is archived" {
		t.Error(got)
	}
	facts.Inventory.Incarnation = "" // then no copy is known to belong to it
	if got := stepsOf(decide(facts, bundled[1])); !strings.HasPrefix(got, "archive-1 100; mark-archived-2 100 after archive-1; ") {
		t.Error(got)
	}
}

// What the queue manager removes while only the site needs it: the finding says
// what needs it, and that nothing keeps it.
func TestBackupNotKept(t *testing.T) {
	facts := logOf(102, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Current)
	facts.Inventory.Remover, facts.Log.Management = recovery.ByManager, observe.Automatic
	facts.Inventory.Needs = append(facts.Inventory.Needs,
		recovery.Need{Kind: recovery.DataBackup, From: 2, Source: "note 17 data-backup 2026-05-20T18:00:00Z"}, recovery.Need{Kind: recovery.Hold, From: 4, Source: "hold 7 case 4711"})
	v := decide(facts, bundled[0])
	found := v.removerFindings()
	want := "QM1: 3 extents, S0000101.LOG to S0000103.LOG: needed by note 17 data-backup 2026-05-20T18:00:00Z and hold 7 case 4711, and in no store; the queue manager knows nothing of that, and removes or reuses it itself; the task names no store, so that no copy is made"
	if len(found) != 2 || found[1].Code != finding.BackupNotKept || found[1].Severity != finding.Critical || found[1].Text != want {
		t.Errorf("%+v\nwant %s", found, want)
	}
}

// Nothing is reported or deleted while something critical is open, or where a
// needed extent is nowhere.
func TestNothingWhereBlocked(t *testing.T) {
	for _, remover := range []recovery.Remover{recovery.ByHousekeeper, recovery.ByManager, recovery.OnceReported} {
		open := logOf(102, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Current)
		open.Inventory.Remover = remover
		open.Inventory.Open = []finding.Finding{finding.New(finding.DirectoryNotProven, "QM1: no amqhlctl.lfh")}
		lost := logOf(102, recovery.Online, recovery.Online, recovery.Online, recovery.Absent, recovery.Current)
		lost.Inventory.Remover = remover
		for _, request := range bundled {
			if got := stepsOf(decide(open, request)) + stepsOf(decide(lost, request)); got != "" {
				t.Errorf("remover %d, %s: %s", remover, request.Promise.Strategy, got)
			}
		}
	}
}

// Whatever a log is like and whatever a policy promises: extents are deleted only
// where that is the task's, oldest first, each after its own copy where one is
// wanted; reported only where the queue manager waits, after a copy; and nothing
// else is done.
func TestStepsAreThoseOfTheVerdicts(t *testing.T) {
	deleted, reported, kept := 0, 0, 0
	steps := func(t *rapid.T) {
		v := drawView(t)
		kinds := make(map[recovery.SegmentID]recovery.VerdictKind)
		place := make(map[recovery.SegmentID]int)
		for i, s := range v.manager.Inventory.Segments {
			kinds[s.ID], place[s.ID] = v.manager.Verdicts[i].Kind, i
		}
		before := make(map[string]plugins.Action)
		var last plugins.Action
		for _, a := range v.actions() {
			if before[a.ID].ID != "" {
				t.Fatalf("%s stands twice", a.ID)
			}
			archived := false
			for _, id := range a.After {
				b, ok := before[id]
				if !ok {
					t.Fatalf("%s waits for %s, which is not before it", a.ID, id)
				}
				archived = archived || b.Kind == plugins.KindArchive && b.Segment == a.Segment
			}
			kind, remover := kinds[a.Segment], v.manager.Inventory.Remover
			switch a.Kind {
			case plugins.KindArchive:
				if len(a.After) > 0 || kind != recovery.ArchiveDelete && kind != recovery.Archive || a.Store != v.request.Store || a.Store == "" && remover != recovery.ByHousekeeper {
					t.Fatalf("%+v of %s", a, kind)
				}
				if remover != recovery.ByHousekeeper {
					kept++
				}
			case plugins.KindDelete:
				deleted++
				behind := last.ID == "" || slices.Contains(a.After, last.ID) && place[last.Segment] < place[a.Segment]
				if remover != recovery.ByHousekeeper || !kind.Goes() || !behind || archived != (kind == recovery.ArchiveDelete) || v.request.Promise.Strategy == recovery.Aggressive {
					t.Fatalf("%+v of %s", a, kind)
				}
				last = a
			case plugins.KindMarkArchived:
				reported++
				_, copied := v.copied()[a.Segment]
				if remover != recovery.OnceReported || kind != recovery.Archive || v.manager.Inventory.Segments[place[a.Segment]].State != recovery.Online || archived == copied || v.request.Store == "" {
					t.Fatalf("%+v of %s", a, kind)
				}
			default:
				t.Fatalf("%+v", a)
			}
			before[a.ID] = a
		}
	}
	for range 10 {
		rapid.Check(t, steps)
	}
	if deleted == 0 || reported == 0 || kept <= reported {
		t.Errorf("%d deleted, %d reported, %d copied where the queue manager removes: this shows nothing", deleted, reported, kept)
	}
}

// drawView draws a log, who removes its extents and a request, and decides.
func drawView(t *rapid.T) view {
	states := rapid.SliceOfN(rapid.SampledFrom([]recovery.State{recovery.Online, recovery.Online, recovery.Online, recovery.Saved, recovery.Partial, recovery.Absent}), 2, 9).Draw(t, "states")
	facts := logOf(100+rapid.IntRange(0, len(states)-1).Draw(t, "media"), append(states, recovery.Current)...)
	facts.Inventory.Remover = rapid.SampledFrom([]recovery.Remover{recovery.ByHousekeeper, recovery.ByManager, recovery.OnceReported}).Draw(t, "remover")
	if rapid.Bool().Draw(t, "noted") {
		kind := rapid.SampledFrom([]recovery.NeedKind{recovery.DataBackup, recovery.Replay, recovery.Hold}).Draw(t, "kind of note")
		facts.Inventory.Needs = append(facts.Inventory.Needs, recovery.Need{Kind: kind, From: recovery.Position(rapid.IntRange(1, len(states)).Draw(t, "from")), Source: "note 17"})
	}
	for i := range states {
		if rapid.Bool().Draw(t, "copied") {
			facts.Inventory.Copies = append(facts.Inventory.Copies, recovery.Copy{Segment: extentID(100 + i), Store: "vault",
				Verified:    rapid.Bool().Draw(t, "verified"),
				Incarnation: rapid.SampledFrom([]string{"qmid=QM1_2", "qmid=QM1_1", ""}).Draw(t, "incarnation")})
		}
	}
	request := rapid.SampledFrom(bundled[:]).Draw(t, "policy")
	request.Promise.MaxPercent = 0
	request.Promise.Unsaved = rapid.SampledFrom([]recovery.Unsaved{recovery.HoldUnsaved, recovery.SaveUnsaved, recovery.DeleteUnsaved}).Draw(t, "unsaved")
	return decide(facts, request)
}

// A long log keeps its order: each delete waits for the one before, no copy for
// anything.
func TestStepsOfALongLog(t *testing.T) {
	states := make([]recovery.State, 1000)
	for i := range states {
		states[i] = recovery.Online
	}
	states[999] = recovery.Current
	request := bundled[1]
	request.Promise.MaxDeletes = 0
	previous := ""
	for _, a := range decide(logOf(1098, states...), request).actions() {
		switch {
		case a.Kind == plugins.KindArchive && len(a.After) > 0:
			t.Fatalf("%+v", a)
		case a.Kind == plugins.KindDelete && previous != "" && (len(a.After) != 2 || a.After[1] != previous):
			t.Fatalf("%+v", a)
		case a.Kind == plugins.KindDelete:
			previous = a.ID
		}
	}
	if previous != "delete-1996" {
		t.Errorf("the last is %s", previous)
	}
}
