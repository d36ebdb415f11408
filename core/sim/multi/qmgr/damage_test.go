package qmgr

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// The scenarios of damage, by their letters in reference, Multiplatforms 4.6.
// Each breaks real files.

func queueRef(name string) engine.Ref { return engine.Ref{Kind: engine.Queue, Name: name} }

// ready makes a started queue manager with a queue that holds a message.
func ready(t *testing.T, kind extents.Kind) *station {
	s := onDisk(t, Spec{Log: small(kind, extents.Manual)})
	s.start()
	s.define("Q")
	s.put("Q", "kept")
	return s
}

// b: the queue manager object is damaged while it runs: pre-emptive shutdown.
// Linear: the next start makes it anew, with its file deleted or not. Circular:
// no start.
func TestManagerObjectDamagedRunning(t *testing.T) {
	for _, kind := range kinds {
		for _, deleted := range []bool{false, true} {
			s := ready(t, kind)
			if err := os.WriteFile(s.file("qmanager/QMANAGER"), []byte("rubbish"), 0o600); err != nil {
				t.Fatal(err)
			}
			s.refuses(s.m.Verify(s.ctx, s.m.ownRef()), engine.ErrDamaged)
			if s.m.State() != EndedPreemptively || s.m.Engine() != nil {
				t.Fatal(kind, s.m.State())
			}
			if !slices.Contains(s.told(0), "AMQ7472") {
				t.Error(s.told(0))
			}
			if deleted {
				s.must(os.Remove(s.file("qmanager/QMANAGER")))
			}
			s.reopen()
			done, err := s.m.Start(s.ctx)
			if kind == extents.Circular {
				s.refuses(err, engine.ErrNotRecoverable)
				s.says(err, "AMQ7472")
				continue
			}
			s.must(err)
			if !slices.Contains(done.Rebuilt, s.m.ownRef()) {
				t.Error(done.Rebuilt)
			}
			s.holds("Q", "kept")
			s.end()
		}
	}
}

// b, by a checkpoint that finds it.
func TestManagerObjectDamagedAtACheckpoint(t *testing.T) {
	s := ready(t, extents.Linear)
	s.must(s.m.AlterManager(s.ctx, map[string]string{"DESCR": "changed"}))
	s.must(os.Remove(s.file("qmanager/QMANAGER")))
	_ = s.m.Checkpoint(s.ctx) // whether it says so is not the point
	if s.m.State() != EndedPreemptively {
		t.Fatal(s.m.State())
	}
	s.start()
	if got := s.m.Attributes()["DESCR"]; got != "changed" {
		t.Error(got)
	}
}

// c: the queue manager object is damaged at the start.
func TestManagerObjectDamagedAtStart(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		s.end()
		s.must(os.Remove(s.file("qmanager/QMANAGER")))
		_, err := s.m.Start(s.ctx)
		if kind == extents.Circular {
			if err == nil {
				t.Error("it starts")
			}
			continue
		}
		s.must(err)
		s.holds("Q", "kept")
	}
}

// d: a local queue with uncommitted work is damaged at the start. Linear: it is
// made anew; circular: it is damaged, its uncommitted work ignored, AMQ7472.
func TestQueueWithWorkDamagedAtStart(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		u, err := s.m.Begin("APP")
		s.must(err)
		_, err = u.Put(s.ctx, "Q", text("uncommitted"))
		s.must(err)
		s.must(s.m.Force(s.ctx))
		s.must(s.m.Checkpoint(s.ctx))
		s.must(s.m.Crash())
		s.must(os.WriteFile(s.file("queues/Q/q"), []byte("rubbish"), 0o600))
		n := len(s.told(0))
		done := s.start()
		if !slices.Contains(s.told(n), "AMQ7472") {
			t.Error(kind, s.told(n))
		}
		if kind == extents.Linear {
			if !slices.Equal(done.Rebuilt, []engine.Ref{queueRef("Q")}) {
				t.Error(done)
			}
			s.holds("Q", "kept")
			continue
		}
		if !slices.Equal(done.Damaged, []engine.Ref{queueRef("Q")}) {
			t.Error(done)
		}
		_, err = s.m.Get(s.ctx, "Q")
		s.reason(err, ObjectDamaged)
		s.must(s.m.DeleteObject(s.ctx, queueRef("Q"), true))
		s.define("Q")
		s.put("Q", "new")
		s.end()
	}
}

// e and f: a single object is damaged, or its file deleted, while the queue
// manager runs: it goes on; linear: rcrmqobj; circular: delete and define.
func TestSingleObjectDamagedRunning(t *testing.T) {
	breaks := map[string]func(*station){
		"flipped bytes": func(s *station) { s.must(os.WriteFile(s.file("queues/Q/q"), []byte("rubbish"), 0o600)) },
		"rm":            func(s *station) { s.must(os.Remove(s.file("queues/Q/q"))) },
		"directory": func(s *station) {
			s.must(os.Remove(s.file("queues/Q/q")))
			s.must(os.Mkdir(s.file("queues/Q/q"), 0o700))
		},
	}
	for name, damage := range breaks {
		for _, kind := range kinds {
			t.Run(name+string(kind), func(t *testing.T) {
				s := ready(t, kind)
				s.must(s.m.Checkpoint(s.ctx))
				damage(s)
				s.put("Q", "later") // nobody has noticed
				err := s.m.Verify(s.ctx, queueRef("Q"))
				s.refuses(err, engine.ErrDamaged)
				_, err = s.m.Put(s.ctx, "Q", text("x"))
				s.reason(err, ObjectDamaged)
				if s.m.State() != Running || !slices.Contains(s.told(0), "AMQ7472") {
					t.Error(s.m.State(), s.told(0))
				}
				if name == "directory" {
					s.must(os.Remove(s.file("queues/Q/q"))) // who has put it there takes it away
				}
				got, err := s.m.Recreate(s.ctx, Selection{"queue", "Q"})
				if kind == extents.Circular {
					s.says(err, "AMQ7044")
					s.must(s.m.DeleteObject(s.ctx, queueRef("Q"), true))
					s.define("Q")
					return
				}
				s.must(err)
				if len(got) != 1 || got[0].Outcome != Recreated || got[0].Err != nil {
					t.Errorf("%+v", got)
				}
				s.holds("Q", "kept", "later")
				s.end()
				s.start()
				s.holds("Q", "kept", "later")
			})
		}
	}
}

// g: an extent that media recovery needs is missing: AMQ6767. Put back with all
// later ones, the same command works.
func TestExtentMissingForMediaRecovery(t *testing.T) {
	s := ready(t, extents.Linear)
	for range 100 {
		s.put("Q", long(10_000))
	}
	s.must(s.m.Checkpoint(s.ctx))
	restart, media := s.watermarks()
	if restart == media {
		t.Fatal(restart, media)
	}
	content, err := os.ReadFile(s.extent(media))
	s.must(err)
	s.must(os.Remove(s.extent(media)))
	s.must(s.m.Damage(s.ctx, queueRef("Q")))
	got, err := s.m.Recreate(s.ctx, Selection{"all", "*"})
	s.says(err, "AMQ6767")
	s.refuses(err, ErrNoImage)
	if len(got) != 1 || got[0].Outcome != NoImage {
		t.Errorf("%+v", got)
	}
	if last := s.errorLog(); !strings.Contains(last[len(last)-1], media) {
		t.Error(last[len(last)-1])
	}
	s.must(os.WriteFile(s.extent(media), content, 0o600))
	if _, err = s.m.Recreate(s.ctx, Selection{"all", "*"}); err != nil {
		t.Fatal(err)
	}
	if depth, err := s.m.Depth("Q"); err != nil || depth != 101 {
		t.Error(depth, err)
	}
}

// h and n: needed extents are deleted while the queue manager runs: it runs on,
// ends cleanly and does not start (SEED 7.3); copied back, it starts with all
// messages.
func TestNeededExtentDeletedRunning(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := ready(t, kind)
			u, err := s.m.Begin("APP")
			s.must(err)
			_, err = u.Put(s.ctx, "Q", text("in doubt"))
			s.must(err)
			s.must(u.Prepare(s.ctx, []byte("x")))
			for range 40 {
				s.put("Q", long(10_000))
			}
			s.must(s.m.Checkpoint(s.ctx))
			// The first extent is needed for the prepared unit of work.
			first := "S0000000.LOG"
			content, err := os.ReadFile(s.extent(first))
			s.must(err)
			s.must(os.Remove(s.extent(first)))
			s.put("Q", "after the deletion")
			s.end()
			if s.m.State() != EndedImmediately {
				t.Error(s.m.State())
			}
			s.reopen()
			_, err = s.m.Start(s.ctx)
			s.says(err, "AMQ7017")
			// Again: nothing has been made in its place (IT24871).
			if _, err := os.Stat(s.extent(first)); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			_, err = s.m.Start(s.ctx)
			s.says(err, "AMQ7017")
			if !slices.Contains(s.told(0), "AMQ7017") {
				t.Error(s.told(0))
			}
			s.must(os.WriteFile(s.extent(first), content, 0o600))
			done := s.start()
			if len(done.InDoubt) != 1 {
				t.Error(done)
			}
			if depth, err := s.m.Depth("Q"); err != nil || depth != 42 {
				t.Error(depth, err)
			}
		})
	}
}

// h: flipped bytes in an extent that a restart needs.
func TestRestartExtentDamaged(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		for range 10 {
			s.put("Q", long(10_000))
		}
		s.must(s.m.Crash())
		name := s.extent("S0000000.LOG")
		content, err := os.ReadFile(name)
		s.must(err)
		broken := slices.Clone(content)
		broken[bytes.Index(broken, []byte(long(100)))+5000] ^= 0x40
		s.must(os.WriteFile(name, broken, 0o600))
		_, err = s.m.Start(s.ctx)
		s.says(err, "AMQ7017")
		s.must(os.WriteFile(name, content, 0o600))
		s.start()
		if depth, err := s.m.Depth("Q"); err != nil || depth != 11 {
			t.Error(depth, err)
		}
	}
}

// i: automatic media recovery fails at the start: no start; the backup of data
// and log together starts.
func TestAutomaticMediaRecoveryFails(t *testing.T) {
	s := ready(t, extents.Linear)
	s.end()
	backup := t.TempDir()
	copyTree(t, filepath.Join(s.root, "var"), filepath.Join(backup, "var"))
	s.start()
	for range 100 {
		s.put("Q", long(10_000))
	}
	u, err := s.m.Begin("APP")
	s.must(err)
	_, err = u.Put(s.ctx, "Q", text("uncommitted"))
	s.must(err)
	s.must(s.m.Checkpoint(s.ctx))
	s.must(s.m.Crash())
	_, media := s.watermarks()
	s.must(os.Remove(s.extent(media)))
	s.must(os.Remove(s.file("queues/Q/q")))
	_, err = s.m.Start(s.ctx)
	s.says(err, "AMQ6767")
	restoreTree(t, filepath.Join(backup, "var"), filepath.Join(s.root, "var"))
	s.reopen()
	s.start()
	s.holds("Q", "kept")
}

// j: the directory structure is broken: no start, and the folder is named; with
// everything restored from a backup it starts.
func TestDirectoryStructureBroken(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		s.end()
		backup := t.TempDir()
		copyTree(t, filepath.Join(s.root, "var"), filepath.Join(backup, "var"))
		// An empty folder counts too (SEED 7.4.1).
		s.must(os.RemoveAll(s.file("startprm")))
		_, err := s.m.Start(s.ctx)
		var missing *engine.FileError
		if !errors.As(err, &missing) || !strings.Contains(missing.Name, "startprm") || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
		s.must(os.RemoveAll(filepath.Join(s.root, s.m.LogDir())))
		s.must(os.Mkdir(s.file("startprm"), 0o700))
		_, err = s.m.Start(s.ctx)
		s.says(err, "AMQ7017")
		restoreTree(t, filepath.Join(backup, "var"), filepath.Join(s.root, "var"))
		s.reopen()
		s.start()
		s.holds("Q", "kept")
	}
}

// k: the data are lost and the structure was made again, the log is fine:
// linear starts, and rcrmqobj brings everything back but channels.
func TestDataLost(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Channel, Name: "TO.B"}, map[string]string{"CHLTYPE": "SDR"}))
		s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Process, Name: "P"}, nil))
		s.must(s.m.Checkpoint(s.ctx))
		s.must(s.m.Crash())
		for _, folder := range []string{"queues", "procdef", "channel", "namelist", "qmanager", "topic"} {
			s.must(os.RemoveAll(s.file(folder)))
			s.must(os.Mkdir(s.file(folder), 0o700))
		}
		_, err := s.m.Start(s.ctx)
		if kind == extents.Circular {
			if err == nil {
				t.Error("it starts without its own object")
			}
			continue
		}
		s.must(err)
		got, err := s.m.Recreate(s.ctx, Selection{"all", "*"})
		s.must(err)
		if len(got) < 60 {
			t.Error(len(got))
		}
		s.holds("Q", "kept")
		channel, err := s.m.Object(engine.Ref{Kind: objects.Channel, Name: "TO.B"})
		if err != nil || !channel.Damaged {
			t.Error(channel, err)
		}
		if one, err := s.m.Recreate(s.ctx, Selection{"channel", "TO.B"}); err != nil || one[0].Outcome != NotRecoverable {
			t.Error(one, err)
		}
		s.end()
	}
}

// l: data restored from a backup, current undamaged logs kept, on linear: the
// start rolls forward to the newest state.
func TestDataRestoredLogsKept(t *testing.T) {
	s := ready(t, extents.Linear)
	s.define("GONE")
	s.end()
	restartThen, _ := s.watermarks() // what the backup needs of the log
	backup := t.TempDir()
	copyTree(t, filepath.Join(s.root, s.m.DataDir()), filepath.Join(backup, "data"))
	for round := range 3 {
		s.start()
		for range 30 {
			s.put("Q", long(10_000))
		}
		s.define("NEW" + string(rune('A'+round)))
		s.put("NEW"+string(rune('A'+round)), "new")
		if round == 1 {
			s.must(s.m.DeleteObject(s.ctx, queueRef("GONE"), true))
		}
		s.must(s.m.Checkpoint(s.ctx))
		s.end()
	}
	restoreTree(t, filepath.Join(backup, "data"), filepath.Join(s.root, s.m.DataDir()))
	s.reopen()
	done := s.start()
	if extent, _ := s.m.owner.log.Extent(done.From.LSN); extent != restartThen {
		t.Errorf("read from %s, the backup noted %s", extent, restartThen)
	}
	if depth, err := s.m.Depth("Q"); err != nil || depth != 91 {
		t.Error(depth, err)
	}
	for _, name := range []string{"NEWA", "NEWB", "NEWC"} {
		s.holds(name, "new")
	}
	if _, err := s.m.Object(queueRef("GONE")); !errors.Is(err, engine.ErrNoObject) {
		t.Error(err)
	}
	s.end()

	// Without the extent that it needs first, it does not start.
	restoreTree(t, filepath.Join(backup, "data"), filepath.Join(s.root, s.m.DataDir()))
	s.must(os.Remove(s.extent(restartThen)))
	s.reopen()
	_, err := s.m.Start(s.ctx)
	s.says(err, "AMQ7017")
}

// m: data and log of different ages, data newer: refused. So it is on a circular
// log with data that are older, once the ring has gone over what they need.
func TestDifferentAgesRefused(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		s.end()
		backup := t.TempDir()
		copyTree(t, filepath.Join(s.root, s.m.DataDir()), filepath.Join(backup, "data"))
		copyTree(t, filepath.Join(s.root, s.m.LogDir()), filepath.Join(backup, "log"))
		s.start()
		for range 300 {
			s.put("Q", long(10_000))
		}
		s.end()
		newer := t.TempDir()
		copyTree(t, filepath.Join(s.root, s.m.LogDir()), filepath.Join(newer, "log"))
		restoreTree(t, filepath.Join(backup, "log"), filepath.Join(s.root, s.m.LogDir()))
		s.reopen()
		_, err := s.m.Start(s.ctx)
		s.says(err, "AMQ7017")
		if kind == extents.Circular {
			restoreTree(t, filepath.Join(newer, "log"), filepath.Join(s.root, s.m.LogDir()))
			restoreTree(t, filepath.Join(backup, "data"), filepath.Join(s.root, s.m.DataDir()))
			s.reopen()
			_, err = s.m.Start(s.ctx)
			s.says(err, "AMQ7017")
		}
		// Both of the same time: it starts.
		restoreTree(t, filepath.Join(backup, "log"), filepath.Join(s.root, s.m.LogDir()))
		restoreTree(t, filepath.Join(backup, "data"), filepath.Join(s.root, s.m.DataDir()))
		s.reopen()
		s.start()
		s.holds("Q", "kept")
	}
}
