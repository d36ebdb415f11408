package engine

import (
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// memory is the file beside a queue's own that a suspension leaves: what the
// queue has and its own file has not. What that one holds is not written
// again, so a suspension takes no longer for a queue that is deep.
type memory struct {
	end      wal.LSN // of the log, as in the file "suspended"
	object   uint64
	leaving  []uint64        // sequences that the file has and the queue has not
	hidden   []hiddenMessage // of the file's
	messages []memoryMessage // that the file has not
}

// hiddenMessage is a message that a unit of work has got.
type hiddenMessage struct{ sequence, got uint64 }

// memoryMessage is a message with the units of work that hide it; 0: none.
type memoryMessage struct {
	Message

	put, got uint64
}

const (
	memoryMagic  = "mqhkmem\x03"
	memorySuffix = ".mem"
)

// remember gives what the object's own file has not; nil: it has everything.
func (o *object) remember(end wal.LSN) *memory {
	m := &memory{end: end, object: o.id, leaving: o.leaving}
	for on := range o.all {
		switch {
		case !on.inFile:
			m.messages = append(m.messages, memoryMessage{Message: on.Message, put: on.put.number(), got: on.got.number()})
		case on.got != nil:
			m.hidden = append(m.hidden, hiddenMessage{on.Sequence, on.got.id})
		}
	}
	if len(m.leaving)+len(m.hidden)+len(m.messages) == 0 {
		return nil
	}
	return m
}

func (m *memory) encode() []byte {
	b := appendNumbers([]byte(memoryMagic), uint64(m.end), m.object, uint64(len(m.leaving)))
	b = appendNumbers(b, m.leaving...)
	b = appendNumbers(b, uint64(len(m.hidden)))
	for _, h := range m.hidden {
		b = appendNumbers(b, h.sequence, h.got)
	}
	b = appendNumbers(b, uint64(len(m.messages)))
	for i := range m.messages {
		kept := &m.messages[i]
		b = appendNumbers(append(appendFileMessage(b, &kept.Message), flag(kept.Persistent)), kept.put, kept.got)
	}
	return appendSum(b)
}

func decodeMemory(b []byte) (*memory, error) {
	d := summed(b, memoryMagic)
	m := &memory{end: wal.LSN(d.number()), object: d.number()}
	for range d.count() {
		m.leaving = append(m.leaving, d.number())
	}
	for range d.count() {
		m.hidden = append(m.hidden, hiddenMessage{sequence: d.number(), got: d.number()})
	}
	for range d.count() {
		kept := memoryMessage{Message: d.fileMessage()}
		kept.Persistent, kept.put, kept.got = d.flag(), d.number(), d.number()
		if d.err != nil {
			break
		}
		m.messages = append(m.messages, kept)
	}
	return m, d.end()
}

// loadMemory reads the file that a suspension, which the end of the log tells
// from others, has left beside an object's own.
func (s *store) loadMemory(o *object, end wal.LSN) (*memory, error) {
	b, err := disk.ReadAll(s.disk, s.path(s.memory(o.ref)))
	if err != nil {
		return nil, err
	}
	m, err := decodeMemory(b)
	if err != nil {
		return nil, fmt.Errorf("messages of %s: %w", o.ref, err)
	}
	if m.object != o.id || m.end != end {
		return nil, fmt.Errorf("%w: it is of another suspension", ErrFormat)
	}
	return m, nil
}
