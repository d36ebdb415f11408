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
	last     Mark
	ops      []op // with the messages
	prepared bool
	xid      []byte
	records  uint64
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
	// part is a put of which the body goes on in the records that follow. If it
	// does not it never happened.
	part *longPut
}

// longPut is the first record of a put, and the body so far.
type longPut struct {
	record

	at Mark
}

// take reads a record of a unit of work, or of a change outside one.
func (w *logWork) take(at Mark, r *record) error {
	err := w.follow(at, r)
	if u := w.units[r.unit]; u != nil {
		u.records++
	}
	return err
}

func (w *logWork) follow(at Mark, r *record) error {
	w.next = max(w.next, r.unit+1)
	switch r.kind {
	case recPut, recGet:
		return w.change(at, r)
	case recPutLong:
		if w.part = nil; w.wanted(r.object) {
			w.part = &longPut{*r, at}
		}
		if r.unit != 0 {
			w.unit(r.unit, at)
		}
	case recPutPart:
		if r.unit != 0 {
			w.unit(r.unit, at)
		}
		return w.join(r)
	case recBegin:
		w.unit(r.unit, at).xid = r.xid
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

// change is a put or a get.
func (w *logWork) change(at Mark, r *record) error {
	p := op{unit: r.unit, object: r.object, get: r.kind == recGet, message: r.message}
	if r.unit == 0 {
		return w.redo(at.LSN, &p)
	}
	u := w.unit(r.unit, at)
	if w.wanted(r.object) {
		u.ops = append(u.ops, p)
	}
	return nil
}

// join adds a piece to a put, and does it when it is whole.
func (w *logWork) join(r *record) error {
	p := w.part
	if p == nil {
		return nil // nobody wants it
	}
	if p.unit != r.unit || p.object != r.object || p.message.Sequence != r.message.Sequence {
		return fmt.Errorf("%w: the piece of a message follows another message", ErrFormat)
	}
	p.message.Body = append(p.message.Body, r.message.Body...)
	switch have := len(p.message.Body); {
	case have < p.total:
		return nil
	case have > p.total:
		return fmt.Errorf("%w: a message is longer than its first piece says", ErrFormat)
	}
	w.part = nil
	return w.change(p.at, &p.record)
}

func (w *logWork) unit(id uint64, at Mark) *logUnit {
	u := w.units[id]
	if u == nil {
		u = &logUnit{id: id, first: at}
		w.units[id] = u
	}
	u.last = Mark{LSN: max(u.last.LSN, at.LSN), Time: at.Time}
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
