//go:build unix

package roster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/policies"
)

// A plugin is not started before the operator has locked it, then it is; a
// binary and a script alike.
func TestLockedPluginStarts(t *testing.T) {
	s := newSite(t)
	for name, version := range map[string]string{"tool": "2.0.0", "script": "1.0"} {
		path := s.path(name)
		if name == "tool" {
			s.binary(name)
		} else {
			s.script(name, version)
		}
		refused := s.refused(s.starts(name), NotLocked)
		if want := "mqhk plugin lock " + name; refused.Fix != want || !strings.Contains(refused.Error(), want) {
			t.Errorf("%v does not name %s", refused, want)
		}
		if e := s.state(name); e.State != NotLocked || e.Version != "" || e.Fix != refused.Fix {
			t.Errorf("before: %+v", e)
		}
		hash, err := host.Hash(path)
		s.must(err)
		want := Change{Name: name, Version: version, Protocol: 1, Platform: Platform(), SHA256: hash,
			File: path, LockFile: filepath.Join(s.Config, policies.LockName), Changed: true}
		if diff := cmp.Diff(want, s.lockIt(Locking{What: name})); diff != "" {
			t.Error(diff)
		}
		process, err := s.Start(t.Context(), name, nil)
		s.must(err)
		if process.SHA256() != hash || process.Describe().Version != version {
			t.Errorf("runs %s, version %s", process.SHA256(), process.Describe().Version)
		}
		s.must(process.Stop())
		wantEntry := Entry{Name: name, Version: version, Origin: path, SHA256: hash, State: Locked}
		if diff := cmp.Diff(wantEntry, s.state(name)); diff != "" {
			t.Error(diff)
		}
	}
}

// The built-in plugins are in no lock file.
func TestBuiltInNeedsNoLock(t *testing.T) {
	s := newSite(t)
	source, err := s.Source("journal")
	if diff := cmp.Diff(host.SelfExec("journal"), source); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// A file that changed after it was locked is not started; the message shows
// both hashes and the command that would allow it.
func TestChangedPluginIsNotStarted(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	before := s.lockIt(Locking{What: "fdc"})
	mark := filepath.Join(t.TempDir(), "ran")
	s.script("fdc", "1.0", "touch "+mark)
	refused := s.refused(s.starts("fdc"), Differs)
	now := s.state("fdc")
	for _, want := range []string{before.SHA256, now.SHA256, "mqhk plugin lock --replace fdc"} {
		if !strings.Contains(refused.Error(), want) {
			t.Errorf("%v does not name %s", refused, want)
		}
	}
	if now.State != Differs || now.Fix != refused.Fix || !strings.Contains(now.Why, before.SHA256) {
		t.Errorf("listed as %+v", now)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("it ran")
	}
}

// What a script calls can change though the script does not: then it says
// another version, and is not used.
func TestOtherVersionIsNotStarted(t *testing.T) {
	s := newSite(t)
	says := filepath.Join(t.TempDir(), "version")
	s.must(os.WriteFile(says, []byte("1.0"), 0o600))
	self, err := os.Executable()
	s.must(err)
	s.must(os.WriteFile(s.path("fdc"), []byte("#!/bin/sh\nexec '"+self+"' serve fdc \"$(cat "+says+")\"\n"), 0o755))
	s.lockIt(Locking{What: "fdc"})
	s.must(s.starts("fdc"))
	s.must(os.WriteFile(says, []byte("1.1"), 0o600))
	refused := s.refused(s.starts("fdc"), Differs)
	if !strings.Contains(refused.Why, `"1.1"`) || !strings.Contains(refused.Why, `"1.0"`) {
		t.Errorf("got %v", refused)
	}
}

// A plugin that says another name than its file's is not what was meant.
func TestPluginOfAnotherName(t *testing.T) {
	s := newSite(t)
	s.writeScript(s.path("fdc"), "journal", "1.0")
	if _, err := s.Lock(t.Context(), Locking{What: "fdc"}); !errors.As(err, new(*host.StartError)) {
		t.Errorf("got %v", err)
	}
	if text := s.lockText(); text != "" {
		t.Errorf("locked:\n%s", text)
	}
}

// A link is run as what it leads to; that is what was hashed.
func TestLinkedPlugin(t *testing.T) {
	s := newSite(t)
	target := filepath.Join(t.TempDir(), "fdc-1.0")
	s.writeScript(target, "fdc", "1.0")
	s.must(os.Symlink(target, s.path("fdc")))
	s.lockIt(Locking{What: "fdc"})
	s.must(s.starts("fdc"))
	s.must(os.Remove(s.path("fdc")))
	s.must(os.Symlink("/bin/sh", s.path("fdc")))
	s.refused(s.starts("fdc"), Differs)
}

// A directory that everybody may write holds no plugin that is started, not
// even a sticky one.
func TestDirectoryOfEverybody(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	s.must(os.Chmod(s.Settings.Directory, os.ModeSticky|0o777))
	refused := s.refused(s.starts("fdc"), Writable)
	if !strings.Contains(refused.Why, s.Settings.Directory) {
		t.Errorf("got %v", refused)
	}
	if e := s.state("fdc"); e.State != Writable {
		t.Errorf("listed as %+v", e)
	}
	parent := filepath.Dir(s.Settings.Directory)
	s.must(os.Chmod(s.Settings.Directory, 0o755))
	s.must(os.Chmod(parent, 0o777)) // the directory could be put aside
	s.refused(s.starts("fdc"), Writable)
	s.must(os.Chmod(parent, os.ModeSticky|0o777)) // not any more: the bit keeps it
	s.must(s.starts("fdc"))
}

// A lock file that everybody may write, or with a mistake, or cut in half,
// allows nothing; what it was about is listed with the reason.
func TestUnsoundLock(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	file := filepath.Join(s.Config, policies.LockName)
	whole := s.lockText()
	s.must(os.Chmod(file, 0o646))
	s.unsound("every user may write")
	s.must(os.Chmod(file, 0o644))
	s.must(os.Chmod(s.Config, 0o777))
	s.unsound("every user may write")
	s.must(os.Chmod(s.Config, 0o755))
	s.must(s.starts("fdc"))
	s.must(os.WriteFile(file, []byte(whole[:len(whole)/2]), 0o600))
	s.unsound("")
	s.must(os.WriteFile(file, []byte(whole+whole[strings.Index(whole, `plugin "`):]), 0o600))
	s.unsound("plugin locked twice")
}

// unsound checks that nothing is started, locked or changed under the lock.
func (s *site) unsound(why string) {
	s.Helper()
	before := s.lockText()
	list, err := s.List()
	var mistakes policies.Diagnostics
	if !errors.As(err, &mistakes) || !strings.Contains(err.Error(), why) || len(list) != 1 || list[0].State != Broken {
		s.Errorf("listed as %+v with %v", list, err)
	}
	if err := s.starts("fdc"); !errors.As(err, &mistakes) {
		s.Errorf("starting: %v", err)
	}
	if _, err := s.Lock(s.Context(), Locking{What: "fdc", Replace: true}); !errors.As(err, &mistakes) {
		s.Errorf("locking: %v", err)
	}
	if s.lockText() != before {
		s.Error("the lock file was changed")
	}
}

// Where there is no configuration there is nothing to allow a plugin with.
func TestNoConfiguration(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.Config = ""
	s.refused(s.starts("fdc"), NotLocked)
	if e := s.state("fdc"); e.State != NotLocked || e.Fix != "" {
		t.Errorf("listed as %+v", e)
	}
	if _, err := s.Lock(t.Context(), Locking{What: "fdc"}); !errors.Is(err, ErrNoConfiguration) {
		t.Errorf("locking: %v", err)
	}
}

// What is locked and not there is listed, and so is a lock without any
// directory.
func TestLockedAndMissing(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	s.must(os.Remove(s.path("fdc")))
	s.refused(s.starts("fdc"), Missing)
	if e := s.state("fdc"); e.State != Missing || e.Version != "1.0" || !strings.Contains(e.Why, s.path("fdc")) {
		t.Errorf("listed as %+v", e)
	}
	s.must(os.RemoveAll(s.Settings.Directory))
	s.refused(s.starts("fdc"), Missing)
	s.Settings.Directory = ""
	if refused := s.refused(s.starts("fdc"), Missing); !strings.Contains(refused.Why, "directory = ") {
		t.Errorf("got %v", refused)
	}
	if e := s.state("fdc"); e.State != Missing {
		t.Errorf("listed as %+v", e)
	}
}

// Taking an entry back holds from the next start on.
func TestTakenBack(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	s.must(s.starts("fdc"))
	s.must(os.Remove(filepath.Join(s.Config, policies.LockName)))
	s.refused(s.starts("fdc"), NotLocked)
}

// A command that allows something is one that can be copied as it is.
func TestCommandCanBeCopied(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.Command = []string{"mqhk", "--config", "/etc/our site"}
	if refused := s.refused(s.starts("fdc"), NotLocked); refused.Fix != "mqhk --config '/etc/our site' plugin lock fdc" {
		t.Errorf("got %s", refused.Fix)
	}
	s.Command[2] = "a\nb"
	if refused := s.refused(s.starts("fdc"), NotLocked); refused.Fix != "" {
		t.Errorf("got %s", refused.Fix)
	}
}
