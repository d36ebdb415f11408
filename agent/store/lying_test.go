package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// lying is a disk that says that it wrote what it was given, and wrote
// something else into some of its files.
type lying struct {
	disk.FS
	about func(name string) bool
	write func(b []byte) []byte
}

func (l *lying) Create(name string) (disk.File, error) {
	f, err := l.FS.Create(name)
	if err != nil || !l.about(name) {
		return f, err
	}
	return lyingFile{f, l.write}, nil
}

type lyingFile struct {
	disk.File
	write func(b []byte) []byte
}

func (f lyingFile) WriteAt(b []byte, off int64) (int, error) {
	if _, err := f.File.WriteAt(f.write(bytes.Clone(b)), off); err != nil {
		return 0, err
	}
	return len(b), nil
}

// What a disk has not kept is found before a copy counts as one, in the content
// and in the manifest: no copy is listed, none is left, and nothing may be
// deleted for it.
func TestDiskThatDidNotKeepIt(t *testing.T) {
	files := map[string]func(name string) bool{
		"content":  func(name string) bool { return !strings.Contains(name, manifestSuffix) },
		"manifest": func(name string) bool { return strings.Contains(name, manifestSuffix) },
	}
	lies := map[string]func(b []byte) []byte{
		"a byte is another":    flip,
		"only zeros":           func(b []byte) []byte { return make([]byte, len(b)) },
		"the end is not there": func(b []byte) []byte { return b[:len(b)-1] },
		"twice the end":        func(b []byte) []byte { return append(b, b[len(b)-1]) },
	}
	for file, about := range files {
		for name, lie := range lies {
			for _, compress := range []bool{false, true} {
				t.Run(file+" "+name, func(t *testing.T) {
					honest := crashdisk.New()
					l := &lying{FS: honest, about: about, write: lie}
					d := onDisk(l, compress)
					content := someBytes(9, 10_000)
					_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(content))
					is(t, err, ErrDamaged)
					if copies, problems := listed(d, "ORDERS"); len(copies) != 0 || len(problems) != 0 {
						t.Errorf("listed %v, %v", copies, problems)
					}
					l.about = func(string) bool { return false } // another disk
					c := put(t, d, receiver("AMQA000007"), facts(), content)
					if got, err := restored(d, c); err != nil || !bytes.Equal(got, content) {
						t.Errorf("put again: %d bytes, %v", len(got), err)
					}
					leavesNothing(t, honest, 1)
				})
			}
		}
	}
}
