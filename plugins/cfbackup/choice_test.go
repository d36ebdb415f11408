package cfbackup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// at sets how long ago the backup of a structure ended.
func at(g *qsg.Group, i int, age time.Duration) {
	g.Structures[i].Backup.EndedAt = observe.Stamp{Time: g.Now.Add(-age)}
}

// courses writes what becomes of each structure: "APPSTR01 back up".
func courses(c choice) string {
	var list []string
	for _, p := range c.structures {
		list = append(list, p.structure.Name+" "+string(p.course))
	}
	return strings.Join(list, ", ")
}

// Which structures are backed up in a run, in which order.
func TestWhich(t *testing.T) {
	window := func(hours string) map[string]any { return map[string]any{"window": hours, "nearly_empty": int64(10)} }
	tests := map[string]struct {
		settings map[string]any
		change   func(*qsg.Group)
		want     string
	}{
		"the oldest first": {nil, func(g *qsg.Group) { at(g, 0, 20*time.Minute); at(g, 1, 50*time.Minute); at(g, 2, 5*time.Minute) },
			"APPSTR02 back up, APPSTR01 back up, CSQSYSAPPL back up"},
		"never backed up is before all": {nil, func(g *qsg.Group) {
			at(g, 0, 2*day)
			g.Structures[2].Backup = qsg.Backup{Known: true, Status: qsg.None}
			at(g, 1, time.Hour)
			g.DataSets = nil // what lies in them would not fit into the active logs
		}, "CSQSYSAPPL back up, APPSTR01 back up, APPSTR02 back up"},
		"young ones are left out": {map[string]any{"skip_younger": 10 * time.Minute}, func(g *qsg.Group) { at(g, 0, 5*time.Minute); at(g, 1, 10*time.Minute); at(g, 2, time.Hour) },
			"CSQSYSAPPL back up, APPSTR02 back up, APPSTR01 wait"},
		"outside the window only what is due": {window("03:00-05:00"), func(g *qsg.Group) { at(g, 0, time.Hour); at(g, 1, 59*time.Minute); at(g, 2, 10*time.Minute) },
			"APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL wait"},
		"in the window what is nearly empty": {window("22:00-05:00"), func(g *qsg.Group) {
			each := []int64{5, 60, 10}
			for i := range g.Structures {
				at(g, i, time.Duration(30-i)*time.Minute)
				g.Structures[i].SizeUsed = qsg.Of(each[i])
			}
			for i := range g.DataSets {
				g.DataSets[i].Usage.Part = qsg.Of(3)
			}
			g.DataSets[len(g.DataSets)-1].Usage.Part = qsg.Of(80) // of CSQSYSAPPL
		}, "APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL wait"},
		"a set needs them all": {map[string]any{"recovery_set": true, "window": "03:00-05:00", "skip_younger": time.Hour}, func(g *qsg.Group) { at(g, 0, 3*time.Minute); at(g, 1, 2*time.Minute); at(g, 2, time.Minute) },
			"APPSTR01 back up, APPSTR02 back up, CSQSYSAPPL back up"},
		"what can't be as it is": {nil, func(g *qsg.Group) {
			g.Structures[0].Status = qsg.Failed
			g.Structures[1].Status = qsg.InRecover
			g.Structures[2].Backup.Status = qsg.InBackup
		}, "CSQSYSAPPL busy, APPSTR02 busy, APPSTR01 can't now"},
		"not to be told": {nil, func(g *qsg.Group) {
			g.Structures[0].Defined.Recover = qsg.Unsaid
			g.Structures[1].Backup = qsg.Backup{}
			g.Structures[2].Defined.Level = qsg.Of(2)
		}, "APPSTR01 not known, APPSTR02 not known, CSQSYSAPPL not recoverable"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := made()
			test.change(&g)
			got := courses(viewOf(t, &g, dedicated(test.settings)).choose())
			if name == "what can't be as it is" || name == "not to be told" { // no order among them
				got, test.want = ordered(got), ordered(test.want)
			}
			if got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func ordered(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// INBACKUP says not by whom, nor since when: the messages do. Longer than
// stuck_after is stuck (trap 4).
func TestBusyOrStuck(t *testing.T) {
	begun := func(g *qsg.Group, age time.Duration, id string) {
		g.Log = append(g.Log, qsg.Event{Member: "QMA1", ID: id, Structure: "APPSTR01", At: observe.Stamp{Time: g.Now.Add(-age)}})
	}
	for name, test := range map[string]struct {
		change func(*qsg.Group)
		want   course
		why    string
	}{
		"no message": {func(*qsg.Group) {}, busy, "no message tells"},
		"by whom":    {func(g *qsg.Group) { begun(g, time.Minute, "CSQE105I"); begun(g, time.Minute/2, "CSQE120I") }, busy, "QMA1 is backing it up"},
		"an hour":    {func(g *qsg.Group) { begun(g, time.Hour, "CSQE120I") }, busy, ""},
		"longer": {func(g *qsg.Group) {
			begun(g, time.Hour+time.Second, "CSQE105I")
			begun(g, time.Hour-time.Minute, "CSQE120I")
		}, stuck, "PH63327"},
		"it ended, and another": {func(g *qsg.Group) { begun(g, 3*time.Hour, "CSQE120I"); begun(g, 2*time.Hour, "CSQE121I") }, busy, "no message tells"},
	} {
		g := made()
		g.Structures[0].Status = qsg.InBackup
		test.change(&g)
		got, why := viewOf(t, &g, dedicated(nil)).state(g.Structures[0])
		if got != test.want || !strings.Contains(why, test.why) {
			t.Errorf("%s: %s, %s", name, got, why)
		}
	}
}

// Where backups are taken: a member lacks one thing, and is not taken. What is not
// known is none that it has.
func TestWhere(t *testing.T) {
	tests := map[string]struct {
		change func(*qsg.Member)
		lacks  string
	}{
		"nothing":                {func(*qsg.Member) {}, ""},
		"it has ended":           {func(m *qsg.Member) { m.Status = qsg.MemberInactive }, "state: INACTIVE"},
		"its state is not known": {func(m *qsg.Member) { m.Status = qsg.MemberUnknown }, "state: UNKNOWN"},
		"no command server":      {func(m *qsg.Member) { m.CommandServer = qsg.No }, "command server: did not answer"},
		"asked for itself":       {func(m *qsg.Member) { m.CommandServer = qsg.Unsaid }, ""},
		"Db2 is not there":       {func(m *qsg.Member) { m.DB2Connection = "PENDING" }, "Db2: PENDING"},
		"Db2 is not known":       {func(m *qsg.Member) { m.DB2Connection = "" }, "Db2: not known"},
		"its log is suspended":   {func(m *qsg.Member) { m.Log.Suspended = qsg.Yes }, "SUSPEND QMGR LOG"},
		"its log is not known":   {func(m *qsg.Member) { m.Log.Known = false }, "log: not known"},
		"no BSDS":                {func(m *qsg.Member) { m.BSDS = nil }, "how much room"},
		"nothing is offloaded":   {func(m *qsg.Member) { m.Log.ToOffload = qsg.Of(3) }, "3 of 4 active logs"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := made()
			m, _ := g.Member("QMBK")
			test.change(m)
			v := viewOf(t, &g, dedicated(map[string]any{"stand_in": []string{"qma2", "QMBK"}}))
			p := v.placeOf("QMBK")
			if p.fit() != (test.lacks == "") || !strings.Contains(p.lacks(), test.lacks) {
				t.Errorf("fit %v, lacks %q", p.fit(), p.lacks())
			}
			want := map[bool]string{true: "QMBK", false: "QMA2"}[test.lacks == ""]
			for _, a := range v.actions(v.choose()) {
				if a.QueueManager != want || a.Command.QueueManager != want || !strings.Contains(a.Command.Text, "CMDSCOPE("+want+")") {
					t.Errorf("%s is for %s, want %s", a.Command.Text, a.QueueManager, want)
				}
			}
		})
	}
	g := made()
	if p := viewOf(t, &g, nil).placeOf("QMZ9"); p.fit() || !strings.Contains(p.lacks(), "shows no QMZ9") {
		t.Errorf("%+v", p)
	}
}

// What DISPLAY SMDSCONN and CFSTATUS show of a data set that can't be read.
func TestClosed(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*qsg.DataSet)
		why    string
	}{
		"open":          {func(*qsg.DataSet) {}, ""},
		"closed":        {func(d *qsg.DataSet) { connection(d, "QMBK").Status = "CLOSED" }, ""},
		"no answer":     {func(d *qsg.DataSet) { d.Connections = nil }, ""},
		"failed":        {func(d *qsg.DataSet) { connection(d, "QMBK").Status = "OPENFAIL" }, "START SMDSCONN(QMA1) CFSTRUCT(APPSTR01) CMDSCOPE(QMBK)"},
		"stopped":       {func(d *qsg.DataSet) { connection(d, "QMBK").Available = "STOPPED" }, "AVAIL(STOPPED)"},
		"for another":   {func(d *qsg.DataSet) { connection(d, "QMA2").Status = "OPENFAIL" }, ""},
		"suspended":     {func(d *qsg.DataSet) { d.Access = "SUSPENDED" }, "ACCESS(SUSPENDED)"},
		"being rebuilt": {func(d *qsg.DataSet) { d.Status = qsg.InRecover }, "STATUS(INRECOVER)"},
	} {
		g := made()
		d, _ := g.DataSet("APPSTR01", "QMA1")
		test.change(d)
		if got := closedFor(&g, "APPSTR01", "QMBK"); (got == "") != (test.why == "") || !strings.Contains(got, test.why) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func connection(d *qsg.DataSet, viewer string) *qsg.DataSetConnection {
	for i := range d.Connections {
		if d.Connections[i].Viewer == viewer {
			return &d.Connections[i]
		}
	}
	return nil
}

// Images go as far as the task and the active logs have room. One that is larger
// than the room is never sent; the first that fits is, so that every run gets on.
func TestBudget(t *testing.T) {
	sized := func(mb ...int64) func(*qsg.Group) {
		return func(g *qsg.Group) {
			for i := range g.Structures {
				at(g, i, time.Duration(60-i)*time.Minute)
				g.Structures[i].Backup.SizeMB = qsg.Of(mb[i] - 1)
			}
		}
	}
	room := func(g *qsg.Group) int64 {
		m, _ := g.Member("QMBK")
		return ringOf(m).free >> 20
	}
	g := made()
	free := room(&g)
	tests := map[string]struct {
		allowed int64
		change  func(*qsg.Group)
		want    string
	}{
		"all fit":           {0, sized(1, 2, 3), "APPSTR01 back up, APPSTR02 back up, CSQSYSAPPL back up"},
		"the task's bound":  {5 << 20, sized(3, 3, 2), "APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL back up"},
		"the first is over": {2 << 20, sized(3, 1, 1), "APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL wait"},
		"the log's room":    {0, sized(free-1, 2, 1), "APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL back up"},
		"larger than all":   {0, sized(free+1, 2, 1), "APPSTR01 can't now, APPSTR02 back up, CSQSYSAPPL back up"},
		"one is not known": {0, func(g *qsg.Group) {
			sized(1, 1, 1)(g)
			g.Structures[0].Backup.SizeMB = qsg.Number{}
			g.Structures[0].SizeMaxKB = qsg.Number{}
		}, "APPSTR01 can't now, APPSTR02 back up, CSQSYSAPPL back up"},
		"as much as is used": {0, func(g *qsg.Group) {
			sized(1, 1, 1)(g)
			g.Structures[0].Backup.SizeMB = qsg.Number{}
			g.Structures[0].SizeMaxKB = qsg.Of(1 << 30)
		}, "APPSTR01 can't now, APPSTR02 back up, CSQSYSAPPL back up"},
	}
	g = made()
	sized(free+1, 2, 1)(&g)
	if got := courses(viewOf(t, &g, dedicated(map[string]any{"exceed_active_logs": true})).choose()); got != "APPSTR01 back up, APPSTR02 wait, CSQSYSAPPL wait" {
		t.Errorf("larger than all, and allowed: %s", got)
	}
	for name, test := range tests {
		g := made()
		test.change(&g)
		if got := courses(viewOf(t, &g, dedicated(map[string]any{"image_bytes": test.allowed})).choose()); got != test.want {
			t.Errorf("%s (%d MB free)\n got %s\nwant %s", name, free, got, test.want)
		}
	}
}

// The image is as large as the last; without one, as what is used of the structure
// and its data sets, and a tenth.
func TestImage(t *testing.T) {
	s := qsg.Structure{Name: "A", SizeMaxKB: qsg.Of(1000), SizeUsed: qsg.Of(50), Defined: qsg.Definition{DSBlock: qsg.Of(1 << 18)}}
	g := qsg.Group{DataSets: []qsg.DataSet{{Structure: "A", Usage: qsg.SpaceUsage{Used: qsg.Of(4)}}, {Structure: "B", Usage: qsg.SpaceUsage{Used: qsg.Of(400)}}}}
	const used = 1000<<10/100*50 + 4<<18
	if got := imageOf(&g, s); got.bytes != used+used/10 || !got.known {
		t.Errorf("%+v", got)
	}
	end, _ := bsds.ParseRBA("00000089C1E1")
	start, _ := bsds.ParseRBA("000000529193")
	s.Backup = qsg.Backup{Known: true, Status: qsg.Active, QueueManager: "M60A", Start: start, End: end, SizeMB: qsg.Of(3)} // the published sample
	if got := imageOf(&g, s); got.bytes != 4<<20 || got.bytes < int64(end.Value()-start.Value()) {
		t.Errorf("%+v", got)
	}
	s = qsg.Structure{Name: "A", SizeMaxKB: qsg.Of(1000)}
	if got := imageOf(&g, s); got.bytes < 1000<<10 {
		t.Errorf("how much is used is not known: %+v", got)
	}
	if got := imageOf(&g, qsg.Structure{}); got.known {
		t.Errorf("%+v", got)
	}
}

// A recovery set: every log that can be archived is, behind all backups; where one
// structure is left out none is.
func TestRecoverySet(t *testing.T) {
	settings := dedicated(map[string]any{"recovery_set": true})
	plan := planOn(t, exampleText(t), settings)
	want := steps(planOn(t, exampleText(t), dedicated(nil)))
	for _, name := range []string{"QMA1", "QMA2", "QMBK"} {
		want += fmt.Sprintf("; %s: ARCHIVE LOG CMDSCOPE(%s) after backup-1 backup-2", name, name)
	}
	if got := steps(plan); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if !strings.Contains(text(plan, "copy-backup-table"), "CSQ.ADMIN_B_STRBACKUP") {
		t.Error(codes(plan))
	}
	summary := "CFSTATUS(APPSTR1)\nTYPE(SUMMARY)\nCFTYPE(APPL)\nSTATUS(ACTIVE)"
	plan = planOn(t, exampleText(t, summary, strings.Replace(summary, "ACTIVE", "INBACKUP", 1)), settings)
	if strings.Contains(steps(plan), "ARCHIVE LOG") || !strings.Contains(text(plan, "recovery-set-incomplete"), "not every structure") {
		t.Errorf("%s; %s", steps(plan), codes(plan))
	}
	plan = planOn(t, exampleText(t, "QMA2   2 !QMA2    ACTIVE", "QMA2   2 !QMA2    INACTIVE"), settings)
	if strings.Contains(steps(plan), "CMDSCOPE(QMA2)") || !strings.Contains(text(plan, "recovery-set-incomplete"), "QMA2 is INACTIVE") {
		t.Errorf("%s; %s", steps(plan), codes(plan))
	}
}
