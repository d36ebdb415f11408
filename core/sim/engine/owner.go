package engine

import (
	"context"
	"errors"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// ErrStay is what [Owner.Next] answers, wrapped, when the platform has no next
// segment now: the log stays in the one that it has.
var ErrStay = errors.New("the platform has no next log segment now")

// Owner is the platform on which the queue manager runs: it names, makes and
// lists the segments of the log, and shows the marks to the outside in its own
// way. Its methods are called with the engine locked and must not call it.
type Owner interface {
	// Now gives the queue manager's time, in any zone. It may go back.
	Now() time.Time
	// Segments lists the log, oldest first. A start of zero in the last one
	// says that it may not have been begun.
	Segments() []wal.Segment
	// Open opens a segment for reading, by its name. What is not on the
	// system is an error that wraps fs.ErrNotExist.
	Open(name string) (wal.Source, error)
	// Next names the segment that follows. Its name is durably in the list,
	// last and without a start, before Next returns; if the last segment of
	// the list has no start, Next gives that one again.
	//
	// An error that wraps [ErrStay] says that the platform has none now. Where
	// the threshold asked for the rotation, the log goes on in the segment it
	// has; [Engine.Rotate] and a segment that is full give the error.
	Next(ctx context.Context) (wal.Layout, error)
	// Begun tells that the last segment of the list was begun, and where.
	// Records is how many records the log had taken since Create, Start or
	// Resume when it was; none of them is in the segment. It is told again,
	// with zero, by a start that finds in the segment's header what the list
	// does not have. An error is passed on to whoever caused the rotation,
	// which has happened.
	Begun(s wal.Segment, records uint64) error
	// Checkpointed tells that a checkpoint is complete and durable.
	Checkpointed(m Marks)
	// Imaged tells that a media image of an object is complete and durable.
	Imaged(object Ref, m Marks)
}

// Mark is a place in the log.
type Mark struct {
	LSN wal.LSN
	// Time of the record there, by the owner's clock, in UTC to the nanosecond.
	Time time.Time
}

// older gives the mark that comes first in the log.
func (m Mark) older(other Mark) Mark {
	if other.LSN < m.LSN {
		return other
	}
	return m
}

// Marks are what the log is still needed from.
type Marks struct {
	// Checkpoint is the start of the last complete one.
	Checkpoint Mark
	// Restart is where the next restart begins to read: the older of
	// Checkpoint and the first record of the oldest unit of work that was
	// open or prepared at it. It moves with checkpoints alone: the changes of
	// a unit of work that has ended since are in no file yet.
	Restart Mark
	// Media is the oldest media mark of all objects, or Checkpoint if that is
	// older: there may be no objects, or all may have newer images. No rebuild
	// reads anything before it. The media mark of an object is the start of
	// its last complete image, or its definition before the first.
	Media Mark
}
