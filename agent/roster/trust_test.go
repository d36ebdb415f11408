//go:build unix

package roster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/policies"
)

// stranger is a user that nobody here is.
const stranger = 1234567

// Who owns a file, what stands above it, or a link on the way, decides what is
// run and what is allowed: that is root or this user.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away; TestWalk shows the rule")
	}
	s := newSite(t)
	target := filepath.Join(t.TempDir(), "fdc-1.0")
	s.writeScript(target, "fdc", "1.0")
	s.must(os.Symlink(target, s.path("fdc")))
	s.lockIt(Locking{What: "fdc"})
	s.must(s.starts("fdc"))
	lockFile := filepath.Join(s.Config, policies.LockName)
	for path, ofLock := range map[string]bool{
		target: false, s.path("fdc"): false, filepath.Dir(target): false, s.Settings.Directory: false, filepath.Dir(s.Settings.Directory): false,
		lockFile: true, s.Config: true, filepath.Dir(s.Config): true,
	} {
		s.must(os.Lchown(path, stranger, -1))
		if ofLock {
			s.unsound(path + " belongs to user 1234567")
		} else {
			refused := s.refused(s.starts("fdc"), Foreign)
			if !strings.HasPrefix(refused.Why, path+" belongs to user 1234567") || refused.Fix != "" {
				t.Errorf("%s: %v", path, refused)
			}
			if e := s.state("fdc"); e.State != Foreign || e.Why != refused.Why {
				t.Errorf("listed as %+v", e)
			}
			s.refused(s.lockFails(Locking{What: "fdc", Replace: true}), Foreign)
		}
		s.must(os.Lchown(path, 0, -1))
	}
	s.must(s.starts("fdc"))
}

// In another's directory there is nothing to lock with: the plugin is not even
// started to learn its version.
func TestNothingIsLockedInAnothersDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	s := newSite(t)
	ran := filepath.Join(t.TempDir(), "ran")
	s.script("fdc", "1.0", "touch "+ran)
	s.must(os.Chown(s.Config, stranger, -1))
	s.refused(s.lockFails(Locking{What: "fdc"}), Foreign)
	if _, err := os.Stat(ran); err == nil || s.lockText() != "" {
		t.Error("it ran, or was locked")
	}
}

// The rule itself, with owners that are made up: root and this user are
// trusted, a group is, everybody is not, and /tmp is where what we put stays.
func TestWalk(t *testing.T) {
	const self = 4711
	base, err := filepath.EvalSymlinks(t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	in := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	must(os.MkdirAll(in("tmp", "ours"), 0o755))
	must(writeMode(in("tmp", "ours", "file"), 0o755))
	must(os.Symlink("ours", in("tmp", "link")))
	must(os.Symlink("../link/file", in("tmp", "ours", "relative")))
	must(os.Symlink("loop", in("tmp", "loop")))
	for _, test := range []struct {
		name   string
		path   string
		owners map[string]int // of paths; others are this user's or root's
		modes  map[string]fs.FileMode
		want   State
		why    string
	}{
		{name: "ours", path: "ours/file"},
		{name: "root's", path: "ours/file", owners: map[string]int{"tmp/ours": 0, "tmp/ours/file": 0}},
		{name: "its group's", path: "ours/file", modes: map[string]fs.FileMode{"tmp/ours": 0o775, "tmp/ours/file": 0o775}},
		{name: "not there yet", path: "ours/new"},
		{name: "not there, its directory another's", path: "ours/new", owners: map[string]int{"tmp/ours": stranger}, want: Foreign, why: "tmp/ours belongs"},
		{name: "the file is another's", path: "ours/file", owners: map[string]int{"tmp/ours/file": stranger}, want: Foreign, why: "tmp/ours/file belongs to user 1234567"},
		{name: "its directory is", path: "ours/file", owners: map[string]int{"tmp/ours": stranger}, want: Foreign, why: "tmp/ours belongs"},
		{name: "the one above is", path: "ours/file", owners: map[string]int{"tmp": stranger}, want: Foreign, why: "tmp belongs"},
		{name: "under /tmp", path: "ours/file", owners: map[string]int{"tmp": 0}, modes: map[string]fs.FileMode{"tmp": fs.ModeSticky | 0o777}},
		{name: "another's under /tmp", path: "ours/file", owners: map[string]int{"tmp": 0, "tmp/ours": stranger}, modes: map[string]fs.FileMode{"tmp": fs.ModeSticky | 0o777}, want: Foreign, why: "tmp/ours belongs"},
		{name: "under another's /tmp", path: "ours/file", owners: map[string]int{"tmp": stranger}, modes: map[string]fs.FileMode{"tmp": fs.ModeSticky | 0o777}, want: Foreign, why: "tmp belongs"},
		{name: "everybody's and not sticky", path: "ours/file", modes: map[string]fs.FileMode{"tmp": 0o777}, want: Writable, why: "every user may write " + in("tmp")},
		{name: "in /tmp itself", path: "link", modes: map[string]fs.FileMode{"tmp": fs.ModeSticky | 0o777}, want: Writable, why: "tmp: chmod"},
		{name: "by a link", path: "link/file"},
		{name: "by another's link", path: "link/file", owners: map[string]int{"tmp/link": stranger}, want: Foreign, why: "tmp/link belongs"},
		{name: "by a link to another's directory", path: "link/file", owners: map[string]int{"tmp/ours": stranger}, want: Foreign, why: "tmp/ours belongs"},
		{name: "by links with ..", path: "ours/relative"},
		{name: "by another's link behind a link", path: "ours/relative", owners: map[string]int{"tmp/link": stranger}, want: Foreign, why: "tmp/link belongs"},
		{name: "in a circle", path: "loop", want: Broken, why: "too many links"},
	} {
		t.Run(test.name, func(t *testing.T) {
			of := make(map[fs.FileInfo]int)
			w := walk{self: self, links: maxLinks, look: func(path string) (fs.FileInfo, error) {
				info, err := os.Lstat(path)
				if err != nil {
					return nil, err
				}
				name, _ := filepath.Rel(base, path)
				seen := &pretended{FileInfo: info, mode: info.Mode()}
				if mode, ok := test.modes[name]; ok {
					seen.mode = info.Mode().Type() | mode
				}
				if strings.HasPrefix(name, "..") || name == "." { // what the test lies in does not matter
					seen.mode = fs.ModeDir | 0o755
				} else {
					of[seen] = self
				}
				if owner, ok := test.owners[name]; ok {
					of[seen] = owner
				}
				return seen, nil
			}, owner: func(info fs.FileInfo) (int, bool) { return of[info], true }}
			state, why := w.along(in("tmp", test.path), 0)
			if state != test.want || !strings.Contains(why, test.why) || (state == "") != (why == "") {
				t.Errorf("%q: %s", state, why)
			}
		})
	}
}

// pretended is a file with another mode.
type pretended struct {
	fs.FileInfo
	mode fs.FileMode
}

func (p *pretended) Mode() fs.FileMode { return p.mode }

// A program in the working directory is never a plugin, whatever it is called:
// not where the configuration names no directory, nor beside one that it names.
func TestNothingIsStartedFromTheWorkingDirectory(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	ran := filepath.Join(t.TempDir(), "ran")
	here := t.TempDir()
	lay := func(path string) { s.writeScript(path, "fdc", "1.0", "touch "+ran) }
	for _, name := range []string{"fdc", prefix + "fdc", prefix + "journal"} {
		lay(filepath.Join(here, name))
	}
	t.Chdir(here)
	t.Setenv("PATH", here+string(os.PathListSeparator)+".")
	s.must(os.Remove(s.path("fdc"))) // only the one here is left
	directory := s.Settings.Directory
	for _, s.Settings.Directory = range []string{directory, ""} {
		s.refused(s.starts("fdc"), Missing)
		s.refused(s.lockFails(Locking{What: "fdc", Replace: true}), Missing)
		list, err := s.List()
		s.must(err)
		if len(list) != 1 || list[0].State != Missing {
			t.Errorf("with directory %q: %+v", s.Settings.Directory, list)
		}
	}
	if source, err := s.Source("journal"); err != nil || source.Path != host.SelfExec("journal").Path {
		t.Errorf("journal is %+v, %v", source, err)
	}
	if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
		t.Error("one of the working directory ran")
	}
}
