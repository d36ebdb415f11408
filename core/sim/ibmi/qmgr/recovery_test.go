package qmgr

import (
	"errors"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Issue 3: without any receiver before the conservative cut restart and
// rebuild of every queue work.
func TestReceiversBeforeTheCutAreNotNeeded(t *testing.T) {
	s := aged(t)
	points := s.m.Points()
	for _, receiver := range s.before(points.Media.Receiver) {
		s.must(s.sys.Remove(s.id(receiver)))
	}
	want := s.contents()
	s.power()
	if state := s.m.Status().State; state != string(Crashed) {
		t.Errorf("after the crash it is %s", state)
	}
	s.start()
	if got := s.contents(); len(got["A"]) != len(want["A"]) || len(got["B"]) != len(want["B"]) {
		t.Errorf("messages were lost")
	}
	s.rebuildAll()
}

// Issue 3: the receiver at the media mark is gone: restart works, RCRMQMOBJ
// gives AMQ7432 with the entry's date and time, and works with the receiver
// back.
func TestMediaReceiverGone(t *testing.T) {
	s := aged(t)
	mark := s.marks().Media
	receiver := s.holding(mark)
	back := s.take(receiver)
	s.crash()
	s.start()
	if p := s.m.Points(); p.Media.Receiver != Gone || p.Startup.Receiver == Gone {
		t.Errorf("published %+v", p)
	}
	i := slices.IndexFunc(s.m.Queues(), func(q Queue) bool { return q.MediaReceiver == Gone })
	queue := s.m.Queues()[i]
	s.must(s.m.Damage(t.Context(), queue.Name))
	if len(s.messages("AMQ7472")) != 1 {
		t.Errorf("no AMQ7472")
	}
	selection := Selection{Name: queue.Name, Type: "*LCLQ"}
	n, err := s.m.Recreate(t.Context(), selection)
	lost := s.unavailable(err, receiver, queue.MediaTime)
	if n != 0 || lost.Object.Name != queue.Name {
		t.Errorf("re-created %d, %v", n, lost)
	}
	back()
	if n, err := s.m.Recreate(t.Context(), selection); n != 1 || err != nil {
		t.Errorf("with the receiver back: re-created %d, %v", n, err)
	}
	if sent := s.messages("AMQ7461"); len(sent) != 1 {
		t.Errorf("AMQ7461: %+v", sent)
	}
	if n, err := s.m.Recreate(t.Context(), selection); n != 0 || err != nil {
		t.Errorf("what is not damaged: re-created %d, %v", n, err)
	}
}

// Issue 3: the receiver at the startup mark is gone: STRMQM gives AMQ7432; put
// back it works.
func TestStartupReceiverGone(t *testing.T) {
	s := aged(t)
	s.unitPut(s.begin("LONG"), "A", "keeps the startup mark")
	s.fill("B", 2)
	mark, want := s.marks().Restart, s.contents()
	receiver := s.holding(mark)
	back := s.take(receiver)
	s.power()
	_, err := s.m.Start(t.Context())
	s.unavailable(err, receiver, mark.Time)
	if state := s.m.Status().State; state != string(Crashed) {
		t.Errorf("after the refusal it is %s", state)
	}
	back()
	s.start()
	if got := s.contents(); len(got["A"]) != len(want["A"]) || len(got["B"]) != len(want["B"]) {
		t.Errorf("messages were lost")
	}
	s.rebuildAll()
}

// Issue 3: restart opens exactly the receivers from the startup mark on.
func TestRestartOpensFromTheMarkOn(t *testing.T) {
	s := aged(t)
	needed := s.receivers()[len(s.before(s.holding(s.marks().Restart))):]
	s.crash()
	s.open()
	s.traced.forget()
	s.start()
	opened := slices.Clone(s.traced.opened)
	slices.Sort(opened)
	if !slices.Equal(opened, needed) || len(needed) == len(s.receivers()) {
		t.Errorf("opened %q, needed are %q", opened, needed)
	}
}

// Issue 3: a queue with uncommitted persistent work, damaged, its image's
// receiver gone: no start; receiver back: starts.
func TestDamagedWithUncommittedWork(t *testing.T) {
	s := station1(t)
	s.put("A", body(100))
	_, err := s.m.RecordImages(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.must(err)
	s.fill("B", 3)
	u := s.begin("PAYROLL")
	s.unitPut(u, "A", "uncommitted")
	s.must(s.m.Damage(t.Context(), "A"))
	i := slices.IndexFunc(s.m.Queues(), func(q Queue) bool { return q.Name == "A" })
	receiver, media := s.m.Queues()[i].MediaReceiver, s.m.Queues()[i].MediaTime
	back := s.take(receiver)
	s.power()
	_, err = s.m.Start(t.Context())
	if lost := s.unavailable(err, receiver, media); lost.Object.Name != "A" {
		t.Errorf("it was for %v", lost.Object)
	}
	back()
	done := s.start()
	if len(done.Rebuilt) != 1 || len(s.bodies("A")) != 1 || len(s.messages("AMQ7461")) != 1 {
		t.Errorf("%+v, on A are %d", done, len(s.bodies("A")))
	}
}

// Issue 3: one flipped byte in a needed receiver: STRMQM refuses, naming
// receiver and offset; in one not needed it starts.
func TestFlippedByte(t *testing.T) {
	s := aged(t)
	s.unitPut(s.begin("LONG"), "A", "keeps the startup mark")
	s.fill("B", 2)
	all := s.receivers()
	needed, notNeeded := all[len(all)-2], s.before(s.m.Points().Media.Receiver)[0]
	s.power()
	const at = 8192 + 3000 // in the first record
	flip := func(receiver string) (back func()) {
		name := s.sys.FileOf(s.id(receiver))
		content, err := s.disk.Contents(name)
		s.must(err)
		wrong := slices.Clone(content)
		wrong[at] ^= 4
		s.disk.Put(name, wrong)
		return func() { s.disk.Put(name, content) }
	}
	flip(notNeeded)
	back := flip(needed)
	_, err := s.m.Start(t.Context())
	lost := s.unavailable(err, needed, zeroTime)
	var escape *os400.Error
	if errors.As(err, &escape); !slices.ContainsFunc(offsets(escape.Text), func(n int64) bool { return n == lost.Offset }) ||
		lost.Offset < 8192 || lost.Offset > at {
		t.Errorf("%q does not name offset %d", escape.Text, lost.Offset)
	}
	back()
	s.start()
}

// A needed receiver that was freed has no data, one that was restored from a
// save made while it was attached not all of it.
func TestFreedAndPartial(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(s *station, receiver string)
		status os400.Status
	}{
		{"freed", func(s *station, receiver string) {
			file := os400.ID{Library: "QGPL", Name: "FREED"}
			s.must(s.sys.CreateSaveFile(file))
			_, err := s.sys.SaveReceivers(s.m.Library(), []string{receiver}, file, os400.SaveOptions{Free: true})
			s.must(err)
		}, os400.Freed},
		{"partial", func(s *station, receiver string) {
			s.must(s.sys.Remove(s.id(receiver)))
			_, err := s.sys.RestoreReceivers([]string{receiver}, s.m.Library(), os400.ID{Library: "QGPL", Name: "EARLY"}, s.m.Library())
			s.must(err)
			_, err = s.sys.Associate(s.m.Journal())
			s.must(err)
		}, os400.Partial},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := station1(t)
			s.fill("A", 1)
			early := os400.ID{Library: "QGPL", Name: "EARLY"}
			receiver := s.m.Status().CurrLog
			s.put("A", body(5000))
			s.must(s.sys.CreateSaveFile(early))
			_, err := s.sys.SaveReceivers(s.m.Library(), []string{receiver}, early, os400.SaveOptions{})
			s.must(err)
			u := s.begin("LONG")
			s.unitPut(u, "B", "keeps the mark") // so that all from here on are needed
			s.fill("A", 2)
			s.crash()
			c.spoil(s, receiver)
			r, err := s.sys.Receiver(s.id(receiver))
			if err != nil || r.Status != c.status {
				t.Fatalf("%+v, %v", r, err)
			}
			_, err = s.m.Start(t.Context())
			s.unavailable(err, receiver, zeroTime)
		})
	}
}

// Case 5: receiver names begin anew, and the order is that of the journal.
func TestNamesWrap(t *testing.T) {
	s := newStation(t, t, Spec{FirstReceiver: "AMQA099998"})
	s.fill("A", 3)
	s.images()
	s.fill("B", 1)
	if all := s.receivers(); !slices.Equal(all[:4], []string{"AMQA099998", "AMQA099999", "AMQA000000", "AMQA000001"}) {
		t.Fatalf("%q", all)
	}
	for _, receiver := range s.before(s.m.Points().Media.Receiver) {
		s.must(s.sys.Remove(s.id(receiver)))
	}
	s.power()
	s.start()
	s.rebuildAll()
}
