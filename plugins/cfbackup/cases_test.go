package cfbackup

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/schema"
)

// The transcript of the folder examples: all that its comments say is there.
func TestExample(t *testing.T) {
	plan := planOn(t, exampleText(t), dedicated(nil))
	head := plan.Objects[0]
	if head.Kind != kindRecovery || head.Name != "QSG1" || head.Verdict != "yes" {
		t.Errorf("head %+v", head)
	}
	want := "QMBK: BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMBK) EXCLINT(30); QMBK: BACKUP CFSTRUCT(CSQSYSAPPL) CMDSCOPE(QMBK) EXCLINT(30)"
	if got := steps(plan); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	s := object(t, plan, kindStructure, "APPSTR1")
	for fact, want := range map[string]string{
		"backup_age": "3 min", "backup_by": "QMBK", "backup_start": "0000001C03551EAC", "backup_end": "0000001C035A8504", "backup_size": "0",
		"image_in": "active logs", "logs_of": "QMA1,QMA2,QMBK", "recauto": "YES", "cfconlos": "ASQMGR", "size_used": "43", "entries_used": "78084",
		"image_estimate": "1.0 MiB (as BKUPSIZE of the last)", "backed_up_on": "QMBK", "recover_now": "nothing to recover: RECOVER would be refused (CSQE102E)",
	} {
		if s.Facts[fact] != want {
			t.Errorf("%s %q, want %q", fact, s.Facts[fact], want)
		}
	}
	if len(plan.Pictures) != 1 || len(plan.Pictures[0].Rows) != 5 {
		t.Errorf("pictures %+v", plan.Pictures)
	}
}

// No task and no target names the member: nothing is planned, and who could is said.
func TestNobodyIsNamed(t *testing.T) {
	plan := planOn(t, exampleText(t), nil)
	if len(plan.Actions) > 0 || !strings.Contains(text(plan, finding.NoBackupMember), "able, and not named for it: QMA1, QMA2, QMBK") {
		t.Errorf("%s\n%s", steps(plan), shown(plan))
	}
}

// A data set that QMBK can't open: the backup of that structure is not sent, START
// SMDSCONN is suggested and not done, the other structure goes on (case 38, trap 9).
func TestCase38DataSetUnavailable(t *testing.T) {
	own := "CSQM201I !QMBK CSQMDRTC DIS SMDSCONN DETAILS\nSMDSCONN(QMA1)\nCFSTRUCT(APPSTR1)\nOPENMODE(READONLY)\nSTATUS(OPEN)\nAVAIL(NORMAL)"
	broken := strings.NewReplacer("STATUS(OPEN)", "STATUS(ALLOCFAIL)", "AVAIL(NORMAL)", "AVAIL(ERROR)").Replace(own)
	plan := planOn(t, exampleText(t, own, broken), dedicated(nil))
	if got := steps(plan); got != "QMBK: BACKUP CFSTRUCT(CSQSYSAPPL) CMDSCOPE(QMBK) EXCLINT(30)" {
		t.Error(got)
	}
	if got := text(plan, finding.BackupBlocked); !strings.Contains(got, "START SMDSCONN(QMA1) CFSTRUCT(APPSTR1) CMDSCOPE(QMBK)") {
		t.Error(got)
	}
	plan = planOn(t, exampleText(t, own, broken), dedicated(map[string]any{"stand_in": []string{"QMA2"}}))
	if got := steps(plan); got != "QMA2: BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMA2) EXCLINT(30); QMBK: BACKUP CFSTRUCT(CSQSYSAPPL) CMDSCOPE(QMBK) EXCLINT(30)" {
		t.Errorf("with a stand-in: %s", got)
	}
	if !strings.Contains(text(plan, finding.StandInUsed), "QMA2 stands in for QMBK") {
		t.Error(codes(plan))
	}
}

// A failed backup leaves the old values: the message says it, with its reason and
// what to do first (case 38, trap 3).
func TestCase38BackupFailed(t *testing.T) {
	failed := "N 4000000 SYSA     2026148 01:59:00.00 STC00123 00000090  CSQE106E !QMBK CSQELBK1 Unable to backup structure APPSTR1, reason=00C50D00\n>>> HISTORY QSG1"
	plan := planOn(t, exampleText(t, ">>> HISTORY QSG1", failed), dedicated(nil))
	got := text(plan, finding.BackupFailed)
	if !strings.Contains(got, "APPSTR1") || !strings.Contains(got, "START SMDSCONN(*) CFSTRUCT(APPSTR1) CMDSCOPE(QMBK)") || strings.Contains(got, "CSQSYSAPPL") {
		t.Error(got)
	}
	if object(t, plan, kindStructure, "APPSTR1").Facts["backup_end"] != "0000001C035A8504" {
		t.Error("the last good backup changed")
	}
}

// APPSTR2 and APPSTR3 are listed, not failed; CSQ_ADMIN never; only persistent
// messages are protected (case 40).
func TestCase40(t *testing.T) {
	plan := planOn(t, exampleText(t), dedicated(nil))
	for _, name := range []string{"APPSTR2", "APPSTR3"} {
		if got := object(t, plan, kindStructure, name).Verdict; got != "not recoverable" {
			t.Errorf("%s: %s", name, got)
		}
	}
	said := text(plan, finding.NotRecoverable)
	if !strings.Contains(said, "only persistent messages are protected; not recoverable: APPSTR2 (RECOVER(NO)), APPSTR3 (RECOVER(NO))") {
		t.Error(said)
	}
	if strings.Contains(steps(plan), "CSQ_ADMIN") || strings.Contains(shown(plan), qsg.AdminStructure) {
		t.Error("CSQ_ADMIN is spoken of")
	}
	for _, f := range plan.Findings {
		if f.Severity == finding.Critical {
			t.Errorf("%+v", f)
		}
	}
}

// EXCLINT goes from 30 to 600 seconds (case 41).
func TestCase41(t *testing.T) {
	for value, want := range map[time.Duration]string{30 * time.Second: "EXCLINT(30)", 10 * time.Minute: "EXCLINT(600)"} {
		if got := steps(planOn(t, exampleText(t), dedicated(map[string]any{"exclint": value}))); strings.Count(got, want) != 2 {
			t.Errorf("%s: %s", value, got)
		}
	}
	for _, value := range []time.Duration{10 * time.Second, 15 * time.Minute, 0} {
		if _, err := schema.New(Plugin{}.Describe().Schema, map[string]any{"exclint": value}); err == nil {
			t.Errorf("%s is accepted", value)
		}
	}
}

// A backup of 30 hours ago, QMA1 keeps archives for a day, the BSDS of QMA2 holds
// 1000 and 60 come in an hour: both are risks, and the advice is half of the
// shortest (case 42).
func TestCase42(t *testing.T) {
	g := qsg.Group{Members: []qsg.Member{{Name: "QMA1", Archive: qsg.Parameters{"ARCRETN": "1"}}, {Name: "QMA2"}, {Name: "QMBK", Archive: qsg.Parameters{"ARCRETN": "14"}}}}
	g.Members[1].BSDS = switching(60)
	const age = 30 * time.Hour
	for i, want := range []string{"ARCRETN(1) keeps the archive logs of QMA1 for 24 h", "1000 archives, at 60.0 an hour, keeps the archive logs of QMA2 for 16.7 h", ""} {
		got := strings.Join(short(g.Members[i].Name, lifetimes(g.Members[i]), age+time.Hour), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", g.Members[i].Name, got)
		}
	}
	if every, ok := often(g.Members); !ok || ago(every) != "8.3 h" {
		t.Errorf("every %s, %v", every, ok)
	}
}

// The same in a transcript: every member that used the structure is looked at, not
// only the one that took the backup; the head names who.
func TestCase42Plan(t *testing.T) {
	plan := planOn(t, exampleText(t, "BKUPTIME(01.57.00)\nBKUPDATE(2026-05-28)", "BKUPTIME(20.00.00)\nBKUPDATE(2026-05-26)"), dedicated(nil))
	got := text(plan, finding.LogsExpire)
	if !strings.Contains(got, "APPSTR1: ARCRETN(1) keeps the archive logs of QMA1 for 24 h; they are needed for 31 h") || strings.Contains(got, "CSQSYSAPPL") {
		t.Error(got)
	}
	if !strings.Contains(text(plan, finding.BackupDayOld), "APPSTR1") || !strings.HasPrefix(steps(plan), "QMBK: BACKUP CFSTRUCT(APPSTR1)") {
		t.Error(codes(plan))
	}
}

// RECOVER is never planned. With one data set failed it would throw away messages
// of a structure that works; with nothing failed it would be refused (case 44).
func TestCase44(t *testing.T) {
	row := "CFSTATUS(APPSTR1)\nTYPE(SMDS)\nSMDS(QMA2)\nSTATUS(ACTIVE)"
	plan := planOn(t, exampleText(t, row, strings.Replace(row, "ACTIVE", "FAILED", 1)), dedicated(nil))
	got := text(plan, finding.StructureFailed)
	for _, want := range []string{"APPSTR1 is ACTIVE", "data sets of QMA2 have failed", "sets the whole structure FAILED", "nonpersistent messages away", "RECAUTO(YES)", "minutes"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Contains(steps(plan), "RECOVER") || strings.Contains(steps(plan), "APPSTR1") {
		t.Error(steps(plan))
	}
	other := object(t, plan, kindStructure, "CSQSYSAPPL").Facts["recover_now"]
	if other != "nothing to recover: RECOVER would be refused (CSQE102E)" {
		t.Error(other)
	}
}

// The table of backups was copied, then logs went that its backups need: the set is
// invalid. As long as they are there it is valid (case 59, trap 14).
func TestCase59(t *testing.T) {
	shipped := func(lrsn string) string {
		var b strings.Builder
		for _, m := range [][2]string{{"QMA1", "0000002FC0007000"}, {"QMA2", "0000001320007000"}, {"QMBK", "0000001BC0007000"}} {
			b.WriteString(m[0] + ",9,2026-05-27T22:00:00Z,shipped,,," + m[1] + ",restart=" + m[1] + " lrsn=" + lrsn + "\n")
		}
		return b.String()
	}
	set := func(lrsn string) string {
		whole := exampleText(t)
		for line := range strings.Lines(shipped(lrsn)) {
			name, row, _ := strings.Cut(line, ",")
			head := ">>> NOTE " + name + ": notes\nID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n"
			whole = strings.Replace(whole, head, head+row, 1)
		}
		return whole
	}
	valid := object(t, planOn(t, set("E2BE49E29650"), dedicated(nil)), kindSet, "QSG1")
	if valid.Verdict != "valid" {
		t.Errorf("%+v", valid)
	}
	plan := planOn(t, set("E2BD00000000"), dedicated(nil)) // before the oldest archive of all
	if got := object(t, plan, kindSet, "QSG1"); got.Verdict != "invalid" || text(plan, finding.RecoverySetInvalid) == "" {
		t.Errorf("%+v", got)
	}
}
