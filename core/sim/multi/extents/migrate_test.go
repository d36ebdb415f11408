package extents

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// ended is the log of a queue manager that has lived and ended.
func ended(t *testing.T, set Settings) (*rig, *crashdisk.Disk) {
	t.Helper()
	d := crashdisk.New()
	r, err := newRig(d, set)
	must(t, err)
	must(t, life(r))
	must(t, r.w.Close())
	return r, d
}

// migrations are from each type of log to the other, and a change of management.
var migrations = map[string][2]Settings{
	"circular to linear":  {ring(2, 4), line(Automatic, 2, 4)},
	"linear to circular":  {line(Manual, 2, 4), ring(2, 4)},
	"manual to archive":   {line(Manual, 2, 4), line(Archive, 2, 4)},
	"circular to another": {ring(2, 4), ring(3, 6)},
}

// A failure of the power at any operation of a migration in place leaves the old
// log, the new one, or none that can be opened; and the same call goes on, with
// every record (reference, Multiplatforms 3.4 item 70).
func TestMigrationInPlaceInterrupted(t *testing.T) {
	for name, m := range migrations {
		t.Run(name, func(t *testing.T) {
			for stop := 0; ; stop++ {
				r, d := ended(t, m[0])
				said := m[0]
				tell := func() error { said = m[1]; return nil }
				d.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
				err := MigrateInPlace(d, dir, m[0], m[1], tell)
				if err == nil {
					return
				}
				if !errors.Is(err, crashdisk.ErrPower) {
					t.Fatalf("operation %d: %v", stop, err)
				}
				crash(d, stop)
				var control *ControlError
				l, err := Open(d, dir, said)
				switch {
				case errors.As(err, &control): // a start is refused
				case err != nil:
					t.Fatalf("operation %d: %v", stop, err)
				case l.c.kind != said.Kind:
					t.Fatalf("operation %d: it is %s, and qm.ini says %s", stop, l.c.kind, said.Kind)
				default:
					r.log = l
					if _, err := r.read(r.restart); err != nil {
						t.Fatalf("operation %d: %v", stop, err)
					}
				}
				if err := MigrateInPlace(d, dir, said, m[1], tell); err != nil {
					t.Fatalf("operation %d: going on: %v", stop, err)
				}
				goesOn(t, r, m[1], stop)
			}
		})
	}
}

// goesOn asserts that a migrated log has every record and is written on.
func goesOn(t *testing.T, r *rig, set Settings, stop int) {
	t.Helper()
	r.set = set
	if err := r.reopen(); err != nil {
		t.Fatalf("operation %d: starting: %v", stop, err)
	}
	if r.log.c.kind != set.Kind {
		t.Fatalf("operation %d: it is %s", stop, r.log.c.kind)
	}
	whole(t, r.log)
	if _, err := r.pass(1, 2); err != nil {
		t.Fatalf("operation %d: %v", stop, err)
	}
	if err := life(r); err != nil {
		t.Fatalf("operation %d: living on: %v", stop, err)
	}
	must(t, r.w.Close())
	if err := r.reopen(); err != nil {
		t.Fatalf("operation %d: starting again: %v", stop, err)
	}
	whole(t, r.log)
}

// In another folder the old log is not touched, whatever happens, and what an
// attempt has left there is written anew. Another queue manager's is refused.
func TestMigrationElsewhere(t *testing.T) {
	const there = "new/QM1"
	told := func() error { return nil }
	for name, m := range migrations {
		t.Run(name, func(t *testing.T) {
			for stop := 0; ; stop++ {
				r, d := ended(t, m[0])
				d.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
				err := Migrate(d, dir, there, m[0], m[1], told)
				done := err == nil
				if !done && !errors.Is(err, crashdisk.ErrPower) {
					t.Fatalf("operation %d: %v", stop, err)
				}
				crash(d, stop)
				if !done {
					must(t, r.reopen()) // the old one is the queue manager's still
					must(t, r.put(100))
					must(t, r.w.Close())
					must(t, Migrate(d, dir, there, m[0], m[1], told))
				}
				r.log, err = Open(d, there, m[1])
				must(t, err)
				if _, err := r.read(r.restart); err != nil {
					t.Fatalf("operation %d: %v", stop, err)
				}
				if done {
					return
				}
			}
		})
	}
	_, d := ended(t, ring(2, 4))
	_, err := Create(d, there, ring(2, 4))
	must(t, err)
	if err := Migrate(d, dir, there, ring(2, 4), line(Manual, 2, 4), told); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	// What somebody keeps there stays, extents without a control file and the
	// log of before an earlier migration too.
	r, d := ended(t, ring(2, 4))
	d.Put(there+"/active/S0000000.LOG", []byte("kept"))
	if err := Migrate(d, dir, there, ring(2, 4), line(Manual, 2, 4), told); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if content, err := d.Contents(there + "/active/S0000000.LOG"); err != nil || string(content) != "kept" {
		t.Errorf("%q, %v", content, err)
	}
	must(t, Migrate(d, dir, "b", ring(2, 4), line(Manual, 2, 4), told))
	if err := Migrate(d, "b", dir, line(Manual, 2, 4), ring(2, 4), told); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	must(t, r.reopen()) // untouched
}

// A control file that somebody has lost is no interrupted migration, even if one
// was begun once; and an interrupted one goes on to what it was for.
func TestMigrationOfALostLog(t *testing.T) {
	told := func() error { return nil }
	_, d := ended(t, ring(2, 4))
	must(t, Migrate(d, dir, dir+"/"+stagingName, ring(2, 4), line(Manual, 2, 4), told)) // and no more
	must(t, d.Remove(dir+"/"+ControlName))
	var control *ControlError
	if err := MigrateInPlace(d, dir, ring(2, 4), line(Manual, 2, 4), func() error { return nil }); !errors.As(err, &control) {
		t.Error(err)
	}
	_, d = ended(t, ring(2, 4))
	stopped := errors.New("stopped")
	if err := MigrateInPlace(d, dir, ring(2, 4), line(Manual, 2, 4), func() error { return stopped }); !errors.Is(err, stopped) {
		t.Error(err)
	}
	if err := MigrateInPlace(d, dir, ring(2, 4), ring(2, 4), func() error { return nil }); !errors.Is(err, ErrSettings) {
		t.Error(err)
	}
	must(t, MigrateInPlace(d, dir, ring(2, 4), line(Manual, 2, 4), func() error { return nil }))
}
