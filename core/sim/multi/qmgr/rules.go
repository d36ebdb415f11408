package qmgr

import (
	"strconv"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// rules gives what the attributes of a local queue, or of the queue manager, have
// applications meet. Other attributes change nothing here (docs/limits.md).
func (m *Manager) rules(ref engine.Ref, attributes map[string]string) engine.Rules {
	value := func(name string) string {
		if set, ok := attributes[name]; ok {
			return set
		}
		return objects.Usual(ref.Kind, m.level, name)
	}
	number := func(name string) int {
		if n, err := strconv.Atoi(value(name)); err == nil {
			return n
		}
		return -1
	}
	switch ref.Kind {
	case objects.Queue:
		return engine.Rules{
			NoPut: value("PUT") == "DISABLED", NoGet: value("GET") == "DISABLED",
			MaxDepth: number("MAXDEPTH"), MaxLength: number("MAXMSGL"), MaxChanges: -1,
			Priority: max(0, number("DEFPRTY")), Persistent: value("DEFPSIST") == "YES", Arrival: value("MSGDLVSQ") == "FIFO",
		}
	case objects.QueueManager:
		return engine.Rules{MaxDepth: -1, MaxLength: number("MAXMSGL"), MaxChanges: number("MAXUMSGS")}
	}
	return engine.Rules{MaxDepth: -1, MaxLength: -1, MaxChanges: -1}
}
