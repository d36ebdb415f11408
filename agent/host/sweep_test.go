package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// The socket directory of a host that was killed goes with the next start;
// that of one that lives, one that was just made, and what is no such directory
// stay. So goes that of a host that was killed before it was its owner.
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
	empty, unnamed, early, other := filepath.Join(base, "mqhk-5"), filepath.Join(base, "mqhk-6"), filepath.Join(base, "mqhk-7"), filepath.Join(base, "mqhk-8")
	for dir, file := range map[string]string{empty: "", unnamed: newOwner, early: newOwner, other: "notes"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if file == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	locked := flock.New(filepath.Join(early, newOwner))
	if ok, err := locked.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	t.Cleanup(func() { _ = locked.Unlock() })
	sweep(mine, time.Now())
	for _, dir := range []string{empty, unnamed} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("just made, and swept: %v", err)
		}
	}
	if !takesName {
		if _, err := os.Stat(dead); err != nil {
			t.Errorf("just made, and swept: %v", err)
		}
	}
	sweep(mine, time.Now().Add(2*sweepAfter))
	for _, dir := range []string{dead, empty, unnamed} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("its host is dead, and %s is there", dir)
		}
	}
	for _, dir := range []string{alive, foreign, named, mine, early, other} {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
}
