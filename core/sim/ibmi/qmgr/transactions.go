package qmgr

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// ErrNotInDoubt says that only prepared units of work are resolved.
var ErrNotInDoubt = errors.New("the unit of work is not in doubt")

// The states of a Transaction.
const (
	active   = "ACTIVE"
	prepared = "PREPARED"
)

// Transaction is a unit of work as WRKMQMTRN shows it.
type Transaction struct {
	Number      uint64
	State       string // ACTIVE or PREPARED
	Application string
	Job         string    // NUMBER/USER/NAME
	Started     time.Time // its first entry in the journal; zero: there is none
	Receiver    string    // that holds it; [Gone] when it is not on the system
	Changes     int       // puts and gets
	XID         []byte    // of a prepared one
}

// Transactions gives the units of work that have not ended, oldest first: of
// a suspended queue manager as they were.
func (m *Manager) Transactions() []Transaction {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.engine == nil {
		return m.read().Transactions
	}
	return m.transactionsNow()
}

// transactionsNow asks the engine. The caller has the lock of the life.
func (m *Manager) transactionsNow() []Transaction {
	units := m.engine.Units()
	names := m.applications.Names()
	var all []Transaction
	for _, u := range units {
		t := Transaction{
			Number: u.ID, State: active, Application: names[u.ID], Job: m.job(names[u.ID], u.ID),
			Changes: u.Changes, XID: u.XID,
		}
		if u.Prepared {
			t.State = prepared
		}
		if u.First != (engine.Mark{}) {
			first := m.pointAt(u.First)
			t.Started, t.Receiver = first.Time, first.Receiver
		}
		all = append(all, t)
	}
	return all
}

// Resolve commits or backs out a unit of work that is in doubt, as RSVMQMTRN
// does; another one is [ErrNotInDoubt].
func (m *Manager) Resolve(ctx context.Context, number uint64, commit bool) error {
	for _, t := range m.Transactions() {
		if t.Number == number && t.State != prepared {
			return fmt.Errorf("resolving unit of work %d: %w", number, ErrNotInDoubt)
		}
	}
	u, err := m.Unit(number)
	if err != nil {
		return err
	}
	if commit {
		return u.Commit(ctx)
	}
	return u.Backout(ctx)
}
