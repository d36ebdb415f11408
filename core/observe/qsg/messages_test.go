package qsg_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// Messages as a log has them: several members on one image, lines that were too
// long, other programs in between (cases 38 and 49).
const syslog = `>>> SYSLOG QMA1
N 4000000 SYSA     2026148 01:00:01.10 STC00123 00000090  CSQE120I !QMBK CSQELBK1 Backup of structure APPSTR1 started at RBA=000000529193
N 4000000 SYSA     26148 01:00:02.10 STC00123 00000090  CSQE121I !QMBK CSQELBK1 Backup of structure APPSTR1 completed at RBA=00000089C1E1, size 3 MB
N 4000000 SYSA     26148 01:10:00.00 STC00120 00000090  CSQE217I !QMA1 CSQEDSS2 SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS expansion
S                                                       was successful, 180 pages added, total pages 1980
N 4000000 SYSA     26148 01:10:01.00 STC00121 00000090  CSQE219I !QMA2 CSQEDSS4 Extents refreshed for SMDS(QMA1) CFSTRUCT(APPSTR1), PAGES ADDED -180
N 4000000 SYSA     26148 01:10:01.50 JOB00009 00000090  IEF403I PAYROLL - STARTED - TIME=01.10.01
S                                                       SECRET
N 4000000 SYSA     26148 01:11:00.00 STC00123 00000090 *CSQE222E !QMBK CSQEDSA1 Dynamic allocation of SMDS(QMA1) CFSTRUCT(APPSTR1) failed, rc=00000004 reason=02540000
N 4000000 SYSA     26148 01:11:00.20 STC00123 00000090  CSQE106E !QMBK CSQELBK1 Unable to backup structure APPSTR1, reason=00C50D00
N 4000000 SYSA     26148 01:12:00.00 STC00120 00000090  CSQE213I !QMA1 CSQEDSS2 SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS is now 92% full
N 4000000 SYSA     26148 01:13:00.00 STC00120 00000090  CSQE241I !QMA1 CSQEDSA2 SMDS(QMA1) CFSTRUCT(APPSTR1) now has STATUS(FAILED)
N 4000000 SYSA     26148 01:14:00.00 STC00120 00000090  CSQJ002I !QMA1 END OF ACTIVE LOG DATA SET DSNAME=MQP.QMA1.LOGCOPY1.DS01, STARTRBA=000000001000 ENDRBA=000000001FFF
`

func TestMessages(t *testing.T) {
	text := syslog + strings.Replace(syslog, "SYSLOG QMA1", "SYSLOG QMBK", 1)
	g := on(t, of(text), qsg.Messages)
	type event struct{ Member, ID, At, Structure, Owner, DataSet, Value string }
	want := []event{
		{"QMBK", "CSQE120I", "01:00:01.100", "APPSTR1", "", "", "RBA=000000529193"},
		{"QMBK", "CSQE121I", "01:00:02.100", "APPSTR1", "", "", "SIZE=3"},
		{"QMA1", "CSQE217I", "01:10:00", "APPSTR1", "QMA1", "MQP.QMA1.APPSTR1.SMDS", "PAGES=180"},
		{"QMA2", "CSQE219I", "01:10:01", "APPSTR1", "QMA1", "", "PAGES=-180"},
		{"QMBK", "CSQE222E", "01:11:00", "APPSTR1", "QMA1", "", "REASON=02540000"},
		{"QMBK", "CSQE106E", "01:11:00.200", "APPSTR1", "", "", "REASON=00C50D00"},
		{"QMA1", "CSQE213I", "01:12:00", "APPSTR1", "QMA1", "MQP.QMA1.APPSTR1.SMDS", "PERCENT=92"},
		{"QMA1", "CSQE241I", "01:13:00", "APPSTR1", "QMA1", "", "STATUS=FAILED"},
		{"QMA1", "CSQJ002I", "01:14:00", "", "", "MQP.QMA1.LOGCOPY1.DS01", "ENDRBA=000000001FFF"},
	}
	var got []event
	for i, e := range g.Log {
		value := ""
		if i < len(want) {
			name, _, _ := strings.Cut(want[i].Value, "=")
			value = name + "=" + e.Values[name]
		}
		got = append(got, event{e.Member, e.ID, strings.TrimPrefix(e.At.String(), "2026-05-28 "), e.Structure, e.Owner, e.DataSet, value})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(g.EventsOf("CSQE217", "CSQE218")); n != 1 {
		t.Errorf("%d expansions", n)
	}
	if total := g.EventsOf("CSQE217")[0].Number("TOTAL"); total != qsg.Of(1980) {
		t.Errorf("total pages %v", total)
	}
}

// Prints and answers that are of something else, or not whole, are none.
func TestNotThisGroup(t *testing.T) {
	tests := map[string]struct {
		blocks string
		wanted qsg.Wanted
		text   string
	}{
		"another group":    {">>> MQSC QSG1: DISPLAY GROUP\nCSQ5102I M60A QUEUE MANAGERS IN GROUP QSG6\nNAME NUM\n---- ---\nM60A   1\n", qsg.Structures, "of the group QSG6"},
		"no report":        {">>> MQSC QSG1: DISPLAY GROUP\nCSQ9022I M60A ' DISPLAY GROUP' NORMAL COMPLETION\n", qsg.Structures, "CSQ5102I"},
		"a torn answer":    {">>> MQSC QSG1: DISPLAY CFSTATUS TYPE(BACKUP)\nCFSTATUS(A) LOGS( QMA1,\n", qsg.Backups, "1:13: a value is not closed"},
		"sets are missing": {">>> MQSC QSG1: DISPLAY CFSTRUCT\nCSQN205I   COUNT=       1, RETURN=00000000, REASON=00000004\n", qsg.Structures, "not whole"},
		"a torn BSDS":      {">>> JOB QMA1: CSQJU004\n LOG MAP OF THE BSDS\n", qsg.BSDS, "JOB QMA1: CSQJU004"},
		"a torn listing":   {">>> MQSC QSG1: DISPLAY CFSTRUCT\nCFSTRUCT(A) OFFLOAD(SMDS) DSGROUP('M.*.S')\n>>> MQSC QSG1: DISPLAY SMDS\nSMDS(QMA1) CFSTRUCT(A)\n>>> IDCAMS QSG1: LISTCAT\nCLUSTER ------- M.QMA1.S\n", qsg.Catalog, "LISTCAT"},
		"no columns":       {">>> DB2 QSG1: CSQ.ADMIN_B_STRBACKUP\nA,B\n1,2\n", qsg.Repository, "none of the columns"},
		"a note's time":    {">>> NOTE QMA1\nID,AT,KIND\n1,yesterday,pageset-backup\n", qsg.Notes, "no time with an offset"},
		"history":          {">>> HISTORY QSG1\nAT,KIND\n2026-05-28T02:00:00Z,smds-used\n", qsg.History, "SEGMENT are missing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := on(t, of(test.blocks), test.wanted)
			if !hasCode(g, finding.FactsUnreadable, test.text) {
				t.Errorf("no finding with %q: %v", test.text, g.Open)
			}
		})
	}
}

// The example shows what its comment says.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../../examples/qsg1.mqt")
	if err != nil {
		t.Fatal(err)
	}
	g := on(t, text, qsg.Everything)
	for _, f := range g.Open {
		t.Errorf("%s: %s", f.Code, f.Text)
	}
	var plain []string
	for _, s := range g.Structures {
		if can, known := s.Recoverable(); can && known && s.Backup.Taken() && s.Backup.QueueManager == "QMBK" && len(s.Backup.Logs) == len(g.Members) {
			plain = append(plain, s.Name)
		}
	}
	if got := strings.Join(plain, " "); got != "APPSTR1 CSQSYSAPPL" || len(g.Structures) != 4 {
		t.Errorf("backed up: %s of %d structures", got, len(g.Structures))
	}
	d, _ := g.DataSet("APPSTR1", "QMA1")
	if d.Usage.Part != qsg.Of(91) || d.Catalog == nil || d.Catalog.Extents.Value != 11 || d.Catalog.Secondary.Value != 0 {
		t.Errorf("the data set of QMA1: %+v", d)
	}
	d, _ = g.DataSet("APPSTR1", "QMBK")
	if d.Buffers.LowestFree != qsg.Of(-12) {
		t.Errorf("lowest free of QMBK: %v", d.Buffers.LowestFree)
	}
	if len(g.Notes) != len(g.Members) || len(g.Repository) != 2 || len(g.Allocated) != 5 || len(g.Series(qsg.UsedBlocks, "APPSTR1", "QMA1")) != 36 {
		t.Errorf("%d notes, %d rows, %d structures in XCF, %d samples", len(g.Notes), len(g.Repository), len(g.Allocated), len(g.Series(qsg.UsedBlocks, "APPSTR1", "QMA1")))
	}
	m, _ := g.Member("QMA1")
	if m.ArchiveRetention() != qsg.Of(1) || m.ArchiveCapacity() != qsg.Of(1000) || m.BSDS == nil || len(m.Archives.NonVSAM) != 16 {
		t.Errorf("QMA1: retention %v, capacity %v, %d archives", m.ArchiveRetention(), m.ArchiveCapacity(), len(m.Archives.NonVSAM))
	}
}
