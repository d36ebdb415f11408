//go:build unix && !aix

package qmgr

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// Whatever of a stranger stands under the name of the next extent, nothing waits
// for it, nothing is written to it or through it, the queue manager ends and starts
// again, and goes on when it is away.
func TestStrangersUnderTheNameOfTheNextExtent(t *testing.T) {
	for name, put := range map[string]func(s *station, at, outside string) error{
		"pipe":          func(_ *station, at, _ string) error { return syscall.Mkfifo(at, 0o600) },
		"folder":        func(_ *station, at, _ string) error { return os.Mkdir(at, 0o700) },
		"link":          func(_ *station, at, outside string) error { return os.Symlink(outside, at) },
		"dangling link": func(_ *station, at, outside string) error { return os.Symlink(outside+".none", at) },
		"link to an empty file of the right length": func(_ *station, at, outside string) error {
			if err := os.Truncate(outside, 66*4096); err != nil {
				return err
			}
			if err := os.WriteFile(outside, make([]byte, 66*4096), 0o600); err != nil {
				return err
			}
			return os.Symlink(outside, at)
		},
		"another log's": func(_ *station, at, _ string) error {
			other := onDisk(t, Spec{Log: small(extents.Linear, extents.Manual)})
			other.start()
			content, err := os.ReadFile(other.extent("S0000000.LOG"))
			other.must(err)
			return os.WriteFile(at, content, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := onDisk(t, Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 3, Secondary: 20, FilePages: 64}})
			s.start()
			s.define("Q")
			outside := filepath.Join(t.TempDir(), "p")
			s.must(os.WriteFile(outside, []byte("somebody's"), 0o600))
			at := s.extent("S0000004.LOG")
			s.must(put(s, at, outside))
			before, err := os.ReadFile(outside)
			s.must(err)
			info, err := os.Lstat(at)
			s.must(err)
			for range 40 {
				if _, err = s.m.Put(s.ctx, "Q", text(long(60_000))); err != nil {
					break
				}
			}
			s.reason(err, ResourceProblem)
			s.clock.advance(time.Hour)
			s.must(s.m.Tick(s.ctx))
			s.end()
			s.reopen()
			s.start()
			if after, err := os.ReadFile(outside); err != nil || string(after) != string(before) {
				t.Errorf("what is outside was written: %d bytes, %v", len(after), err)
			}
			if now, err := os.Lstat(at); err != nil || !os.SameFile(now, info) || now.ModTime() != info.ModTime() {
				t.Errorf("it is another file: %v", err)
			}
			s.must(os.RemoveAll(at))
			s.must(s.m.Checkpoint(s.ctx))
			for range 10 {
				s.put("Q", long(60_000))
			}
		})
	}
}

// What strangers leave in the folders of the log is nothing that a start looks at.
func TestStrangersInTheFoldersOfTheLog(t *testing.T) {
	s := onDisk(t, Spec{Log: small(extents.Linear, extents.Manual)})
	for _, folder := range []string{s.extent(""), filepath.Dir(s.extent(""))} {
		folder = strings.TrimSuffix(folder, "/")
		s.must(os.Symlink("/nowhere/at/all", filepath.Join(folder, "link")))
		s.must(os.WriteFile(filepath.Join(folder, "notes"), nil, 0))
		s.must(syscall.Mkfifo(filepath.Join(folder, "pipe"), 0))
	}
	s.must(os.Symlink("/nowhere/at/all", s.extent("S0000500.LOG")))
	s.must(os.Symlink("/nowhere/at/all", s.file("link")))
	s.start()
	s.define("Q")
	s.put("Q", "kept")
	s.end()
	s.start()
	s.holds("Q", "kept")
}
