package engine

import (
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// recallObject gives an object the messages that it had. One whose own file is
// not what it was is damaged. The units of work are there already.
func (e *Engine) recallObject(kept keptObject, end wal.LSN) error {
	o := kept.object
	if !o.damaged && o.file.hardened != 0 {
		err := e.store.reload(o)
		switch {
		case err != nil && !unreadable(err):
			return err
		case err != nil:
			o.lose()
		}
	}
	if !kept.memory {
		return nil
	}
	m, err := e.store.loadMemory(o, end)
	if err == nil && !o.damaged {
		err = o.recall(m, e.units)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotSuspended, &FileError{Name: e.store.path(e.store.memory(o.ref)), Err: err})
	}
	return nil
}

// reload reads the messages of an object from its own file, which must be what
// the object knows of it. Bytes behind that count for nothing: a batch that
// could not be forced is there, and the next one is written in its place. An
// error that is ErrFormat or fs.ErrNotExist is about the file, any other about
// the disk.
func (s *store) reload(o *object) error {
	read, err := s.reread(o)
	if err != nil {
		return err
	}
	next := o.next
	o.queue = read.queue
	o.next = next
	return nil
}

// reread gives the object that the file holds.
func (s *store) reread(o *object) (*object, error) {
	name := s.path(s.object(o.ref))
	content, err := disk.ReadAll(s.disk, name)
	if err != nil {
		return nil, err
	}
	if o.file.size < 0 || o.file.size > int64(len(content)) {
		return nil, fmt.Errorf("file %s: %w: it is shorter than it was", name, errChanged)
	}
	read, err := readObject(content[:o.file.size])
	if err == nil && (read.file != o.file || read.id != o.id || read.ref != o.ref) {
		err = errChanged
	}
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", name, err)
	}
	return read, nil
}

// recall adds what the object's own file has not. After an error, which is
// ErrFormat, the object is good for nothing.
func (o *object) recall(m *memory, units map[uint64]*Unit) error {
	for _, sequence := range m.leaving {
		on := o.find(sequence)
		if on == nil {
			return fmt.Errorf("%w: message %d has left the queue and was not in its file", ErrFormat, sequence)
		}
		o.remove(on)
	}
	for _, h := range m.hidden {
		on, got := o.find(h.sequence), units[h.got]
		if on == nil || got == nil || on.got != nil {
			return fmt.Errorf("%w: message %d can't have been got by unit of work %d", ErrFormat, h.sequence, h.got)
		}
		o.hide(on, got)
	}
	back := make([]*message, 0, len(m.messages))
	for i := range m.messages {
		kept := &m.messages[i]
		put, got := units[kept.put], units[kept.got]
		if put == nil && kept.put != 0 || got == nil && kept.got != 0 {
			return fmt.Errorf("%w: message %d belongs to a unit of work that is not there", ErrFormat, kept.Sequence)
		}
		on := &message{Message: kept.Message, put: put}
		if got != nil {
			o.hide(on, got)
		}
		back = append(back, on)
	}
	return o.merge(back)
}
