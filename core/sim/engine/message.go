package engine

import (
	"encoding/binary"
	"time"
)

// MaxPriority is the highest priority of a message (MQMD Priority).
const MaxPriority = 9

// PriorityAsQueue leaves the priority to the queue (MQPRI_PRIORITY_AS_Q_DEF).
const PriorityAsQueue = -1

// Message is a message on a queue.
type Message struct {
	// Sequence is its place among the messages of its priority: they are got
	// in this order, and one whose get is backed out returns to it. It is
	// given by the put, and unique on the queue.
	Sequence uint64
	// Priority is from 0 to [MaxPriority]; a put may say [PriorityAsQueue]. Gets take the highest first, and of
	// equal ones the oldest.
	Priority int
	// Persistent messages are in the log. Others are in memory alone and do
	// not survive a restart of any kind.
	Persistent bool
	// AsQueue leaves it to the queue whether it is persistent
	// (MQPER_PERSISTENCE_AS_Q_DEF). It is of a put alone.
	AsQueue bool
	// Put is when it was put, by the owner's clock, in UTC.
	Put time.Time
	// Body is copied by a put. One that was got or browsed must not be changed:
	// it may come back to the queue.
	Body []byte
}

// message is a Message and what units of work have to do with it.
type message struct {
	Message

	put  *Unit // that has put it and not ended; nil: the put is committed
	got  *Unit // that has got it and not ended
	gone bool  // it is not on the queue any more
	// inFile: the object's file has it, so it must be told when it goes.
	inFile bool
}

// available tells whether a get in a unit of work (nil: in none) may have it. A
// unit of work sees its own uncommitted puts.
func (m *message) available(to *Unit) bool {
	return !m.gone && m.got == nil && (m.put == nil || m.put == to)
}

// appendMessage writes one without its priority, which a log record has in its
// beginning.
func appendMessage(b []byte, m *Message) []byte {
	return appendText(appendTime(binary.AppendUvarint(b, m.Sequence), m.Put), m.Body)
}

// appendFileMessage is for files, which have the priority before each.
func appendFileMessage(b []byte, m *Message) []byte {
	return appendMessage(append(b, byte(m.Priority)), m)
}

// message reads a persistent one.
func (d *decoder) message() Message {
	m := Message{Sequence: d.number(), Persistent: true, Put: d.time()}
	m.Body = d.kept()
	return m
}

func (d *decoder) fileMessage() Message {
	priority := d.priority()
	m := d.message()
	m.Priority = priority
	return m
}

func (d *decoder) priority() int {
	p := d.byte()
	if p > MaxPriority {
		d.fail("no priority is that high")
		return 0
	}
	return int(p)
}
