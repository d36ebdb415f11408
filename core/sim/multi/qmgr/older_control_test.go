package qmgr

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// work puts and gets, so that the log goes on by some extents, and takes
// checkpoints in between. It gives what a queue holds then.
func (s *station) goOn(rounds int) {
	s.Helper()
	for range rounds {
		s.put("Q", long(60_000))
		s.put("LOAD", long(60_000))
		_, err := s.m.Get(s.ctx, "LOAD")
		s.must(err)
		s.clock.advance(time.Minute)
		s.must(s.m.Tick(s.ctx))
	}
}

// A log control file of an earlier hour, after a crash, takes no message from
// anybody: the extents that were begun since are found by their headers, in a
// ring too, whose files are written again; or the start says AMQ7017.
func TestControlFileOfAnEarlierHour(t *testing.T) {
	for _, kind := range kinds {
		for _, rounds := range []int{1, 4, 8, 12, 16, 40} {
			settings := extents.Settings{Kind: kind, Primary: 6, Secondary: 4, FilePages: 64}
			s := inMemory(t, Spec{Log: settings})
			s.start()
			s.define("Q", "LOAD")
			s.goOn(5)
			control := s.m.LogDir() + "/" + extents.ControlName
			old, err := s.crash.Contents(control)
			s.must(err)
			s.goOn(rounds)
			s.must(s.m.Crash())
			s.crash.Put(control, old)
			s.reopen()
			s.start()
			if depth, err := s.m.Depth("Q"); err != nil || depth != 5+rounds {
				t.Errorf("%s, %d rounds: %d messages of %d, %v", kind, rounds, depth, 5+rounds, err)
			}
			s.goOn(12) // nothing is written over what the next start needs
			s.must(s.m.Crash())
			s.reopen()
			s.start()
			if depth, err := s.m.Depth("Q"); err != nil || depth != 17+rounds {
				t.Errorf("%s, %d rounds: %d messages of %d at the next start, %v", kind, rounds, depth, 17+rounds, err)
			}
		}
	}
}

// With an extent missing between what such a file lists and the end of the log
// there is no start, and it says which; put back, it starts with all messages.
func TestControlFileOfAnEarlierHourWithAGap(t *testing.T) {
	for _, kind := range kinds {
		s := inMemory(t, Spec{Log: extents.Settings{Kind: kind, Primary: 20, Secondary: 4, FilePages: 64}})
		s.start()
		s.define("Q", "LOAD")
		s.goOn(5)
		control := s.m.LogDir() + "/" + extents.ControlName
		old, err := s.crash.Contents(control)
		s.must(err)
		listed := s.m.owner.log.Current()
		u, err := s.m.Begin("LONG") // the restart goes back to here
		s.must(err)
		_, err = u.Put(s.ctx, "Q", text("uncommitted"))
		s.must(err)
		s.goOn(8)
		all := s.m.owner.log.Segments()
		gone := all[len(all)-2].Name
		if strings.HasSuffix(gone, listed) {
			t.Fatal("the log did not go on")
		}
		s.must(s.m.Crash())
		content, err := s.crash.Contents(gone)
		s.must(err)
		s.must(s.crash.Remove(gone))
		s.crash.Put(control, old)
		s.reopen()
		_, err = s.m.Start(s.ctx)
		s.says(err, "AMQ7017")
		if kind == extents.Linear && !strings.Contains(err.Error(), gone[strings.LastIndex(gone, "/")+1:]) {
			t.Errorf("%v does not name %s", err, gone)
		}
		s.crash.Put(gone, content)
		s.reopen()
		s.start()
		if depth, err := s.m.Depth("Q"); err != nil || depth != 13 {
			t.Errorf("%s: %d messages, %v", kind, depth, err)
		}
	}
}

// What has the name of the next extent and is not the log's stays as it is:
// applications get 2102, time goes on, the error log names the file once, and the
// queue manager ends cleanly. When the file is away, work goes on.
func TestNameOfTheNextExtentIsTaken(t *testing.T) {
	for name, content := range map[string]string{"note": "some note", "long": strings.Repeat("junk", 1300)} {
		s := inMemory(t, Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 3, Secondary: 20, FilePages: 64}})
		s.start()
		s.define("Q")
		taken := s.m.LogDir() + "/active/S0000004.LOG"
		s.crash.Put(taken, []byte(content))
		n := len(s.told(0))
		var err error
		for range 40 {
			if _, err = s.m.Put(s.ctx, "Q", text(long(60_000))); err != nil {
				break
			}
		}
		s.reason(err, ResourceProblem)
		s.says(err, "AMQ6767")
		s.clock.advance(time.Hour)
		s.must(s.m.Tick(s.ctx))
		_, err = s.m.Put(s.ctx, "Q", text(long(60_000)))
		s.reason(err, ResourceProblem)
		if told := strings.Join(s.told(n), " "); strings.Count(told, "AMQ6767") != 1 {
			t.Errorf("%s: told %s", name, told)
		}
		depth, err := s.m.Depth("Q")
		s.must(err)
		s.end()
		if got, err := s.crash.Contents(taken); err != nil || string(got) != content {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		s.reopen()
		s.start()
		s.must(s.crash.Remove(taken))
		s.must(s.m.Checkpoint(s.ctx))
		for range 10 {
			s.put("Q", long(60_000))
		}
		if now, err := s.m.Depth("Q"); err != nil || now != depth+10 {
			t.Errorf("%s: %d messages, %v", name, now, err)
		}
		if _, err := s.crash.Contents(taken); errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the log did not go on", name)
		}
	}
}
