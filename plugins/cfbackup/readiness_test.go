package cfbackup

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// aged puts the backup of the first structure into the third newest archive, some
// hours back, so that archives are needed.
func aged(g *qsg.Group) *qsg.Structure {
	s := &g.Structures[0]
	taker, _ := g.Member(s.Backup.QueueManager)
	log := taker.BSDS.Archive[0][len(taker.BSDS.Archive[0])-6]
	s.Backup.Start, s.Backup.End = log.Start, log.Start
	for i := range g.Repository {
		if g.Repository[i].Structure == s.Name {
			g.Repository[i].Start, g.Repository[i].End = s.Backup.Start, s.Backup.End
		}
	}
	for i := range g.Members {
		g.Members[i].Usage.Structures = qsg.LRSNNeed{From: log.StartLRSN, Printed: true}
	}
	return s
}

// uncatalogue takes an archive of both copies out of the catalog of a member.
func uncatalogue(m *qsg.Member, back int) {
	for c := range bsds.Copies {
		name := m.BSDS.Archive[c][len(m.BSDS.Archive[c])-back].DataSet
		m.Archives.Missing = append(m.Archives.Missing, name)
		var left []idcams.NonVSAM
		for _, e := range m.Archives.NonVSAM {
			if e.Name != name {
				left = append(left, e)
			}
		}
		m.Archives.NonVSAM = left
	}
}

// What makes a recovery fail, or leaves it not known whether it would.
func TestReadiness(t *testing.T) {
	tests := map[string]struct {
		change func(*qsg.Group, *qsg.Structure)
		want   answer
		reason string
	}{
		"all is there":         {func(*qsg.Group, *qsg.Structure) {}, yes, ""},
		"never backed up":      {func(_ *qsg.Group, s *qsg.Structure) { s.Backup = qsg.Backup{Known: true, Status: qsg.None} }, no, "never backed up"},
		"the backup not told":  {func(_ *qsg.Group, s *qsg.Structure) { s.Backup = qsg.Backup{} }, notKnown, "not known"},
		"being recovered":      {func(_ *qsg.Group, s *qsg.Structure) { s.Status = qsg.InRecover }, no, "CSQE101I"},
		"the level not told":   {func(_ *qsg.Group, s *qsg.Structure) { s.Defined.Level = qsg.Number{} }, notKnown, "CFLEVEL"},
		"no row of it":         {func(g *qsg.Group, s *qsg.Structure) { g.Repository = g.Repository[1:] }, no, "CSQE109E"},
		"another row":          {func(g *qsg.Group, s *qsg.Structure) { g.Repository[0].QueueManager = "QMA1" }, notKnown, "another backup"},
		"no table":             {func(g *qsg.Group, s *qsg.Structure) { g.Repository = nil }, notKnown, "was not read"},
		"Db2 has ended":        {func(g *qsg.Group, _ *qsg.Structure) { each(g, func(m *qsg.Member) { m.DB2Connection = "PENDING" }) }, no, "00C50006"},
		"nobody tells of Db2":  {func(g *qsg.Group, _ *qsg.Structure) { each(g, func(m *qsg.Member) { m.DB2Connection = "" }) }, notKnown, "Db2"},
		"a BSDS is missing":    {func(g *qsg.Group, _ *qsg.Structure) { g.Members[0].BSDS = nil }, notKnown, "QMA1"},
		"the taker's BSDS":     {func(g *qsg.Group, _ *qsg.Structure) { g.Members[2].BSDS = nil }, notKnown, "QMBK"},
		"a member has left":    {func(_ *qsg.Group, s *qsg.Structure) { s.Backup.Logs = append(s.Backup.Logs, "QMZ9") }, notKnown, "no such member"},
		"both copies are gone": {func(g *qsg.Group, _ *qsg.Structure) { uncatalogue(&g.Members[2], 5) }, no, "not catalogued"},
		"gone, and not needed": {func(g *qsg.Group, _ *qsg.Structure) { uncatalogue(&g.Members[2], 12) }, yes, ""},
		"never catalogued": {func(g *qsg.Group, _ *qsg.Structure) {
			uncatalogue(&g.Members[2], 5)
			for c := range bsds.Copies {
				logs := g.Members[2].BSDS.Archive[c]
				logs[len(logs)-5].Catalogued = bsds.No
			}
		}, notKnown, "not told by the catalog"},
		"of another that LOGS does not name": {func(g *qsg.Group, s *qsg.Structure) {
			s.Backup.Logs = []string{"QMBK"}
			uncatalogue(&g.Members[0], 4)
		}, notKnown, "QMA1"},
		"the BSDS begins later": {func(g *qsg.Group, _ *qsg.Structure) {
			for c := range bsds.Copies {
				g.Members[2].BSDS.Archive[c] = g.Members[2].BSDS.Archive[c][22:]
			}
		}, no, "QMBK"},
		"no LRSNs": {func(g *qsg.Group, _ *qsg.Structure) {
			for c := range bsds.Copies {
				for i := range g.Members[2].BSDS.Archive[c] {
					g.Members[2].BSDS.Archive[c][i].StartLRSN, g.Members[2].BSDS.Archive[c][i].EndLRSN = bsds.LRSN{}, bsds.LRSN{}
				}
			}
		}, notKnown, "LRSN"},
		"the print is older than the log": {func(g *qsg.Group, _ *qsg.Structure) {
			end := g.Members[0].BSDS.Active[0][3].End
			g.Members[0].Log.Latest, _ = end.Add(1 << 20)
		}, notKnown, "ends before that"},
		"no clock": {func(g *qsg.Group, _ *qsg.Structure) { g.Observed = time.Time{} }, notKnown, "how old"},
		"a backup in the future": {func(g *qsg.Group, s *qsg.Structure) {
			s.Backup.EndedAt = observe.Stamp{Time: s.Backup.EndedAt.Add(day)}
		}, notKnown, "how old"},
		"addresses of another width": {func(g *qsg.Group, s *qsg.Structure) { s.Backup.Start = qsg.Position{} }, notKnown, ""},
		"a member that never used it": {func(g *qsg.Group, s *qsg.Structure) {
			s.Connections[0].Status = qsg.None
			s.Backup.Logs = []string{"QMBK"}
		}, yes, ""},
		"LOGS is blank: it is all":     {func(g *qsg.Group, s *qsg.Structure) { s.Backup.Logs, s.Connections = nil, nil; g.Members[0].BSDS = nil }, notKnown, "QMA1"},
		"the log that is written next": {func(g *qsg.Group, s *qsg.Structure) { g.Members[1].BSDS.HighestWritten = qsg.Position{} }, yes, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := made()
			s := aged(&g)
			test.change(&g, s)
			v := viewOf(t, &g, nil)
			r := v.ready[s.Name]
			if r.answer != test.want || !strings.Contains(strings.Join(r.reasons, "; "), test.reason) {
				t.Errorf("%s %v, want %s %q", r.answer, r.reasons, test.want, test.reason)
			}
			if whole, _ := v.whole(); whole > r.answer {
				t.Errorf("the group: %s", whole)
			}
		})
	}
}

func each(g *qsg.Group, do func(*qsg.Member)) {
	for i := range g.Members {
		do(&g.Members[i])
	}
}

// Archives that may be deleted before the next backup are told, as long as they are
// in no other data set; that they are there now makes the answer a yes.
func TestExpiring(t *testing.T) {
	today := time.Date(2026, time.May, 28, 0, 0, 0, 0, time.UTC)
	expiring := func(g *qsg.Group, day time.Time, never bool) {
		m := &g.Members[2]
		for i := range m.Archives.NonVSAM {
			m.Archives.NonVSAM[i].Expiration = idcams.Expiration{Known: true, Day: day, Never: never}
		}
	}
	for name, test := range map[string]struct {
		day   time.Time
		never bool
		risk  bool
	}{
		"today": {today, false, true}, "long ago": {today.AddDate(-1, 0, 0), false, true}, "tomorrow": {today.AddDate(0, 0, 1), false, false},
		"none": {time.Time{}, false, false}, "never": {today, true, false},
	} {
		g := made()
		s := aged(&g)
		expiring(&g, test.day, test.never)
		r := viewOf(t, &g, nil).ready[s.Name]
		if r.answer != yes || strings.Contains(strings.Join(r.risks, "; "), "may be deleted") != test.risk {
			t.Errorf("%s: %s, risks %v", name, r.answer, r.risks)
		}
	}
	g := made() // the images are in active logs: what expires is not needed
	expiring(&g, today, false)
	if r := viewOf(t, &g, nil).ready[g.Structures[0].Name]; len(r.risks) > 0 {
		t.Errorf("%v", r.risks)
	}
}

// The minutes are the log to be read by the rate of the task, rounded up.
func TestMinutes(t *testing.T) {
	g := made()
	name := g.Structures[0].Name
	slow, quick := viewOf(t, &g, map[string]any{"recovery_rate": int64(1 << 20)}).ready[name], viewOf(t, &g, map[string]any{"recovery_rate": int64(10 << 20)}).ready[name]
	if !slow.counts || slow.bytes <= 0 || slow.takes < 9*quick.takes || slow.takes > 11*quick.takes {
		t.Errorf("%s and %s for %d bytes", slow.takes, quick.takes, slow.bytes)
	}
	for d, want := range map[time.Duration]string{0: "0", time.Second: "1", 60 * time.Second: "1", 61 * time.Second: "2"} {
		if got := minutes(d); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
}

// In the hour that comes twice a backup is taken for the older of the two; without a
// zone a stamp is read with the offset that the observation has.
func TestClock(t *testing.T) {
	at := func(text string) time.Time {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	stamp, err := observe.ParseStamp("2026-10-25 02.30.00")
	if err != nil {
		t.Fatal(err)
	}
	now := at("2026-10-25T03:00:00+01:00")
	for zone, want := range map[string]time.Duration{"Europe/Berlin": 90 * time.Minute, "": 30 * time.Minute, "No/Where": 30 * time.Minute} {
		if age, ok := newClock(now, zone).age(stamp); age != want || !ok {
			t.Errorf("%q: %s, %v", zone, age, ok)
		}
	}
	if _, ok := newClock(time.Time{}, "Europe/Berlin").age(stamp); ok {
		t.Error("an age without a clock")
	}
	if _, ok := newClock(now.Add(-2*time.Hour), "Europe/Berlin").age(stamp); ok {
		t.Error("an age of the future")
	}
}

// EXCLINT takes off 600 seconds in both forms that an LRSN of eight bytes may have.
func TestEarlier(t *testing.T) {
	for text, want := range map[string]string{
		"E2BE5A33AE40": "E2BE57F779E0", "0000E2BE5A33AE40": "0000E2BE57F779E0", "E2BE5A33AE400000": "E2BE57F779E00000", "000000000001": "000000000001",
	} {
		l, err := bsds.ParseLRSN(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := earlier(l, mostExclint).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
