package qmgr

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Status shows the queue manager, running or not: DISPLAY QMSTATUS ALL.
func (m *Manager) Status() Status {
	k := m.read()
	s := Status{
		Name: m.name, State: k.State, Release: m.level.String(), Started: m.local(k.Started),
		Host: m.site.Host, Installation: m.site.Installation, InstallationPath: m.site.installationPath(),
		LogPath: m.LogPath(), DataPath: m.DataPath(),
	}
	s.DataSize, s.DataUsed = m.space(m.dataDir)
	v := m.view()
	if v == nil {
		return s
	}
	s.Connections = len(m.connections(v))
	s.Log = v.Log
	if m.linear() {
		s.CurrLog, s.RecLog, s.MediaLog = v.Log.Current, v.Points.Restart.Extent, v.Points.Media.Extent
	}
	s.DiskLSN, s.LogStart, s.LogStartTime = v.Durable, v.Log.StartedLSN, m.local(v.Log.Started)
	s.Checkpoints, s.CheckpointOperations, s.CheckpointBytes = v.Checkpoints, v.Operations, v.Bytes
	return s
}

// Suspended tells whether the queue manager waits for [Manager.Resume].
func (m *Manager) Suspended() bool { return m.read().Suspended }

// State gives the state of the queue manager.
func (m *Manager) State() State { return m.read().State }

// Connections gives the applications that have a unit of work, oldest first:
// who holds RECLOG is among them (reference, Multiplatforms 3.1 item 52).
func (m *Manager) Connections() []Connection {
	v := m.view()
	if v == nil {
		return nil
	}
	return m.connections(v)
}

func (m *Manager) connections(v *view) []Connection {
	all := make([]Connection, 0, len(v.Units))
	for _, u := range v.Units {
		c := Connection{
			ID:          fmt.Sprintf("%08X%08X", crc32.ChecksumIEEE([]byte(m.name)), uint32(u.ID)),
			Application: v.Applications[u.ID], User: "app",
			PID: m.process(u.ID), TID: 1,
			Unit: u.ID, UnitState: unitState(u), URType: "QMGR", QMURID: fmt.Sprintf("0.%d", u.ID),
			XID: u.XID, Changes: u.Changes,
		}
		if len(u.XID) > 0 {
			c.URType = "XA"
		}
		if u.First.LSN != 0 {
			c.Since, c.UOWLogTime = m.local(u.First.Time), m.local(u.First.Time)
			c.UOWLog = v.Places[u.First.LSN]
		}
		all = append(all, c)
	}
	return all
}

func unitState(u engine.UnitInfo) string {
	switch {
	case u.Prepared:
		return "PREPARED"
	case u.First.LSN != 0 || u.Changes > 0:
		return "ACTIVE"
	}
	return "NONE"
}

// Transactions gives the units of work that have changed anything and not
// ended, oldest first: dspmqtrn -a.
func (m *Manager) Transactions() []Transaction {
	v := m.view()
	if v == nil {
		return nil
	}
	var all []Transaction
	for _, u := range v.Units {
		if u.First.LSN == 0 {
			continue
		}
		all = append(all, Transaction{
			Number: u.ID, Prepared: u.Prepared, Application: v.Applications[u.ID], XID: u.XID,
			Ours: m.ours(u.XID), Started: m.local(u.First.Time), UOWLog: v.Places[u.First.LSN], Changes: u.Changes,
		})
	}
	return all
}

// mostFile gives the most MB that the file of a queue may have: 2,088,960 unless
// MAXFSIZE says so (from memory).
func mostFile(attributes map[string]string) int64 {
	if n, err := strconv.ParseInt(attributes["MAXFSIZE"], 10, 64); err == nil {
		return n
	}
	return 2_088_960
}

// QueueStatus gives the local queues by name: DISPLAY QSTATUS TYPE(QUEUE).
func (m *Manager) QueueStatus() []QueueStatus {
	v := m.view()
	if v == nil {
		return nil
	}
	var all []QueueStatus
	for _, o := range v.Objects {
		if o.Ref.Kind != engine.Queue {
			continue
		}
		s := QueueStatus{
			Name: o.Ref.Name, Depth: o.Depth, Current: o.Current, FileBytes: o.FileBytes, MaxFile: mostFile(o.Attributes),
			Putting: v.Users[o.Ref.Name].Putting, Getting: v.Users[o.Ref.Name].Getting, Uncommitted: o.Uncommitted, Damaged: o.Damaged,
			MediaRecovered: o.Recoverable,
		}
		if s.MediaRecovered {
			s.MediaLog, s.MediaTime = v.Places[o.Media.LSN], m.local(o.Media.Time)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b QueueStatus) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
