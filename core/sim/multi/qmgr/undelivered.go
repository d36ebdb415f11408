package qmgr

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Undelivered is a transaction that the queue manager coordinates, whose commit
// is decided and has not reached every resource manager.
type Undelivered struct {
	XID []byte
	// Resources are those that take part, by RMID and name.
	Resources []Participant
}

// Participant is a resource manager in a transaction.
type Participant struct {
	RMID int
	Name string
}

// Undelivered gives those transactions, for dspmqtrn -i; a queue manager that is
// not in memory gives [ErrNotRunning].
func (m *Manager) Undelivered() ([]Undelivered, error) {
	var all []Undelivered
	err := m.use("asking for transactions", func(e *engine.Engine) error {
		decided, err := decisions(e)
		if err != nil {
			return err
		}
		ids, err := participants(e)
		if err != nil {
			return err
		}
		for _, xid := range slices.Sorted(maps.Keys(decided)) {
			if m.inProgress([]byte(xid)) {
				continue
			}
			u := Undelivered{XID: []byte(xid)}
			for _, name := range decided[xid] {
				u.Resources = append(u.Resources, Participant{ids[name], name})
			}
			slices.SortFunc(u.Resources, func(a, b Participant) int { return cmp.Compare(a.RMID, b.RMID) })
			all = append(all, u)
		}
		return nil
	})
	return all, err
}
