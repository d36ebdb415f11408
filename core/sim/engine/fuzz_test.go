package engine

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

var testTime = time.Date(2026, 5, 28, 2, 0, 0, 1, time.UTC)

// records has one of every kind.
func records() []record {
	mark := Mark{LSN: 4096, Time: testTime}
	message := Message{Sequence: 9, Persistent: true, Put: testTime, Body: []byte("body")}
	urgent := message
	urgent.Priority = 9
	ref := Ref{Queue, "ORDERS.IN"}
	attrs := map[string]string{"DESCR": "orders", "MAXDEPTH": "5000"}
	all := []record{
		{kind: recPut, unit: 3, object: 48, message: message},
		{kind: recGet, unit: 3, object: 48, message: Message{Sequence: 9}},
		{kind: recCommit, unit: 3},
		{kind: recBackout, unit: 3},
		{kind: recPrepare, unit: 3, xid: []byte("xid")},
		{kind: recDefine, ref: ref, attrs: attrs},
		{kind: recAlter, object: 48, attrs: attrs},
		{kind: recDelete, object: 48},
		{kind: recClear, object: 48},
		{kind: recDamage, object: 48},
		{kind: recCheckpoint, next: 12},
		{kind: recCheckpointPart, table: table{
			objects: []entry{{id: 48, ref: ref, media: mark, hardened: 4080}},
			units:   []openUnit{{id: 3, first: mark}},
		}},
		{kind: recCheckpointEnd, begin: 4096},
		{kind: recImage, object: 48, ref: ref, attrs: attrs, next: 10},
		{kind: recImagePart, object: 48, ops: []op{{message: message}, {unit: 3, get: true, message: Message{Sequence: 9}}}},
		{kind: recImageEnd, begin: 4096},
		{kind: recPutLong, unit: 3, object: 48, message: message, total: 5},
		{kind: recPutPart, unit: 3, object: 48, message: Message{Sequence: 9, Body: []byte("!")}},
		{kind: recBegin, unit: 3, xid: []byte("xid")},
		{kind: recEndUnit, unit: 3},
		{kind: recNote, key: "started", value: []byte("text")},
		{kind: recKeep, key: "xid", value: []byte("participants")},
		{kind: recDrop, key: "xid"},
		{kind: recGet, detail: true, prev: 4080, ref: ref, unit: 3, object: 48, message: Message{Sequence: 9, Priority: 4}},
		{kind: recPut, object: 48, message: urgent},
		{kind: recImagePart, object: 48, ops: []op{{message: urgent, total: 5}, {more: true, message: Message{Body: []byte("!")}}}},
		{kind: recCheckpointPart, detail: true, table: table{
			units: []openUnit{{id: 3, first: mark, last: 4080, prepared: true, xid: []byte("xid")}},
		}},
	}
	for i := range all {
		all[i].time = testTime
	}
	return all
}

// A record that is read and written again is the same, byte for byte; each
// kind is there, so a new one can't be forgotten.
func TestRecordsReadBack(t *testing.T) {
	kinds := map[recordKind]bool{}
	for _, r := range records() {
		b := r.encode(nil)
		got, err := decodeRecord(b)
		if err != nil || !bytes.Equal(got.encode(nil), b) {
			t.Errorf("kind %d: %+v, %v", r.kind, got, err)
		}
		for n := range b {
			if _, err := decodeRecord(b[:n]); !errors.Is(err, ErrFormat) {
				t.Errorf("kind %d cut at %d: %v", r.kind, n, err)
			}
		}
		kinds[r.kind] = true
	}
	if len(kinds) != int(lastKind)-1 {
		t.Errorf("%d kinds, want %d", len(kinds), lastKind-1)
	}
}

func FuzzRecord(f *testing.F) {
	for _, r := range records() {
		f.Add(r.encode(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRecord(b)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		again := r.encode(nil)
		if second, err := decodeRecord(again); err != nil || !bytes.Equal(second.encode(nil), again) {
			t.Fatalf("%x became %x, %v", b, again, err)
		}
	})
}

func objectFile() []byte {
	b := []byte(fileMagic)
	var sum uint32
	for _, p := range []batch{
		{hardened: 96, id: 48, next: 3, defines: true, ref: Ref{Queue, "A"}, attrs: map[string]string{"GET": "ENABLED"},
			coming: []Message{{Sequence: 1, Put: testTime, Body: []byte("1")}, {Sequence: 2, Put: testTime, Body: []byte("2")}}},
		{hardened: 480, id: 48, next: 4, leaving: []uint64{1}, coming: []Message{{Sequence: 3, Put: testTime}}},
	} {
		frame := p.encode(make([]byte, batchHead))
		sum = seal(frame, sum)
		b = append(b, frame...)
	}
	return b
}

// A file that is cut or changed gives what was hardened before, or nothing,
// and never anything else.
func TestObjectFileTorn(t *testing.T) {
	whole := objectFile()
	o, err := readObject(whole)
	if err != nil || o.depth != 2 || o.file.hardened != 480 || o.next != 4 {
		t.Fatalf("%+v, %v", o, err)
	}
	for n := range whole {
		changed := bytes.Clone(whole)
		changed[n] ^= 1
		for _, b := range [][]byte{whole[:n], changed} {
			o, err := readObject(b)
			switch {
			case err != nil && !errors.Is(err, ErrFormat):
				t.Errorf("byte %d: %v", n, err)
			case err == nil && (o.file.hardened != 96 || o.depth != 2 || o.find(1) == nil):
				t.Errorf("byte %d: hardened to %s", n, o.file.hardened)
			}
		}
	}
}

func FuzzObjectFile(f *testing.F) {
	whole := objectFile()
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add([]byte(fileMagic))
	f.Add([]byte("damaged\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := readObject(b)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if o.file.size > int64(len(b)) || o.file.hardened == 0 {
			t.Fatalf("%+v", o.file)
		}
	})
}

// FuzzBatch reaches what is behind the checksum.
func FuzzBatch(f *testing.F) {
	f.Add(objectFile()[len(fileMagic)+batchHead:])
	f.Add((&batch{hardened: 96, id: 48, next: 1}).encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decodeBatch(b)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		o := newObject(0, Ref{}, nil, Mark{})
		if err := o.harden(&p); err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}

func FuzzControl(f *testing.F) {
	c := control{id: testID, begin: Mark{LSN: 96, Time: testTime}, restart: Mark{LSN: 48, Time: testTime}, durable: 480}
	f.Add(c.encode())
	f.Add(c.encode()[:20])
	c.objects = []entry{{id: 48, ref: Ref{Queue, "A"}, media: Mark{LSN: 48, Time: testTime}, hardened: 96, spared: true}}
	c.kept, c.left = map[string][]byte{"a": []byte("1"), "b": {}}, []Ref{{Queue, "B"}}
	f.Add(c.encode())
	f.Add([]byte(controlMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := decodeControl(b)
		if err == nil && !bytes.Equal(c.encode(), b) {
			t.Fatalf("%x became %x", b, c.encode())
		}
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}

func suspensions() []*suspension {
	mark := Mark{LSN: 48, Time: testTime}
	c := control{id: testID, begin: Mark{LSN: 96, Time: testTime}, restart: mark, durable: 480}
	a := newObject(48, Ref{Queue, "A"}, map[string]string{"GET": "ENABLED"}, mark)
	a.next, a.redefined, a.file = 7, true, fileState{hardened: 96, size: 100, sum: 1 << 31}
	b := newObject(96, Ref{Queue, "B"}, nil, Mark{LSN: 96, Time: testTime})
	b.lose()
	return []*suspension{
		{control: c, kept: map[string][]byte{"a": []byte("1")}, left: []Ref{{Queue, "B"}}, records: 1, end: 480, last: 464, segment: wal.Segment{Name: "S0", Start: 48}, next: 3},
		{
			control: c, records: 70000, end: 4096, last: 4000, segment: wal.Segment{Name: "S1", Start: 4096}, next: 9,
			objects: []keptObject{{object: a, memory: true}, {object: b}},
			units: []*Unit{
				{id: 3, first: mark, state: unitPrepared, xid: []byte("xid"), ops: []op{
					{unit: 3, object: 48, message: Message{Sequence: 2}},
					{unit: 3, object: 48, get: true, message: Message{Sequence: 1}},
				}},
				{id: 4},
				{id: 5, state: unitBackedOut},
			},
		},
	}
}

// memories fit the queue of objectFile, which has messages 2 and 3.
func memories() []*memory {
	return []*memory{
		{end: 480, object: 48, leaving: []uint64{2}, hidden: []hiddenMessage{{sequence: 3, got: 3}}},
		{end: 4096, object: 48, messages: []memoryMessage{
			{Message: Message{Sequence: 1, Put: testTime, Body: []byte("1")}},
			{Message: Message{Sequence: 4, Persistent: true, Put: testTime, Body: []byte{}}, put: 3, got: 3},
		}},
	}
}

func FuzzSuspension(f *testing.F) {
	for _, s := range suspensions() {
		f.Add(s.encode()[len(suspendedMagic):])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := appendSum(append([]byte(suspendedMagic), b...))
		s, err := decodeSuspension(file)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		again := s.encode()
		if second, err := decodeSuspension(again); err != nil || !slices.Equal(second.encode(), again) {
			t.Fatalf("%x became %x, %v", file, again, err)
		}
	})
}

func FuzzMemory(f *testing.F) {
	for _, m := range memories() {
		f.Add(m.encode()[len(memoryMagic):])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := appendSum(append([]byte(memoryMagic), b...))
		m, err := decodeMemory(file)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		again := m.encode()
		if second, err := decodeMemory(again); err != nil || !slices.Equal(second.encode(), again) {
			t.Fatalf("%x became %x, %v", file, again, err)
		}
		o, err := readObject(objectFile())
		if err != nil {
			t.Fatal(err)
		}
		o.next = 1 << 40
		if err := o.recall(m, map[uint64]*Unit{3: {id: 3}}); err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if kept := o.remember(m.end); kept != nil && len(kept.messages) != len(m.messages) {
			t.Fatalf("%d messages came back of %d", len(kept.messages), len(m.messages))
		}
	})
}
