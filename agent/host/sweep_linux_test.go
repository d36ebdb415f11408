package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The temporary directory is everybody's: what others put there is neither
// opened nor removed, however it is called. A look that opened the pipe would
// hang.
func TestSweepLeavesWhatOthersMade(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "target")
	pipe := filepath.Join(t.TempDir(), "pipe")
	write := func(path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, path string) {
		t.Helper()
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	write(outside)
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, dir string
		mode      os.FileMode
		fill      func(t *testing.T, dir string)
	}{
		{"a fix pack", "mqhk-9.4-fixpack", 0o700, func(_ *testing.T, dir string) { write(dir + "/owner") }},
		{"a name behind the number", "mqhk-1.old", 0o700, func(_ *testing.T, dir string) { write(dir + "/owner") }},
		{"open to others", "mqhk-1", 0o755, func(_ *testing.T, dir string) { write(dir + "/owner") }},
		{"another user's", "mqhk-2", 0o700, func(t *testing.T, dir string) {
			write(dir + "/owner")
			if err := os.Chown(dir, 12345, -1); err != nil {
				t.Skip(err)
			}
		}},
		{"another user's owner", "mqhk-3", 0o700, func(t *testing.T, dir string) {
			write(dir + "/owner")
			if err := os.Chown(dir+"/owner", 12345, -1); err != nil {
				t.Skip(err)
			}
		}},
		{"an owner that leads elsewhere", "mqhk-4", 0o700, func(_ *testing.T, dir string) { link(outside, dir+"/owner") }},
		{"a pipe behind a link", "mqhk-5", 0o700, func(_ *testing.T, dir string) { link(pipe, dir+"/owner") }},
		{"a pipe", "mqhk-6", 0o700, func(t *testing.T, dir string) {
			if err := unix.Mkfifo(dir+"/owner", 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"a link in place of what is to be locked", "mqhk-7", 0o700, func(_ *testing.T, dir string) { link(outside, dir+"/owner.new") }},
		{"another's empty one", "mqhk-8", 0o700, func(t *testing.T, dir string) {
			if err := os.Chown(dir, 12345, -1); err != nil {
				t.Skip(err)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base := t.TempDir()
			dir := filepath.Join(base, test.dir)
			if err := os.Mkdir(dir, test.mode); err != nil {
				t.Fatal(err)
			}
			test.fill(t, dir)
			sweep(filepath.Join(base, "mqhk-99"), time.Now().Add(2*sweepAfter))
			if _, err := os.Lstat(dir); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("a link to a directory", func(t *testing.T) {
		base, its := t.TempDir(), filepath.Join(t.TempDir(), "mqhk-1")
		if err := os.Mkdir(its, 0o700); err != nil {
			t.Fatal(err)
		}
		write(its + "/owner")
		link(its, base+"/mqhk-1")
		sweep(filepath.Join(base, "mqhk-99"), time.Now().Add(2*sweepAfter))
		if _, err := os.Stat(its + "/owner"); err != nil {
			t.Error(err)
		}
	})
	// What lies in a directory that goes may lead out of it.
	t.Run("a link in one that goes", func(t *testing.T) {
		base := t.TempDir()
		dir := filepath.Join(base, "mqhk-1")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(dir + "/owner")
		link(filepath.Dir(outside), dir+"/out")
		sweep(filepath.Join(base, "mqhk-99"), time.Now().Add(2*sweepAfter))
		if _, err := os.Lstat(dir); err == nil {
			t.Error("it is still there")
		}
		if _, err := os.Stat(outside); err != nil {
			t.Error(err)
		}
	})
}
