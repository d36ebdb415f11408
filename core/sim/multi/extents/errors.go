package extents

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// What the log answers when it can't do what was asked.
var (
	// ErrFull: the records that a restart needs fill all primary and secondary
	// files (AMQ7463, AMQ6709).
	ErrFull = errors.New("the log is full")
	// ErrLogType: the log is not of the type or the management that the command
	// is for (MQRCCF_LOG_TYPE_ERROR).
	ErrLogType = errors.New("the log is not of this type")
	// ErrCurrent: the extent is the one that is written
	// (MQRCCF_CURRENT_LOG_EXTENT).
	ErrCurrent = errors.New("the extent is the current one")
	// ErrNotFound: the log has no such extent (MQRCCF_LOG_EXTENT_NOT_FOUND).
	ErrNotFound = errors.New("the log has no such extent")
	// ErrReuse: the name is that of an extent that waits to be used again
	// (MQRCCF_LOG_EXTENT_ERROR).
	ErrReuse = errors.New("the extent is one for reuse")
	// ErrName: the name is not that of an extent (MQRCCF_LOG_EXTENT_ERROR).
	ErrName = errors.New("not the name of an extent")
	// ErrNotReduced: fewer extents were removed than were asked for
	// (MQRCCF_LOG_NOT_REDUCED).
	ErrNotReduced = errors.New("the log was not reduced as asked")
	// ErrSettings: qm.ini asks for a log that there can't be.
	ErrSettings = errors.New("the settings of the log are not valid")
	// ErrTorn: the control file is there and holds no whole state.
	ErrTorn = errors.New("it is not a whole log control file")
	// ErrOccupied: a file that is not the log's has the name of the next extent.
	// The log goes on when it is away.
	ErrOccupied = wal.ErrOccupied
	// ErrGap: the control file is older than the log, and an extent between what
	// it lists and what was begun since is missing.
	ErrGap = errors.New("an extent of the log is missing")
	// ErrForeign: control file and extents are of different logs.
	ErrForeign = errors.New("it belongs to another log")
)

// ControlError keeps a log from being opened: its control file is missing (the
// cause is fs.ErrNotExist), torn, of another log, or older than the log with an
// extent missing between ([ErrGap]). A queue manager does not
// start with it (AMQ7017).
type ControlError struct {
	Name string // of the control file on the disk
	Err  error
}

func (e *ControlError) Error() string { return fmt.Sprintf("log control file %s: %v", e.Name, e.Err) }

// TakenError keeps the log from going on: what has the name of the next extent is
// somebody else's. It wraps [ErrOccupied].
type TakenError struct {
	Name string // of the file on the disk
	Err  error
}

func (e *TakenError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *TakenError) Unwrap() error { return e.Err }

// Unwrap gives the cause.
func (e *ControlError) Unwrap() error { return e.Err }
