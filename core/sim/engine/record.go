package engine

import (
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
	lastKind
)

// record is a log record of any kind; each uses the fields it needs.
type record struct {
	kind recordKind
	time time.Time

	unit    uint64 // 0: outside a unit of work
	object  uint64
	message Message // of a put; a get has its sequence
	xid     []byte
	ref     Ref
	attrs   map[string]string
	next    uint64  // of an image: the queue's next sequence; of a checkpoint: the next unit of work
	begin   wal.LSN // of an end: where the beginning is
	table   table   // of a checkpoint's part
	ops     []op    // of an image's part; a unit of 0 is a committed message
}

// table is a part of what a checkpoint knows: objects and units of work.
type table struct {
	objects []entry
	units   []openUnit
}

// entry is an object in a checkpoint.
type entry struct {
	id       uint64
	ref      Ref
	media    Mark
	hardened wal.LSN // what its file reaches at least; 0: it was damaged
}

// openUnit is a unit of work that was open or prepared at a checkpoint.
type openUnit struct {
	id    uint64
	first Mark
}

// encode writes a record behind b.
func (r *record) encode(b []byte) []byte {
	b = appendTime(append(b, byte(r.kind)), r.time)
	switch r.kind {
	case recPut:
		b = appendNumbers(b, r.unit, r.object)
		return appendMessage(b, &r.message)
	case recGet:
		return appendNumbers(b, r.unit, r.object, r.message.Sequence)
	case recCommit, recBackout:
		return appendNumbers(b, r.unit)
	case recPrepare:
		return appendText(appendNumbers(b, r.unit), r.xid)
	case recDefine:
		return appendAttributes(appendRef(b, r.ref), r.attrs)
	case recAlter:
		return appendAttributes(appendNumbers(b, r.object), r.attrs)
	case recDelete, recClear, recDamage:
		return appendNumbers(b, r.object)
	case recCheckpoint:
		return appendNumbers(b, r.next)
	case recCheckpointPart:
		return r.table.encode(b)
	case recCheckpointEnd, recImageEnd:
		return appendNumbers(b, uint64(r.begin))
	case recImage:
		b = appendAttributes(appendRef(appendNumbers(b, r.object), r.ref), r.attrs)
		return appendNumbers(b, r.next)
	case recImagePart:
		return encodeOps(appendNumbers(b, r.object), r.ops)
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
	r := record{kind: recordKind(d.byte())}
	r.time = d.time()
	if r.kind == 0 || r.kind >= lastKind {
		return r, fmt.Errorf("%w: a log record of kind %d", ErrFormat, r.kind)
	}
	if r.kind <= recPrepare {
		d.unitRecord(&r)
	} else {
		d.otherRecord(&r)
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
	case recGet:
		r.object = d.number()
		r.message.Sequence = d.number()
	case recPrepare:
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
		r.table = d.table()
	case recCheckpointEnd, recImageEnd:
		r.begin = wal.LSN(d.number())
	case recImage:
		r.object, r.ref, r.attrs, r.next = d.number(), d.ref(), d.attributes(), d.number()
	case recImagePart:
		r.object, r.ops = d.number(), d.ops()
	}
}

func (t *table) encode(b []byte) []byte {
	b = appendNumbers(b, uint64(len(t.objects)))
	for _, e := range t.objects {
		b = appendMark(appendRef(appendNumbers(b, e.id), e.ref), e.media)
		b = appendNumbers(b, uint64(e.hardened))
	}
	b = appendNumbers(b, uint64(len(t.units)))
	for _, u := range t.units {
		b = appendMark(appendNumbers(b, u.id), u.first)
	}
	return b
}

func (d *decoder) table() table {
	var t table
	for range d.count() {
		e := entry{id: d.number(), ref: d.ref(), media: d.mark()}
		e.hardened = wal.LSN(d.number())
		if d.err != nil {
			return t
		}
		t.objects = append(t.objects, e)
	}
	for range d.count() {
		u := openUnit{id: d.number(), first: d.mark()}
		if d.err != nil {
			return t
		}
		t.units = append(t.units, u)
	}
	return t
}
