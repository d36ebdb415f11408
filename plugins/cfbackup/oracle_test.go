package cfbackup

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
)

// world is a group of which it is known what is really there: which log data set
// of which member can be read, and from when on a recovery of each structure reads.
type world struct {
	group qsg.Group
	logs  map[string][]written // of each member, oldest first
	began map[string]bsds.LRSN // of each structure: when its backup began
	from  map[string]bsds.LRSN // from where a recovery reads: earlier by what EXCLINT left out
}

// written is one stretch of a member's log, and whether anything can still read it.
type written struct {
	start, end bsds.LRSN // end zero: it is still written
	readable   bool
}

// drawWorld makes a group and takes log data sets away in every way in which they
// get lost: out of the catalog, out of the BSDS, one copy or both, the oldest first
// or any, and whole prints that nobody made.
func drawWorld(rt *rapid.T) world {
	w := world{logs: map[string][]written{}, began: map[string]bsds.LRSN{}, from: map[string]bsds.LRSN{}}
	w.group = qsgtest.Make(rapid.Uint64Range(1, 1000).Draw(rt, "seed"), qsgtest.Size{Members: 3, Structures: 3, Archives: 8})
	for i := range w.group.Structures {
		w.takeBackup(rt, &w.group.Structures[i])
	}
	w.usage(rt)
	for i := range w.group.Members {
		w.lose(rt, &w.group.Members[i])
	}
	return w
}

// takeBackup puts the backup of a structure into some data set of a member's log,
// and sets which logs a recovery reads.
func (w *world) takeBackup(rt *rapid.T, s *qsg.Structure) {
	taker := w.group.Members[rapid.IntRange(0, 2).Draw(rt, "taker")]
	logs := taker.BSDS.Archive[0]
	log := logs[rapid.IntRange(2, len(logs)-1).Draw(rt, "log")]
	at := rapid.Uint64Range(0, 1<<20).Draw(rt, "at")
	start, _ := log.Start.Add(at)
	end, _ := start.Add(1 << 19)
	began, _ := log.StartLRSN.Add(rapid.Uint64Range(0, log.EndLRSN.Value()-log.StartLRSN.Value()).Draw(rt, "began"))
	const second = 1_000_000 / 16 // in units of an LRSN
	w.began[s.Name] = began
	w.from[s.Name], _ = began.Sub(second * rapid.Uint64Range(0, 600).Draw(rt, "left out"))
	s.Backup.QueueManager, s.Backup.Start, s.Backup.End = taker.Name, start, end
	s.Backup.Logs = []string{taker.Name}
	for _, m := range w.group.Members {
		if m.Name != taker.Name && rapid.Bool().Draw(rt, "uses") {
			s.Backup.Logs = append(s.Backup.Logs, m.Name)
		}
	}
	s.Connections = slices.DeleteFunc(s.Connections, func(c qsg.StructureConnection) bool { return !slices.Contains(s.Backup.Logs, c.Member) })
	for i, row := range w.group.Repository {
		if row.Structure == s.Name {
			w.group.Repository[i].QueueManager, w.group.Repository[i].Start, w.group.Repository[i].End = taker.Name, start, end
		}
	}
}

// usage has the group tell the LRSN of its oldest backup, or not.
func (w *world) usage(rt *rapid.T) {
	var oldest bsds.LRSN
	for _, from := range w.began {
		if !oldest.Known() || from.Before(oldest) {
			oldest = from
		}
	}
	for i := range w.group.Members {
		u := &w.group.Members[i].Usage.Structures
		u.From, u.Printed = oldest, rapid.Bool().Draw(rt, "usage")
	}
}

// lose takes data sets of one member away, and notes what is left of each stretch.
func (w *world) lose(rt *rapid.T, m *qsg.Member) {
	p := m.BSDS
	harm := rapid.IntRange(0, 5).Draw(rt, "harm") // 0 and 1: none
	dropped := 0
	if harm == 2 {
		dropped = rapid.IntRange(1, 6).Draw(rt, "dropped")
	}
	logs := slices.Clone(p.Archive[0])
	lost := map[string]bool{}
	for c := range bsds.Copies {
		p.Archive[c] = p.Archive[c][dropped:]
		for _, log := range p.Archive[c] {
			if harm >= 3 && rapid.IntRange(0, 3).Draw(rt, "gone") == 0 {
				lost[log.DataSet] = true
			}
		}
	}
	switch harm {
	case 3, 4:
		w.uncatalogue(m, lost)
	case 5:
		for c := range bsds.Copies {
			p.Archive[c] = slices.DeleteFunc(slices.Clone(p.Archive[c]), func(log bsds.Log) bool { return lost[log.DataSet] })
		}
	}
	stopped := harm == 4 && rapid.Bool().Draw(rt, "stopped")
	for _, log := range logs {
		at := written{start: log.StartLRSN, end: log.EndLRSN}
		for c := range bsds.Copies {
			for _, archive := range p.Archive[c] {
				at.readable = at.readable || archive.Start == log.Start && !lost[archive.DataSet]
			}
			for i, active := range p.Active[c] {
				if stopped && !active.EndLRSN.Zero() && active.EndLRSN.Known() {
					p.Active[c][i].Status = bsds.Stopped
				}
				at.readable = at.readable || active.Start == log.Start && p.Active[c][i].Status != bsds.Stopped
			}
		}
		w.logs[m.Name] = append(w.logs[m.Name], at)
	}
	current := p.Active[0][len(p.Active[0])-1]
	w.logs[m.Name] = append(w.logs[m.Name], written{start: current.StartLRSN, readable: true})
	if rapid.IntRange(0, 9).Draw(rt, "print") == 0 {
		m.BSDS = nil
	}
}

func (w *world) uncatalogue(m *qsg.Member, lost map[string]bool) {
	m.Archives.NonVSAM = slices.DeleteFunc(slices.Clone(m.Archives.NonVSAM), func(e idcams.NonVSAM) bool {
		if lost[e.Name] {
			m.Archives.Missing = append(m.Archives.Missing, e.Name)
		}
		return lost[e.Name]
	})
}

// recoverable tells whether a recovery of the structure finds all that it reads.
func (w *world) recoverable(s qsg.Structure) bool {
	from := w.from[s.Name]
	for _, name := range s.Backup.Logs {
		if from.Before(w.logs[name][0].start) { // what was before went long ago
			return false
		}
		for _, log := range w.logs[name] {
			if !log.readable && (!log.end.Known() || !log.end.Before(from)) {
				return false
			}
		}
	}
	return true
}

// A yes is one only if every log that a recovery reads can be read; a no is one
// only if some can't.
func TestReadinessAgainstTheOracle(t *testing.T) {
	seen := map[answer]int{}
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		v := viewOf(t, &w.group, nil)
		for _, s := range w.group.Structures {
			r := v.ready[s.Name]
			seen[r.answer]++
			switch works := w.recoverable(s); {
			case r.answer == yes && !works:
				rt.Fatalf("%s: yes, and a log that it reads is gone (logs of %v from %s)", s.Name, s.Backup.Logs, w.from[s.Name])
			case r.answer == no && works:
				rt.Fatalf("%s: no, and everything is there: %v", s.Name, r.reasons)
			}
		}
	})
	if seen[yes] == 0 || seen[no] == 0 || seen[notKnown] == 0 {
		t.Errorf("not every answer came up: %v", seen)
	}
	t.Log(seen)
}

// A group with nothing taken away can be recovered, in every width of LRSN that a
// BSDS may have, and whatever its size.
func TestWholeGroupIsReady(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := qsgtest.Make(rapid.Uint64Range(1, 1000).Draw(rt, "seed"), qsgtest.Size{
			Members: rapid.IntRange(2, 6).Draw(rt, "members"), Structures: rapid.IntRange(1, 5).Draw(rt, "structures"), Archives: 6,
		})
		v := viewOf(t, &g, nil)
		if whole, why := v.whole(); whole != yes {
			rt.Fatalf("%s: %s; %v", whole, why, v.ready)
		}
	})
}
