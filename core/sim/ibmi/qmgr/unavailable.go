package qmgr

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal"
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
// of the entry; where only its position is known, a time that it is not older
// than.
func (m *Manager) unavailable(lost *engine.LogError, err error) error {
	at := cmp.Or(lost.At, lost.From.LSN)
	name, r := m.receiverAt(at)
	when := lost.From.Time
	if at != lost.From.LSN && r.Attach.After(when) {
		when = r.Attach
	}
	f := fields{"detail": m.detail(lost, name, r), "purpose": purposeOf(lost)}.at(m.local(when).Truncate(time.Millisecond))
	object := os400.ID{Library: m.spec.Library, Name: cmp.Or(name, m.Journal().Name)}
	escape := &os400.Error{ID: "AMQ7432", Text: message("AMQ7432", f, false).Text, Object: object, Err: err}
	return errors.Join(escape, m.tell("AMQ7432", f)) // the second is nil but for a disk that fails
}

// receiverAt gives the receiver that has or had a position, by its name, and
// what the directory says of it, if it is there.
func (m *Manager) receiverAt(at wal.LSN) (string, os400.Receiver) {
	for _, r := range m.sys.Receivers(m.Journal()) {
		if r.Start != 0 && r.Start <= at && (r.End == 0 || at < r.End) {
			return r.Name, r
		}
	}
	name := ""
	for _, p := range m.places() {
		if p.Start <= at {
			name = p.Name
		}
	}
	if r, err := m.sys.Receiver(os400.ID{Library: m.spec.Library, Name: name}); err == nil && r.End != 0 && r.End <= at {
		return "", os400.Receiver{} // that one ends before: the one that follows was never known
	}
	return name, os400.Receiver{}
}

// detail says what is wrong with the receiver.
func (m *Manager) detail(lost *engine.LogError, name string, r os400.Receiver) string {
	switch {
	case name == "":
		return "no receiver on the system has it"
	case r.Name == "":
		return fmt.Sprintf("receiver %s in library %s is not on the system", name, m.spec.Library)
	case !r.Associated:
		return fmt.Sprintf("receiver %s in library %s is not associated with its journal, it is %s", name, r.Library, r.Status)
	case errors.Is(lost, fs.ErrNotExist):
		return fmt.Sprintf("receiver %s in library %s has no data, it is %s", name, r.Library, r.Status)
	}
	return fmt.Sprintf("receiver %s in library %s can't be read at offset %d, it is %s", name, r.Library, lost.Offset, r.Status)
}

func purposeOf(lost *engine.LogError) string {
	if lost.Purpose == engine.ForRestart {
		return "the start of the queue manager"
	}
	return "re-creating " + lost.Object.String()
}
