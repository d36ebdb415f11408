package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

const longFolder = "/var/mqm/log/A!QUEUE!MANAGER!WITH!A!NAME!OF!FORTY!EIGHT!CHARS/active"

// extentPlan is a plan of ten extents of 4 KiB each: two may go, four are saved
// first, four stay.
func extentPlan(outcome string) ledger.Target {
	t := ledger.Target{Name: "QM1", Platform: "multiplatforms", Policy: "fast-startup", Task: "extents", Plugin: "archive", Strategy: "fast-startup"}
	t.Recovery.Promise = ledger.Promise{Restart: "at once", Rebuild: "restore first", StartUpDamage: "restore first"}
	inStore := ledger.Readiness{Ready: "restore first", Needs: 8, OnSystem: 4, InStore: 4, First: "S0000102.LOG", Last: "S0000105.LOG"}
	t.Recovery.Outlook = ledger.Outlook{Restart: onSystem(4), Rebuild: inStore, StartUpDamage: inStore}
	before := ""
	for n := 100; n < 110; n++ {
		name := fmt.Sprintf("S%07d.LOG", n)
		s := ledger.Segment{Name: name, QueueManager: "QM1", Bytes: 4096, State: "online"}
		add := func(kind, command string, after ...string) string {
			a := ledger.Action{ID: fmt.Sprintf("%s-%d", kind, n), Kind: kind, QueueManager: "QM1", Object: longFolder + "/" + name, Command: command, After: after, Outcome: outcome}
			if command != "" {
				a.Language = "CTL"
			}
			t.Actions = append(t.Actions, a)
			return a.ID
		}
		after := []string{before}
		if before == "" {
			after = nil
		}
		switch {
		case n < 102:
			s.Verdict, s.Reason = "delete", "not-needed"
		case n < 106:
			s.Verdict, s.Reason = "archive+delete", "needed-save-first"
			after = append(after, add("archive", ""))
			t.Totals.Archive++
		default:
			s.Verdict, s.Reason = "keep", "needed-restart"
			t.Totals.Keep++
		}
		t.Segments = append(t.Segments, s)
		if n < 106 {
			before = add("delete", "rm -- '"+longFolder+"/"+name+"'", after...)
			t.Totals.Delete++
		}
	}
	t.Totals.Segments, t.Totals.BytesFreed, t.Totals.BytesKept = 10, 6*4096, 4*4096
	return t
}

// The directory stands once above the table of the actions, so that they fit.
func TestDirectoryStandsOnce(t *testing.T) {
	for _, verbose := range []bool{false, true} {
		text := render(t, record(extentPlan("planned")), Options{Verbose: verbose})
		if got := strings.Count(text, longFolder); got != 1 || !strings.Contains(text, "All files are in "+longFolder+"/") {
			t.Errorf("%d times:\n%s", got, text)
		}
		for _, l := range strings.Split(text, "\n") {
			if len(l) > DefaultWidth {
				t.Errorf("%d columns: %q", len(l), l)
			}
		}
	}
	two := extentPlan("planned")
	two.Actions[0].Object = "/elsewhere/S0000100.LOG"
	if text := render(t, record(two), Options{}); strings.Contains(text, "All files are in") {
		t.Error("two directories are called one")
	}
}

// No report shows a statement that nobody sent: mqhk copies and removes files
// itself.
func TestNoStatementThatWasNotSent(t *testing.T) {
	planned := strings.Join(strings.Fields(render(t, record(extentPlan("planned")), Options{Verbose: true, Width: 200})), " ")
	for _, want := range []string{"rm -- 'S0000100.LOG'", "no statement: mqhk reads it, copies it to the store and reads the copy back"} {
		if !strings.Contains(planned, want) {
			t.Errorf("%q is missing in\n%s", want, planned)
		}
	}
	for _, outcome := range []string{"done", "failed", "unknown", "skipped"} {
		r := record(extentPlan(outcome))
		r.DryRun = false
		for _, format := range []Format{Text, Markdown} {
			if text := render(t, r, Options{Format: format, Verbose: true}); strings.Contains(text, "rm --") {
				t.Errorf("%s as %s:\n%s", outcome, format, text)
			}
		}
	}
}

// Where a run planned again and had let more go before, the totals say that they
// are those of the last plan.
func TestTotalsOfTheLastPlan(t *testing.T) {
	for deleted, want := range map[int]bool{6: false, 7: true} {
		target := extentPlan("done")
		target.ReadBack = &ledger.ReadBack{Deleted: deleted}
		r := record(target)
		r.DryRun = false
		if got := strings.Contains(strings.Join(strings.Fields(render(t, r, Options{})), " "), "Of the last plan that this run made."); got != want {
			t.Errorf("%d deleted: %v", deleted, got)
		}
	}
}

// While no store takes what is to be saved first it stays, with all behind it,
// and a report says so wherever it counts.
func TestNoStore(t *testing.T) {
	for name, change := range map[string]func(*ledger.Target){
		"extents":   func(*ledger.Target) {},
		"receivers": func(t *ledger.Target) { t.Platform = "ibmi" },
	} {
		target := extentPlan("planned")
		change(&target)
		with := strings.Join(strings.Fields(render(t, record(target), Options{})), " ")
		target.Totals.Waiting, target.Totals.BytesWaiting = 4, 4*4096
		target.Findings = []finding.Finding{finding.New(finding.StoreNotConfigured, "no store")}
		without := strings.Join(strings.Fields(render(t, record(target), Options{})), " ")
		for _, want := range []string{
			"NO STORE takes what is to be saved first: as it is, 2 of 6 " + name + " go.",
			"rebuild reads 8 " + name + ": 4 on the system, 4 in the store once one takes them,",
			"It is not carried out as long as no store takes what is to be saved first: 4 " + name + " stay, and a recovery finds them on the system.",
			"may go 2, which frees 8.0 KiB (8192 bytes)",
			"wait for a store 4, which would free 16.0 KiB (16384 bytes)",
			"saved first, or only saved 4, none as long as no store takes them",
			"stays on the system 32.0 KiB (32768 bytes)",
		} {
			if !strings.Contains(without, want) {
				t.Errorf("%q is missing in\n%s", want, without)
			}
			if strings.Contains(with, want) {
				t.Errorf("%q stands where there is a store", want)
			}
		}
		other := extentPlan("planned")
		change(&other)
		other.Policy = "other"
		compared := strings.Join(strings.Fields(render(t, record(target, other), Options{})), " ")
		if want := "4, 16.0 KiB 0"; !strings.Contains(compared, want) {
			t.Errorf("%q is missing in\n%s", want, compared)
		}
	}
}
