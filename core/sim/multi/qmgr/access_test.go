package qmgr

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// stranger is a file's owner that is not the queue manager's.
type stranger struct{ fs.FileInfo }

func (stranger) Sys() any { return ownedBySomebody }

// Files that are not as the queue manager made them keep it from starting, a
// process of root too: a restore has to keep permissions (SEED 7.4.1).
func TestPermissionsAreKept(t *testing.T) {
	s := ready(t, extents.Linear)
	s.end()
	for _, name := range []string{
		s.file("qm.ini"), s.file("amqalchk.fil"), s.file("queues/Q/q"), s.file("queues/Q"), s.file("ssl"), s.file("."),
		s.extent("S0000000.LOG"), filepath.Join(s.root, s.m.LogDir(), extents.ControlName), filepath.Join(s.root, s.m.LogDir(), "active"),
	} {
		info, err := os.Stat(name)
		s.must(err)
		s.must(os.Chmod(name, 0o400))
		_, err = s.m.Start(s.ctx)
		s.must(os.Chmod(name, info.Mode().Perm()))
		if !errors.Is(err, ErrAccess) && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.start()
	s.holds("Q", "kept")
	s.end()

	// Another owner, as root's restore leaves it.
	stat := s.m.site.Stat
	s.m.site.Stat = func(name string) (fs.FileInfo, error) {
		info, err := stat(name)
		if err == nil && filepath.Base(name) == "S0000000.LOG" {
			return stranger{info}, nil
		}
		return info, err
	}
	_, err := s.m.Start(s.ctx)
	if ownedBySomebody != nil {
		s.refuses(err, ErrAccess)
	}
	s.m.site.Stat = stat
	s.start()
	s.holds("Q", "kept")
}

// An estate that was moved belongs to who has moved it.
func TestMovedEstate(t *testing.T) {
	s := ready(t, extents.Linear)
	s.end()
	to := t.TempDir()
	copyTree(t, filepath.Join(s.root, "var"), filepath.Join(to, "var"))
	site := siteAt(to, s.clock, "")
	_, err := Open(site, "QM1", s.m.DataDir())
	if err == nil {
		t.Error("qm.ini names the folder where the estate was, and it opens")
	}
	ini := filepath.Join(to, s.m.path(configFile))
	content, err := os.ReadFile(ini)
	s.must(err)
	s.must(os.WriteFile(ini, bytes.ReplaceAll(content, []byte(s.root), []byte(to)), 0o600))
	m, err := Open(site, "QM1", s.m.DataDir())
	s.must(err)
	s.must(os.Rename(s.root, s.root+".old"))
	defer func() { s.must(os.Rename(s.root+".old", s.root)) }()
	_, err = m.Start(s.ctx)
	s.must(err)
	if got, want := m.LogPath(), to+"/var/mqm/log/QM1/active/"; got != want {
		t.Error(got)
	}
	s.must(m.End(s.ctx, EndOptions{Immediate: true}))
}

// A queue manager whose file sim.json is gone starts as one that has crashed.
func TestStateFileLost(t *testing.T) {
	s := ready(t, extents.Linear)
	s.end()
	s.must(os.Remove(s.file(stateFile)))
	s.reopen()
	if s.m.State() != EndedUnexpectedly {
		t.Error(s.m.State())
	}
	s.start()
	s.holds("Q", "kept")
	if s.m.Status().Started.IsZero() || s.m.Status().Started.Before(s.clock.read().Add(-time.Minute)) {
		t.Error(s.m.Status().Started)
	}
}
