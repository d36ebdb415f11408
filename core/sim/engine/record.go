package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// recordKind says what a log record tells.
type recordKind byte

// The kinds; doc.go says what they are for, [record] what each holds.
const (
	recPut recordKind = iota + 1
	recGet
	recCommit
	recBackout
	recPrepare
	recDefine
	recAlter
	recDelete
	recClear
	recDamage
	recCheckpoint
	recCheckpointPart
	recCheckpointEnd
	recImage
	recImagePart
	recImageEnd
	recPutLong
	recPutPart
	recBegin
	recEndUnit
	recNote
	recKeep
	recDrop
	lastKind
)

// The first byte of a record is its kind and these.
const (
	withDetail   = 0x80
	withPriority = 0x40
	withZeros    = 0x20 // zeros fill it up
	kindBits     = 0x1F
)

// ofUnit tells the kinds that a unit of work consists of.
func (k recordKind) ofUnit() bool { return k <= recPrepare || k >= recPutLong && k <= recEndUnit }

// record is a log record of any kind; each uses the fields it needs.
type record struct {
	kind recordKind
	time time.Time

	filled bool // it takes what [Costs] say
	// detail: prev and, unless the kind has it anyway, ref are in it; a
	// checkpoint's part says more of units of work.
	detail bool
	prev   wal.LSN // the record before in the same unit of work

	unit    uint64 // 0: outside a unit of work
	object  uint64
	message Message // of a put or the first piece of one; a get has its sequence, a further piece the body too
	total   int     // of the first piece of a put: length of the whole body
	xid     []byte
	ref     Ref
	attrs   map[string]string
	next    uint64  // of an image: the queue's next sequence; of a checkpoint: the next unit of work
	begin   wal.LSN // of an end: where the beginning is
	table   table   // of a checkpoint's part
	ops     []op    // of an image's part; a unit of 0 is a committed message
	key     string
	value   []byte

	// Not in the log: how many puts and gets a backout undoes, and how many
	// bytes of what the operation costs other records take.
	undone, spent int
}

func (r *record) flags() byte {
	b := byte(r.kind)
	if r.detail {
		b |= withDetail
	}
	if r.message.Priority != 0 {
		b |= withPriority
	}
	if r.filled {
		b |= withZeros
	}
	return b
}

// encode writes a record behind b, without the zeros that fill it up.
func (r *record) encode(b []byte) []byte {
	b = appendTime(append(b, r.flags()), r.time)
	if r.message.Priority != 0 {
		b = append(b, byte(r.message.Priority))
	}
	if r.detail {
		b = appendRef(appendNumbers(b, uint64(r.prev)), r.ref)
	}
	if r.kind.ofUnit() {
		return r.encodeUnit(appendNumbers(b, r.unit))
	}
	return r.encodeOther(b)
}

func (r *record) encodeUnit(b []byte) []byte {
	switch r.kind {
	case recPut:
		return appendMessage(appendNumbers(b, r.object), &r.message)
	case recPutLong:
		return appendMessage(appendNumbers(b, r.object, uint64(r.total)), &r.message)
	case recPutPart:
		return appendText(appendNumbers(b, r.object, r.message.Sequence), r.message.Body)
	case recGet:
		return appendNumbers(b, r.object, r.message.Sequence)
	case recPrepare, recBegin:
		return appendText(b, r.xid)
	}
	return b
}

func (r *record) encodeOther(b []byte) []byte {
	switch r.kind {
	case recDefine:
		return appendAttributes(appendRef(b, r.ref), r.attrs)
	case recAlter:
		return appendAttributes(appendNumbers(b, r.object), r.attrs)
	case recDelete, recClear, recDamage:
		return appendNumbers(b, r.object)
	case recCheckpoint:
		return appendNumbers(b, r.next)
	case recCheckpointPart:
		return r.table.encode(b, r.detail)
	case recCheckpointEnd, recImageEnd:
		return appendNumbers(b, uint64(r.begin))
	case recImage:
		b = appendAttributes(appendRef(appendNumbers(b, r.object), r.ref), r.attrs)
		return appendNumbers(b, r.next)
	case recImagePart:
		return encodeOps(appendNumbers(b, r.object), r.ops)
	case recNote, recKeep:
		return appendText(appendText(b, r.key), r.value)
	case recDrop:
		return appendText(b, r.key)
	}
	return b
}

func appendNumbers(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// decodeRecord reads a record. What it keeps of b it copies.
func decodeRecord(b []byte) (record, error) {
	d := decoder{rest: b}
	return d.record()
}

// record reads one that takes all the bytes there are.
func (d *decoder) record() (record, error) {
	first := d.byte()
	r := record{kind: recordKind(first & kindBits), detail: first&withDetail != 0, filled: first&withZeros != 0}
	r.time = d.time()
	if r.kind == 0 || r.kind >= lastKind {
		return r, fmt.Errorf("%w: a log record of kind %d", ErrFormat, r.kind)
	}
	priority := 0
	if first&withPriority != 0 {
		priority = d.priority()
	}
	if r.detail {
		r.prev, r.ref = wal.LSN(d.number()), d.ref()
	}
	if r.kind.ofUnit() {
		d.unitRecord(&r)
	} else {
		d.otherRecord(&r)
	}
	r.message.Priority = priority
	if r.filled {
		d.zeros()
	}
	if err := d.end(); err != nil {
		return r, fmt.Errorf("log record of kind %d: %w", r.kind, err)
	}
	return r, nil
}

// unitRecord reads the kinds that a unit of work consists of.
func (d *decoder) unitRecord(r *record) {
	r.unit = d.number()
	switch r.kind {
	case recPut:
		r.object = d.number()
		r.message = d.message()
	case recPutLong:
		r.object, r.total = d.number(), int(d.number())
		if r.message = d.message(); d.err == nil && r.total <= len(r.message.Body) {
			d.fail("the first piece is the whole message")
		}
	case recPutPart:
		r.object, r.message.Sequence = d.number(), d.number()
		r.message.Body = d.kept()
	case recGet:
		r.object, r.message.Sequence = d.number(), d.number()
	case recPrepare, recBegin:
		r.xid = append([]byte(nil), d.bytes()...)
	}
}

func (d *decoder) otherRecord(r *record) {
	switch r.kind {
	case recDefine:
		r.ref, r.attrs = d.ref(), d.attributes()
	case recAlter:
		r.object, r.attrs = d.number(), d.attributes()
	case recDelete, recClear, recDamage:
		r.object = d.number()
	case recCheckpoint:
		r.next = d.number()
	case recCheckpointPart:
		r.table = d.table(r.detail)
	case recCheckpointEnd, recImageEnd:
		r.begin = wal.LSN(d.number())
	case recImage:
		r.object, r.ref, r.attrs, r.next = d.number(), d.ref(), d.attributes(), d.number()
	case recImagePart:
		if r.object = d.number(); d.skim {
			d.rest = nil
			return
		}
		r.ops = d.ops()
	case recNote, recKeep:
		r.key, r.value = d.text(), d.kept()
	case recDrop:
		r.key = d.text()
	}
}

// zeros skips what fills a record up.
func (d *decoder) zeros() {
	if d.err != nil {
		return
	}
	for len(d.rest) > 0 {
		n := min(len(d.rest), len(nothing))
		if !bytes.Equal(d.rest[:n], nothing[:n]) {
			d.fail("bytes other than zero fill the record up")
			return
		}
		d.rest = d.rest[n:]
	}
}

// nothing is what records are filled up with. Nobody writes to it.
var nothing = make([]byte, 4096)
