package qmgr

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal"
)

// breach is the receiver from which on the journal can't be read.
type breach struct {
	name, library string
	// receiver as the directory has it; zero: it is not on the system.
	receiver os400.Receiver
	file     string // its file on the disk
	// since: the entries that can't be had are not older; zero: not known.
	since time.Time
	// loose: it is whole, and joins the journal when it is associated.
	loose bool
}

// breachAt finds the receiver that a reading from a position on fails at. One
// that was restored and joins nothing is not to blame for it when one behind
// it is what its chain ends at.
func (m *Manager) breachAt(at wal.LSN) breach {
	joining := m.sys.Associable(m.Journal())
	b := m.receiverAt(at)
	for b.whole() && !b.receiver.Associated {
		r := b.receiver
		if b.loose = slices.Contains(joining, r.ID); b.loose || r.End == 0 {
			return b
		}
		next := m.receiverAt(r.End)
		if next.receiver.Associated {
			return b // the break is between the two
		}
		if next.name == "" {
			next.name = r.Next.Name
		}
		if next.since.IsZero() {
			next.since = r.Detach
		}
		b = next
	}
	return b
}

// receiverAt gives the receiver that has or had a position.
func (m *Manager) receiverAt(at wal.LSN) breach {
	b := breach{library: m.spec.Library}
	places := m.places()
	for _, p := range places {
		if p.Start <= at {
			b.name = p.Name
		}
	}
	// Receivers without entries begin where the one behind them does, and end
	// there. At most as many as there are places lie in between.
	for range places {
		r, err := m.sys.Receiver(os400.ID{Library: b.library, Name: b.name})
		switch {
		case err != nil || r.Start == 0 || r.Start > at:
			return b // it is gone; what has its name now is another one
		case r.End != 0 && r.End <= at:
			b.name, b.since = r.Next.Name, r.Detach
			continue
		}
		b.receiver, b.file, b.since = r, m.sys.FileOf(r.ID), r.Attach
		if r.Status == os400.Partial {
			b.since = r.Save // the entries until then are in it
		}
		return b
	}
	return b
}

// whole tells whether the receiver is on the system with all its entries, as
// far as the system knows.
func (b *breach) whole() bool {
	r := &b.receiver
	return r.Name != "" && !r.Damaged && r.Status != os400.Freed && r.Status != os400.Partial
}

// detail says what is wrong with the receiver. Associating is option 9 of
// WRKJRN on IBM i, a screen; the value of CHGJRN is the simulator's own.
func (b *breach) detail(lost *engine.LogError) string {
	receiver := fmt.Sprintf("receiver %s in library %s ", b.name, b.library)
	switch r := &b.receiver; {
	case b.name == "":
		return "no receiver on the system has it"
	case r.Name == "":
		return receiver + "is not on the system"
	case r.Damaged:
		return receiver + "is marked as damaged (CPF8136)"
	case r.Status == os400.Freed:
		return receiver + "is FREED, it has no data"
	case r.Status == os400.Partial:
		return receiver + "is PARTIAL, it was saved while it was attached and lacks the entries from then on"
	case b.loose:
		return receiver + "is not associated with its journal, which WRKJRN option 9 mends (here CHGJRN JRNRCV(*ASSOC))"
	case !r.Associated:
		return receiver + "does not join the one that follows, the chain is broken between them"
	case errors.Is(lost, fs.ErrNotExist):
		return receiver + "has no data on the disk"
	case lost.Segment == b.file:
		return receiver + fmt.Sprintf("is damaged at byte %d of its file", lost.Offset)
	}
	return receiver + "can't be read"
}
