package wal

import (
	"errors"
	"fmt"
)

// What a writer answers when it can't do what was asked.
var (
	// ErrFull: the segment has no room for the record. The owner rotates and
	// appends again.
	ErrFull = errors.New("the segment is full")
	// ErrTooLong: no segment like this one has room for the record, or it is
	// longer than [MaxPayload].
	ErrTooLong = errors.New("the record is too long")
	// ErrFailed: a write or a sync has failed, so nobody knows what is on the
	// disk. The writer does nothing any more; a new one begins with [Open].
	ErrFailed = errors.New("the log takes no more records")
	// ErrClosed: the writer was closed or abandoned.
	ErrClosed = errors.New("the log is closed")
)

// Damage is a part of the log that was durable and can't be read any more: a
// record that is not what was written, a segment that is missing, too short,
// of another log or in the wrong place. Nothing at or after LSN was handed out.
type Damage struct {
	Segment string
	Offset  int64 // in the segment's file, in bytes
	LSN     LSN   // of what should be there; 0: not known
	Why     string
	Err     error // from the disk, if it was the one to complain; fs.ErrNotExist: the segment is missing
}

func (d *Damage) Error() string {
	text := fmt.Sprintf("log segment %s is damaged at byte %d (LSN %s): %s", d.Segment, d.Offset, d.LSN, d.Why)
	if d.Err != nil {
		text += ": " + d.Err.Error()
	}
	return text
}

// Unwrap gives the disk's own error.
func (d *Damage) Unwrap() error { return d.Err }
