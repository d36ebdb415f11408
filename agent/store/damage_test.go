package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// flip changes one bit in the middle.
func flip(b []byte) []byte {
	b[len(b)/2] ^= 1
	return b
}

func TestVerifyFindsAChangedByte(t *testing.T) {
	for name, change := range map[string]func(*Settings){"segment": func(*Settings) {}, "zst": compressing} {
		t.Run(name, func(t *testing.T) {
			d := newStore(t, change)
			content := someBytes(3, 1<<20)
			c := put(t, d, receiver("AMQA000007"), facts(), content)
			file := filesOf(t, d, "*."+name)[0]
			edit(t, file, flip)
			is(t, d.Verify(t.Context(), c), ErrDamaged)
			_, err := restored(d, c)
			is(t, err, ErrDamaged)
			if one(t, d).Verified {
				t.Error("a damaged copy is listed as verified")
			}
			for e := range d.Entries(t.Context(), "ORDERS") {
				is(t, e.Problem, ErrDamaged)
			}
			edit(t, file, flip) // a disk that reads well again
			if err := d.Verify(t.Context(), c); err != nil || !one(t, d).Verified {
				t.Errorf("after the repair: %v", err)
			}
		})
	}
}

func TestEveryKindOfDamage(t *testing.T) {
	tests := map[string]func(t *testing.T, path string){
		"gone":       func(t *testing.T, path string) { remove(t, path) },
		"cut":        func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return b[:len(b)-1] }) },
		"longer":     func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return append(b, 0) }) },
		"empty":      func(t *testing.T, path string) { edit(t, path, func([]byte) []byte { return nil }) },
		"only zeros": func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return make([]byte, len(b)) }) },
		"not zstd":   func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return bytes.ToUpper(b) }) },
	}
	for name, damage := range tests {
		for _, s := range []func(*Settings){func(*Settings) {}, compressing} {
			t.Run(name, func(t *testing.T) {
				d := newStore(t, s)
				content := someBytes(4, 100_000)
				copy(content, "lower case")
				c := put(t, d, receiver("AMQA000007"), facts(), content)
				damage(t, filesOf(t, d, "*.segment*")[0])
				is(t, d.Verify(t.Context(), c), ErrDamaged)
				if one(t, d).Verified {
					t.Error("listed as verified")
				}
				if _, err := restored(d, c); !errors.Is(err, ErrDamaged) {
					t.Errorf("restored: %v", err)
				}
				again := put(t, d, receiver("AMQA000007"), facts(), content) // the remedy
				if err := d.Verify(t.Context(), again); err != nil || !one(t, d).Verified {
					t.Errorf("put again: %v", err)
				}
				if got := filesOf(t, d, "*.segment*"); len(got) != 1 {
					t.Errorf("left %v", got)
				}
			})
		}
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A copy that lost its content, or some of it, says so without being read.
func TestLostContentIsNotVerified(t *testing.T) {
	for name, lose := range map[string]func(path string){
		"its file": func(path string) { remove(t, path) },
		"its end":  func(path string) { edit(t, path, func(b []byte) []byte { return b[:len(b)-1] }) },
		"any byte": func(path string) { edit(t, path, func([]byte) []byte { return nil }) },
	} {
		d := newStore(t)
		put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
		lose(filesOf(t, d, "*.segment")[0])
		if one(t, d).Verified {
			t.Errorf("a copy without %s is listed as verified", name)
		}
	}
}

func TestDamagedManifestIsAnErrorOfItsOwn(t *testing.T) {
	other := func(t *testing.T, path string) {
		moved := filepath.Join(filepath.Dir(path), "QMORDERS.AMQA000099.20260527122000.0000000000000000.json")
		if err := os.Rename(path, moved); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]func(t *testing.T, path string){
		"half":                       func(t *testing.T, path string) { edit(t, path, func(b []byte) []byte { return b[:len(b)/2] }) },
		"empty":                      func(t *testing.T, path string) { edit(t, path, func([]byte) []byte { return nil }) },
		"another byte":               func(t *testing.T, path string) { edit(t, path, flip) },
		"under another name":         other,
		"of another size than it is": func(t *testing.T, path string) { edit(t, path, replace(`"bytes": 7`, `"bytes": 8`)) },
		"much too long": func(t *testing.T, path string) {
			edit(t, path, func([]byte) []byte { return make([]byte, longestManifest+1) })
		},
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			d := newStore(t)
			put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
			put(t, d, receiver("AMQA000008"), facts(), []byte("content"))
			damage(t, filesOf(t, d, "*AMQA000007*.json")[0])
			copies, problems := listed(d, "ORDERS")
			if len(copies) != 1 || copies[0].Segment.Name != "AMQA000008" || len(problems) != 1 {
				t.Fatalf("listed %+v, %v", copies, problems)
			}
			is(t, problems[0], ErrManifest)
			if name == "under another name" {
				return
			}
			put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
			if copies, problems := listed(d, "ORDERS"); len(copies) != 2 || len(problems) != 0 {
				t.Errorf("put again: %+v, %v", copies, problems)
			}
		})
	}
}

func replace(old, now string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(now), 1) }
}

// A manifest of a later version is somebody's copy: it is not written over.
func TestManifestOfAnotherVersionStays(t *testing.T) {
	d := newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	edit(t, filesOf(t, d, "*.json")[0], replace("manifest/v1", "manifest/v2"))
	_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("content"))
	is(t, err, ErrManifest)
	if _, problems := listed(d, "ORDERS"); len(problems) != 1 {
		t.Errorf("%v", problems)
	}
}

func TestCopyThatIsNotThere(t *testing.T) {
	d := newStore(t)
	c := put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	others := []struct{ opened, sha string }{{"2026-05-27-12.20.01.000000", c.SHA256}, {c.Opened, digestOf(nil)}}
	for _, other := range others {
		c := c
		c.Opened, c.SHA256 = other.opened, other.sha
		is(t, d.Verify(t.Context(), c), ErrNotThere)
		_, err := d.Open(t.Context(), c)
		is(t, err, ErrNotThere)
	}
}

func TestLinksAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	replace := map[string]string{"content": "*.segment", "manifest": "*.json", "lock": "lock", "folder": ""}
	for what, pattern := range replace {
		t.Run(what, func(t *testing.T) {
			d := newStore(t)
			c := put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
			path := filepath.Join(d.path, "ORDERS.qm")
			if pattern != "" {
				path = filesOf(t, d, pattern)[0]
			}
			outside := filepath.Join(t.TempDir(), "outside")
			if err := errors.Join(os.Rename(path, outside), os.Symlink(outside, path)); err != nil {
				t.Fatal(err)
			}
			_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("content"))
			is(t, err, ErrLink)
			if what == "lock" {
				return
			}
			is(t, d.Verify(t.Context(), c), ErrLink)
			copies, problems := listed(d, "ORDERS")
			if len(copies) == 1 && copies[0].Verified || len(copies)+len(problems) != 1 {
				t.Errorf("listed %+v, %v", copies, problems)
			}
		})
	}
}

func TestReadOnlyStore(t *testing.T) {
	files := crashdisk.New()
	c := put(t, onDisk(files, false), receiver("AMQA000007"), facts(), []byte("content"))
	d := onDisk(disk.ReadOnly(files), false)
	_, err := d.Put(t.Context(), receiver("AMQA000008"), facts(), strings.NewReader("content"))
	is(t, err, disk.ErrReadOnly)
	if err := d.Verify(t.Context(), c); err != nil || one(t, d) != c {
		t.Error(err)
	}
	damageOnDisk(t, files)
	err = d.Verify(t.Context(), c) // and it can't be written down
	is(t, err, ErrDamaged)
	is(t, err, disk.ErrReadOnly)
}
