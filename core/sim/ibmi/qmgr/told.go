package qmgr

import (
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Published gives AMQ7460 and AMQ7462 as they were sent last, for a command
// that shows them in its job too (reference, IBM i 2.1). None before the first
// start.
func (m *Manager) Published() []os400.Message {
	points := m.Points()
	if points.Published.IsZero() {
		return nil
	}
	return []os400.Message{
		message("AMQ7460", points.Startup.fields(), m.spec.OldMessages),
		message("AMQ7462", points.Media.fields(), m.spec.OldMessages),
	}
}

// Recreated gives AMQ7461 of an object, as it is sent to QMQMMSG.
func Recreated(ref engine.Ref) os400.Message { return message("AMQ7461", objectFields(ref), false) }

// Damaged gives AMQ7472 of an object, as it is sent to QMQMMSG.
func Damaged(ref engine.Ref) os400.Message { return message("AMQ7472", objectFields(ref), false) }

// objectFields are what the messages about an object carry.
func objectFields(ref engine.Ref) fields {
	return fields{"object": ref.Name, "type": typeOf(ref.Kind)}
}
