package qmgr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// view is all that is shown of a queue manager that runs. That of a suspended
// one is a file, so that it can be asked while it is not in memory, and by one
// who may not change anything.
type view struct {
	Objects      []engine.Object
	Units        []engine.UnitInfo
	Applications map[uint64]string
	Users        map[string]engine.Users // of queues
	Log          extents.Status
	Points       points
	// Places are the extents that the units of work begin in and the queues
	// have their media recovery records in, by position.
	Places            map[wal.LSN]string
	End, Durable      wal.LSN
	Operations, Bytes int64
	Checkpoints       int64
}

// look gives the view of this moment, or of the suspension; nil: the queue
// manager has ended. The caller has the lock of the life.
func (m *Manager) look() *view {
	if m.engine == nil {
		return m.shown
	}
	e, o := m.engine, m.owner
	s := e.Status()
	v := &view{
		Objects: e.Objects(), Units: e.Units(), Applications: m.applications.Names(), Places: map[wal.LSN]string{}, Users: e.Users(),
		Log: o.log.Status(s.End), End: s.End, Durable: s.Durable,
		Operations: m.operations.Load(), Bytes: int64(s.End - s.Marks.Checkpoint.LSN),
	}
	v.Points, v.Checkpoints = o.published()
	if !o.linear {
		return v
	}
	for _, u := range v.Units {
		v.Places[u.First.LSN] = o.pointAt(u.First).Extent
	}
	for i := range v.Objects {
		v.Places[v.Objects[i].Media.LSN] = o.pointAt(v.Objects[i].Media).Extent
	}
	return v
}

// view gives it with the lock taken.
func (m *Manager) view() *view {
	m.life.RLock()
	defer m.life.RUnlock()
	return m.look()
}

// readView reads the view of a suspension.
func (m *Manager) readView() (*view, error) {
	content, err := disk.ReadAll(m.disk(), m.path(suspendedStateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nothing is shown of a suspension that lost its file
	}
	var v view
	if err == nil {
		err = json.Unmarshal(content, &v)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", m.path(suspendedStateFile), err)
	}
	return &v, nil
}
