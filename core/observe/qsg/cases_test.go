package qsg_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// of is a transcript of a group with the members QMA1, QMA2 and QMBK.
func of(blocks string) []byte {
	return []byte(">>> CLOCK 2026-05-28T02:00:00+02:00\n>>> QSG QSG1 zos\n>>> MEMBER QMA1 QSG1 active\n>>> MEMBER QMA2 QSG1 active\n" +
		">>> MEMBER QMBK QSG1 active\n" + blocks)
}

func rba(t *testing.T, text string) bsds.RBA {
	t.Helper()
	a, err := bsds.ParseRBA(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The published display of a backup, in every layout that it may come in: one
// attribute a line or all on one, 12 or 16 digits, blanks, connect ids, marks of
// a console and its log (traps 3 and 31, case 84).
func TestSampleBackup(t *testing.T) {
	attributes := []string{
		"CFSTATUS(APLC4)", "TYPE(BACKUP)", "STATUS(ACTIVE)", "QMNAME(M60A)", "BKUPTIME(15.56.15)", "BKUPDATE(2005-06-01)", "BKUPSIZE(3)",
		"BKUPSRBA(000000529193)", "BKUPERBA(00000089C1E1)", "LOGS( M60A )", "FAILTIME( )", "FAILDATE( )",
	}
	head := "CSQM201I M60A CSQMDRTC DIS CFSTATUS DETAILS"
	tail := "END CFSTATUS DETAILS\nCSQ9022I M60A CSQMDRTC ' DIS CFSTATUS' NORMAL COMPLETION\n"
	lines := strings.Join(attributes, "\n") + "\n"
	hard := strings.Builder{}
	for _, line := range strings.Split(strings.TrimSuffix(lines+"END CFSTATUS DETAILS", "\n"), "\n") {
		hard.WriteString("D                                         284 00000090  " + line + "\n")
	}
	log := "N 4000000 SYSA     2005152 16:00:01.10 STC00123 00000090  "
	tests := map[string]string{
		"console":         "CSQM293I M60A CSQMDRTC 1 CFSTATUS FOUND MATCHING REQUEST CRITERIA\n" + head + " 284\n" + lines + tail,
		"command server":  "CSQN205I   COUNT=      16, RETURN=00000000, REASON=00000000\n" + head + "\n" + lines + tail,
		"one line":        strings.Join(attributes, " ") + "\n",
		"with its head":   head + " " + strings.Join(attributes, " ") + "\n" + tail,
		"two columns":     head + "\n" + strings.ReplaceAll(lines, ")\nB", ")   B") + tail,
		"log":             log + head + " 284\n" + hard.String() + log + "CSQ9022I M60A CSQMDRTC ' DIS CFSTATUS' NORMAL COMPLETION\n",
		"highlighted":     "*" + head + "\n" + lines + tail,
		"a value wrapped": head + "\n" + strings.Replace(lines, "BKUPSRBA(0000", "BKUPSRBA(\n  0000", 1) + tail,
		"wide":            head + "\n" + strings.NewReplacer("(00000052", "(000000000052", "(00000089", "(000000000089").Replace(lines) + tail,
		"all types":       head + "\nCFSTATUS(APLC4)\nTYPE(SUMMARY)\nSTATUS(FAILED)\nEND CFSTATUS DETAILS\n" + head + "\n" + lines + tail,
		"carriage return": strings.ReplaceAll(head+"\n"+lines+tail, "\n", "\r\n"),
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			g := on(t, []byte(">>> QSG QSG6 zos\n>>> MEMBER M60A QSG6 active\n>>> MQSC M60A: DISPLAY CFSTATUS(*) TYPE(BACKUP)\n"+body), qsg.Backups)
			s, ok := g.Structure("APLC4")
			if !ok {
				t.Fatalf("no structure; %v", g.Open)
			}
			end, err := observe.ParseStamp("2005-06-01 15.56.15")
			if err != nil {
				t.Fatal(err)
			}
			start, erba := rba(t, "000000529193"), rba(t, "00000089C1E1")
			if name == "wide" {
				start, erba = start.Wide(), erba.Wide()
			}
			want := qsg.Backup{Known: true, Status: qsg.Active, QueueManager: "M60A", EndedAt: end, SizeMB: qsg.Of(3), Start: start, End: erba, Logs: []string{"M60A"}}
			if diff := cmp.Diff(want, s.Backup, sameFacts...); diff != "" {
				t.Error(diff)
			}
			if s.Status != "" {
				t.Errorf("status %s: TYPE(SUMMARY) was not asked", s.Status)
			}
			if size := s.Backup.End.Value() - s.Backup.Start.Value(); size != 0x37304E || size>>20 != 3 {
				t.Errorf("the image has %X bytes", size)
			}
		})
	}
}

// What may be backed up (case 40).
func TestRecoverable(t *testing.T) {
	g := on(t, of(`>>> MQSC QSG1: DISPLAY CFSTRUCT
CSQM201I !QMA1 CSQMDRTC DIS CFSTRUCT DETAILS
CFSTRUCT(APPSTR1) CFLEVEL(5) RECOVER(YES)
END CFSTRUCT DETAILS
CSQM201I !QMA1 CSQMDRTC DIS CFSTRUCT DETAILS
CFSTRUCT(APPSTR2) CFLEVEL(5) RECOVER(NO)
END CFSTRUCT DETAILS
CSQM201I !QMA1 CSQMDRTC DIS CFSTRUCT DETAILS
CFSTRUCT(APPSTR3) CFLEVEL(2) RECOVER(YES)
END CFSTRUCT DETAILS
CSQM201I !QMA1 CSQMDRTC DIS CFSTRUCT DETAILS
CFSTRUCT(APPSTR4) RECOVER(YES)
END CFSTRUCT DETAILS
CSQM201I !QMA1 CSQMDRTC DIS CFSTRUCT DETAILS
CFSTRUCT(CSQSYSAPPL) CFLEVEL(3) RECOVER(YES)
END CFSTRUCT DETAILS
`), qsg.Structures)
	want := map[string][2]bool{"APPSTR1": {true, true}, "APPSTR2": {false, true}, "APPSTR3": {false, true}, "APPSTR4": {false, false}, "CSQSYSAPPL": {true, true}}
	got := map[string][2]bool{}
	for _, s := range g.Structures {
		can, known := s.Recoverable()
		got[s.Name] = [2]bool{can, known}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if can, known := g.Admin.Recoverable(); can || !known {
		t.Error("CSQ_ADMIN can be backed up")
	}
}

// Buffers that requests waited for, in the layout of the case (case 47), which a
// program has squeezed, and in that of the manual.
func TestLowestFree(t *testing.T) {
	head := "CSQE285I !QMA1 SMDS buffer usage ...\nApplication  Block  --------- Buffers ---------  Reads  Lowest  Wait\n" +
		"structure     size  Total In use  Saved   Empty  saved    free  rate\n"
	for name, row := range map[string]string{
		"squeezed": "_APPSTR1   256K   100   0   1   99   0%   -12   3%\n",
		"aligned":  "_APPSTR1      256K    100      0      1      99     0%     -12    3%\n",
	} {
		t.Run(name, func(t *testing.T) {
			g := on(t, of(">>> MQSC QSG1: DISPLAY CFSTRUCT\nCFSTRUCT(APPSTR1) CFLEVEL(5) RECOVER(YES) OFFLOAD(SMDS)\n>>> MQSC QMA1: DISPLAY USAGE TYPE(SMDS)\n"+
				head+row+"End of SMDS buffer usage report\n"), qsg.DataSets)
			d, ok := g.DataSet("APPSTR1", "QMA1")
			if !ok {
				t.Fatalf("no data set; %v", g.Open)
			}
			want := qsg.BufferUsage{
				Known: true, BlockBytes: qsg.Of(256 << 10), Total: qsg.Of(100), InUse: qsg.Of(0), Saved: qsg.Of(1), Empty: qsg.Of(99), ReadsSaved: qsg.Of(0),
				LowestFree: qsg.Of(-12), WaitRate: qsg.Of(3),
			}
			if diff := cmp.Diff(want, d.Buffers); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Every queue manager answers for all data sets: three, not one and not nine
// (case 50).
func TestEveryoneAnswers(t *testing.T) {
	var body strings.Builder
	for _, viewer := range []string{"QMA1", "QMA2", "QMBK"} {
		body.WriteString("CSQN121I !QMA1 CSQNRQST 'DISPLAY SMDS' command responses from " + viewer + "\n")
		for _, owner := range []string{"QMA1", "QMA2", "QMBK"} {
			body.WriteString("CSQM201I !" + viewer + " CSQMDRTC DIS SMDS DETAILS\nSMDS(" + owner + ")\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)\nDSEXPAND(DEFAULT)\nEND SMDS DETAILS\n")
		}
	}
	body.WriteString(">>> MQSC QMA1: DISPLAY SMDS(QMA2) CFSTRUCT(APPSTR1)\nSMDS(QMA2) CFSTRUCT(APPSTR1) DSBUFS(DEFAULT)\n")
	g := on(t, of(">>> MQSC QSG1: DISPLAY CFSTRUCT\nCFSTRUCT(APPSTR1) CFLEVEL(5) OFFLOAD(SMDS) DSGROUP('MQP.*.SMDS') DSBUFS(100) DSEXPAND(YES)\n"+
		">>> MQSC QSG1: DISPLAY SMDS\n"+body.String()), qsg.DataSets)
	var names []string
	for _, d := range g.DataSets {
		names = append(names, d.Structure+"/"+d.Owner+" "+d.Name)
	}
	want := []string{"APPSTR1/QMA1 MQP.QMA1.SMDS", "APPSTR1/QMA2 MQP.QMA2.SMDS", "APPSTR1/QMBK MQP.QMBK.SMDS"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	s, _ := g.Structure("APPSTR1")
	if got := s.Buffers(g.DataSets[0]); got != qsg.Of(100) || s.Expands(g.DataSets[0]) != qsg.Yes {
		t.Errorf("DEFAULT is %v, %v", got, s.Expands(g.DataSets[0]))
	}
}

// A reply without the name of a member is nobody's, unless its prefix is one's
// (trap 28).
func TestWhoseReply(t *testing.T) {
	report := func(prefix string) string {
		return "CSQE280I " + prefix + "SMDS usage ...\nApplication  Offloaded  Total  Total data  Used data  Used\n" +
			"structure     messages  blocks     blocks     blocks  part\n_APPSTR1          1523     200        198        150   75%\nEnd of SMDS usage report\n"
	}
	definition := ">>> MQSC QSG1: DISPLAY CFSTRUCT\nCFSTRUCT(APPSTR1) CFLEVEL(5) OFFLOAD(SMDS)\n"
	for name, test := range map[string]struct{ blocks, want string }{
		"named":                               {">>> MQSC QSG1: DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)\nCSQN121I !QMA1 CSQNRQST 'DISPLAY USAGE' command responses from QMA2\n" + report(""), "QMA2"},
		"named, in capitals":                  {">>> MQSC QSG1: DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)\n" + strings.ToUpper("CSQN121I !QMA1 CSQNRQST 'DISPLAY USAGE' command responses from QMA2\n"+report("")), "QMA2"},
		"by prefix":                           {">>> MQSC QSG1: DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)\n" + report("+QMBK "), "QMBK"},
		"nobody's":                            {">>> MQSC QSG1: DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)\n" + report(""), ""},
		"a stranger's":                        {">>> MQSC QSG1: DISPLAY USAGE TYPE(SMDS) CMDSCOPE(*)\n" + report("!QMXX "), ""},
		"asked of it":                         {">>> MQSC QMA1: DISPLAY USAGE TYPE(SMDS)\n" + report(""), "QMA1"},
		"asked of it, with an unknown prefix": {">>> MQSC QMA1: DISPLAY USAGE TYPE(SMDS)\n" + report("CSQ7 "), "QMA1"},
	} {
		t.Run(name, func(t *testing.T) {
			g := on(t, of(definition+test.blocks), qsg.DataSets)
			owners := ""
			for _, d := range g.DataSets {
				if d.Usage.Known {
					owners += d.Owner
				}
			}
			if owners != test.want {
				t.Errorf("of %q, want %q", owners, test.want)
			}
		})
	}
}

// A member that did not answer has no command server that could take a backup
// (trap 5).
func TestCommandServer(t *testing.T) {
	log := func(m string) string {
		return "CSQN121I !QMA1 CSQNRQST 'DISPLAY LOG' command responses from " + m + "\nCSQJ322I !" + m + " DISPLAY LOG report ...\nMAXARCH     500\nEnd of LOG report\n"
	}
	g := on(t, of(">>> MQSC QSG1: DISPLAY LOG CMDSCOPE(*)\nCSQN137I !QMA1 CSQNDISP 'DISPLAY LOG' accepted for CMDSCOPE(*), sent to 3\n"+log("QMA1")+log("QMA2")), qsg.Logs)
	got := map[string]qsg.Flag{}
	for _, m := range g.Members {
		got[m.Name] = m.CommandServer
	}
	if diff := cmp.Diff(map[string]qsg.Flag{"QMA1": qsg.Yes, "QMA2": qsg.Yes, "QMBK": qsg.No}, got); diff != "" {
		t.Error(diff)
	}
	if !hasCode(g, finding.NotChecked, "MQSC QMBK: DISPLAY LOG") {
		t.Errorf("nothing says that QMBK is not known: %v", g.Open)
	}
}

func hasCode(g qsg.Group, code finding.Code, text string) bool {
	for _, f := range g.Open {
		if f.Code == code && strings.Contains(f.Text, text) {
			return true
		}
	}
	return false
}

// Nothing that was not answered is 0, NO or empty in disguise.
func TestNothingAnswered(t *testing.T) {
	g := on(t, of(""), qsg.Everything)
	if len(g.Structures)+len(g.DataSets)+len(g.Log)+len(g.Repository) > 0 || len(g.Members) != 3 {
		t.Errorf("%+v", g)
	}
	for _, m := range g.Members {
		if diff := cmp.Diff(qsg.Member{Name: m.Name, Status: qsg.MemberUnknown}, m, sameFacts...); diff != "" {
			t.Error(diff)
		}
	}
	for _, question := range []string{"MQSC QSG1: DISPLAY GROUP", "MQSC QSG1: DISPLAY CFSTRUCT(*) ALL", "MQSC QSG1: DISPLAY CFSTATUS(*) TYPE(BACKUP)"} {
		if !hasCode(g, finding.NotAnswered, question) {
			t.Errorf("nothing says that nobody answered %s", question)
		}
	}
}
