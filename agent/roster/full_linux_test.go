package roster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/policies"
)

// On a disk that is full, or may not be written, the lock file stays as it was,
// nothing lies about, and what was locked can be started.
func TestLockOnFullAndOnReadOnlyDisk(t *testing.T) {
	s := newSite(t)
	err := syscall.Mount("tmpfs", s.Config, "tmpfs", 0, "size=64k,mode=0755")
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("file systems can't be mounted here: ", err)
	}
	s.must(err)
	t.Cleanup(func() {
		if err := syscall.Unmount(s.Config, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s.script("fdc", "1.0")
	s.script("dlq", "1.0")
	s.lockIt(Locking{What: "fdc"})
	before := s.lockText()

	filler := filepath.Join(s.Config, "filler")
	if err := os.WriteFile(filler, make([]byte, 128<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	s.unwritten(before, syscall.ENOSPC)
	s.must(os.Remove(filler))

	s.must(syscall.Mount("", s.Config, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	s.unwritten(before, syscall.EROFS)
	s.must(syscall.Mount("", s.Config, "", syscall.MS_REMOUNT, ""))
	s.lockIt(Locking{What: "dlq"})
	s.must(s.starts("dlq"))
}

// unwritten checks that a plugin can't be locked because of an error, and that
// the lock file says what it said before.
func (s *site) unwritten(before string, because error) {
	s.Helper()
	err := s.lockFails(Locking{What: "dlq"})
	if !errors.Is(err, because) || !strings.Contains(err.Error(), policies.LockName) {
		s.Errorf("got %v, want %v", err, because)
	}
	if s.lockText() != before {
		s.Errorf("the lock file is\n%s", s.lockText())
	}
	s.noRemains()
	s.must(s.starts("fdc"))
}
