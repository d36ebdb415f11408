package engine

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// suspension is the file "suspended": all that memory had but the messages.
// Those are in the files of queues and in the files beside them.
type suspension struct {
	control control     // of the last checkpoint, as memory had it
	records uint64      // of the log since then
	end     wal.LSN     // where the log ends, all of it durable
	last    wal.LSN     // its last record
	segment wal.Segment // that was written
	next    uint64      // number of the next unit of work
	kept    map[string][]byte
	left    []Ref // deleted objects whose files may be there yet
	objects []keptObject
	units   []*Unit // that have not ended, and that the queue manager has backed out
}

// keptObject is an object without its messages. What its own file must be is
// in object.file.
type keptObject struct {
	*object

	memory bool // it has a file of what its own has not
}

const (
	suspendedName  = "suspended"
	suspendedMagic = "mqhksus\x03"
)

func (s *suspension) encode() []byte {
	b := s.control.append([]byte(suspendedMagic))
	b = appendNumbers(b, s.records, uint64(s.end), uint64(s.last), s.next)
	b = appendNumbers(appendText(b, s.segment.Name), uint64(s.segment.Start))
	b = appendNumbers(appendRefs(appendKept(b, s.kept), s.left), uint64(len(s.objects)))
	for _, o := range s.objects {
		b = o.append(b)
	}
	b = appendNumbers(b, uint64(len(s.units)))
	for _, u := range s.units {
		b = u.append(b)
	}
	return appendSum(b)
}

func (o *keptObject) append(b []byte) []byte {
	b = appendAttributes(appendRef(appendNumbers(b, o.id), o.ref), o.attrs)
	b = appendNumbers(appendMark(b, o.media), o.next, uint64(o.file.hardened), uint64(o.file.size), uint64(o.file.sum), uint64(o.file.last))
	return append(b, flag(o.spared), flag(o.early), flag(o.damaged), flag(o.changed), flag(o.redefined), flag(o.doubtful), flag(o.memory))
}

func (u *Unit) append(b []byte) []byte {
	b = append(appendMark(appendMark(appendNumbers(b, u.id), u.first), u.last), byte(u.state))
	b = appendNumbers(appendText(b, u.xid), uint64(len(u.ops)))
	for i := range u.ops {
		p := &u.ops[i]
		b = appendNumbers(append(b, flag(p.get)|flag(p.volatile)<<1), p.object, p.message.Sequence)
	}
	return b
}

func decodeSuspension(b []byte) (*suspension, error) {
	d := summed(b, suspendedMagic)
	s := &suspension{control: d.control(), records: d.number(), end: wal.LSN(d.number()), last: wal.LSN(d.number()), next: d.number()}
	s.segment = wal.Segment{Name: d.text(), Start: wal.LSN(d.number())}
	s.kept, s.left = d.keptValues(), d.refs()
	for range d.count() {
		o := d.keptObject()
		if d.err != nil {
			break
		}
		s.objects = append(s.objects, o)
	}
	for range d.count() {
		u := d.unit()
		if d.err != nil {
			break
		}
		s.units = append(s.units, u)
	}
	return s, d.end()
}

func (d *decoder) keptObject() keptObject {
	o := newObject(d.number(), d.ref(), d.attributes(), d.mark())
	o.next = d.number()
	o.file = fileState{hardened: wal.LSN(d.number()), size: int64(d.number()), sum: uint32(d.number()), last: int64(d.number())}
	o.spared, o.early = d.flag(), d.flag()
	o.damaged, o.changed, o.redefined, o.doubtful = d.flag(), d.flag(), d.flag(), d.flag()
	if o.damaged {
		o.attrs = nil
	}
	return keptObject{object: o, memory: d.flag()}
}

// unit reads a unit of work that is not an engine's yet.
func (d *decoder) unit() *Unit {
	u := &Unit{id: d.number(), first: d.mark(), last: d.mark()}
	if u.first.LSN == 0 {
		u.first, u.last = Mark{}, Mark{} // the zero time has no nanoseconds to be kept in
	}
	if u.state = unitState(d.byte()); u.state > unitBackedOut {
		d.fail("no state of a unit of work")
	}
	u.xid = append([]byte(nil), d.bytes()...)
	for range d.count() {
		how := d.byte()
		if how > 3 {
			d.fail("neither a put nor a get")
		}
		p := op{unit: u.id, get: how&1 != 0, volatile: how&2 != 0, object: d.number()}
		p.message.Sequence = d.number()
		if d.err != nil {
			break
		}
		u.ops = append(u.ops, p)
	}
	return u
}

// loadSuspension reads the file that a suspension has left.
func (s *store) loadSuspension() (*suspension, error) {
	b, err := disk.ReadAll(s.disk, s.path(suspendedName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotSuspended
	}
	var left *suspension
	if err == nil {
		left, err = decodeSuspension(b)
	}
	switch {
	case errors.Is(err, ErrFormat):
		return nil, fmt.Errorf("%w: %w", ErrNotSuspended, &FileError{Name: s.path(suspendedName), Err: err})
	case err != nil:
		return nil, &FileError{Name: s.path(suspendedName), Err: err}
	}
	return left, nil
}

// endSuspension removes the file, durably, also where a removal before it may
// have been lost.
func (s *store) endSuspension() error {
	if err := s.remove(suspendedName); err != nil {
		return err
	}
	return s.syncNames()
}
