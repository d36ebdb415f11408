package qmgr

import (
	"cmp"
	"errors"
	"syscall"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// refused turns what went wrong below into the message that a person gets
// for it: AMQ7432 when the journal does not reach, CPA7090 when it takes no
// entries. Any other error, and none, stays as it is.
func (m *Manager) refused(err error) error {
	var lost *engine.LogError
	var escape *os400.Error
	switch {
	case errors.As(err, &escape) && escape.ID == "AMQ7432":
		return err
	case errors.As(err, &lost):
		return m.unavailable(lost, err)
	case errors.As(err, &escape) && escape.ID == "CPA7090":
		return m.stuck(escape, err)
	case errors.Is(err, syscall.ENOSPC):
		return m.stuck(nil, err)
	}
	return err
}

// unavailable makes AMQ7432 and sends it to QMQMMSG. It gives date and time
// of the entry; where only the place of the breach is known, a time that the
// first entry behind it is not older than. The *engine.LogError is the cause
// of the escape message, which does not speak of it.
func (m *Manager) unavailable(lost *engine.LogError, err error) error {
	b := m.breachAt(cmp.Or(lost.At, lost.From.LSN))
	when := lost.From.Time
	if b.since.After(when) {
		when = b.since
	}
	f := fields{"detail": b.detail(lost), "purpose": purposeOf(lost)}.at(m.local(when).Truncate(time.Millisecond))
	object := os400.ID{Library: b.library, Name: cmp.Or(b.name, m.Journal().Name)}
	escape := &os400.Error{ID: "AMQ7432", Text: message("AMQ7432", f, false).Text, Object: object, Err: err}
	return errors.Join(escape, m.tell("AMQ7432", f)) // the second is nil but for a disk that fails
}

func purposeOf(lost *engine.LogError) string {
	if lost.Purpose == engine.ForRestart {
		return "the start of the queue manager"
	}
	return "re-creating object " + lost.Object.Name + ", type " + typeOf(lost.Object.Kind)
}
