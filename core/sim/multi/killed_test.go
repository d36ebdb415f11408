package multi

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

var errKilled = errors.New("the process was killed")

// dying is a disk whose process dies after so many changes.
type dying struct {
	disk.FS
	left *int
}

func (d dying) change() error {
	if *d.left--; *d.left < 0 {
		return errKilled
	}
	return nil
}

func (d dying) Create(name string) (disk.File, error) {
	if err := d.change(); err != nil {
		return nil, err
	}
	return d.file(d.FS.Create(name))
}

func (d dying) OpenWrite(name string) (disk.File, error) { return d.file(d.FS.OpenWrite(name)) }

func (d dying) file(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return dyingFile{f, d}, nil
}

func (d dying) Rename(from, to string) error {
	return errors.Join(d.change(), d.unless(func() error { return d.FS.Rename(from, to) }))
}

func (d dying) Remove(name string) error {
	return errors.Join(d.change(), d.unless(func() error { return d.FS.Remove(name) }))
}

func (d dying) MkdirAll(name string) error {
	return errors.Join(d.change(), d.unless(func() error { return d.FS.MkdirAll(name) }))
}

func (d dying) unless(do func() error) error {
	if *d.left < 0 {
		return errKilled
	}
	return do()
}

type dyingFile struct {
	disk.File
	disk dying
}

func (f dyingFile) WriteAt(b []byte, off int64) (int, error) {
	if err := f.disk.change(); err != nil {
		n, _ := f.File.WriteAt(b[:len(b)/2], off) // half of it is there
		return n, err
	}
	return f.File.WriteAt(b, off)
}

func (f dyingFile) Truncate(n int64) error {
	return errors.Join(f.disk.change(), f.disk.unless(func() error { return f.File.Truncate(n) }))
}

// killed carries out a command whose process dies after so many changes, and
// tells whether it did.
func (m *machine) killed(after int, argv ...string) bool {
	m.Helper()
	opts := m.options()
	opts.Disk = dying{opts.Disk, &after}
	h, err := Open(opts)
	m.must(err)
	_ = h.Run(m.Context(), argv, nil)
	return after < 0
}

// A process that dies while it creates or deletes a queue manager leaves it
// whole or not at all, as mqs.ini has it; and the command can be given again.
func TestKilledWhileCreatingOrDeleting(t *testing.T) {
	create := []string{"crtmqm", "-lf", "64", "-ll", "QM1"}
	for n := 0; ; n += 1 + n/2 { // every step at first, then ever fewer
		m := newMachine(t, Settings{})
		if !m.killed(n, create...) {
			break
		}
		if out := m.well("dspmq"); strings.Contains(out, "QM1") {
			if !strings.Contains(out, "Ended normally") {
				t.Fatalf("after %d changes: %s", n, out)
			}
		} else {
			m.well(create...)
		}
		m.well("strmqm", "QM1")
		m.mqsc("DEFINE QLOCAL(Q)")
	}
	for n := 0; ; n += 1 + n/2 {
		m := newMachine(t, Settings{})
		m.well(create...)
		if !m.killed(n, "dltmqm", "QM1") {
			break
		}
		if out := m.well("dspmq"); !strings.Contains(out, "QM1") {
			m.well(create...)
		}
		m.well("strmqm", "QM1")
	}
}
