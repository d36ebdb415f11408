package qmgr

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

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
	refused  bool // so was AMQ6709, or AMQ6767 of the next extent
}

func (r *room) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.promised, r.full, r.refused = 0, false, false
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
	wasFull, m.room.full, m.room.refused = m.room.full, false, false
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

// hasRoom tells whether so much may still be promised.
func (m *Manager) hasRoom(e *engine.Engine, need int64) bool {
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	return m.roomLeft(e) >= need
}

// makeRoom frees a part of the log, or says why it can't.
func (m *Manager) makeRoom(ctx context.Context, e *engine.Engine, need int64) error {
	m.working.Lock()
	defer m.working.Unlock()
	if m.hasRoom(e, need) {
		return nil // somebody has made it meanwhile
	}
	if need > m.wholeLog()-slack {
		// No log of this size takes it, so nobody is rolled back for it.
		return m.logFull(extents.ErrFull)
	}
	if m.owner.limited() && !m.checkpointFrees(e) {
		if taken := m.owner.log.Taken(); taken != nil {
			return m.logFull(taken)
		}
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
		return m.unwritten(extents.ErrFull)
	}
	if err := e.BackOut(ctx, oldest.ID); err != nil && !errors.Is(err, engine.ErrEnded) {
		return m.refused(e, err)
	}
	return m.tell("AMQ7469", Inserts{C1: m.name})
}

// longRunning is how long a unit of work has to be open to be the reason for a
// log that is full (AMQ7465); from a younger one the log is too small for the
// rate of the data (AMQ7466). No source has the figure.
const longRunning = time.Minute

// tellFull tells that the log is full, once until it is no more, and why: the
// oldest unit of work (nil: there is none) runs long, or the log is too small.
func (m *Manager) tellFull(oldest *engine.UnitInfo) error {
	m.room.mu.Lock()
	told := m.room.full
	m.room.full = true
	m.room.mu.Unlock()
	if told {
		return nil
	}
	inserts, why := Inserts{C1: m.name}, "AMQ7466"
	if oldest != nil && m.site.Now().Sub(oldest.First.Time) >= longRunning {
		why = "AMQ7465"
	}
	err := errors.Join(m.tell("AMQ7463", inserts), m.tell(why, inserts))
	if oldest != nil {
		err = errors.Join(err,
			m.tell("AMQ7486", Inserts{C1: fmt.Sprintf("0.%d", oldest.ID)}), m.tell("AMQ7487", Inserts{C1: m.applications.Of(oldest.ID)}))
	}
	return err
}

// isLogFull tells whether the log takes no more.
func isLogFull(err error) bool {
	return errors.Is(err, extents.ErrFull) || errors.Is(err, extents.ErrOccupied) || errors.Is(err, syscall.ENOSPC)
}

// logFull makes what a person and an application get: AMQ6708 of a file system
// that is full (reference, Multiplatforms 4.3 item 94), AMQ6767 of a file that is
// somebody else's and has the name of the next extent, AMQ7463 of a log that is
// full.
func (m *Manager) logFull(err error) error {
	var taken *extents.TakenError
	if errors.As(err, &taken) {
		return m.nameTaken(taken, err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		inserts := Inserts{C1: m.LogPath(), C2: m.name}
		return errors.Join(&Error{ID: "AMQ6708", Reason: ResourceProblem, Inserts: inserts, Err: err}, m.tell("AMQ6708", inserts))
	}
	return errors.Join(m.unwritten(err), m.tellFull(nil))
}

// nameTaken makes what is refused since the log can't go on in a file that is not
// its own, and tells that once until it can. No source has what the product does;
// it is as bad for work as a file system that is full, and no worse.
func (m *Manager) nameTaken(taken *extents.TakenError, err error) error {
	inserts := Inserts{C1: m.site.Path(taken.Name), C2: m.name}
	refusal := &Error{ID: "AMQ6767", Reason: ResourceProblem, Inserts: inserts, Err: err}
	if !m.refusing() {
		return errors.Join(refusal, m.tell(refusal.ID, inserts))
	}
	return refusal
}

// refusing tells whether it was told that the log takes no more, which is told
// once until there is room.
func (m *Manager) refusing() bool {
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	told := m.room.refused
	m.room.refused = true
	return told
}

// unwritten makes what is refused since the log has no room for it and none can
// be made, and tells and reports that once until there is room (AMQ6709).
func (m *Manager) unwritten(err error) error {
	refusal := &Error{ID: "AMQ7463", Reason: ResourceProblem, Inserts: Inserts{C1: m.name}, Err: err}
	if m.refusing() {
		return refusal
	}
	return errors.Join(refusal, m.tell("AMQ6709", refusal.Inserts), m.report(probeLogFull, refusal.Inserts))
}
