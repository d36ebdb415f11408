package ibmi

import (
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// mqErrors says which escape message stands for an error of a queue manager.
// Its one datum is the queue manager's name, or that of the object.
var mqErrors = []struct {
	err       error
	id        string
	ofManager bool
}{
	{qmgr.ErrNotRunning, "AMQ8146", true},
	{qmgr.ErrRunning, "AMQ8010", true},
	{qmgr.ErrExists, "AMQ8110", true},
	{qmgr.ErrName, "AMQ7048", true},
	{qmgr.ErrUnits, "SIM0009", true},
	{qmgr.ErrNotInDoubt, "SIM0010", false},
	{engine.ErrStopped, "AMQ8146", true},
	{engine.ErrNoObject, "AMQ8147", false},
	{engine.ErrExists, "AMQ8150", false},
	{engine.ErrName, "AMQ8147", false},
	{engine.ErrDamaged, "AMQ8149", false},
	{engine.ErrInUse, "AMQ8148", false},
	{engine.ErrNotEmpty, "AMQ8143", false},
	{engine.ErrNotQueue, "AMQ8147", false},
}

// mqEscape makes an escape message of what a queue manager answered; what is
// one already stays it, and what is none of MQ's stays an error.
func mqEscape(err error, manager, name string) error {
	if errors.As(err, new(*os400.Error)) {
		return err
	}
	for _, row := range mqErrors {
		if !errors.Is(err, row.err) {
			continue
		}
		about := name
		if row.ofManager {
			about = manager
		}
		return escape(row.id, os400.ID{Name: about}, about)
	}
	return err
}
