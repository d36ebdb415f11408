package engine

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/wal"
)

// replay is a restart's way through the log. Up to the end of the checkpoint it
// starts from it only collects units of work: whatever ended before is in the
// files. Then it loads the objects and does again what follows.
type replay struct {
	store   *store
	control control
	objects map[uint64]*object
	work    logWork
	records uint64
	decoder decoder
	kept    map[string][]byte
	left    []Ref // deleted since the checkpoint

	inCheckpoint bool // the one of the control file
	table        table
	loaded       bool // the checkpoint was complete, objects are there

	image     uint64 // the object whose image is being read; 0: none
	imageMark Mark
}

func newReplay(s *store, c control) *replay {
	p := &replay{store: s, control: c, objects: map[uint64]*object{}, kept: c.kept, left: c.left}
	p.decoder.names, p.table.objects = map[string]string{}, c.objects
	p.work = logWork{units: map[uint64]*logUnit{}, next: 1, wanted: func(uint64) bool { return true }, redo: p.redo}
	return p
}

// take reads one record.
func (p *replay) take(at wal.LSN, payload []byte) error {
	p.decoder.rest, p.decoder.err = payload, nil
	r, err := p.decoder.record()
	if err != nil {
		return err
	}
	p.records++
	m := Mark{LSN: at, Time: r.time}
	if r.kind.ofUnit() {
		return p.work.take(m, &r)
	}
	switch r.kind {
	case recCheckpoint, recCheckpointPart, recCheckpointEnd:
		return p.checkpoint(at, &r)
	case recImage:
		p.image, p.imageMark = r.object, m
	case recImageEnd:
		if o := p.objects[p.image]; o != nil && p.imageMark.LSN == r.begin {
			o.media, o.spared = p.imageMark, false
		}
		p.image = 0
	case recDefine:
		if p.loaded {
			return p.define(m, &r)
		}
	case recDelete:
		if o := p.objects[r.object]; o != nil {
			p.left = append(p.left, o.ref)
			delete(p.objects, r.object)
		}
	case recAlter, recClear, recDamage:
		p.change(at, &r)
	case recKeep, recDrop:
		p.keep(at, &r)
	}
	return nil
}

// keep does what the checkpoint does not know.
func (p *replay) keep(at wal.LSN, r *record) {
	switch {
	case at < p.control.begin.LSN:
	case r.kind == recKeep:
		p.kept[r.key] = r.value
	default:
		delete(p.kept, r.key)
	}
}

// checkpoint looks for the parts of the one that the control file names.
func (p *replay) checkpoint(at wal.LSN, r *record) error {
	switch r.kind {
	case recCheckpoint:
		p.inCheckpoint = at == p.control.begin.LSN
		p.work.next = max(p.work.next, r.next)
	case recCheckpointPart:
		if p.inCheckpoint {
			p.table.objects = append(p.table.objects, r.table.objects...)
			p.table.units = append(p.table.units, r.table.units...)
		}
	case recCheckpointEnd:
		if r.begin == p.control.begin.LSN {
			p.inCheckpoint = false
			return p.load()
		}
	}
	return nil
}

// load reads the files of the objects that the checkpoint knows.
func (p *replay) load() error {
	p.loaded = true
	for _, e := range p.table.objects {
		o, err := p.store.load(e.ref)
		if err != nil && !unreadable(err) {
			return err
		}
		// A damaged object that was rebuilt since has a file that is newer
		// than the checkpoint.
		least := e.hardened
		if least == 0 {
			least = p.control.begin.LSN + 1
		}
		if err != nil || o.id != e.id || o.file.hardened < least {
			o = newObject(e.id, e.ref, nil, e.media)
			o.lose()
		} else if o.file.hardened != e.hardened {
			o.doubt()
		}
		o.media, o.spared = e.media, e.spared
		p.objects[o.id] = o
	}
	return p.agree()
}

// agree compares the units of work with those that the checkpoint knows.
func (p *replay) agree() error {
	for _, u := range p.table.units {
		if got := p.work.units[u.id]; got == nil || got.first.LSN != u.first.LSN {
			return fmt.Errorf("%w: unit of work %d of the checkpoint does not begin at %s", ErrFormat, u.id, u.first.LSN)
		}
	}
	if len(p.table.units) != len(p.work.units) {
		return fmt.Errorf("%w: the checkpoint knows %d units of work, the log %d", ErrFormat, len(p.table.units), len(p.work.units))
	}
	return nil
}

// define makes an object that the checkpoint did not know. It has a file if a
// later checkpoint began or a rebuild wrote one.
func (p *replay) define(at Mark, r *record) error {
	id := uint64(at.LSN)
	o, err := p.store.load(r.ref)
	switch {
	case err != nil && !unreadable(err):
		return err
	case err != nil || o.id != id:
		// There is none, or that of an object which had the name before: the
		// log has everything from here on.
		o = newObject(id, r.ref, r.attrs, at)
	default:
		o.doubt()
	}
	o.media = at
	p.objects[id] = o
	return nil
}

// change does what concerns an object as a whole.
func (p *replay) change(at wal.LSN, r *record) {
	o := p.objects[r.object]
	if o != nil && o.damaged && r.kind == recAlter {
		o.was = r.attrs
	}
	if o == nil || o.damaged || at < o.file.hardened {
		return
	}
	switch r.kind {
	case recAlter:
		o.alter(r.attrs)
	case recClear:
		o.clear()
		o.changed = true
	case recDamage:
		o.lose()
	}
}

// redo does a committed change. Where file and log contradict each other the
// file is wrong, since the log is checked record by record.
func (p *replay) redo(at wal.LSN, change *op) error {
	o := p.objects[change.object]
	if o == nil {
		return nil // it is deleted later, or nothing is loaded yet
	}
	if err := o.redo(at, change); err != nil {
		o.lose()
	}
	return nil
}

// readLog hands the records from a mark on to take, each valid during the
// call. What the log says against it is a *LogError.
func (e *Engine) readLog(ctx context.Context, what LogError, how wal.ReadOptions, take func(wal.LSN, []byte) error) (wal.Tail, error) {
	how.ID = e.id
	r, err := wal.NewReader(e.owner.Open, e.owner.Segments(), how)
	if err == nil {
		err = r.Seek(what.From.LSN)
	}
	if err != nil {
		return wal.Tail{}, logError(what.Purpose, what.Object, what.From, err)
	}
	for i := 1; ; i++ {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			tail, _ := r.Tail()
			return tail, nil
		}
		if err != nil {
			return wal.Tail{}, logError(what.Purpose, what.Object, what.From, err)
		}
		err = take(rec.LSN, rec.Payload)
		if err == nil && i%1024 == 0 {
			err = context.Cause(ctx)
		}
		if err != nil {
			return wal.Tail{}, errors.Join(fmt.Errorf("log record at %s: %w", rec.LSN, err), r.Close())
		}
	}
}
