package engine

import "github.com/mqhk/mqhk/core/wal"

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
	// spared: it can't be rebuilt ([Options.Recoverable]). The control file
	// alone says so.
	spared bool
}

// openUnit is a unit of work that was open or prepared at a checkpoint.
type openUnit struct {
	id    uint64
	first Mark
	// With detail, for a dump.
	last     wal.LSN
	prepared bool
	xid      []byte
}

func (t *table) encode(b []byte, detail bool) []byte {
	b = appendNumbers(b, uint64(len(t.objects)))
	for i := range t.objects {
		b = t.objects[i].append(b)
	}
	b = appendNumbers(b, uint64(len(t.units)))
	for _, u := range t.units {
		b = appendMark(appendNumbers(b, u.id), u.first)
		if detail {
			b = appendText(append(appendNumbers(b, uint64(u.last)), flag(u.prepared)), u.xid)
		}
	}
	return b
}

func (e *entry) append(b []byte) []byte {
	b = appendMark(appendRef(appendNumbers(b, e.id), e.ref), e.media)
	return appendNumbers(b, uint64(e.hardened))
}

func (d *decoder) entry() entry {
	e := entry{id: d.number(), ref: d.ref(), media: d.mark()}
	e.hardened = wal.LSN(d.number())
	return e
}

func (d *decoder) table(detail bool) table {
	var t table
	for range d.count() {
		e := d.entry()
		if d.err != nil {
			return t
		}
		t.objects = append(t.objects, e)
	}
	for range d.count() {
		u := openUnit{id: d.number(), first: d.mark()}
		if detail {
			u.last, u.prepared = wal.LSN(d.number()), d.flag()
			u.xid = append([]byte(nil), d.bytes()...)
		}
		if d.err != nil {
			return t
		}
		t.units = append(t.units, u)
	}
	return t
}
