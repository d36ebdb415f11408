//go:build linux || darwin

package roster

import (
	"syscall"
	"testing"
)

// A pipe that nobody writes to is refused and not waited for.
func TestPipeIsNoPlugin(t *testing.T) {
	s := newSite(t)
	s.must(syscall.Mkfifo(s.path("fdc"), 0o755))
	if e := s.state("fdc"); e.State != Broken || e.SHA256 != "" {
		t.Errorf("listed as %+v", e)
	}
	s.refused(s.lockFails(Locking{What: "fdc"}), Broken)
	s.refused(s.lockFails(Locking{What: s.path("fdc"), Platform: "aix/ppc64"}), Broken)
	// It takes the place of what was locked.
	s.must(syscall.Unlink(s.path("fdc")))
	s.script("fdc", "1.0")
	s.lockIt(Locking{What: "fdc"})
	s.must(syscall.Unlink(s.path("fdc")))
	s.must(syscall.Mkfifo(s.path("fdc"), 0o755))
	s.refused(s.starts("fdc"), Broken)
}
