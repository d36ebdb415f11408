package engine

import (
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
	"pgregory.net/rapid"
)

// recordsAt is the offset of the first record in a segment's file (package
// wal, "The file").
const recordsAt = 8192

// version is what a queue manager must be when its log ends at a position.
type version struct {
	end  wal.LSN
	left model
}

// versions do a history in which few units of work wait for the disk, and
// remember what each step left.
type versions struct {
	*history

	all []version
}

// lived draws such a history. When it ends, not all of it is durable.
func lived(t *testing.T, rt *rapid.T) *versions {
	v := &versions{history: newHistory(t, rt)}
	v.note()
	steps := map[string]func(){
		"put": v.put, "get": v.get, "end": v.endLater,
		"checkpoint": func() { _, err := v.e.Checkpoint(t.Context()); v.must(err) },
		"force":      func() { v.must(v.e.Force(t.Context(), 0)) },
		"rotate":     func() { v.must(v.e.Rotate(t.Context())) },
	}
	often := []string{"put", "put", "put", "get", "end", "end", "force", "checkpoint", "rotate"}
	for range rapid.IntRange(1, 60).Draw(rt, "steps") {
		steps[rapid.SampledFrom(often).Draw(rt, "step")]()
		v.note()
	}
	for range rapid.IntRange(0, 12).Draw(rt, "steps that nobody forces") {
		v.workLater()
		v.note()
	}
	return v
}

func (v *versions) note() {
	v.all = append(v.all, version{v.e.Status().End, v.model.clone()})
}

// endLater ends a unit of work; only a prepare waits for the disk.
func (v *versions) endLater() {
	ids := slices.Sorted(maps.Keys(v.model.units))
	if len(ids) == 0 {
		return
	}
	id := rapid.SampledFrom(ids).Draw(v.rt, "unit of work")
	u, prepared := v.units[id], v.model.units[id]
	var err error
	switch how := rapid.SampledFrom([]string{"commit", "commit", "back out", "prepare"}).Draw(v.rt, "end"); {
	case how == "commit":
		_, err = u.CommitLater(v.t.Context())
		v.model.end(id, true)
	case how == "back out":
		err = u.Backout(v.t.Context())
		v.model.end(id, false)
	case !prepared:
		err = u.Prepare(v.t.Context(), []byte{byte(id)})
		v.model.units[id] = true
	}
	v.must(err)
}

// workLater does a whole unit of work without a wait.
func (v *versions) workLater() {
	u, err := v.e.Begin()
	v.must(err)
	v.units[u.ID()], v.model.units[u.ID()] = u, false
	name := v.queue()
	body := rapid.StringN(0, 900, 900).Draw(v.rt, "body")
	v.unitPut(u, name, body)
	v.model.queues[name] = append(v.model.queues[name], modelMessage{body: body, persistent: true, put: u.ID()})
	_, err = u.CommitLater(v.t.Context())
	v.must(err)
	v.model.end(u.ID(), true)
}

// at gives what must be there when the log ends before a position.
func (v *versions) at(end wal.LSN) model {
	left := v.all[0].left
	for _, ver := range v.all {
		if ver.end <= end {
			left = ver.left
		}
	}
	return left
}

// change damages a file.
func (s *estate) change(name string, how func([]byte)) {
	s.t.Helper()
	b, err := s.disk.Contents(name)
	s.must(err)
	how(b)
	s.disk.Put(name, b)
}

// Issue 3: the log cut at any byte at or after the last force that was
// acknowledged. Every unit of work whose commit is before the cut is there,
// each acknowledged one among them; no other leaves a trace.
func TestLogCutAtAnyByte(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := lived(t, rt)
		status := v.e.Status()
		acked, last := status.Durable, status.Segment
		v.must(v.e.Force(t.Context(), 0)) // bring the rest to the file
		v.crash()
		cut := wal.LSN(rapid.Uint64Range(uint64(acked), uint64(status.End)).Draw(rt, "cut"))
		v.change(last.Name, func(b []byte) { clear(b[recordsAt+cut-last.Start:]) })
		done, err := v.start()
		if err != nil {
			v.fail("cut at %s, acknowledged up to %s: %v", cut, acked, err)
		}
		if done.End > cut || done.End < acked {
			v.fail("cut at %s, acknowledged up to %s: the log ends at %s", cut, acked, done.End)
		}
		v.settled(done, []model{v.at(cut)})
	})
}

// stored is where a record is.
type stored struct {
	segment string
	offset  int
	at      wal.LSN
	next    wal.LSN
}

func (s *estate) stored() []stored {
	s.t.Helper()
	r, err := wal.NewReader(wal.From(s.disk), s.own.list, wal.ReadOptions{ID: testID})
	s.must(err)
	var all []stored
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		s.must(err)
		name := s.segment(rec.LSN)
		i := slices.IndexFunc(s.own.list, func(seg wal.Segment) bool { return seg.Name == name })
		all = append(all, stored{name, recordsAt + int(rec.LSN-s.own.list[i].Start), rec.LSN, rec.Next})
	}
}

// Issue 3: a flipped bit in any record that was forced is damage with segment
// and offset, and never skipped; so is a cut before the position that the last
// checkpoint knows to be durable, or in a segment that is not the last. Before
// the restart mark nobody sees either.
func TestLogDamagedAnywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := lived(t, rt)
		v.must(v.e.Force(t.Context(), 0))
		mark, known := v.e.control.restart.LSN, v.e.control.durable
		last := v.e.Status().Segment.Name
		v.crash()
		all := v.stored()
		rec := rapid.SampledFrom(all).Draw(rt, "record")
		size := int(rec.next - rec.at)
		unseen := rec.at < mark || rec.segment == last && rec.at >= known // a cut would be
		if unseen || rapid.Bool().Draw(rt, "flipped bit") {
			bit := rapid.IntRange(0, 8*size-1).Draw(rt, "bit")
			v.change(rec.segment, func(b []byte) { b[rec.offset+bit/8] ^= 1 << (bit % 8) })
		} else {
			cut := rapid.IntRange(0, size-1).Draw(rt, "cut")
			v.change(rec.segment, func(b []byte) { clear(b[rec.offset+cut:]) })
		}
		done, err := v.start()
		if rec.at < mark {
			if err != nil {
				v.fail("record at %s is wrong, the restart mark is %s: %v", rec.at, mark, err)
			}
			v.settled(done, []model{v.model})
			return
		}
		var damaged *LogError
		if !errors.As(err, &damaged) {
			v.fail("record at %s is wrong, the restart mark is %s: %+v, %v", rec.at, mark, done, err)
		}
		if damaged.Segment != rec.segment || damaged.Offset != int64(rec.offset) || damaged.At != rec.at {
			v.fail("record at %s, segment %s, byte %d is wrong: %v", rec.at, rec.segment, rec.offset, err)
		}
	})
}

// The limit of what can be seen: a cut behind the last checkpoint, in the
// segment that is written, takes any number of acknowledged units of work
// without a word. It is seen if one record of a later force is left behind it,
// or if the log has gone on in another segment.
func TestCutThatNobodySees(t *testing.T) {
	bodies := []string{"1", "2", "3", "4", "5"}
	cut := func(i, behind int, rotate bool) (*estate, stored, error) {
		s := newEstate(t, 64<<10)
		s.define("A")
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.put("A", bodies...) // a force for each
		if rotate {
			s.must(s.e.Rotate(t.Context()))
		}
		s.crash()
		all := s.stored()
		all = all[len(all)-len(bodies):]
		end := all[len(all)-1-behind]
		s.change(end.segment, func(b []byte) { clear(b[all[i].offset : end.offset+int(end.next-end.at)]) })
		_, err = s.start()
		return s, all[i], err
	}
	for i := range bodies {
		s, _, err := cut(i, 0, false)
		s.must(err)
		s.want("A", bodies[:i]...)
		if _, first, err := cut(i, 0, true); !damagedAt(err, first.at) {
			t.Errorf("cut from record %d in a segment that has a successor: %v", i, err)
		}
		if i == len(bodies)-1 {
			break // nothing of a later force is left
		}
		if _, first, err := cut(i, 1, false); !damagedAt(err, first.at) {
			t.Errorf("cut from record %d up to the last: %v", i, err)
		}
	}
}

func damagedAt(err error, at wal.LSN) bool {
	var damaged *LogError
	return errors.As(err, &damaged) && damaged.At == at
}

// The same of what stands before the records: one flipped bit in the header of
// a needed segment.
func TestHeaderDamaged(t *testing.T) {
	for bit := 0; bit < 8*512; bit += 37 {
		s := aged(t)
		mark := s.segment(s.e.Status().Marks.Restart.LSN)
		s.crash()
		for i := len(s.own.list) - 1; i >= 0; i-- {
			name := s.own.list[i].Name
			flip := func() { s.change(name, func(b []byte) { b[bit/8] ^= 1 << (bit % 8) }) }
			flip()
			if name < mark {
				_, err := s.start()
				s.must(err)
				break
			}
			var damaged *LogError
			if _, err := s.start(); !errors.As(err, &damaged) || damaged.Segment != name || damaged.Offset != 0 {
				t.Fatalf("bit %d of %s: %v", bit, name, err)
			}
			flip()
		}
	}
}
