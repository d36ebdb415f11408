package smdsexpand

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
)

// syslog is where QMA1's log begins in the example.
const syslog = ">>> SYSLOG QMA1   # messages that nobody asked for\n"

// logged gives the example with one message more in QMA1's log.
func logged(t *testing.T, message string) string {
	t.Helper()
	return edit(t, example(t), syslog, syslog+"N 4000000 SYSA     2026148 01:10:00.00 STC00123 00000090  "+message+"\n")
}

// ownView is QMA1's own connection to its data set of APPSTR1.
const ownView = "SMDSCONN(QMA1)\nCFSTRUCT(APPSTR1)\nOPENMODE(UPDATE)\nSTATUS(OPEN)\nAVAIL(NORMAL)\nEXPANDST(NORMAL)"

// Every failed expansion is critical, and its remedy comes in order: first the
// cause, then DSEXPAND.
func TestFailedExpansions(t *testing.T) {
	const inOrder = "first remove the cause: space on its volumes, or more volumes (IDCAMS ALTER MQP.QMA1.APPSTR1.SMDS.DATA ADDVOLUMES(*)); " +
		"then ALTER SMDS(QMA1) CFSTRUCT(APPSTR1) DSEXPAND(YES)"
	tests := []struct {
		name, text string
		code       finding.Code
		want       string // among what is said
		verdict    string
	}{
		{"CSQE218E", logged(t, "CSQE218E !QMA1 CSQEDSS2 SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS expansion was unsuccessful"),
			finding.ExpansionFailed, "an expansion failed at 2026-05-28 01:10:00 (CSQE218E); " + inOrder, "expands"},
		{"CSQE215I", logged(t, "CSQE215I !QMA1 CSQEDSS2 Further expansion of SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS is not possible because the maximum number of extents have been allocated"),
			finding.ExpansionFailed, "copy it into one with larger extents, by hand: RESET SMDS(QMA1)", "expands"},
		{"CSQE239I", logged(t, "CSQE239I !QMA1 CSQEDSS2 SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS has become full so new large messages can no longer be stored in it"),
			finding.DataSetFull, "it became full at 2026-05-28 01:10:00 (CSQE239I)", "expands"},
		{"EXPANDST(FAILED)", edit(t, example(t), ownView, strings.Replace(ownView, "EXPANDST(NORMAL)", "EXPANDST(FAILED)", 1)),
			finding.ExpansionFailed, "EXPANDST(FAILED); " + inOrder, "full"},
		{"EXPANDST(FAILED), and full of it", edit(t, example(t), ownView, strings.Replace(ownView, "EXPANDST(NORMAL)", "EXPANDST(FAILED)", 1)),
			finding.DataSetFull, "91% is in use, and it can't expand: EXPANDST(FAILED)", "full"},
		{"EXPANDST(MAXIMUM)", edit(t, example(t), ownView, strings.Replace(ownView, "EXPANDST(NORMAL)", "EXPANDST(MAXIMUM)", 1)),
			finding.ExpansionFailed, "EXPANDST(MAXIMUM); copy it into one with larger extents", "full"},
		{"DSEXPAND(NO)", edit(t, example(t), "SMDS(QMA1)\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)\nDSEXPAND(DEFAULT)", "SMDS(QMA1)\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)\nDSEXPAND(NO)"),
			finding.DataSetFull, "91% is in use, and it can't expand: DSEXPAND(NO)", "full"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := planWith(t, test.text, nil)
			got := said(plan, test.code)
			if len(got) != 1 || !strings.HasPrefix(got[0], "APPSTR1/QMA1: ") || !strings.Contains(got[0], test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if worst, _ := finding.Worst(plan.Findings); worst != finding.Critical {
				t.Errorf("the worst is %s", worst)
			}
			if o := object(t, plan, "data-set", "APPSTR1", "QMA1"); o.Verdict != test.verdict {
				t.Errorf("verdict %s (%s), want %s", o.Verdict, o.Reason, test.verdict)
			}
			if len(plan.Actions) != 0 {
				t.Errorf("%+v", plan.Actions)
			}
		})
	}
}

// A failure of long ago is none of today.
func TestOldFailures(t *testing.T) {
	text := logged(t, "CSQE218E !QMA1 CSQEDSS2 SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS expansion was unsuccessful")
	text = edit(t, text, "2026148 01:10:00.00", "2026146 01:10:00.00")
	if got := said(planWith(t, text, nil), finding.ExpansionFailed); got != nil {
		t.Errorf("%q", got)
	}
	if got := said(planWith(t, text, map[string]any{"recent": 3 * day}), finding.ExpansionFailed); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// A data set is let expand again where the task says that the cause is gone, and
// only where DSEXPAND is NO and it has extents left.
func TestExpandAgain(t *testing.T) {
	off := edit(t, example(t), "SMDS(QMA1)\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)\nDSEXPAND(DEFAULT)", "SMDS(QMA1)\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)\nDSEXPAND(NO)")
	tests := []struct {
		name, text, named, want string
	}{
		{"the task does not say so", off, "APPSTR1/QMA2", ""},
		{"it does", off, "APPSTR1/QMA1", "ALTER SMDS(QMA1) CFSTRUCT(APPSTR1) DSEXPAND(YES)"},
		{"it expands", example(t), "APPSTR1/QMA1", ""},
		{"the most extents", edit(t, off, ownView, strings.Replace(ownView, "EXPANDST(NORMAL)", "EXPANDST(MAXIMUM)", 1)), "APPSTR1/QMA1", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := planWith(t, test.text, map[string]any{"expand_again": []string{test.named}})
			var got []string
			for _, a := range plan.Actions {
				got = append(got, a.Command.Text)
			}
			if strings.Join(got, ";") != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			told := strings.Contains(strings.Join(said(plan, finding.ExpansionOff), ";"), "the task lets it expand again, and nothing is done")
			if told != (test.want == "") {
				t.Errorf("told %v", told)
			}
		})
	}
}

// More extents than an earlier run saw are an expansion, though no message tells.
func TestExpansionWithoutMessage(t *testing.T) {
	rows := "2026-05-27T02:00:00+02:00,smds-extents,APPSTR1,QMA1,10\n"
	text := edit(t, example(t), "AT,KIND,LIBRARY,SEGMENT,POSITION\n", "AT,KIND,LIBRARY,SEGMENT,POSITION\n"+rows,
		"CSQE217I !QMA1", "CSQE212I !QMA1")
	got := said(planWith(t, text, nil), finding.DataSetExpanded)
	if len(got) != 1 || !strings.Contains(got[0], "it had 10 extents at 2026-05-27 02:00 and has 11 now, and no message tells of that") {
		t.Errorf("%q", got)
	}
	text = edit(t, text, "QMA1,10\n", "QMA1,11\n")
	if got := said(planWith(t, text, nil), finding.DataSetExpanded); got != nil {
		t.Errorf("%q", got)
	}
}

// Connections and states (cases 38 and 44): who can't use a data set is named, and
// that a recovery costs messages is in the remedy.
func TestUnavailable(t *testing.T) {
	text := edit(t, example(t), ownView, strings.NewReplacer("STATUS(OPEN)", "STATUS(ALLOCFAIL)", "AVAIL(NORMAL)", "AVAIL(ERROR)").Replace(ownView))
	plan := planWith(t, text, nil)
	if got := said(plan, finding.DataSetUnavailable); len(got) != 1 ||
		got[0] != "APPSTR1/QMA1: STATUS(ALLOCFAIL) AVAIL(ERROR) on QMA1; when the cause is removed, on each of them: START SMDSCONN(QMA1) CFSTRUCT(APPSTR1)" {
		t.Errorf("%q", got)
	}
	if got := object(t, plan, "data-set", "APPSTR1", "QMA1").Facts["connections"]; got != "2 of 3 usable" {
		t.Error(got)
	}
	text = edit(t, example(t), "SMDS(QMA2)\nSTATUS(ACTIVE)\nACCESS(ENABLED)", "SMDS(QMA2)\nSTATUS(FAILED)\nACCESS(SUSPENDED)")
	if got := said(planWith(t, text, nil), finding.DataSetFailed); len(got) != 2 || got[0] != "APPSTR1/QMA2: STATUS(FAILED) ACCESS(SUSPENDED)" {
		t.Errorf("%q", got)
	}
	text = edit(t, example(t), "SMDS(QMA2)\nSTATUS(ACTIVE)\nACCESS(ENABLED)", "SMDS(QMA2)\nSTATUS(ACTIVE)\nACCESS(DISABLED)")
	if got := said(planWith(t, text, nil), finding.DataSetUnavailable); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// What is said of a structure: its blocks, its rules, and what a backup carries.
func TestStructures(t *testing.T) {
	tests := []struct {
		name, text string
		settings   map[string]any
		code       finding.Code
		want       string
	}{
		{"small blocks", edit(t, example(t), "DSGROUP(MQP.*.APPSTR1.SMDS)\nDSBLOCK(256K)", "DSGROUP(MQP.*.APPSTR1.SMDS)\nDSBLOCK(32K)"), nil,
			finding.BlocksSmall, "APPSTR1: DSBLOCK(32K), and 64K is the least that is advised; it can't be changed once a data set has been opened"},
		{"a rule holds", edit(t, example(t), "SIZEUSED(43)", "SIZEUSED(75)"), nil,
			finding.OffloadRules, "APPSTR1: it is 75% full; its data sets get messages from 32 KB on, by OFFLD1SZ(32K) OFFLD1TH(70); next: OFFLD2SZ(4K) OFFLD2TH(80), in 5 per cent more"},
		{"a rule will", edit(t, example(t), "SIZEUSED(43)", "SIZEUSED(66)"), nil,
			finding.OffloadRules, "APPSTR1: it is 66% full; its data sets get messages over 63 KB; next: OFFLD1SZ(32K) OFFLD1TH(70), in 4 per cent more"},
		{"no rule is used", edit(t, example(t), "SIZEUSED(43)", "SIZEUSED(75)", "OFFLD1TH(70)", "OFFLD1TH(100)", "OFFLD2TH(80)", "OFFLD2TH(100)", "OFFLD3TH(90)", "OFFLD3TH(100)"), nil,
			finding.OffloadRules, "APPSTR1: it is 75% full, and no rule sends messages up to 63 KB to its data sets: ALTER CFSTRUCT(APPSTR1) " + usualRules},
		{"much in its data sets", example(t), map[string]any{"backup_data": int64(3 << 30)},
			finding.BackupCarries, "CSQSYSAPPL: 3.7 GiB lie in its data sets; it was last backed up at 2026-05-28 01:58:00, 0 MB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := said(planWith(t, test.text, test.settings), test.code); len(got) != 1 || got[0] != test.want {
				t.Errorf("\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// While a data set is full and a rule fills it, the advice is to keep more in the
// structure.
func TestFullByARule(t *testing.T) {
	text := edit(t, example(t), "SIZEUSED(43)", "SIZEUSED(75)", ownView, strings.Replace(ownView, "EXPANDST(NORMAL)", "EXPANDST(FAILED)", 1))
	got := said(planWith(t, text, nil), finding.DataSetFull)
	if len(got) != 1 || !strings.HasSuffix(got[0], "more stays in the structure with ALTER CFSTRUCT(APPSTR1) OFFLD1TH(80)") {
		t.Errorf("%q", got)
	}
}

// A target that is no group has none.
func TestNoGroup(t *testing.T) {
	plan := planWith(t, ">>> QMGR CSQ1 zos\n", nil)
	if len(plan.Findings) != 1 || plan.Findings[0].Code != finding.NotChecked {
		t.Errorf("%+v", plan)
	}
}

// What is not answered is told, nothing is made up, and nothing is done.
func TestNothingAnswered(t *testing.T) {
	plan := planWith(t, ">>> CLOCK 2026-05-28T02:00:00+02:00\n>>> QSG QSG1 zos\n>>> MEMBER QMA1 QSG1 active\n", map[string]any{"alter_buffers": true})
	if len(plan.Actions) != 0 || len(plan.Objects) != 0 || len(plan.Pictures) != 0 {
		t.Errorf("%+v", plan)
	}
	if worst, some := finding.Worst(plan.Findings); !some || worst != finding.Critical {
		t.Error("nobody is told")
	}
}

// Of a member that does not run nobody shows the data sets.
func TestOwnerNotActive(t *testing.T) {
	g := qsgtest.Make(7, qsgtest.Size{Members: 3, Structures: 2, Days: 6})
	g.Members[0].Status = qsg.MemberInactive
	plan := planWith(t, string(qsgtest.Write(g, qsgtest.CommandServer)), nil)
	got := said(plan, finding.NotChecked)
	if !slices.Contains(got, "APPSTR01/QMA1, CSQSYSAPPL/QMA1: how much is in use is not known: only owners that are active show it") {
		t.Errorf("%q", got)
	}
	if o := object(t, plan, "data-set", "APPSTR01", "QMA1"); o.Verdict != "not-known" || o.Facts["used_blocks"] != "" {
		t.Errorf("%+v", o)
	}
}

// Without the catalog the extents are not known, and no forecast counts them.
func TestWithoutCatalog(t *testing.T) {
	text := example(t)
	from := strings.Index(text, ">>> IDCAMS QSG1: LISTCAT")
	to := from + 1 + strings.Index(text[from+1:], "\n>>> ") + 1
	plan := planWith(t, text[:from]+text[to:], nil)
	o := object(t, plan, "data-set", "APPSTR1", "QMA1")
	if o.Facts["extents"] != "" || o.Facts["next_expansion"] != "" || o.Verdict != "expands" {
		t.Errorf("%+v", o)
	}
	if len(said(plan, finding.NotChecked)) == 0 || said(plan, finding.RoomShort) != nil {
		t.Error(codesOf(plan))
	}
}
