package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The socket directory of a host that was killed goes with the next start;
// that of one that lives, one that was just made, and what is no such directory
// stay.
func TestSweep(t *testing.T) {
	base := t.TempDir()
	build := func(name string, owner bool) string {
		dir := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Join(dir, "plugin-dir1"), 0o700); err != nil {
			t.Fatal(err)
		}
		if owner {
			if err := os.WriteFile(filepath.Join(dir, ownerName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dead, alive, foreign, named := build("mqhk-1", true), build("mqhk-2", false), build("mqhk-3", false), build("mqhk-state", true)
	lock, err := own(alive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Unlock() })
	mine := build("mqhk-4", true)
	if !takesName {
		sweep(mine, time.Now())
		if _, err := os.Stat(dead); err != nil {
			t.Errorf("just made, and swept: %v", err)
		}
	}
	sweep(mine, time.Now().Add(2*sweepAfter))
	if _, err := os.Stat(dead); err == nil {
		t.Error("its host is dead, and it is there")
	}
	for _, dir := range []string{alive, foreign, named, mine} {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
}
