package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// saved is a copy of the files of a queue manager, as a backup of its data.
type saved map[string][]byte

func (s *estate) save() saved {
	s.t.Helper()
	names, err := s.disk.List("qm")
	s.must(err)
	all := saved{}
	for _, name := range names {
		b, err := s.disk.Contents("qm/" + name)
		s.must(err)
		all["qm/"+name] = b
	}
	return all
}

// restore puts a backup in the place of what is there.
func (s *estate) restore(all saved) {
	s.t.Helper()
	names, err := s.disk.List("qm")
	s.must(err)
	for _, name := range names {
		s.must(s.disk.Remove("qm/" + name))
	}
	for name, b := range all {
		s.disk.Put(name, b)
	}
}

// Scenario l of the reference (Multiplatforms 4.6; SEED 7.5.1): the data of an
// older backup with the control file of its time, and the log whole since then.
// The start rolls forward to where the queue manager was, over checkpoints,
// images, objects made and deleted in between; and it does so from each backup.
func TestOldDataWithTheWholeLog(t *testing.T) {
	ctx := t.Context()
	for _, with := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Costs, o.Part, o.Detail = &seedCosts, 3000, true },
	} {
		s := newEstateWith(t, 16<<10, with)
		s.define("A", "OLD", "AGAIN")
		s.put("OLD", "goes")
		s.put("AGAIN", "before")
		doubt := s.unit()
		s.unitPut(doubt, "A", "in doubt")
		s.must(doubt.Prepare(ctx, []byte("xid")))
		s.must(s.e.Keep(ctx, "first", []byte("1")))
		var backups []saved
		backup := func() {
			s.must(s.e.End(ctx))
			backups = append(backups, s.save())
			_, err := s.start()
			s.must(err)
		}
		backup()
		s.put("A", "1", strings.Repeat("2", 9000))
		s.must(s.e.Delete(ctx, Ref{Queue, "OLD"}, true))
		s.must(s.e.Delete(ctx, Ref{Queue, "AGAIN"}, true))
		s.define("AGAIN", "NEW")
		s.put("AGAIN", "after")
		backup()
		s.must(s.e.Image(ctx, Ref{Queue, "A"}))
		s.put("NEW", strings.Repeat("3", 9000), "4")
		_, err := s.e.Get(ctx, "A")
		s.must(err)
		s.must(s.e.Alter(ctx, Ref{Queue, "NEW"}, map[string]string{"DESCR": "altered"}))
		s.must(s.e.Drop(ctx, "first"))
		s.must(s.e.Keep(ctx, "second", []byte("2")))
		backup()
		doubt, err = s.e.Unit(doubt.ID())
		s.must(err)
		s.must(doubt.Commit(ctx))
		s.define("LAST")
		s.put("LAST", "5")
		open := s.unit()
		s.unitPut(open, "LAST", "nobody commits it")
		s.must(s.e.End(ctx))
		for i, b := range backups {
			s.restore(b)
			done, err := s.start()
			if err != nil || len(done.Damaged)+len(done.Rebuilt)+len(done.InDoubt) != 0 {
				t.Fatalf("backup %d: %+v, %v", i, done, err)
			}
			s.want("A", "in doubt", strings.Repeat("2", 9000))
			s.want("AGAIN", "after")
			s.want("NEW", strings.Repeat("3", 9000), "4")
			s.want("LAST", "5")
			var names []string
			for _, o := range s.e.Objects() {
				names = append(names, o.Ref.Name)
			}
			if !slices.Equal(names, []string{"A", "AGAIN", "NEW", "LAST"}) {
				t.Errorf("backup %d: objects %q", i, names)
			}
			if o, err := s.e.Object(Ref{Queue, "NEW"}); err != nil || o.Attributes["DESCR"] != "altered" {
				t.Errorf("backup %d: %+v, %v", i, o, err)
			}
			if kept := s.e.Kept(); len(kept) != 1 || string(kept["second"]) != "2" {
				t.Errorf("backup %d: kept %q", i, kept)
			}
			s.must(s.e.End(ctx))
		}
	}
}

// The second half of scenario l's condition: a segment from the oldest that the
// backup needs is not there. No start; with it back, one.
func TestOldDataWithoutAllTheLog(t *testing.T) {
	s := newEstate(t, 16<<10)
	s.define("A")
	s.must(s.e.End(t.Context()))
	old := s.save()
	_, err := s.start()
	s.must(err)
	for range 6 {
		s.put("A", strings.Repeat("a", 6000))
	}
	s.must(s.e.End(t.Context()))
	s.restore(old)
	back := s.take(s.own.list[1].Name)
	var missing *LogError
	if _, err := s.start(); !errors.As(err, &missing) || missing.Segment != s.own.list[1].Name {
		t.Errorf("%v", err)
	}
	back()
	_, err = s.start()
	s.must(err)
	if n := len(s.bodies("A")); n != 6 {
		t.Errorf("%d messages", n)
	}
}

// Scenario m: the log is older than the data. Whichever of them is, control file
// or file of a queue, the start refuses.
func TestDataNewerThanTheLog(t *testing.T) {
	for _, control := range []bool{true, false} {
		s := newEstate(t, 64<<10)
		s.define("A")
		s.must(s.e.End(t.Context()))
		old := s.save()
		log, err := s.disk.Contents(s.own.list[0].Name)
		s.must(err)
		_, err = s.start()
		s.must(err)
		s.put("A", "1")
		s.must(s.e.End(t.Context()))
		s.disk.Put(s.own.list[0].Name, log)
		if !control {
			s.disk.Put("qm/control", old["qm/control"])
		}
		var older *LogError
		if _, err := s.start(); !errors.As(err, &older) || older.Purpose != ForRestart {
			t.Errorf("%v", err)
		}
	}
}
