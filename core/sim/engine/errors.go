package engine

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// What an operation answers when it can't do what was asked. A platform turns
// them into its own reason codes.
var (
	// ErrNoObject: no object has this kind and name (MQRC 2085).
	ErrNoObject = errors.New("there is no such object")
	// ErrExists: an object of this kind and name is there already.
	ErrExists = errors.New("the object is there already")
	// ErrName: the name or the kind is not one that an object can have.
	ErrName = errors.New("not a valid object name")
	// ErrDamaged: the object is damaged (MQRC 2101); see [Engine.Rebuild].
	ErrDamaged = errors.New("the object is damaged")
	// ErrInUse: units of work have uncommitted changes on the queue
	// (MQRC 2042), so it can't be cleared or deleted.
	ErrInUse = errors.New("the queue has uncommitted changes")
	// ErrNotEmpty: the queue holds messages and nobody said to purge it
	// (MQRC 2055).
	ErrNotEmpty = errors.New("the queue is not empty")
	// ErrNotQueue: the object has no messages, it is no local queue.
	ErrNotQueue = errors.New("the object is no local queue")
	// ErrNoMessage: no message is available (MQRC 2033).
	ErrNoMessage = errors.New("no message is available")
	// ErrPutInhibited: the queue takes no puts (MQRC 2051).
	ErrPutInhibited = errors.New("puts are inhibited for the queue")
	// ErrGetInhibited: nothing is got from the queue (MQRC 2016).
	ErrGetInhibited = errors.New("gets are inhibited for the queue")
	// ErrFull: the queue holds as many messages as it takes (MQRC 2053).
	ErrFull = errors.New("the queue is full")
	// ErrTooLong: the message is longer than the queue takes (MQRC 2030).
	ErrTooLong = errors.New("the message is too long for the queue")
	// ErrTooLongForManager: it is longer than the queue manager takes (MQRC
	// 2031).
	ErrTooLongForManager = errors.New("the message is too long for the queue manager")
	// ErrTooMany: the unit of work has as many changes as it takes (MQRC 2024).
	ErrTooMany = errors.New("the unit of work takes no more messages")
	// ErrPriority: no message has that priority (MQRC 2050).
	ErrPriority = errors.New("not a valid priority")
	// ErrEnded: the unit of work was committed or backed out, or is prepared
	// and takes no more work.
	ErrEnded = errors.New("the unit of work takes no more work")
	// ErrBackedOut: the queue manager has backed out the unit of work
	// (MQRC 2003); see [Engine.BackOut].
	ErrBackedOut = errors.New("the queue manager has backed out the unit of work")
	// ErrNotRecoverable: the object can't be rebuilt from the log; see
	// [Options.Recoverable].
	ErrNotRecoverable = errors.New("the object can't be recovered from the log")
	// ErrStopped: the queue manager was ended, has crashed, or stopped
	// because its log did.
	ErrStopped = errors.New("the queue manager is not running")
	// ErrNotSuspended: the queue manager was not suspended, or not wholly, or
	// has run since, so [Resume] can't go on. [Start] can.
	ErrNotSuspended = errors.New("the queue manager is not suspended")
	// ErrFormat: bytes of a log record or a file are not what the engine
	// writes.
	ErrFormat = errors.New("malformed")
)

// Purpose says what a part of the log was needed for.
type Purpose string

// The purposes.
const (
	ForRestart Purpose = "restart"
	ForRebuild Purpose = "rebuild"
)

// LogError ends a restart or a rebuild for which the log is missing, short or
// damaged, or a resume for which the segment that was written is. Nothing was
// changed: with the log put right the same call works.
type LogError struct {
	Purpose Purpose
	// Object that was to be rebuilt; the zero Ref in a restart that failed in
	// its own replay. A restart that rebuilds an object it can't do without
	// has purpose [ForRebuild] and names it here.
	Object Ref
	// From is where the reading began: the restart mark, or the object's
	// media mark. Its time is that of the record there. A resume, which reads
	// the end of the log alone, has the purpose and the mark of a restart.
	From Mark
	// Segment by the owner's name, and the byte in its file. Where the log
	// does not reach back to From any more it is the segment that comes first.
	Segment string
	Offset  int64
	// At is the position of the record that could not be had; 0: not known.
	At  wal.LSN
	Err error // a *wal.Damage, or what the owner answered
}

func (e *LogError) Error() string {
	what := string(e.Purpose)
	if e.Object != (Ref{}) {
		what += " of " + e.Object.String()
	}
	return fmt.Sprintf("%s from log position %s: segment %s, byte %d: %v", what, e.From.LSN, e.Segment, e.Offset, e.Err)
}

// Unwrap gives the cause; fs.ErrNotExist is in it when a segment is missing.
func (e *LogError) Unwrap() error { return e.Err }

// logError makes a LogError of what a log reader answered.
func logError(purpose Purpose, object Ref, from Mark, err error) *LogError {
	e := &LogError{Purpose: purpose, Object: object, From: from, Err: err}
	var d *wal.Damage
	if errors.As(err, &d) {
		e.Segment, e.Offset, e.At = d.Segment, d.Offset, d.LSN
	}
	return e
}

// FileError ends a start or a resume for want of a file of the queue manager
// other than a log segment: it is missing (the cause is fs.ErrNotExist) or
// damaged.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("file %s: %v", e.Name, e.Err) }

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }
