package report

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
)

// data gives the records of a file of jobs that are neither JCL nor comments.
func data(text string) []string {
	var list []string
	for _, l := range strings.Split(text, "\n") {
		if l != "" && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "*") && !strings.HasPrefix(l, " /*") && l != "/*" {
			list = append(list, l)
		}
	}
	return list
}

func jobsOf(text string) int { return strings.Count(text, " JOB (") }

// No record is wider than JCL reads, none is empty, and every step's data ends.
func TestJobsAreWhole(t *testing.T) {
	text := render(t, qsg1(), Options{Format: Script})
	open := false
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if len(l) > jclWidth || l == "" || l != ascii(l) {
			t.Errorf("%d columns: %q", len(l), l)
		}
		switch {
		case strings.HasSuffix(l, "DD *"):
			if open {
				t.Errorf("data within data: %q", l)
			}
			open = true
		case l == "/*":
			if !open {
				t.Error("an end without data")
			}
			open = false
		case open && strings.HasPrefix(l, "//"):
			t.Errorf("JCL within data: %q", l)
		case !open && !strings.HasPrefix(l, "//"):
			t.Errorf("data outside of a step: %q", l)
		}
	}
	if open {
		t.Error("the last data does not end")
	}
}

// A backup that was accepted is none yet: what relies on it is a job of its own.
func TestWhatWaitsForABackupIsAnotherJob(t *testing.T) {
	r := qsg1()
	r.Targets = r.Targets[:1]
	text := render(t, r, Options{Format: Script})
	if jobsOf(text) != 3 { // APPSTR1; CSQSYSAPPL; the archives of both members
		t.Errorf("%d jobs:\n%s", jobsOf(text), text)
	}
	want := []string{
		"COMMAND DDNAME(CMDS) TGTQMGR(QMBK) FAILURE(STOP)", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMBK) EXCLINT(30)",
		"COMMAND DDNAME(CMDS) TGTQMGR(QMBK) FAILURE(STOP)", "BACKUP CFSTRUCT(CSQSYSAPPL) CMDSCOPE(QMBK) EXCLINT(30)",
		"COMMAND DDNAME(CMDS) TGTQMGR(QMA1) FAILURE(STOP)", "ARCHIVE LOG CMDSCOPE(QMA1)",
		"COMMAND DDNAME(CMDS) TGTQMGR(QMBK) FAILURE(STOP)", "ARCHIVE LOG CMDSCOPE(QMBK)",
	}
	if got := data(text); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if !strings.Contains(text, "NEVER AUTOMATIC: APPSTR1") {
		t.Error("what a person would do is not printed")
	}
}

func TestJobsOfWhatMustNotBeDone(t *testing.T) {
	for name, change := range map[string]func(*ledger.Action){
		"an end of data":         func(a *ledger.Action) { a.Command = "/*" },
		"JCL":                    func(a *ledger.Action) { a.Command = "//X EXEC PGM=IEFBR14" },
		"two lines":              func(a *ledger.Action) { a.Command += "\n//X EXEC PGM=IEFBR14" },
		"a second command":       func(a *ledger.Action) { a.Command += ";RECOVER CFSTRUCT(A)" },
		"a long value":           func(a *ledger.Action) { a.Command = "ALTER CFSTRUCT(A) DESCR('" + strings.Repeat("x", 64) + "')" },
		"a name that breaks out": func(a *ledger.Action) { a.QueueManager = "Q',X" },
		"another language":       func(a *ledger.Action) { a.Language = "CL" },
		"done already":           func(a *ledger.Action) { a.Outcome = "done" },
	} {
		r := qsg1()
		r.Targets = r.Targets[:1]
		r.Targets[0].Actions = r.Targets[0].Actions[:1]
		change(&r.Targets[0].Actions[0])
		if got := data(render(t, r, Options{Format: Script})); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A long command goes on in the next line, as MQSC reads it.
func TestLongCommandsAreFolded(t *testing.T) {
	r := qsg1()
	r.Targets = r.Targets[:1]
	a := &r.Targets[0].Actions[0]
	r.Targets[0].Actions = r.Targets[0].Actions[:1]
	a.Command = "ALTER CFSTRUCT(APPSTR1) OFFLD1SZ(32K) OFFLD1TH(60) OFFLD2SZ(4K) OFFLD2TH(70) OFFLD3SZ(0K) OFFLD3TH(80)"
	got := data(render(t, r, Options{Format: Script}))
	if len(got) != 3 || !strings.HasSuffix(got[1], " +") || len(got[1]) > jclWidth || strings.TrimSuffix(got[1], "+")+strings.TrimLeft(got[2], " ") != a.Command {
		t.Errorf("got %q", got)
	}
}

// A job has no more steps than JCL takes.
func TestManyDeletesAreSeveralJobs(t *testing.T) {
	r := qsg1()
	archive := r.Targets[1]
	first := archive.Actions[0]
	archive.Actions = nil
	for i := range 450 {
		a := first
		a.ID = strings.Repeat("x", i+1)
		archive.Actions = append(archive.Actions, a)
	}
	r.Targets = []ledger.Target{archive}
	if text := render(t, r, Options{Format: Script}); jobsOf(text) != 3 || strings.Count(text, "PGM=IDCAMS") != 450 {
		t.Errorf("%d jobs", jobsOf(text))
	}
}
