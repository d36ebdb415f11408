package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

// logUnit is a unit of work as the log tells it.
type logUnit struct {
	id       uint64
	first    Mark
	ops      []op // with the messages
	prepared bool
	xid      []byte
}

// logWork follows units of work through the log. What they change is done when
// their commit is read, not before.
type logWork struct {
	units map[uint64]*logUnit
	next  uint64 // above every number seen
	// wanted tells about which objects changes are kept.
	wanted func(object uint64) bool
	// redo does a change that was committed at a position of the log.
	redo func(at wal.LSN, p *op) error
}

// take reads a record of the kinds up to recPrepare.
func (w *logWork) take(at Mark, r *record) error {
	w.next = max(w.next, r.unit+1)
	switch r.kind {
	case recPut, recGet:
		p := op{unit: r.unit, object: r.object, get: r.kind == recGet, message: r.message}
		if r.unit == 0 {
			return w.redo(at.LSN, &p)
		}
		u := w.unit(r.unit, at)
		if w.wanted(r.object) {
			u.ops = append(u.ops, p)
		}
	case recPrepare:
		u := w.unit(r.unit, at)
		u.prepared, u.xid = true, r.xid
	case recCommit:
		return w.commit(at.LSN, r.unit)
	case recBackout:
		delete(w.units, r.unit)
	}
	return nil
}

func (w *logWork) unit(id uint64, at Mark) *logUnit {
	u := w.units[id]
	if u == nil {
		u = &logUnit{id: id, first: at}
		w.units[id] = u
	}
	return u
}

func (w *logWork) commit(at wal.LSN, id uint64) error {
	u := w.units[id]
	if u == nil {
		return nil // its changes are older than what is read
	}
	delete(w.units, id)
	for i := range u.ops {
		if err := w.redo(at, &u.ops[i]); err != nil {
			return err
		}
	}
	return nil
}

// open gives the units of work that have not ended, by number.
func (w *logWork) open() []*logUnit {
	all := make([]*logUnit, 0, len(w.units))
	for _, u := range w.units {
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b *logUnit) int { return cmp.Compare(a.id, b.id) })
	return all
}

// redo does a committed change again, unless the file of the object has it.
// An error says that log and file contradict each other.
func (o *object) redo(at wal.LSN, p *op) error {
	if o.damaged || at < o.file.hardened {
		return nil
	}
	m := o.find(p.message.Sequence)
	switch {
	case p.get && m == nil:
		return fmt.Errorf("%w: %s: message %d was got and is not there", ErrFormat, o.ref, p.message.Sequence)
	case p.get:
		o.remove(m)
	case m != nil:
		return fmt.Errorf("%w: %s: message %d was put twice", ErrFormat, o.ref, p.message.Sequence)
	default:
		o.add(&message{Message: p.message})
	}
	o.changed = true
	return nil
}

// link does a change of a unit of work that has not ended: the message is
// hidden until it does.
func (o *object) link(u *Unit, p *op) error {
	m := o.find(p.message.Sequence)
	switch {
	case p.get && (m == nil || m.got != nil):
		return fmt.Errorf("%w: %s: message %d was got and is not there", ErrFormat, o.ref, p.message.Sequence)
	case p.get:
		o.hide(m, u)
	case m != nil:
		return fmt.Errorf("%w: %s: message %d was put twice", ErrFormat, o.ref, p.message.Sequence)
	default:
		o.add(&message{Message: p.message, put: u})
	}
	return nil
}
