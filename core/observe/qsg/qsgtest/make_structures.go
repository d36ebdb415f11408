package qsgtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

func (k *maker) admin() {
	k.group.Admin = qsg.Structure{
		Name: qsg.AdminStructure, Status: qsg.Active, Type: "ADMIN", SizeMaxKB: qsg.Of(32256), SizeUsed: qsg.Of(9), EntriesMax: qsg.Of(12000), EntriesUsed: qsg.Of(600),
		OffloadUse: "NONE", Connections: k.connections(qsg.AdminStructure),
	}
}

func (k *maker) connections(name string) []qsg.StructureConnection {
	var all []qsg.StructureConnection
	for i := range k.group.Members {
		c := qsg.StructureConnection{Structure: name, Member: k.group.Members[i].Name, Image: fmt.Sprintf("MVS%c", 'A'+i%26), Status: qsg.Active}
		all = append(all, c)
		k.group.Members[i].Connections = append(k.group.Members[i].Connections, c)
	}
	return all
}

// structure makes a structure with its backup and its data sets. The last is
// CSQSYSAPPL; names are in order.
func (k *maker) structure(i int) {
	name := fmt.Sprintf("APPSTR%02d", i+1)
	if i == k.size.Structures-1 {
		name = qsg.SystemStructure
	}
	k32, k4 := qsg.Of(32<<10), qsg.Of(4<<10)
	s := qsg.Structure{
		Name: name, Status: qsg.Active, Type: "APPL", SizeMaxKB: qsg.Of(524288), SizeUsed: qsg.Of(k.between(1, 75)), EntriesMax: qsg.Of(211480),
		EntriesUsed: qsg.Of(k.between(0, 150000)), OffloadUse: "SMDS",
		Defined: qsg.Definition{
			Known: true, Level: qsg.Of(5), Recover: qsg.Yes, Recauto: qsg.Yes, Conlos: "ASQMGR", Offload: "SMDS",
			Rules:   [3]qsg.OffloadRule{{Size: k32, Threshold: qsg.Of(70)}, {Size: k4, Threshold: qsg.Of(80)}, {Size: qsg.Of(0), Threshold: qsg.Of(90)}},
			DSGroup: "MQP.*." + qualifier(name) + ".SMDS", DSBlock: qsg.Of(blockBytes), DSBufs: qsg.Of(100), DSExpand: qsg.Yes,
		},
	}
	k.allocated(s.Name)
	k.backup(&s, i)
	s.Connections = k.connections(name)
	k.group.Structures = append(k.group.Structures, s)
	for n := range k.group.Members {
		k.dataSet(s, n)
	}
}

// allocated makes what XCF shows of a structure.
func (k *maker) allocated(name string) {
	a := qsg.Allocated{
		Name: qsg.ExternalName(k.group.Name, name), Status: "ALLOCATED", SizeKB: qsg.Of(524288), PolicyKB: qsg.Of(1048576), Duplexed: qsg.No, Facility: "CF01",
	}
	for i, m := range k.group.Members {
		a.Connections = append(a.Connections, fmt.Sprintf("CSQE%s%s%02d", k.group.Name, m.Name, i+1))
	}
	k.group.Allocated = append(k.group.Allocated, a)
}

// backup puts the image behind the one before, within the last archive or the
// log that is being written, within the last hour.
func (k *maker) backup(s *qsg.Structure, i int) {
	backup := k.group.Members[len(k.group.Members)-1]
	if k.end == 0 {
		k.end = backup.BSDS.HighestWritten.Value() - uint64(k.size.Structures+1)*(1<<20)
	}
	size := uint64(k.between(1000, 1<<20))
	start, end := address(k.end), address(k.end+size)
	k.end += size + 4096
	b := qsg.Backup{
		Known: true, Status: qsg.Active, QueueManager: backup.Name, EndedAt: observe.Stamp{Time: k.local.Add(-time.Duration(1+(k.size.Structures-i)%55) * time.Minute)},
		SizeMB: qsg.Of(int64(size >> 20)), Start: start, End: end,
	}
	for _, m := range k.group.Members {
		b.Logs = append(b.Logs, m.Name)
	}
	s.Backup = b
	k.group.Repository = append(k.group.Repository, qsg.BackupRow{Structure: s.Name, QueueManager: b.QueueManager, Start: b.Start, End: b.End, At: b.EndedAt})
}

// qualifier gives what stands for a structure in the names of its data sets,
// where a part has at most eight characters.
func qualifier(structure string) string { return structure[max(0, len(structure)-8):] }

func (k *maker) dataSet(s qsg.Structure, owner int) {
	m := k.group.Members[owner]
	d := qsg.DataSet{Structure: s.Name, Owner: m.Name, Name: "MQP." + m.Name + "." + qualifier(s.Name) + ".SMDS", Status: qsg.Active, Access: "ENABLED"}
	cylinders := k.between(100, 5000)
	bytes := cylinders * trackBytes
	total := bytes / blockBytes
	used := k.rand.Int64N(total)
	d.Usage = qsg.SpaceUsage{
		Known: true, Messages: qsg.Of(used * 3), Total: qsg.Of(total), Data: qsg.Of(total - 1), Used: qsg.Of(used), Part: qsg.Of(used * 100 / (total - 1)),
	}
	low := k.between(-12, 99)
	d.Buffers = qsg.BufferUsage{
		Known: true, BlockBytes: qsg.Of(blockBytes), Total: qsg.Of(100), InUse: qsg.Of(1), Saved: qsg.Of(90), Empty: qsg.Of(9), ReadsSaved: qsg.Of(12),
		LowestFree: qsg.Of(low), WaitRate: qsg.Of(max(0, -low/4)),
	}
	for _, viewer := range k.group.Members {
		mode := "READONLY"
		if viewer.Name == m.Name {
			mode = "UPDATE"
		}
		d.Connections = append(d.Connections, qsg.DataSetConnection{Viewer: viewer.Name, OpenMode: mode, Status: "OPEN", Available: "NORMAL", Expansion: "NORMAL"})
	}
	slices.SortFunc(d.Connections, func(a, b qsg.DataSetConnection) int {
		if a.Viewer < b.Viewer {
			return -1
		}
		return 1
	})
	known := func(value int64) idcams.Number { return idcams.Number{Value: value, Known: true} }
	d.Catalog = &idcams.Cluster{
		Name: d.Name, Data: d.Name + ".DATA", Catalog: "UCAT.MQP", Creation: midnight(k.local.AddDate(-1, 0, 0)), Expiration: idcams.Expiration{Known: true},
		Linear: idcams.Yes, Classes: idcams.Classes{Storage: "SCMQ", Management: "MCMQ", Data: "DCSMDS"}, SpaceType: "CYLINDER",
		Primary: known(100), Secondary: known(0), Extents: known(1 + k.rand.Int64N(40)), CISize: known(4096), Allocated: known(bytes), Used: known(bytes),
		Extended: idcams.Yes, Addressable: idcams.Yes, ShareRegions: 2, ShareSystems: 3,
	}
	d.Catalog.Volumes = []idcams.Volume{{Serial: fmt.Sprintf("MQV%03d", owner), Device: "3010200F", Flag: "PRIME", Extents: d.Catalog.Extents, Allocated: known(bytes), Used: known(bytes)}}
	k.group.DataSets = append(k.group.DataSets, d)
}

// needs gives every member's own needs of its log, and the oldest backup's LRSN.
func (k *maker) needs() {
	oldest := k.now
	for _, s := range k.group.Structures {
		if ended := s.Backup.EndedAt.Add(-2 * time.Hour); ended.Before(oldest) {
			oldest = ended
		}
	}
	for i := range k.group.Members {
		m := &k.group.Members[i]
		current := m.BSDS.Active[0][len(m.BSDS.Active[0])-1]
		before := m.BSDS.Active[0][len(m.BSDS.Active[0])-2]
		m.Usage = qsg.LogUsage{
			Known: true, Restart: before.Start, Unit: qsg.LogNeed{From: current.Start, DataSet: current.DataSet, Printed: true},
			PageSets:   qsg.LogNeed{From: before.Start, DataSet: before.DataSet, Printed: true},
			Structures: qsg.LRSNNeed{From: lrsn(oldest.Add(-time.Minute)), DataSet: before.DataSet, Printed: true},
		}
	}
}

// history makes a row a series and day, and one an hour for the last two days.
func (k *maker) history() {
	const recent = 48
	var times []time.Time
	for day := k.size.Days; day > recent/24; day-- {
		times = append(times, k.now.Add(-time.Duration(day)*24*time.Hour))
	}
	for hour := recent; hour > 0 && k.size.Days > 0; hour-- {
		times = append(times, k.now.Add(-time.Duration(hour)*time.Hour))
	}
	for _, at := range times {
		for i, d := range k.group.DataSets {
			part := wave(at, 0.3+float64(i%5)/10, 0.1, 0, k.rand.Float64()/50)
			k.group.History = append(k.group.History, qsg.Sample{
				At: at, Kind: qsg.UsedBlocks, Structure: d.Structure, Owner: d.Owner, Value: qsg.Of(int64(part * float64(d.Usage.Data.Value))),
			})
		}
	}
}
