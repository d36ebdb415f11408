package wal

import (
	"errors"
	"fmt"
	"io/fs"
)

// Inspect tells where a segment begins, from its header alone. A start of
// zero: the file never became a segment of a log. For an owner who lists a
// folder because it does not trust its own list.
func Inspect(open Opener, name string) (Segment, error) {
	h, err := ReadHead(open, name)
	if err != nil {
		return Segment{}, fmt.Errorf("looking at log segment %s: %w", name, err)
	}
	return Segment{Name: name, Start: h.Start}, nil
}

// enter opens the segment where reading begins.
func (r *Reader) enter() error {
	if r.newest() {
		r.i++
	}
	s := r.chain[r.i]
	src, h, size, err := r.header(r.i)
	if err != nil {
		return unreadable(s.Name, s.Start, err)
	}
	if r.id == (ID{}) {
		r.id = h.ID
	}
	at := r.start
	if at == 0 {
		at = h.Start
	}
	r.read(src, h, size, at)
	return r.misfit(r.i, &h, at)
}

// newest tells whether reading begins in a last segment of which the list does
// not say where it begins.
func (r *Reader) newest() bool {
	last := len(r.chain) - 1
	if r.start == 0 || r.i != last-1 || r.chain[last].Start != 0 {
		return false
	}
	s, err := Inspect(r.open, r.chain[last].Name)
	return err == nil && s.Start != 0 && s.Start <= r.start
}

// turn decides what follows where the current segment has no valid record:
// the next segment, the end of the log, or nothing that can be trusted. The
// error is the disk's, if it failed.
func (r *Reader) turn(at LSN, failed error) error {
	here := Damage{Segment: r.chain[r.i].Name, Offset: r.scan.at(), LSN: at}
	if failed != nil {
		here.Why, here.Err = "it can't be read", failed
		return &here
	}
	if r.i == len(r.chain)-1 {
		return r.finish(here)
	}
	next := r.chain[r.i+1]
	if next.Start > at {
		here.Why = fmt.Sprintf("no valid record, and the next segment, %s, begins at %s", next.Name, next.Start)
		return &here
	}
	src, h, size, err := r.header(r.i + 1)
	if next.Start == 0 && neverBegun(err) {
		r.unbegun = next.Name
		return r.finish(here)
	}
	if err != nil {
		return unreadable(next.Name, at, err)
	}
	prev := r.scan.head
	if err := r.leave(); err != nil {
		return unreadable(here.Segment, at, err)
	}
	r.prev = &prev
	r.read(src, h, size, at)
	if h.Start > at && h.ID == r.id {
		here.Why = fmt.Sprintf("no valid record, and the next segment, %s, begins at %s", next.Name, h.Start)
		return &here
	}
	r.i++
	return r.misfit(r.i, &h, at)
}

// neverBegun tells a segment that a crash kept from becoming one.
func neverBegun(err error) bool {
	return errors.Is(err, errBlank) || errors.Is(err, errTorn) || errors.Is(err, fs.ErrNotExist)
}

// header opens a segment and reads its header.
func (r *Reader) header(i int) (Source, header, int64, error) {
	src, err := r.open(r.chain[i].Name)
	if err != nil {
		return nil, header{}, 0, err
	}
	h, size, err := readHeader(src)
	if err != nil {
		return nil, header{}, 0, errors.Join(err, src.Close())
	}
	return src, h, size, nil
}

// read goes on in an open segment. A segment is begun only when all before it
// is durable.
func (r *Reader) read(src Source, h header, size int64, at LSN) {
	r.durable = max(r.durable, h.Start)
	r.scan = newScanner(src, h, size, h.offset(at), r.pool)
}

// misfit says why the i-th segment is not the one that belongs there.
func (r *Reader) misfit(i int, h *header, at LSN) error {
	listed := r.chain[i].Start
	damage := Damage{Segment: r.chain[i].Name, LSN: at}
	switch {
	case h.ID != r.id:
		damage.Why = fmt.Sprintf("it belongs to log %s, not to %s", h.ID, r.id)
	case listed != 0 && h.Start != listed:
		damage.Why = fmt.Sprintf("it begins at %s; the list says %s", h.Start, listed)
	case r.prev != nil && (h.Sequence != r.prev.Sequence+1 || h.Link != r.prev.Sum):
		damage.Why = "it does not follow the segment before it"
	case at < h.Start:
		damage.Why = fmt.Sprintf("it begins at %s", h.Start)
	case r.prev != nil && at > h.Start:
		damage.Why = fmt.Sprintf("it begins at %s, within the segment before it", h.Start)
	default:
		if i+1 < len(r.chain) && r.chain[i+1].Start != 0 {
			r.scan.limit = min(r.scan.limit, h.offset(r.chain[i+1].Start))
		}
		return nil
	}
	return &damage
}

// unreadable is the damage of a segment that can't be opened, or has no header
// that makes it one.
func unreadable(name string, at LSN, err error) error {
	d := &Damage{Segment: name, LSN: at, Why: "it can't be read", Err: err}
	var short *shortError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.Why = "it is missing"
	case errors.As(err, &short):
		d.Why, d.Offset = "it is too short", short.size
	}
	return d
}
