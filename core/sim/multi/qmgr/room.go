package qmgr

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
)

// room keeps count of what of the log is promised to work that goes on. What
// is left beyond that is a reserve, so that every unit of work can be committed
// or backed out, and the checkpoint fits that frees the log again (reference,
// Multiplatforms 4.3 item 91).
type room struct {
	mu       sync.Mutex
	promised int64
	full     bool // AMQ7463 was told, and AMQ7464 not since
}

func (r *room) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.promised, r.full = 0, false
}

// release gives back what was promised.
func (m *Manager) release(need int64) {
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	m.room.promised -= need
}

// admit promises room in the log, and makes it where there is none: first by a
// checkpoint, then by rolling back the oldest unit of work (reference,
// Multiplatforms 4.3 item 91, 4.1 item 77). When nothing helps it is reason
// 2102, or AMQ6708 where the file system is what is full. Work that only ends
// something needs nothing: the reserve is for it.
func (m *Manager) admit(ctx context.Context, e *engine.Engine, need int64) error {
	if need == 0 {
		return nil
	}
	for {
		ok, wasFull := m.promise(e, need)
		if ok {
			if wasFull {
				return m.tell("AMQ7464", Inserts{C1: m.name})
			}
			return nil
		}
		if err := m.makeRoom(ctx, e, need); err != nil {
			return err
		}
	}
}

// promise promises room if there is enough, and tells whether the log was full
// before.
func (m *Manager) promise(e *engine.Engine, need int64) (ok, wasFull bool) {
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	if m.roomLeft(e) < need {
		return false, false
	}
	m.room.promised += need
	wasFull, m.room.full = m.room.full, false
	return true, wasFull
}

// roomLeft gives what may still be promised. The caller has the lock of the
// room.
func (m *Manager) roomLeft(e *engine.Engine) int64 {
	return m.owner.room(e) - m.reserve(e) - m.room.promised
}

// room gives how many bytes records may still take.
func (o *owner) room(e *engine.Engine) int64 {
	return o.log.Room(wal.LSN(o.restart.Load()), e.Position())
}

// limited tells whether it is the file system that has no room: more extents
// would not help.
func (o *owner) limited() bool { return o.log.Limited(wal.LSN(o.restart.Load())) }

// wholeLog is how many bytes of records all primary and secondary extents take.
func (m *Manager) wholeLog() int64 {
	return int64(m.conf().log.Primary+m.conf().log.Secondary) * m.extentBytes()
}

// slack is for what can't be counted: records that don't fit at the end of an
// extent, and a word about each object that a checkpoint finds damaged.
const slack = 32 << 10

// decisionBytes is what a coordinator writes for a unit of work beside its end.
const decisionBytes = 2048

// reserve is what has to stay: the end of every unit of work, by commit or
// backout, and two checkpoints.
func (m *Manager) reserve(e *engine.Engine) int64 {
	c := m.costs
	units := e.Units()
	var ends int64
	for _, u := range units {
		ends += int64(max(c.Commit, c.Backout+c.BackoutEach*u.Changes)) + wal.Align
		if len(u.XID) > 0 {
			ends += int64(2*c.Commit) + decisionBytes // the first phase, and the decision
		}
	}
	checkpoint := int64(c.Checkpoint + c.CheckpointUnit*len(units))
	return ends + 2*checkpoint + slack
}

// makeRoom frees a part of the log, or says why it can't.
func (m *Manager) makeRoom(ctx context.Context, e *engine.Engine, need int64) error {
	m.working.Lock()
	defer m.working.Unlock()
	m.room.mu.Lock()
	left := m.roomLeft(e)
	m.room.mu.Unlock()
	if left >= need {
		return nil // somebody has made it meanwhile
	}
	if need > m.wholeLog()-slack {
		// No log of this size takes it, so nobody is rolled back for it.
		return &Error{ID: "AMQ7463", Reason: ResourceProblem, Inserts: Inserts{C1: m.name}, Err: extents.ErrFull}
	}
	if m.owner.limited() && !m.checkpointFrees(e) {
		return m.logFull(fmt.Errorf("the log's file system has no room: %w", syscall.ENOSPC))
	}
	if m.checkpointFrees(e) {
		return m.refused(e, m.checkpoint(ctx, e))
	}
	if err := m.rollBackOldest(ctx, e); err != nil {
		return err
	}
	return m.refused(e, m.checkpoint(ctx, e))
}

// checkpointFrees tells whether a checkpoint would move the restart point into
// another extent.
func (m *Manager) checkpointFrees(e *engine.Engine) bool {
	oldest := e.Position()
	for _, u := range e.Units() {
		if u.First.LSN != 0 {
			oldest = min(oldest, u.First.LSN)
		}
	}
	was, _ := m.owner.log.Extent(wal.LSN(m.owner.restart.Load()))
	now, _ := m.owner.log.Extent(oldest)
	return was != now
}

// rollBackOldest rolls back the unit of work that holds the oldest part of the
// log. A prepared one can't be, and then no other would free anything.
func (m *Manager) rollBackOldest(ctx context.Context, e *engine.Engine) error {
	var oldest *engine.UnitInfo
	for _, u := range e.Units() {
		if u.First.LSN != 0 && (oldest == nil || u.First.LSN < oldest.First.LSN) {
			oldest = &u
		}
	}
	if err := m.tellFull(oldest); err != nil {
		return err
	}
	if oldest == nil || oldest.Prepared {
		return &Error{ID: "AMQ7463", Reason: ResourceProblem, Inserts: Inserts{C1: m.name}, Err: extents.ErrFull}
	}
	if err := e.BackOut(ctx, oldest.ID); err != nil && !errors.Is(err, engine.ErrEnded) {
		return m.refused(e, err)
	}
	return m.tell("AMQ7469", Inserts{C1: m.name})
}

// tellFull tells that the log is full, once until it is no more, and whose
// doing that is: that of the oldest unit of work, or of nobody in particular
// (nil).
func (m *Manager) tellFull(oldest *engine.UnitInfo) error {
	m.room.mu.Lock()
	told := m.room.full
	m.room.full = true
	m.room.mu.Unlock()
	if told {
		return nil
	}
	inserts := Inserts{C1: m.name}
	if oldest == nil {
		return errors.Join(m.tell("AMQ7463", inserts), m.tell("AMQ7466", inserts))
	}
	return errors.Join(m.tell("AMQ7463", inserts), m.tell("AMQ7465", inserts), m.tell("AMQ7487", Inserts{C1: m.applications.Of(oldest.ID)}))
}

// isLogFull tells whether the log takes no more.
func isLogFull(err error) bool {
	return errors.Is(err, extents.ErrFull) || errors.Is(err, syscall.ENOSPC)
}

// logFull makes what a person and an application get: AMQ6708 of a file system
// that is full (reference, Multiplatforms 4.3 item 94), AMQ7463 of a log that
// is.
func (m *Manager) logFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		inserts := Inserts{C1: m.LogPath(), C2: m.name}
		return errors.Join(&Error{ID: "AMQ6708", Reason: ResourceProblem, Inserts: inserts, Err: err}, m.tell("AMQ6708", inserts))
	}
	inserts := Inserts{C1: m.name}
	return errors.Join(&Error{ID: "AMQ7463", Reason: ResourceProblem, Inserts: inserts, Err: err}, m.tellFull(nil))
}
