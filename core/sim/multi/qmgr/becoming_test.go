package qmgr

import (
	"maps"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// with gives attributes with some of them changed.
func with(attributes map[string]string, changes ...string) map[string]string {
	all := maps.Clone(attributes)
	if all == nil {
		all = map[string]string{}
	}
	for i := 0; i < len(changes); i += 2 {
		all[changes[i]] = changes[i+1]
	}
	return all
}

// switches are the ways in which an object becomes recoverable, and is not
// before.
var switches = map[string]struct {
	ref      engine.Ref
	off, on  func(*station)
	ofObject bool
}{
	"IMGRCOVQ of the queue manager": {ref: queueRef("Q"), off: alterManager("IMGRCOVQ", "NO"), on: alterManager("IMGRCOVQ", "YES")},
	"IMGRCOVO of the queue manager": {ref: engine.Ref{Kind: objects.Process, Name: "P"}, off: alterManager("IMGRCOVO", "NO"), on: alterManager("IMGRCOVO", "YES")},
	"IMGRCOVQ of the queue":         {ref: queueRef("Q"), off: alterQueue("NO"), on: alterQueue("YES"), ofObject: true},
}

func alterManager(name, value string) func(*station) {
	return func(s *station) {
		s.Helper()
		s.must(s.m.AlterManager(s.ctx, with(s.m.Attributes(), name, value)))
	}
}

func alterQueue(value string) func(*station) {
	return func(s *station) {
		s.Helper()
		o, err := s.m.Object(queueRef("Q"))
		s.must(err)
		s.must(s.m.AlterObject(s.ctx, o.Ref, with(o.Attributes, "IMGRCOVQ", value)))
	}
}

// spared makes a queue manager that has an object whose past the log has not any
// more, since it was not recoverable then.
func spared(s *station, off func(*station), management extents.Management) {
	s.Helper()
	s.start()
	s.define("Q", "FILL")
	s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Process, Name: "P"}, map[string]string{"APPLICID": "p"}))
	s.put("Q", "1", "2")
	off(s)
	for range 2 {
		s.fill(2)
		_, err := s.m.Image(s.ctx, Selection{"all", "*"})
		s.must(err)
	}
	media := s.m.Status().MediaLog
	if media == "S0000000.LOG" || media == "" {
		s.Fatalf("MEDIALOG(%s)", media)
	}
	restart := s.m.Status().RecLog
	for _, name := range s.extentNames() { // what mqhk may take away, or has archived
		if name[0] != 'S' || name >= media || name >= restart {
			continue
		}
		switch management {
		case extents.Manual:
			s.must(s.site.Disk.Remove(s.m.LogDir() + "/active/" + name))
		case extents.Archive:
			s.must(s.m.SetArchived(name))
		}
	}
}

// What becomes recoverable is recoverable from then on: in the running queue
// manager, after a crash that took a file along, and where the simulator's own
// file of the state is gone. MEDIALOG never goes back and is never blank.
func TestBecomingRecoverable(t *testing.T) {
	for how, by := range switches {
		for _, management := range []extents.Management{extents.Manual, extents.Automatic, extents.Archive} {
			for what, happens := range map[string]func(*station){
				"damaged while it runs": func(s *station) {
					s.must(s.m.Damage(s.ctx, by.ref))
				},
				"crashed": func(s *station) {
					u, err := s.m.Begin("app")
					s.must(err)
					_, err = u.Put(s.ctx, "Q", text("in doubt"))
					s.must(err)
					s.must(u.Prepare(s.ctx, []byte("xid")))
					s.must(s.m.Crash())
					s.must(s.site.Disk.Remove(s.m.path(files{}.Object(by.ref))))
					s.must(s.site.Disk.Remove(s.m.path(stateFile)))
					s.reopen()
					s.start()
					s.must(s.m.Resolve(s.ctx, u.Number(), false))
				},
			} {
				t.Run(how+", "+string(management)+", "+what, func(t *testing.T) {
					s := inMemory(t, Spec{Log: small(extents.Linear, management)})
					spared(s, by.off, management)
					before := s.m.Status().MediaLog
					by.on(s)
					happens(s)
					s.must(s.m.Checkpoint(s.ctx))
					if _, after := s.watermarks(); after == "" || after < before || s.m.Status().MediaLog != after {
						t.Errorf("MEDIALOG went from %s to %s, shown %s", before, after, s.m.Status().MediaLog)
					}
					got, err := s.m.Recreate(s.ctx, Selection{"all", "*"})
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range got {
						if r.Outcome != Recreated {
							t.Errorf("%+v", r)
						}
					}
					s.holds("Q", "1", "2")
					if o, err := s.m.Object(by.ref); err != nil || o.Damaged || !o.Recoverable {
						t.Errorf("%+v, %v", o, err)
					}
				})
			}
		}
	}
}

// Whenever the power fails during the switch, what the start finds is one or the
// other: a queue that is rebuilt, or one that is not recoverable yet. The start
// does not go by what the simulator wrote down beside the log.
func TestPowerFailsWhileBecomingRecoverable(t *testing.T) {
	for how, by := range switches {
		t.Run(how, func(t *testing.T) {
			for left := 0; ; left += 3 {
				s := onCrashDisk(t.Context(), t, Spec{Log: small(extents.Linear, extents.Automatic)})
				spared(s, by.off, extents.Automatic)
				before := s.m.Status().MediaLog
				count, done := 0, true
				s.crash.Fault(failAfter(left, &count, &done))
				o, err := s.m.Object(by.ref)
				if s.must(err); by.ofObject {
					err = s.m.AlterObject(s.ctx, o.Ref, with(o.Attributes, "IMGRCOVQ", "YES"))
				} else {
					err = s.m.AlterManager(s.ctx, with(s.m.Attributes(), "IMGRCOVQ", "YES", "IMGRCOVO", "YES"))
				}
				s.crash.Fault(nil)
				s.crash.Crash()
				_ = s.m.Crash()
				s.must(s.site.Disk.Remove(s.m.path(files{}.Object(by.ref))))
				s.reopen()
				started := s.start()
				if _, media := s.watermarks(); media == "" || media < before {
					t.Fatalf("%d operations: MEDIALOG went from %s to %q", left, before, media)
				}
				now, gone := s.m.Object(by.ref)
				s.must(gone)
				if !slices.Contains(started.Damaged, by.ref) || err == nil && !now.Recoverable {
					t.Fatalf("%d operations: %+v, %+v", left, started, now)
				}
				want := NotRecoverable
				if now.Recoverable {
					want = Recreated
				}
				got, failed := s.m.Recreate(s.ctx, Selection{objects.WordOf(by.ref.Kind), by.ref.Name})
				if failed != nil || got[0].Outcome != want {
					t.Fatalf("%d operations: %+v, %v", left, got, failed)
				}
				s.halt()
				if done {
					return // the power did not fail any more
				}
			}
		})
	}
}

// The images of many queues take more than the log has room for at a time: there
// are checkpoints between, and those that came first are kept.
func TestBecomingRecoverableInASmallLog(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Automatic)})
	spared(s, alterManager("IMGRCOVQ", "NO"), extents.Automatic)
	queues := []string{"A", "B", "C", "D", "E", "F"}
	s.define(queues...)
	for _, q := range queues {
		for range 6 {
			s.put(q, long(60_000)) // 360 KB each, of a log of 1.25 MB
		}
	}
	alterManager("IMGRCOVQ", "YES")(s)
	s.fill(3)
	s.must(s.m.Checkpoint(s.ctx))
	for _, q := range queues {
		s.must(s.m.Damage(s.ctx, queueRef(q)))
	}
	got, err := s.m.Recreate(s.ctx, Selection{"all", "*"})
	if err != nil || len(got) != len(queues) {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, q := range queues {
		s.holds(q, slices.Repeat([]string{long(60_000)}, 6)...)
	}
}
