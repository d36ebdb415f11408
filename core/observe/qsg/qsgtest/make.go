package qsgtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// Size says how large a group is to be made.
type Size struct {
	Members    int // with the dedicated one, the last; at least 2
	Structures int // with CSQSYSAPPL, the last; at least 1
	Days       int // of history
	Archives   int // of each member and copy, at most 1000; 0: 24
}

// When is the time at which groups are made, where summer time is.
var When = time.Date(2026, time.May, 28, 2, 0, 0, 0, time.FixedZone("", 2*60*60))

// The sizes of what is made.
const (
	activeLogs = 4
	logBytes   = 1 << 28
	blockBytes = 256 << 10
	defArchive = 24
	trackBytes = 15 * 12 * 4096 // a cylinder of a linear data set
)

// Make makes a group from a seed. Its last member takes the backups.
func Make(seed uint64, size Size) qsg.Group {
	if size.Archives == 0 {
		size.Archives = defArchive
	}
	k := maker{rand: rand.New(rand.NewPCG(seed, seed)), size: size, now: When, local: observe.LocalStamp(When).Time}
	k.group = qsg.Group{Name: "QSG1", Observed: When, Now: observe.LocalStamp(When)}
	for i := range size.Members {
		k.group.Members = append(k.group.Members, k.member(i))
	}
	k.admin()
	for i := range size.Structures {
		k.structure(i)
	}
	k.allocated(qsg.AdminStructure)
	k.needs()
	k.history()
	return k.group
}

type maker struct {
	rand  *rand.Rand
	size  Size
	group qsg.Group
	now   time.Time
	local time.Time // the wall clock, as if it were UTC
	end   uint64    // of the last backup's image, in the backup member's log
}

// name gives a member its name, of at most four characters as in every group.
func (k *maker) name(i int) string {
	if i == k.size.Members-1 {
		return "QMBK"
	}
	const ofLetter = 9 // QMA1 to QMA9, QMB1, ...
	return fmt.Sprintf("QM%c%d", 'A'+i/ofLetter, i%ofLetter+1)
}

func (k *maker) between(low, high int) int64 { return int64(low + k.rand.IntN(high-low+1)) }

// member makes a member with its log: archives one behind the other, then the
// ring, of which the last one is being written.
func (k *maker) member(i int) qsg.Member {
	name := k.name(i)
	m := qsg.Member{
		Name: name, Number: qsg.Of(int64(i + 1)), Prefix: "!" + name, Status: qsg.MemberActive, Version: "940", DB2: "DB2P", DB2Connection: "ACTIVE",
		CommandServer: qsg.Yes, HasArchives: true, Searched: nil,
	}
	each := time.Duration(k.between(20, 90)) * time.Minute // between two switches
	p := &bsds.Print{DataSet: "MQP." + name + ".BSDS01", Version: 2, Group: k.group.Name, Member: name, Number: i + 1}
	full := uint64(k.between(5, 95)) * (logBytes / 100)
	first := uint64(k.between(1, 1000)) * logBytes
	logs := k.size.Archives + 1
	for n := range logs {
		log := bsds.Log{Start: address(first + uint64(n)*logBytes), End: address(first + uint64(n+1)*logBytes - 1)}
		began := k.now.Add(-time.Duration(logs-n) * each).Truncate(time.Second).UTC()
		ended := began.Add(each)
		log.StartLRSN, log.StartTime = lrsn(began), began
		log.EndLRSN, log.EndTime = lrsn(ended), ended
		log.Created = ended.Add(2 * time.Hour).Truncate(time.Minute)
		k.place(&m, p, log, n, logs)
	}
	p.HighestWritten = address(first + uint64(logs-1)*logBytes + full)
	p.HighestOffloaded = address(first + uint64(logs-1)*logBytes - 1)
	p.WrittenAt = k.now.Add(-time.Minute).Truncate(time.Second).UTC()
	p.System = k.local.Add(-time.Minute)
	m.BSDS = p
	m.Log = qsg.Log{
		Known: true, Parameters: qsg.Parameters{"MAXARCH": "1000", "TWOACTV": "YES", "TWOARCH": "YES", "TWOBSDS": "YES", "OFFLOAD": "YES", "MAXCNOFF": "31"},
		ToOffload: qsg.Of(0), Total: qsg.Of(activeLogs), Offload: "AVAILABLE", Suspended: qsg.No, Latest: p.HighestWritten,
		StartedAt: observe.Stamp{Time: k.local.AddDate(0, -4, 0)}, StartedRBA: address(first),
	}
	for c := range bsds.Copies {
		m.Log.Copies = append(m.Log.Copies, qsg.LogCopy{Copy: c + 1, Full: qsg.Of(int64(full * 100 / logBytes)), DataSet: active(name, c+1, (logs-1)%activeLogs)})
	}
	m.Archive = qsg.Parameters{"ARCRETN": "14", "ARCPFX1": "MQP." + name + ".ARC1", "ARCPFX2": "MQP." + name + ".ARC2", "CATALOG": "YES", "UNIT": "DASD", "TSTAMP": "NO"}
	m.System = qsg.Parameters{"QSGNAME": k.group.Name, "STATIME": "30", "LOGLOAD": "500000"}
	m.Searched = []string{m.Archive["ARCPFX1"], m.Archive["ARCPFX2"]}
	return m
}

// place puts a log into the tables: into the ring, and into the archives where
// it was offloaded.
func (k *maker) place(m *qsg.Member, p *bsds.Print, log bsds.Log, n, logs int) {
	current := n == logs-1
	for c := range bsds.Copies {
		if n >= logs-activeLogs {
			ring := log
			ring.DataSet, ring.Status = active(m.Name, c+1, n%activeLogs), bsds.Reusable
			if current {
				ring.Status, ring.EndLRSN, ring.EndTime = bsds.NotReusable, bsds.LRSN{}, time.Time{}
			}
			p.Active[c] = append(p.Active[c], ring)
		}
		if current {
			continue
		}
		archived := log
		archived.DataSet = fmt.Sprintf("MQP.%s.ARC%d.A%07d", m.Name, c+1, n+1)
		archived.Volume, archived.Unit, archived.Catalogued = fmt.Sprintf("MQA%03d", n%7), "DASD", bsds.Yes
		p.Archive[c] = append(p.Archive[c], archived)
		created := midnight(log.EndTime.Add(2 * time.Hour))
		m.Archives.NonVSAM = append(m.Archives.NonVSAM, idcams.NonVSAM{
			Name: archived.DataSet, Catalog: "UCAT.MQP", Creation: created,
			Expiration: idcams.Expiration{Known: true, Day: created.AddDate(0, 0, 14)},
			Volumes:    []idcams.Volume{{Serial: archived.Volume, Device: "3010200F", Sequence: idcams.Number{Known: true}}},
		})
	}
}

func active(name string, side, n int) string {
	return fmt.Sprintf("MQP.%s.LOGCOPY%d.DS%02d", name, side, n+1)
}

func midnight(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

func address(value uint64) bsds.RBA {
	a, _ := bsds.NewRBA(value, bsds.Eight) // eight bytes hold every value
	return a
}

// lrsn gives the LRSN of six bytes of a time in this century.
func lrsn(at time.Time) bsds.LRSN {
	l, _ := bsds.LRSNAt(at)
	return l
}

// wave is how much of a data set is used at a time: a day's wave with some
// growth and noise, as a part of 1.
func wave(at time.Time, base, swing, growth float64, noise float64) float64 {
	hours := float64(at.Unix()) / 3600
	part := base + swing*math.Sin(2*math.Pi*hours/24) + growth*hours/24 + noise
	return max(0, min(1, part))
}
