package policies

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

const (
	lockedHere = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3"
	validLock  = "testdata/lock/valid/plugins.lock.hcl"
)

// Every mistake of a lock file is told in its line, as one of a policy file
// is, and one is enough that nothing is locked.
func TestLockMistakes(t *testing.T) {
	path := "testdata/lock/invalid/plugins.lock.hcl"
	lock, err := ReadLock(path)
	var ds Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("got %v", err)
	}
	compare(t, expected(t, path), ds)
	if len(lock.Plugins) > 0 {
		t.Errorf("a lock with mistakes locks %v", lock.Names())
	}
}

func TestReadLock(t *testing.T) {
	lock, err := ReadLock(validLock)
	if err != nil {
		t.Fatal(err)
	}
	want := []LockedPlugin{
		{Name: "dlq", Version: "2.1.0", Protocol: 1, SHA256: map[string]string{
			"linux/amd64": lockedHere, "windows/amd64": lockedHere[32:] + lockedHere[:32],
		}},
		{Name: "fdc", Version: "1.0.0", Protocol: 1, SHA256: map[string]string{"aix/ppc64": lockedHere}},
	}
	if diff := cmp.Diff(want, lock.Plugins, cmpopts.IgnoreFields(LockedPlugin{}, "At")); diff != "" {
		t.Error(diff)
	}
}

// A lock file that is not there locks nothing; one that can't be read is a
// mistake, and not the same.
func TestReadLockWithoutFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, LockName)
	if lock, err := ReadLock(file); err != nil || len(lock.Plugins) > 0 {
		t.Errorf("no file: %v, %v", lock, err)
	}
	if err := os.Symlink("nowhere", file); err != nil {
		t.Skip(err)
	}
	if _, err := ReadLock(file); !errors.As(err, new(Diagnostics)) {
		t.Errorf("a link that leads nowhere: %v", err)
	}
	if _, err := ReadLock(dir); !errors.As(err, new(Diagnostics)) {
		t.Errorf("a directory: %v", err)
	}
}

// A lock file that was cut off, wherever, says nothing that the whole one did
// not say.
func TestLockCutOff(t *testing.T) {
	text, err := os.ReadFile(validLock)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := ParseLock(LockName, text)
	if err != nil {
		t.Fatal(err)
	}
	for n := range text {
		cut, err := ParseLock(LockName, text[:n])
		if err != nil {
			continue
		}
		for _, p := range cut.Plugins {
			if w, ok := whole.Find(p.Name); !ok || !p.Same(w) {
				t.Errorf("cut after %d bytes it locks %v", n, p)
			}
		}
	}
}

// A plugin is put in, or changed, and all else stays as it was, comments of
// the operator among it.
func TestLockWith(t *testing.T) {
	lock, err := ReadLock(validLock)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("0f", 32)
	for _, test := range []struct {
		name     string
		put      LockedPlugin
		has, not []string
	}{
		{"new", LockedPlugin{Name: "new", Version: "0.1", Protocol: 1, SHA256: map[string]string{"linux/arm64": other}},
			[]string{"# Ours.", "# reviewed: case 4711", "# the one with", "# built by CI", "# .exe", "# By hand.", "\n\nplugin \"new\" {\n"}, nil},
		{"one hash", LockedPlugin{Name: "dlq", Version: "2.1.0", Protocol: 1, SHA256: map[string]string{
			"linux/amd64": other, "windows/amd64": lockedHere[32:] + lockedHere[:32]}},
			[]string{"# reviewed: case 4711", "# the one with", "# built by CI", "# .exe", "# By hand.", `sha256 = "` + other + `"`}, nil},
		{"a platform more", LockedPlugin{Name: "fdc", Version: "1.0.0", Protocol: 1, SHA256: map[string]string{
			"aix/ppc64": lockedHere, "linux/amd64": other}},
			[]string{"# By hand.", `file "aix/ppc64"`, `file "linux/amd64"`}, nil},
		{"another version", LockedPlugin{Name: "dlq", Version: "3.0.0", Protocol: 1, SHA256: map[string]string{"linux/amd64": other}},
			[]string{"# reviewed: case 4711", "# By hand.", `version  = "3.0.0"`}, []string{"windows/amd64", "2.1.0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := lock.With(test.put)
			if err != nil {
				t.Fatal(err)
			}
			for _, has := range test.has {
				if !bytes.Contains(text, []byte(has)) {
					t.Errorf("it lacks %q:\n%s", has, text)
				}
			}
			for _, not := range test.not {
				if bytes.Contains(text, []byte(not)) {
					t.Errorf("it still has %q:\n%s", not, text)
				}
			}
		})
	}
}

// What can't stand in a lock file is not written into it.
func TestLockWithNonsense(t *testing.T) {
	for _, p := range []LockedPlugin{
		{Name: "../x", Version: "1", Protocol: 1, SHA256: map[string]string{"linux/amd64": lockedHere}},
		{Name: "x", Version: "1\n}", Protocol: 1, SHA256: map[string]string{"linux/amd64": lockedHere}},
		{Name: "x", Version: "1", SHA256: map[string]string{"linux/amd64": lockedHere}},
		{Name: "x", Version: "1", Protocol: 1, SHA256: map[string]string{"linux/amd64": "short"}},
		{Name: "x", Version: "1", Protocol: 1, SHA256: map[string]string{`linux/amd64" {`: lockedHere}},
		{Name: "x", Version: "1", Protocol: 1},
	} {
		if text, err := (Lock{File: LockName}).With(p); err == nil {
			t.Errorf("%v was written:\n%s", p, text)
		}
	}
}

// Whatever is locked one after the other, the file says all of it, each as it
// was locked last.
func TestLockWithMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a", "fdc", "dlq", "x-y_1"})
		platform := rapid.SampledFrom([]string{"linux/amd64", "aix/ppc64", "windows/amd64"})
		hash := rapid.StringMatching(`[0-9a-f]{64}`)
		version := rapid.StringMatching(`[!-~]{1,20}`)
		lock := Lock{File: LockName}
		want := map[string]LockedPlugin{}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			p := LockedPlugin{Name: name.Draw(t, "name"), Version: version.Draw(t, "version"), Protocol: 1,
				SHA256: rapid.MapOfN(platform, hash, 1, 3).Draw(t, "hashes")}
			text, err := lock.With(p)
			if err != nil {
				t.Fatal(err)
			}
			if lock, err = ParseLock(LockName, text); err != nil {
				t.Fatal(err)
			}
			want[p.Name] = p
		}
		for _, w := range want {
			if p, ok := lock.Find(w.Name); !ok || !p.Same(w) {
				t.Errorf("got %v, want %v", p, w)
			}
		}
		if len(lock.Plugins) != len(want) {
			t.Errorf("it has %v", lock.Names())
		}
	})
}

// No text makes the reader or the writer panic, and a plugin that is put into
// what could be read is in it.
func FuzzLock(f *testing.F) {
	for _, file := range []string{validLock, "testdata/lock/invalid/plugins.lock.hcl"} {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("plugin \"a\" {}"))
	f.Add([]byte("# no line end"))
	p := LockedPlugin{Name: "fdc", Version: "1.0.0", Protocol: 1, SHA256: map[string]string{"linux/amd64": lockedHere}}
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := ParseLock(LockName, text)
		if err != nil {
			return
		}
		written, err := lock.With(p)
		if err != nil {
			return // refused, and not written
		}
		again, err := ParseLock(LockName, written)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := again.Find("fdc"); !ok || !got.Same(p) {
			t.Errorf("got %v", got)
		}
	})
}
