package engine

import (
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// memory is the file beside a queue's own that a suspension leaves: the
// messages that are not persistent, those too that units of work hide.
type memory struct {
	end      wal.LSN // of the log, as in the file "suspended"
	object   uint64
	messages []memoryMessage
}

// memoryMessage is a message with the units of work that hide it; 0: none.
type memoryMessage struct {
	Message

	put, got uint64
}

const (
	memoryMagic  = "mqhkmem\x01"
	memorySuffix = ".mem"
)

func (r Ref) memoryName() string { return r.fileName() + memorySuffix }

// inMemory goes through the messages that are not persistent, in their order.
func (o *object) inMemory(yield func(*memoryMessage) bool) {
	for _, m := range o.slots {
		if m.Persistent || m.gone {
			continue
		}
		kept := memoryMessage{Message: m.Message, put: m.put.number(), got: m.got.number()}
		if !yield(&kept) {
			return
		}
	}
}

func (o *object) hasMemory() bool {
	for range o.inMemory {
		return true
	}
	return false
}

func (m *memory) encode() []byte {
	b := appendNumbers([]byte(memoryMagic), uint64(m.end), m.object, uint64(len(m.messages)))
	for i := range m.messages {
		kept := &m.messages[i]
		b = appendNumbers(appendMessage(b, &kept.Message), kept.put, kept.got)
	}
	return appendSum(b)
}

func decodeMemory(b []byte) (*memory, error) {
	d := summed(b, memoryMagic)
	m := &memory{end: wal.LSN(d.number()), object: d.number()}
	for range d.count() {
		kept := memoryMessage{Message: d.message(), put: d.number(), got: d.number()}
		if d.err != nil {
			break
		}
		kept.Persistent = false
		m.messages = append(m.messages, kept)
	}
	return m, d.end()
}

// loadMemory reads the file of a queue's messages that are not persistent.
func (s *store) loadMemory(ref Ref) (*memory, error) {
	b, err := readFile(s.disk, s.path(ref.memoryName()))
	if err != nil {
		return nil, err
	}
	m, err := decodeMemory(b)
	if err != nil {
		return nil, fmt.Errorf("messages of %s: %w", ref, err)
	}
	return m, nil
}
