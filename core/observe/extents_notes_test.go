package observe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// What the site's own jobs did.
func TestNotes(t *testing.T) {
	u := usual()
	noted := func(rows ...string) script {
		return u.with(notes, "ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n"+strings.Join(rows, "\n")+"\n")
	}
	const at = "2026-05-20T18:00:00Z"
	runExtentCases(t, []extentCase{
		{"a data backup", noted("17," + at + ",data-backup,,S0000102.LOG,,"), usualGoesSaved, ""},
		{"given as a position", noted("17," + at + ",data-backup,,,s0000102.log,"), usualGoesSaved, ""},
		{"two of them, kept both", noted("17,"+at+",data-backup,,S0000101.LOG,,", "18,"+at+",data-backup,,S0000103.LOG,,"), usualGoesSaved, ""},
		{"replayed up to one", noted("17," + at + ",replayed,,S0000101.LOG,,"), "S0000100-S0000101", ""},
		{"the newest counts", noted("17,2026-05-21T18:00:00Z,replayed,,S0000102.LOG,,", "18,"+at+",replayed,,S0000100.LOG,,"), "S0000100-S0000102", ""},
		{"another was begun anew", noted("17,"+at+",replayed,,S0000102.LOG,,", "18,2026-05-21T18:00:00Z,replayed,,S0000100.LOG,,"), "S0000100", ""},
		{"two sites, and the newer note is of the one that is ahead", noted("17,"+at+",replayed,,S0000100.LOG,,standby A", "18,2026-05-21T18:00:00Z,replayed,,S0000125.LOG,,standby B"), "S0000100", ""},
		{"two sites, and the newer note is of the one that is behind", noted("17,"+at+",replayed,,S0000125.LOG,,standby A", "18,2026-05-21T18:00:00Z,replayed,,S0000101.LOG,,standby B"), "S0000100-S0000101", ""},
		{"of each the newest counts", noted("17,"+at+",replayed,,S0000100.LOG,,standby A", "18,2026-05-21T18:00:00Z,replayed,,S0000125.LOG,,standby B", "19,2026-05-22T18:00:00Z,replayed,,S0000102.LOG,,standby  A"), "S0000100-S0000102", ""},
		{"one with a word and one without", noted("17,"+at+",replayed,,S0000100.LOG,,", "18,2026-05-21T18:00:00Z,replayed,,S0000125.LOG,,standby B"), "S0000100", ""},
		{"replayed what has gone", noted("17," + at + ",replayed,,S0000099.LOG,,"), "", ""},
		{"replayed all that is complete", noted("17," + at + ",replayed,,S0000129.LOG,,"), usualGoes, ""},
		{"saved and shipped", noted("17,"+at+",saved,,S0000100.LOG,,", "18,"+at+",shipped,,S0000090.LOG,,"), usualGoes, ""},
		{"on one that is not there", noted("17," + at + ",data-backup,,S0000099.LOG,,"), "", ""},
		{"on one of which the copy is damaged", noted("17,"+at+",data-backup,,S0000099.LOG,,").with(manifests, manifestColumns+manifestWith(99, 16785408, "NO", thisLog)), "", "copy-damaged"},
		{"replayed, and what follows is not there", noted("17," + at + ",replayed,,S0000090.LOG,,"), "", ""},
		{"saved, what is not there", noted("17," + at + ",saved,,S0000090.LOG,,"), usualGoes, ""},
		{"replayed what is being written", noted("17," + at + ",replayed,,S0000130.LOG,,"), "", "note-unplaced"},
		{"on one still to come", noted("17," + at + ",data-backup,,S0000140.LOG,,"), "", "note-unplaced"},
		{"half way around", noted("17," + at + ",data-backup,,S5100130.LOG,,"), "", "note-unplaced"},
		{"on no extent", noted("17," + at + ",data-backup,,,<0:0:8:65136>,"), "", "note-unplaced"},
		{"of before the log began", noted("17,2023-12-31T18:00:00Z,data-backup,,S0000102.LOG,,"), "", "note-unplaced"},
		{"of a kind that is not known", noted("17," + at + ",moved,,S0000102.LOG,,"), "", "note-unplaced"},
		{"without a time", noted("17,,data-backup,,S0000102.LOG,,"), "", "facts-unreadable"},
		{"without columns", u.with(notes, "ID,AT\n1,"+at+"\n"), "", "facts-unreadable"},
	})
	// What a backup or a replay needs and is nowhere is lost: that is no matter of
	// where the note belongs.
	for rows, want := range map[string]string{
		"17," + at + ",data-backup,,S0000099.LOG,,": "S0000099.LOG is needed by the data-backup recovery point S0000099.LOG (note 17 data-backup 2026-05-20T18:00:00Z), neither on the system nor in a store: the backup can't be rolled forward",
		"17," + at + ",replayed,,S0000090.LOG,,":    "at least 2 segments from S0000091.LOG to S0000099.LOG are needed by the replay recovery point S0000091.LOG (note 17 replayed 2026-05-20T18:00:00Z), neither on the system nor in a store: the other queue manager can't be brought up to date",
	} {
		for _, how := range []string{"Manual", "Automatic", "Archive"} {
			facts := noted(rows).edit(t, qmini, "   LogBufferPages", "   LogManagement="+how+"\n   LogBufferPages").read(t)
			found := recovery.Decide([]recovery.Inventory{facts.Inventory}, conservative).Findings
			if len(found) != 1 || found[0].Code != finding.ReceiverLost || found[0].Text != "QM1: "+want || letGo(facts) != "" {
				t.Errorf("%s: %+v, %s goes", how, found, letGo(facts))
			}
		}
	}
	// A backup whose extents are in the store needs no more on the system.
	kept := noted("17,"+at+",data-backup,,S0000098.LOG,,").with(manifests, manifestColumns+manifestOf(98)+manifestOf(99)+manifestOf(100)+manifestOf(101))
	facts := kept.read(t)
	if got := decided(facts, conservative, recovery.Archived); got != "S0000098-S0000099" {
		t.Errorf("archived %s", got)
	}
	if del, save := decided(facts, conservative, recovery.Delete), decided(facts, conservative, recovery.ArchiveDelete); del != "S0000100-S0000101" || save != "S0000102-S0000103" {
		t.Errorf("deletes %s, saves %s", del, save)
	}
}

// What the site says it has saved is saved, where nothing else tells: that very
// extent, of this log, not written since.
func TestNotedSaved(t *testing.T) {
	hold := recovery.Promise{Strategy: recovery.Conservative}
	u := usual()
	const after, before = "2026-05-27T22:00:00Z", "2026-05-27T19:59:59Z" // than the files were written
	noted := func(rows ...string) script {
		return u.with(notes, "ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n"+strings.Join(rows, "\n")+"\n")
	}
	saved := func(at string, numbers ...int) (rows []string) {
		for _, n := range numbers {
			rows = append(rows, fmt.Sprintf("%d,%s,saved,,%s,,", n, at, observe.ExtentName(n)))
		}
		return rows
	}
	managed := func(s script, how string) script {
		return s.edit(t, qmini, "   LogBufferPages", "   LogManagement="+how+"\n   LogBufferPages")
	}
	for _, c := range []struct {
		name, saved, goes string
		log               script
	}{
		{"none", "", "", u},
		{"two, and no other", "S0000100-S0000101", "S0000100-S0000101", noted(saved(after, 100, 101)...)},
		{"the oldest is not", "S0000101-S0000102", "", noted(saved(after, 101, 102)...)},
		{"before it was written", "", "", noted(saved(before, 100)...)},
		{"saved again since", "S0000100", "S0000100", noted(append(saved(after, 100), saved(before, 100)...)...)},
		{"needed, and saved by the site", "S0000104", "", noted(saved(after, 104)...)},
		{"the one that is written", "", "", noted(saved(after, 130)...)},
		{"of an older log", "", "", noted(saved("2023-05-27T22:00:00Z", 100)...).edit(t, active, file("S0000100.LOG"), "S0000100.LOG 16785408 2023-05-27T20:00:00Z mqm:mqm -rw-rw----\n")},
		{"without times nothing shows which file it was", "", "", noted(saved(after, 100)...).edit(t, active, file("S0000100.LOG"), "S0000100.LOG 16785408 - mqm:mqm -rw-rw----\n")},
		{"not whole", "", "", noted(saved(after, 100)...).edit(t, active, "S0000100.LOG 16785408", "S0000100.LOG 4096")},
		{"a kind that saves nothing", "", "", noted(strings.Replace(saved(after, 100)[0], "saved", "shipped", 1))},
		{"Automatic", "", "", managed(noted(saved(after, 100)...), "Automatic")},
		{"Archive: only ARCHLOG tells", "", "", managed(noted(saved(after, 101)...), "Archive").edit(t, qmstatus, "ARCHLOG( )", "ARCHLOG(S0000100.LOG)")},
	} {
		facts := c.log.read(t)
		got := decided(stateOnly(facts, recovery.Saved), conservative, recovery.Delete)
		if goes := decided(facts, hold, recovery.Delete, recovery.ArchiveDelete); got != c.saved || goes != c.goes {
			t.Errorf("%s: saved %q, want %q; goes %q, want %q", c.name, got, c.saved, goes, c.goes)
		}
	}
}

// stateOnly gives facts in which nothing is needed, so that decided shows the
// segments of one state.
func stateOnly(facts observe.ExtentFacts, state recovery.State) observe.ExtentFacts {
	inv := recovery.Inventory{QueueManager: "QM1"}
	for _, s := range facts.Inventory.Segments {
		if s.State != state {
			s.State = recovery.Reuse
		}
		inv.Segments = append(inv.Segments, s)
	}
	inv.Segments = append(inv.Segments, recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Name: "current"}, From: 1 << 40, To: 1 << 40, State: recovery.Current})
	inv.Needs = []recovery.Need{{Kind: recovery.Restart, From: 1 << 40}, {Kind: recovery.Media, From: 1 << 40}}
	return observe.ExtentFacts{Inventory: inv}
}

const usualGoesSaved = usualGoes // those that a backup needs are saved first
