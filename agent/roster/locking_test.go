//go:build unix

package roster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/policies"
)

// An entry that says something else stays, and both are shown, until a person
// says that it may go. The hashes for other systems go with another version,
// and stay with the same.
func TestLockReplaces(t *testing.T) {
	s := newSite(t)
	aix := filepath.Join(t.TempDir(), "mqhk-plugin-fdc")
	s.writeScript(aix, "fdc", "1.0", "# for aix")
	onAIX := Locking{What: aix, Platform: "aix/ppc64"}

	refused := s.lockFails(onAIX)
	s.refused(refused, NotLocked) // nobody knows its version yet
	s.script("fdc", "1.0")
	first := s.lockIt(Locking{What: "fdc"})
	other := s.lockIt(onAIX)
	if !other.Changed || other.Version != "1.0" || other.Elsewhere {
		t.Errorf("got %+v", other)
	}
	before := s.lockText()
	if again := s.lockIt(Locking{What: "fdc"}); again.Changed || s.lockText() != before {
		t.Errorf("locked twice: %+v", again)
	}

	s.script("fdc", "1.0", "# built anew")
	conflict := s.lockConflict(Locking{What: "fdc"})
	if want := "mqhk plugin lock --replace fdc"; conflict.Replacing != want {
		t.Errorf("got %q, want %q", conflict.Replacing, want)
	}
	if s.lockText() != before {
		t.Error("it was replaced silently")
	}
	anew := s.lockIt(Locking{What: "fdc", Replace: true})
	if !anew.Changed || anew.SHA256 == first.SHA256 || len(anew.Dropped) > 0 {
		t.Errorf("got %+v", anew)
	}

	s.script("fdc", "1.1")
	s.lockConflict(Locking{What: "fdc"})
	next := s.lockIt(Locking{What: "fdc", Replace: true})
	if !next.Changed || len(next.Dropped) != 1 || next.Dropped[0] != "aix/ppc64" {
		t.Errorf("got %+v", next)
	}
	s.must(s.starts("fdc"))
	s.writeScript(aix, "fdc", "1.1", "# for aix")
	s.lockIt(onAIX)
	s.writeScript(aix, "fdc", "1.1", "# for aix, built anew")
	s.lockConflict(onAIX)
	onAIX.Replace = true
	s.lockIt(onAIX)
	lock, err := ReadLock(s.Config)
	s.must(err)
	if p, _ := lock.Find("fdc"); len(p.SHA256) != 2 || p.Version != "1.1" {
		t.Errorf("in the end it says %+v", p)
	}
}

func (s *site) lockFails(l Locking) error {
	s.Helper()
	c, err := s.Lock(s.Context(), l)
	if err == nil {
		s.Fatalf("locked: %+v", c)
	}
	return err
}

// lockConflict checks that an entry stands in the way, and that the message
// shows it and the new one.
func (s *site) lockConflict(l Locking) *ConflictError {
	s.Helper()
	err := s.lockFails(l)
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		s.Fatalf("got %v", err)
	}
	for _, p := range []policies.LockedPlugin{conflict.Old, conflict.New} {
		if !strings.Contains(err.Error(), p.SHA256[conflict.Platform]) || !strings.Contains(err.Error(), p.Version) {
			s.Errorf("%v does not show %+v", err, p)
		}
	}
	return conflict
}

// What is named so that it could be something else is refused, and so is what
// is for another system and would have to be started here.
func TestLockNames(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	for what, l := range map[string]Locking{
		"a name with a path in it":   {What: "../plugins/mqhk-plugin-fdc/../../x"},
		"a file's name":              {What: filepath.Join(s.Settings.Directory, "fdc")},
		"an upper case name":         {What: "FDC"},
		"an empty name":              {What: ""},
		"the platform of this":       {What: s.path("fdc"), Platform: Platform()},
		"a name for another":         {What: "fdc", Platform: "aix/ppc64"},
		"a platform that is none":    {What: s.path("fdc"), Platform: "aix"},
		"a platform with a line end": {What: s.path("fdc"), Platform: "aix/ppc64\n"},
	} {
		var refused *RefusedError
		if err := s.lockFails(l); !errors.As(err, &refused) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.refused(s.lockFails(Locking{What: "absent"}), Missing)
	s.refused(s.lockFails(Locking{What: "journal"}), Shadows)
	s.refused(s.lockFails(Locking{What: "./mqhk-plugin-Journal"}), Shadows)
	if s.lockText() != "" {
		t.Errorf("something was locked:\n%s", s.lockText())
	}
	// A file that lies elsewhere can be locked; it is not started from there.
	elsewhere := filepath.Join(t.TempDir(), "mqhk-plugin-dlq")
	s.writeScript(elsewhere, "dlq", "1.0")
	if c := s.lockIt(Locking{What: elsewhere}); !c.Elsewhere {
		t.Errorf("got %+v", c)
	}
	s.refused(s.starts("dlq"), Missing)
}

// A file that is replaced while it is being locked is not what was hashed: it
// is neither run nor locked. The same holds between a look at the lock and the
// start.
func TestReplacedBetweenHashAndStart(t *testing.T) {
	s := newSite(t)
	path := s.script("fdc", "1.0")
	hash, err := host.Hash(path)
	s.must(err)
	mark := filepath.Join(t.TempDir(), "ran")
	s.script("fdc", "1.0", "touch "+mark)
	c := Change{Name: "fdc", SHA256: hash, File: path}
	s.refused(s.learn(t.Context(), &c, nil), Differs)
	if _, err := os.Stat(mark); err == nil {
		t.Error("it ran")
	}
}

// While somebody swaps the file as fast as he can, only what was locked ever
// runs.
func TestSwappedAllTheTime(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	mark := filepath.Join(t.TempDir(), "ran")
	good, evil := filepath.Join(t.TempDir(), "good"), filepath.Join(t.TempDir(), "evil")
	s.must(os.Link(s.path("fdc"), good))
	s.writeScript(evil, "fdc", "1.0", "touch "+mark)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; ctx.Err() == nil && err == nil; i++ {
			next := s.path("fdc") + ".swap"
			if err = os.Link([]string{good, evil}[i%2], next); err == nil {
				err = os.Rename(next, s.path("fdc"))
			}
			_ = os.Remove(next) // rename does nothing to two links of one file
			time.Sleep(time.Millisecond)
		}
		done <- err
	}()
	started, refused := 0, 0
	for i := 0; i < 200 && (i < 20 || started == 0 || refused == 0); i++ {
		if err := s.starts("fdc"); err == nil {
			started++
		} else {
			s.refused(err, Differs)
			refused++
		}
	}
	cancel()
	s.must(<-done)
	if _, err := os.Stat(mark); err == nil {
		t.Error("what was not locked ran")
	}
	t.Logf("started %d times, refused %d times", started, refused)
}

// A plugin that fails when it is started is not locked.
func TestLockOfOneThatFails(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0", "echo no such library >&2", "exit 3")
	var failed *host.StartError
	if err := s.lockFails(Locking{What: "fdc"}); !errors.As(err, &failed) || !strings.Contains(err.Error(), "no such library") {
		t.Errorf("got %v", err)
	}
	s.script("dlq", "1.0 beta")
	s.refused(s.lockFails(Locking{What: "dlq"}), Broken)
	if s.lockText() != "" {
		t.Errorf("something was locked:\n%s", s.lockText())
	}
}

// Several processes lock at a time, and each entry is there in the end.
func TestLockedByManyProcesses(t *testing.T) {
	s := newSite(t)
	s.Settings.Directory = s.Config // where the other processes look
	self, err := os.Executable()
	s.must(err)
	var all []*exec.Cmd
	var names []string
	for i := range 6 {
		name := fmt.Sprintf("plugin%d", i)
		s.script(name, "1.0")
		cmd := exec.Command(self, "lock", s.Config, name)
		cmd.Stderr = os.Stderr
		all, names = append(all, cmd), append(names, name)
	}
	for _, cmd := range all {
		s.must(cmd.Start())
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	lock, err := ReadLock(s.Config)
	s.must(err)
	for _, name := range names {
		if _, ok := lock.Find(name); !ok {
			t.Errorf("%s is not in\n%s", name, s.lockText())
		}
	}
	s.noRemains()
}

// noRemains checks that no part of a lock file lies about.
func (s *site) noRemains() {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.Config, "."+policies.LockName+".*"))
	s.must(err)
	for _, file := range files {
		if !strings.HasSuffix(file, ".busy") {
			s.Errorf("%s was left", file)
		}
	}
}

// Who can't have the lock file for itself gives up in time, and changes
// nothing.
func TestLockFileIsBusy(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	other := flock.New(filepath.Join(s.Config, "."+policies.LockName+".busy"))
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer other.Close()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("waited enough"))
	defer cancel()
	release, err := claim(ctx, filepath.Join(s.Config, policies.LockName))
	if err == nil {
		release()
		t.Fatal("two have it")
	}
	if s.lockText() != "" {
		t.Error("it was changed")
	}
}

// A lock file whose name is a link stays one, and keeps the rights that it
// had.
func TestLockFileIsALink(t *testing.T) {
	s := newSite(t)
	s.script("fdc", "1.0")
	kept := filepath.Join(t.TempDir(), "ours.hcl")
	s.must(os.WriteFile(kept, []byte("# kept elsewhere\n"), 0o640))
	link := filepath.Join(s.Config, policies.LockName)
	s.must(os.Symlink(kept, link))
	s.lockIt(Locking{What: "fdc"})
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	info, err := os.Stat(kept)
	s.must(err)
	if info.Mode().Perm() != 0o640 || !strings.HasPrefix(s.lockText(), "# kept elsewhere\n\nplugin \"fdc\"") {
		t.Errorf("mode %v:\n%s", info.Mode(), s.lockText())
	}
	s.must(s.starts("fdc"))
}
