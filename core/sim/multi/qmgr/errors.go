package qmgr

import (
	"errors"
	"fmt"
	"path"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Errors of names, and of what a queue manager is asked in the wrong state.
var (
	// ErrName: not a name that a queue manager can have.
	ErrName = errors.New("not a valid queue manager name")
	// ErrExists: there is a queue manager of this name (AMQ8110).
	ErrExists = errors.New("the queue manager exists already")
	// ErrRunning: it runs already (AMQ5625).
	ErrRunning = errors.New("the queue manager is running")
	// ErrNotRunning: it does not run (AMQ8146). It is an engine.ErrStopped.
	ErrNotRunning = fmt.Errorf("it was not started: %w", engine.ErrStopped)
	// ErrNotSuspended: there is nothing to resume.
	ErrNotSuspended = errors.New("the queue manager is not suspended")
	// ErrUnits: units of work are open, and a controlled end waits for them.
	ErrUnits = errors.New("units of work are open")
	// ErrNotInDoubt: only prepared units of work are resolved.
	ErrNotInDoubt = errors.New("the unit of work is not in doubt")
	// ErrLogType: the queue manager's log, or its management, is not of the
	// kind that the command is for (MQRCCF_LOG_TYPE_ERROR).
	ErrLogType = errors.New("the log is not of the kind that this is for")
	// ErrNoImage: the object has no media image that could be read
	// (rcrmqobj, exit code 66).
	ErrNoImage = errors.New("the media image of the object is not available")
)

// Reason codes that applications get (MQRC).
const (
	BackedOut        = 2003 // MQRC_BACKED_OUT
	GetInhibited     = 2016 // MQRC_GET_INHIBITED
	SyncpointLimit   = 2024 // MQRC_SYNCPOINT_LIMIT_REACHED
	TooBigForQueue   = 2030 // MQRC_MSG_TOO_BIG_FOR_Q
	TooBigForManager = 2031 // MQRC_MSG_TOO_BIG_FOR_Q_MGR
	NoMessage        = 2033 // MQRC_NO_MSG_AVAILABLE
	ObjectInUse      = 2042 // MQRC_OBJECT_IN_USE
	PriorityError    = 2050 // MQRC_PRIORITY_ERROR
	PutInhibited     = 2051 // MQRC_PUT_INHIBITED
	QueueFull        = 2053 // MQRC_Q_FULL
	NotEmpty         = 2055 // MQRC_Q_NOT_EMPTY
	UnknownObject    = 2085 // MQRC_UNKNOWN_OBJECT_NAME
	ObjectDamaged    = 2101 // MQRC_OBJECT_DAMAGED
	ResourceProblem  = 2102 // MQRC_RESOURCE_PROBLEM
	Stopping         = 2162 // MQRC_Q_MGR_STOPPING
)

// Error is what a queue manager refuses with a message, a reason code, or both.
type Error struct {
	// ID of the message, such as "AMQ7017"; empty: none.
	ID string
	// Reason is the MQRC that an application gets; 0: it is no application's.
	Reason int
	// Inserts of the message.
	Inserts Inserts
	// Err is the cause.
	Err error
}

func (e *Error) Error() string {
	switch {
	case e.ID != "" && e.Reason != 0:
		return fmt.Sprintf("%s, reason %d: %v", e.ID, e.Reason, e.Err)
	case e.ID != "":
		return fmt.Sprintf("%s: %v", e.ID, e.Err)
	}
	return fmt.Sprintf("reason %d: %v", e.Reason, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// baseOf gives the name of an extent from that of its file; of none, none.
func baseOf(segment string) string {
	if segment == "" {
		return ""
	}
	return path.Base(segment)
}

// reasons are the reason codes of the engine's errors.
var reasons = []struct {
	err    error
	reason int
}{
	{engine.ErrDamaged, ObjectDamaged},
	{engine.ErrInUse, ObjectInUse},
	{engine.ErrNotEmpty, NotEmpty},
	{engine.ErrNoMessage, NoMessage},
	{engine.ErrNoObject, UnknownObject},
	{engine.ErrPutInhibited, PutInhibited},
	{engine.ErrGetInhibited, GetInhibited},
	{engine.ErrFull, QueueFull},
	{engine.ErrTooLong, TooBigForQueue},
	{engine.ErrTooLongForManager, TooBigForManager},
	{engine.ErrTooMany, SyncpointLimit},
	{engine.ErrPriority, PriorityError},
}

// Reason gives the reason code of an error that a method has answered; 0: it
// has none.
func Reason(err error) int {
	var e *Error
	if errors.As(err, &e) && e.Reason != 0 {
		return e.Reason
	}
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	if errors.Is(err, engine.ErrStopped) {
		return Stopping
	}
	return 0
}
