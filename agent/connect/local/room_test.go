package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// A file system is as full as df says: what is kept for root is neither used nor
// free. This one is 52 per cent full by df, and by its blocks alone 82.
func TestRoom(t *testing.T) {
	const want = "size 97793294336\nfree 47235854336\n"
	if got := string(spaceLines(room(4096, 66053021, 53709896, 11532191))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "stat"), []byte("#!/bin/sh\ncase $3 in '%S %b %f %a') echo '4096 66053021 53709896 11532191';; *) exit 1; esac\n"), 0o700))
	s := newStation(t, case18(), func(s *Settings) { s.Prefix = []string{"env", "PATH=" + bin + ":" + os.Getenv("PATH")} })
	if got, err := s.ask(observe.Space, s.log); err != nil || string(got) != want {
		t.Errorf("in a container: %q, %v, want %q", got, err, want)
	}
}
