package engine

import (
	"encoding/binary"
	"time"
)

// Message is a message on a queue.
type Message struct {
	// Sequence is its place on the queue: messages are got in this order, and
	// one whose get is backed out returns to it. It is given by the put.
	Sequence uint64
	// Persistent messages are in the log. Others are in memory alone and do
	// not survive a restart of any kind.
	Persistent bool
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

func appendMessage(b []byte, m *Message) []byte {
	return appendText(appendTime(binary.AppendUvarint(b, m.Sequence), m.Put), m.Body)
}

// message reads a persistent one. The body is a copy.
func (d *decoder) message() Message {
	m := Message{Sequence: d.number(), Persistent: true, Put: d.time()}
	m.Body = append([]byte(nil), d.bytes()...)
	return m
}
