package sim

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A copy has empty folders and permissions too, and is never mixed with what
// was there (SEED 7.4).
func TestCopyOfATree(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of Unix")
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "QM1"), filepath.Join(dir, "backup", "data")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(from, "queues", "A"), 0o700))
	must(os.Mkdir(filepath.Join(from, "empty"), 0o500))
	must(os.WriteFile(filepath.Join(from, "qm.ini"), []byte("Log:\n"), 0o640))
	must(os.WriteFile(filepath.Join(from, "queues", "A", "q"), []byte("messages"), 0o600))
	must(copyTree(from, to))
	if err := copyTree(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another copy: %v", err)
	}
	must(os.WriteFile(filepath.Join(from, "queues", "A", "q"), []byte("newer"), 0o600))
	must(os.WriteFile(filepath.Join(from, "queues", "late"), nil, 0o600))
	must(replaceTree(to, from))
	for name, want := range map[string]string{"qm.ini": "-rw-r----- Log:\n", "queues/A/q": "-rw------- messages"} {
		content, err := os.ReadFile(filepath.Join(from, name))
		must(err)
		info, err := os.Stat(filepath.Join(from, name))
		must(err)
		if got := info.Mode().String() + " " + string(content); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if info, err := os.Stat(filepath.Join(from, "empty")); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("the empty folder: %v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(from, "queues", "late")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what came after the copy: %v", err)
	}
	if err := replaceTree(filepath.Join(dir, "nowhere"), from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no copy: %v", err)
	}
	if _, err := os.Stat(filepath.Join(from, "qm.ini")); err != nil {
		t.Errorf("after that: %v", err)
	}
	must(os.Symlink("qm.ini", filepath.Join(from, "link")))
	if err := copyTree(from, filepath.Join(dir, "second")); err == nil {
		t.Error("a link was copied")
	}
}
