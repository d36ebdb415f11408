package engine

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
)

// suspension is the file "suspended": what memory had and the log does not
// tell. It has no message bodies.
type suspension struct {
	log     wal.ID
	end     wal.LSN // where the log ends, all of it durable
	next    uint64  // number of the next unit of work
	objects []suspendedObject
	units   []suspendedUnit
}

type suspendedObject struct {
	id       uint64
	ref      Ref
	next     uint64 // sequence of the next put
	media    Mark
	damaged  bool
	messages bool // it has a file of messages that are not persistent
}

type suspendedUnit struct {
	id    uint64
	first wal.LSN // 0: the log knows nothing of it
	ops   []op    // that are not in the log; without bodies
}

const (
	suspendedName  = "suspended"
	suspendedMagic = "mqhksus\x01"
)

func (s *suspension) encode() []byte {
	b := append([]byte(suspendedMagic), s.log[:]...)
	b = appendNumbers(b, uint64(s.end), s.next, uint64(len(s.objects)))
	for _, o := range s.objects {
		b = appendMark(appendNumbers(appendRef(appendNumbers(b, o.id), o.ref), o.next), o.media)
		b = append(b, flag(o.damaged), flag(o.messages))
	}
	b = appendNumbers(b, uint64(len(s.units)))
	for _, u := range s.units {
		b = appendNumbers(b, u.id, uint64(u.first), uint64(len(u.ops)))
		for _, p := range u.ops {
			b = appendNumbers(append(b, flag(p.get)), p.object, p.message.Sequence)
		}
	}
	return appendSum(b)
}

func decodeSuspension(b []byte) (*suspension, error) {
	d := summed(b, suspendedMagic)
	s := &suspension{log: d.id(), end: wal.LSN(d.number()), next: d.number()}
	for range d.count() {
		o := suspendedObject{id: d.number(), ref: d.ref(), next: d.number(), media: d.mark()}
		o.damaged, o.messages = d.flag(), d.flag()
		if d.err != nil {
			break
		}
		s.objects = append(s.objects, o)
	}
	for range d.count() {
		u := suspendedUnit{id: d.number(), first: wal.LSN(d.number())}
		for range d.count() {
			p := op{unit: u.id, get: d.flag(), object: d.number()}
			p.message.Sequence = d.number()
			u.ops = append(u.ops, p)
			if d.err != nil {
				break
			}
		}
		s.units = append(s.units, u)
		if d.err != nil {
			break
		}
	}
	return s, d.end()
}

// loadSuspension reads the file that a suspension has left.
func (s *store) loadSuspension() (*suspension, error) {
	b, err := readFile(s.disk, s.path(suspendedName))
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
