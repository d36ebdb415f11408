package run

import (
	"errors"

	"github.com/mqhk/mqhk/agent/ledger"
)

// ConnectionError says that a target could not be reached.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string { return e.Err.Error() }
func (e *ConnectionError) Unwrap() error { return e.Err }

// The kinds of failure of a task on a target, as the record names them.
const (
	FailedPlugin     = "plugin"
	FailedConnection = "connection"
	FailedClaim      = "claimed"      // others are at work on the target
	FailedKept       = "plan-refused" // the kept plan does not fit any more
	FailedOtherwise  = "other"
)

func failureOf(err error) string {
	switch {
	case errors.As(err, new(*PluginError)):
		return FailedPlugin
	case errors.As(err, new(*ConnectionError)):
		return FailedConnection
	case errors.As(err, new(*ledger.Held)):
		return FailedClaim
	case errors.As(err, new(*PlanRefused)):
		return FailedKept
	default:
		return FailedOtherwise
	}
}
