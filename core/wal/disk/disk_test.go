package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	root := t.TempDir()
	d := At(root)
	must(t, d.MkdirAll("qm/active"))
	must(t, d.MkdirAll("qm/active"))
	f, err := d.Create("qm/active/a")
	must(t, err)
	_, err = f.WriteAt([]byte("text"), 4)
	must(t, err)
	must(t, f.Truncate(6))
	must(t, f.Sync())
	if size, err := f.Size(); err != nil || size != 6 {
		t.Errorf("size %d, %v", size, err)
	}
	must(t, f.Close())
	must(t, d.SyncDir("qm/active"))
	must(t, d.Rename("qm/active/a", "qm/active/b"))
	names, err := d.List("qm/active")
	if err != nil || !slices.Equal(names, []string{"b"}) {
		t.Errorf("%q, %v", names, err)
	}
	f, err = d.Open("qm/active/b")
	must(t, err)
	b := make([]byte, 8)
	if n, err := f.ReadAt(b, 0); n != 6 || !errors.Is(err, io.EOF) || string(b[:n]) != "\x00\x00\x00\x00te" {
		t.Errorf("%q, %v", b[:n], err)
	}
	if _, err := f.WriteAt(b, 0); err == nil {
		t.Error("a file that is open for reading was written")
	}
	must(t, f.Close())
	f, err = d.OpenWrite("qm/active/b")
	must(t, err)
	_, err = f.WriteAt(b, 0)
	must(t, err)
	must(t, f.Close())
	must(t, d.Remove("qm/active/b"))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(root, "qm"))
		must(t, err)
		if info.Mode().Perm() != folderMode {
			t.Errorf("a folder with mode %o", info.Mode().Perm())
		}
	}
}

func TestErrorsSayWhat(t *testing.T) {
	d := At(t.TempDir())
	f, err := d.Create("a")
	must(t, err)
	must(t, f.Close())
	if _, err := d.Create("a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	_, open := d.Open("none")
	_, openWrite := d.OpenWrite("none")
	_, list := d.List("none")
	for _, err := range []error{open, openWrite, list, d.Remove("none"), d.Rename("none", "b"), d.SyncDir("none")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
	if err := f.Sync(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
}

func TestNamesStayInside(t *testing.T) {
	d := At(t.TempDir())
	for _, name := range []string{"../a", "/a", "a/../../b", ""} {
		_, create := d.Create(name)
		_, list := d.List(name)
		for _, err := range []error{create, list, d.Remove(name), d.Rename(name, "b"), d.Rename("b", name), d.MkdirAll(name), d.SyncDir(name)} {
			if err == nil {
				t.Errorf("%q was taken", name)
			}
		}
	}
}

// What is made gets the modes that were asked for, whatever the umask is; the
// folder itself and those above it stay as they are.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	root := filepath.Join(t.TempDir(), "a", "b")
	d := AtWith(root, Modes{File: 0o664, Folder: fs.ModeSetgid | 0o777})
	must(t, d.MkdirAll("qm/active"))
	must(t, Replace(d, "qm/active/S0000000.LOG", []byte("text")))
	must(t, Replace(d, "qm/active/S0000000.LOG", []byte("again")))
	for name, want := range map[string]fs.FileMode{
		"": fs.ModeDir | folderMode, "..": fs.ModeDir | folderMode,
		"qm": fs.ModeDir | fs.ModeSetgid | 0o777, "qm/active": fs.ModeDir | fs.ModeSetgid | 0o777,
		"qm/active/S0000000.LOG": 0o664,
	} {
		info, err := os.Stat(filepath.Join(root, name))
		must(t, err)
		if info.Mode() != want {
			t.Errorf("%q has mode %s, not %s", name, info.Mode(), want)
		}
	}
}
