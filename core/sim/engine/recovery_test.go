package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
)

// aged gives an estate whose log has several segments: queue A with messages in
// the first, then rotations, a checkpoint, and more messages.
func aged(t *testing.T) *estate {
	t.Helper()
	s := newEstate(t, 16<<10)
	s.define("A", "B")
	for range 3 {
		s.put("A", strings.Repeat("a", 6000), strings.Repeat("b", 6000))
	}
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	for range 3 {
		s.put("B", strings.Repeat("c", 6000), strings.Repeat("d", 6000))
	}
	return s
}

// Issue 3: restart opens exactly the segments from the restart mark on.
func TestRestartOpensFromTheMarkOn(t *testing.T) {
	s := aged(t)
	mark := s.e.Status().Marks.Restart
	first := s.segment(mark.LSN)
	var want []string
	for _, seg := range s.own.list {
		if seg.Name >= first {
			want = append(want, seg.Name)
		}
	}
	done := s.restart()
	if !slices.Equal(s.own.opened, want) || len(want) < 2 || len(want) == len(s.own.list) {
		t.Errorf("opened %q, want %q of %d", s.own.opened, want, len(s.own.list))
	}
	if done.From != mark {
		t.Errorf("began at %v, the mark is %v", done.From, mark)
	}
}

// A unit of work that stays open over a checkpoint keeps the restart mark.
func TestOpenUnitKeepsTheMark(t *testing.T) {
	s := newEstate(t, 16<<10)
	s.define("A", "B")
	u := s.unit()
	s.unitPut(u, "A", "long")
	began := s.e.Units()[0].First
	for range 6 {
		s.put("B", strings.Repeat("b", 6000))
	}
	m, err := s.e.Checkpoint(t.Context())
	s.must(err)
	if m.Restart != began || m.Checkpoint.LSN <= began.LSN {
		t.Fatalf("marks %+v, the unit of work began at %+v", m, began)
	}
	s.must(u.Commit(t.Context()))
	if now := s.e.Status().Marks.Restart; now != began {
		t.Errorf("the mark moved to %v without a checkpoint", now)
	}
	s.restart()
	s.want("A", "long")
	if now := s.e.Status().Marks.Restart; now.LSN <= m.Checkpoint.LSN {
		t.Errorf("the mark is still %v", now)
	}
}

func TestNeededSegmentMissing(t *testing.T) {
	s := aged(t)
	mark := s.e.Status().Marks.Restart
	needed := s.segment(mark.LSN)
	s.crash()
	back := s.take(needed)
	_, err := s.start()
	var missing *LogError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("started without a needed segment: %v", err)
	}
	if missing.Purpose != ForRestart || missing.From != mark || missing.Segment != needed || missing.Object != (Ref{}) {
		t.Errorf("%+v, want segment %s from %v", missing, needed, mark)
	}
	back()
	_, err = s.start()
	s.must(err)
	if n := len(s.bodies("A")) + len(s.bodies("B")); n != 12 {
		t.Errorf("%d messages", n)
	}
}

// The owner's list itself begins too late.
func TestListBeginsBehindTheMark(t *testing.T) {
	s := aged(t)
	list := s.own.list
	s.crash()
	s.own.list = list[len(list)-1:]
	_, err := s.start()
	var missing *LogError
	if !errors.As(err, &missing) || missing.Segment != s.own.list[0].Name {
		t.Fatalf("got %v", err)
	}
	s.own.list = list
	_, err = s.start()
	s.must(err)
}

// Issue 3: a flipped byte in a needed segment stops the restart, naming
// segment and offset; in one that is not needed it is not even seen.
func TestFlippedByte(t *testing.T) {
	s := aged(t)
	mark := s.e.Status().Marks.Restart
	s.crash()
	flip := func(name string, at int) (back func()) {
		content, err := s.disk.Contents(name)
		s.must(err)
		wrong := slices.Clone(content)
		wrong[at] ^= 4
		s.disk.Put(name, wrong)
		return func() { s.disk.Put(name, content) }
	}
	last := s.own.list[len(s.own.list)-2]
	const at = 8192 + 3000 // inside its first record
	back := flip(last.Name, at)
	_, err := s.start()
	var damaged *LogError
	if !errors.As(err, &damaged) || damaged.Segment != last.Name || damaged.Offset > at || damaged.Offset < 8192 || damaged.At != last.Start {
		t.Fatalf("got %v", err)
	}
	back()
	if first := s.own.list[0].Name; first != s.segment(mark.LSN) {
		flip(first, at)
	} else {
		t.Fatal("every segment is needed")
	}
	_, err = s.start()
	s.must(err)
}

func TestRebuild(t *testing.T) {
	s := newEstate(t, 16<<10)
	a := Ref{Queue, "A"}
	s.define("A", "B")
	s.put("A", "1", "2", "3")
	open, doubt := s.unit(), s.unit()
	s.unitGet(open, "A", "1")
	s.unitPut(open, "A", "4")
	s.unitGet(doubt, "A", "2")
	s.must(doubt.Prepare(t.Context(), nil))
	s.must(s.e.Image(t.Context(), a))
	s.put("A", "5")
	s.unitPut(open, "A", "6")
	s.must(s.e.Damage(t.Context(), a))
	if _, err := s.e.Get(t.Context(), "A"); !errors.Is(err, ErrDamaged) {
		t.Fatalf("a damaged queue gave a message: %v", err)
	}
	for _, want := range []bool{true, false} {
		if did, err := s.e.Rebuild(t.Context(), a); err != nil || did != want {
			t.Fatalf("rebuilt %v, %v", did, err)
		}
	}
	s.want("A", "3", "5")
	s.must(open.Commit(t.Context()))
	s.want("A", "3", "4", "5", "6")
	s.restart()
	s.want("A", "3", "4", "5", "6")
	u, err := s.e.Unit(doubt.ID())
	s.must(err)
	s.must(u.Backout(t.Context()))
	s.want("A", "2", "3", "4", "5", "6")
}

// A rebuild whose file can't be written leaves the object damaged, as the log
// says that it is.
func TestRebuildOnAFullDisk(t *testing.T) {
	s := newEstate(t, 16<<10)
	a := Ref{Queue, "A"}
	s.define("A")
	s.put("A", "1")
	s.must(s.e.Damage(t.Context(), a))
	s.disk.Limit(1)
	if did, err := s.e.Rebuild(t.Context(), a); did || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("rebuilt %v, %v", did, err)
	}
	if o, err := s.e.Object(a); err != nil || !o.Damaged {
		t.Errorf("%+v, %v", o, err)
	}
	s.disk.Limit(0)
	if did, err := s.e.Rebuild(t.Context(), a); !did || err != nil {
		t.Fatalf("rebuilt %v, %v", did, err)
	}
	s.want("A", "1")
}

// Issue 3: the segment at the media mark is gone: restart works, the rebuild
// does not until it is back.
func TestImageSegmentMissing(t *testing.T) {
	s := aged(t)
	a := Ref{Queue, "A"}
	s.must(s.e.Image(t.Context(), a))
	image, err := s.e.Object(a)
	s.must(err)
	for range 4 {
		s.put("B", strings.Repeat("e", 9000))
	}
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(s.e.Damage(t.Context(), a))
	needed := s.segment(image.Media.LSN)
	back := s.take(needed)
	done := s.restart()
	if !slices.Equal(done.Damaged, []Ref{a}) {
		t.Errorf("damaged after the restart: %v", done.Damaged)
	}
	_, err = s.e.Rebuild(t.Context(), a)
	var missing *LogError
	if !errors.As(err, &missing) || missing.Purpose != ForRebuild || missing.Object != a || missing.Segment != needed || missing.From != image.Media {
		t.Fatalf("rebuilt without its image: %v", err)
	}
	back()
	if did, err := s.e.Rebuild(t.Context(), a); !did || err != nil {
		t.Fatalf("rebuilt %v, %v", did, err)
	}
	if n := len(s.bodies("A")); n != 6 {
		t.Errorf("%d messages", n)
	}
}

// Issue 3: without the segment just before the conservative cut, and all that
// are older, a restart works and every object can be rebuilt.
func TestConservativeCut(t *testing.T) {
	s := aged(t)
	s.must(s.e.Image(t.Context(), Ref{Queue, "A"}, Ref{Queue, "B"}))
	for range 3 {
		s.put("A", strings.Repeat("a", 9000))
	}
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	m := s.e.Status().Marks
	if m.Media.LSN >= m.Restart.LSN {
		t.Fatalf("marks %+v", m)
	}
	s.crash()
	cut, gone := s.segment(m.Media.older(m.Restart).LSN), 0
	for _, seg := range s.own.list {
		if seg.Name < cut {
			s.must(s.disk.Remove(seg.Name))
			gone++
		}
	}
	done, err := s.start()
	s.must(err)
	if gone == 0 || len(done.Damaged) != 0 || !slices.IsSorted(s.own.opened) || s.own.opened[0] < cut {
		t.Errorf("%d segments gone, opened %q, %+v", gone, s.own.opened, done)
	}
	for _, queue := range []string{"A", "B"} {
		before := s.bodies(queue)
		s.must(s.e.Damage(t.Context(), Ref{Queue, queue}))
		if did, err := s.e.Rebuild(t.Context(), Ref{Queue, queue}); !did || err != nil {
			t.Errorf("%s: rebuilt %v, %v", queue, did, err)
		}
		s.want(queue, before...)
	}
}

// Issue 3: a damaged queue with uncommitted persistent work, or the queue
// manager object, is needed by the start itself.
func TestStartNeedsADamagedObject(t *testing.T) {
	for _, what := range []Ref{{Queue, "A"}, {"queue-manager", "QM"}} {
		s := newEstate(t, 16<<10)
		s.must(s.e.Define(t.Context(), Ref{"queue-manager", "QM"}, map[string]string{"DEADQ": "D"}))
		s.define("A", "B")
		s.put("A", "1", "2")
		for range 4 {
			s.put("B", strings.Repeat("b", 9000))
		}
		u := s.unit()
		s.unitGet(u, "A", "1")
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.must(s.e.Damage(t.Context(), what))
		o, err := s.e.Object(what)
		s.must(err)
		s.crash()
		back := s.take(s.segment(o.Media.LSN))
		_, err = s.start()
		var missing *LogError
		if !errors.As(err, &missing) || missing.Purpose != ForRebuild || missing.Object != what {
			t.Fatalf("started without %s: %v", what, err)
		}
		back()
		done, err := s.start()
		s.must(err)
		if !slices.Equal(done.Rebuilt, []Ref{what}) || len(done.BackedOut) != 1 {
			t.Errorf("%+v", done)
		}
		s.want("A", "1", "2")
	}
}

// A log that is shorter than a file was hardened to is damaged, even where it
// ends as if nothing had ever followed.
func TestLogShorterThanAFile(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	s.put("A", "1")
	s.crash()
	old, err := s.disk.Contents(s.own.list[0].Name)
	s.must(err)
	control, err := s.disk.Contents("qm/control")
	s.must(err)
	_, err = s.start()
	s.must(err)
	s.put("A", "2")
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	s.crash()
	s.disk.Put(s.own.list[0].Name, old)
	s.disk.Put("qm/control", control)
	_, err = s.start()
	var short *LogError
	var d *wal.Damage
	if !errors.As(err, &short) || !errors.As(err, &d) || short.Segment == "" {
		t.Fatalf("got %v", err)
	}
}

func TestStopsWithItsLog(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	s.disk.Crash() // its files are dead
	_, err := s.e.Put(t.Context(), "A", Message{Persistent: true})
	if !errors.Is(err, ErrStopped) {
		t.Errorf("put: %v", err)
	}
	if err := s.e.End(t.Context()); !errors.Is(err, ErrStopped) {
		t.Errorf("end: %v", err)
	}
}
