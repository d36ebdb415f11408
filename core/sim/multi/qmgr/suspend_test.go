package qmgr

import (
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Between two commands of the simulator the queue manager is not in memory, and
// nobody sees that: neither who asks it meanwhile, on a disk where nothing can
// be changed, nor who goes on.
func TestSuspendAndResume(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := onDisk(t, Spec{Log: small(kind, extents.Manual)})
			s.start()
			s.define("Q", "FILL")
			s.put("Q", "one")
			_, err := s.m.Put(s.ctx, "Q", engine.Message{Body: []byte("in memory")})
			s.must(err)
			u, err := s.m.Begin("APP")
			s.must(err)
			_, err = u.Put(s.ctx, "Q", text("uncommitted"))
			s.must(err)
			s.fill(1)
			n := len(s.told(0))
			want := []any{s.m.Status(), s.m.Connections(), s.m.Transactions(), s.m.QueueStatus(), s.m.Objects(), s.m.Attributes()}
			s.must(s.m.Suspend(s.ctx))

			looking := s.site
			looking.Disk = disk.ReadOnly(s.site.Disk)
			m, err := Open(looking, s.m.Name(), s.m.DataDir())
			s.must(err)
			got := []any{m.Status(), m.Connections(), m.Transactions(), m.QueueStatus(), m.Objects(), m.Attributes()}
			for i := range want {
				if !sameTimes(got[i], want[i]) {
					t.Errorf("suspended:\n%+v\nbefore:\n%+v", got[i], want[i])
				}
			}
			if m.State() != Running {
				t.Error(m.State())
			}
			_, err = m.Put(s.ctx, "Q", text("x"))
			s.refuses(err, ErrNotRunning)

			s.reopen()
			_, err = s.m.Start(s.ctx)
			s.refuses(err, ErrRunning)
			s.must(s.m.Resume(s.ctx))
			got = []any{s.m.Status(), s.m.Connections(), s.m.Transactions(), s.m.QueueStatus(), s.m.Objects(), s.m.Attributes()}
			for i := range want {
				if !sameTimes(got[i], want[i]) {
					t.Errorf("resumed:\n%+v\nbefore:\n%+v", got[i], want[i])
				}
			}
			s.holds("Q", "one", "in memory")
			u, err = s.m.Unit(u.Number())
			s.must(err)
			s.must(u.Commit(s.ctx))
			s.holds("Q", "one", "in memory", "uncommitted")
			if told := s.told(n); len(told) != 0 {
				t.Errorf("it was told %q", told)
			}
			s.refuses(s.m.Resume(s.ctx), ErrNotSuspended)
			s.end()
		})
	}
}

// sameTimes compares what is shown; the file of a suspension has times without
// the name of their zone.
func sameTimes(a, b any) bool {
	return reflect.DeepEqual(normal(reflect.ValueOf(a)), normal(reflect.ValueOf(b)))
}

// normal makes values comparable: times in UTC, empty ones nil.
func normal(v reflect.Value) any {
	if t, ok := v.Interface().(time.Time); ok {
		return t.UnixNano()
	}
	switch v.Kind() {
	case reflect.Struct:
		all := []any{}
		for i := range v.NumField() {
			all = append(all, normal(v.Field(i)))
		}
		return all
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, normal(v.Index(i)))
		}
		return all
	case reflect.Map:
		all := map[any]any{}
		for _, key := range v.MapKeys() {
			all[key.Interface()] = normal(v.MapIndex(key))
		}
		return all
	}
	return v.Interface()
}

// A suspended queue manager that crashes is as after any crash.
func TestCrashOfASuspendedOne(t *testing.T) {
	s := ready(t, extents.Linear)
	s.must(s.m.Suspend(s.ctx))
	s.must(s.m.Crash())
	s.reopen()
	if s.m.State() != EndedUnexpectedly || s.m.Objects() != nil {
		t.Error(s.m.State())
	}
	s.start()
	s.holds("Q", "kept")
}

// A suspension of which files are gone is a crash.
func TestLostSuspension(t *testing.T) {
	s := ready(t, extents.Linear)
	s.must(s.m.Suspend(s.ctx))
	s.must(os.Remove(s.file("suspended")))
	s.must(os.Remove(s.file(suspendedStateFile)))
	s.reopen()
	s.refuses(s.m.Resume(s.ctx), engine.ErrNotSuspended)
	if s.m.State() != EndedUnexpectedly {
		t.Error(s.m.State())
	}
	s.start()
	s.holds("Q", "kept")
}

// A counted operation before a suspension counts after it.
func TestOperationsAreCountedOverASuspension(t *testing.T) {
	s := ready(t, extents.Linear)
	s.must(s.m.Suspend(s.ctx))
	s.must(s.m.Resume(s.ctx))
	if got := s.m.Status().CheckpointOperations; got != 1 {
		t.Error(got)
	}
	s.must(s.m.Checkpoint(s.ctx))
	if got := s.m.Status().CheckpointOperations; got != 0 {
		t.Error(got)
	}
}
