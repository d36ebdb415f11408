package cfbackup

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// Each situation has its finding, and a group in which nothing is wrong has none
// that calls for anybody.
func TestFindings(t *testing.T) {
	event := func(g *qsg.Group, id string, age time.Duration, values map[string]string) {
		g.Log = append(g.Log, qsg.Event{Member: "QMBK", ID: id, Structure: "APPSTR01", At: observe.Stamp{Time: g.Now.Add(-age)}, Values: values})
	}
	tests := map[string]struct {
		settings map[string]any
		change   func(*qsg.Group)
		code     finding.Code
		says     string
	}{
		"nothing":           {nil, func(*qsg.Group) {}, "", ""},
		"never backed up":   {nil, func(g *qsg.Group) { g.Structures[0].Backup = qsg.Backup{Known: true, Status: qsg.None} }, finding.NeverBackedUp, "APPSTR01"},
		"a log is gone":     {nil, func(g *qsg.Group) { aged(g); uncatalogue(&g.Members[2], 5) }, finding.RecoverWouldFail, "the log of QMBK"},
		"a BSDS not read":   {nil, func(g *qsg.Group) { g.Members[0].BSDS = nil }, finding.RecoverNotKnown, "QMA1"},
		"failed since":      {nil, func(g *qsg.Group) { event(g, "CSQE106E", 0, map[string]string{"REASON": "00C510AB"}) }, finding.BackupFailed, "enlarge the region of QMBK"},
		"running":           {nil, func(g *qsg.Group) { g.Structures[0].Status = qsg.InBackup }, finding.BackupRunning, "APPSTR01"},
		"stuck":             {nil, func(g *qsg.Group) { g.Structures[0].Status = qsg.InBackup; event(g, "CSQE120I", 2*time.Hour, nil) }, finding.BackupStuck, "QMBK is backing it up"},
		"the structure":     {nil, func(g *qsg.Group) { g.Structures[0].Status = qsg.Failed }, finding.StructureFailed, "APPSTR01 has failed. For a person: RECOVER CFSTRUCT(APPSTR01) TYPE(NORMAL)"},
		"suspended":         {nil, func(g *qsg.Group) { g.Members[1].Log.Suspended = qsg.Yes }, finding.LogWriteSuspended, "QMA2"},
		"nobody":            {nil, func(g *qsg.Group) { g.Members[2].Status = qsg.MemberFailed }, finding.NoBackupMember, "able, and not named for it: QMA1, QMA2"},
		"a stand-in":        {map[string]any{"stand_in": []string{"QMA1"}}, func(g *qsg.Group) { g.Members[2].Status = qsg.MemberFailed }, finding.StandInUsed, "QMA1 stands in for QMBK: state: FAILED"},
		"never archived":    {nil, func(g *qsg.Group) { at(g, 0, 3*time.Hour) }, finding.ImageNotArchived, "APPSTR01 are in active logs of QMBK"},
		"a smaller MAXARCH": {nil, func(g *qsg.Group) { at(g, 0, 50*time.Minute); g.Members[1].Log.Parameters["MAXARCH"] = "1" }, finding.LogsExpire, "room for 1 archives"},
	}
	usual := map[finding.Code]bool{finding.NotRecoverable: true, finding.BackupHasTraffic: true}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := made()
			test.change(&g)
			v := viewOf(t, &g, dedicated(test.settings))
			var said []string
			for _, f := range v.findings(v.choose()) {
				if f.Code == test.code {
					said = append(said, f.Text)
				}
				if test.code == "" && !usual[f.Code] {
					t.Errorf("%+v", f)
				}
			}
			if test.code != "" && !strings.Contains(strings.Join(said, "\n"), test.says) || test.code != "" && len(said) == 0 {
				t.Errorf("%s: %q, want %q", test.code, said, test.says)
			}
		})
	}
}

// A failure that is older than the last good backup is over.
func TestOldFailureIsOver(t *testing.T) {
	g := made()
	at(&g, 0, time.Minute)
	g.Log = []qsg.Event{{Member: "QMBK", ID: "CSQE106E", Structure: "APPSTR01", At: observe.Stamp{Time: g.Now.Add(-2 * time.Minute)}}}
	v := viewOf(t, &g, dedicated(nil))
	if got := v.failures(g.Structures[0]); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// What every reason code is answered with names what a person does.
func TestCauses(t *testing.T) {
	for reason, want := range map[string]string{
		"00C50D00": "START SMDSCONN(*) CFSTRUCT(A) CMDSCOPE(Q)", "00c50006": "Db2", "00C510AB": "region of Q", "00C50050": "CSQE131I", "00C5005B": "SHAREOPTIONS", "": "not known",
	} {
		if got := causeOf(reason, "A", "Q"); !strings.Contains(got, want) || strings.ContainsAny(got, "{}%") {
			t.Errorf("%s: %s", reason, got)
		}
	}
}
