package extents

import (
	"errors"
	"io/fs"
	"path"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// machine has a log live through anything: growth, marks, archiving, removals
// by hand, other counts, failures of the power in the midst of it.
type machine struct {
	*rig
	disk *crashdisk.Disk
	gone map[string][]byte // what a person has removed, by its name on the disk
}

// TestNothingNeededIsLost: whatever happens, the log itself never reuses,
// overwrites or deletes what a restart or a media recovery needs. After every
// step all acknowledged records from the older mark on can be read.
func TestNothingNeededIsLost(t *testing.T) {
	for name, set := range map[string]Settings{
		"circular": ring(3, 3), "manual": line(Manual, 3, 3), "automatic": line(Automatic, 3, 3), "archive": line(Archive, 3, 3),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				set := set
				if set.Kind == Linear {
					set.First = rapid.SampledFrom([]int{0, 9_999_995}).Draw(t, "first")
				}
				d := crashdisk.New()
				r, err := newRig(d, set)
				if err != nil {
					t.Fatal(err)
				}
				m := &machine{rig: r, disk: d, gone: map[string][]byte{}}
				t.Repeat(map[string]func(*rapid.T){
					"put":      func(t *rapid.T) { m.fine(t, m.write(t)) },
					"rotate":   func(t *rapid.T) { m.fine(t, full2(m.rotate())) },
					"pass":     func(t *rapid.T) { m.fine(t, m.checkpoint(t)) },
					"archive":  func(t *rapid.T) { m.fine(t, m.archive(t)) },
					"reduce":   func(t *rapid.T) { m.fine(t, m.reduce(t)) },
					"remove":   m.takeAway,
					"put back": func(*rapid.T) { m.putBack() },
					"crash":    m.crash,
					"restart":  m.restarted,
					"":         m.check,
				})
			})
		})
	}
}

func (m *machine) fine(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// full2 lets a log be full: nothing was lost by it.
func full2(err error) error {
	if errors.Is(err, ErrFull) {
		return nil
	}
	return err
}

func (m *machine) write(t *rapid.T) error {
	return full2(m.put(rapid.IntRange(1, 3800).Draw(t, "bytes")))
}

func (m *machine) checkpoint(t *rapid.T) error {
	_, err := m.pass(rapid.IntRange(0, 6).Draw(t, "restart"), rapid.IntRange(0, 12).Draw(t, "media"))
	return err
}

func (m *machine) archive(t *rapid.T) error {
	name := rapid.SampledFrom(m.listed()).Draw(t, "archived")
	var err error
	if rapid.Bool().Draw(t, "all before") {
		err = m.log.ArchivedUpTo(name)
	} else {
		err = m.log.Archived(name)
	}
	if errors.Is(err, ErrCurrent) || errors.Is(err, ErrLogType) {
		return nil
	}
	return err
}

func (m *machine) reduce(t *rapid.T) error {
	how := rapid.SampledFrom([]Reduction{ReduceAuto, ReduceOne, ReduceMax, 2}).Draw(t, "how much")
	if _, err := m.log.Reduce(how); err != nil && !errors.Is(err, ErrNotReduced) && !errors.Is(err, ErrLogType) {
		return err
	}
	return nil
}

// takeAway removes any file of the list but the current one, as a person does.
func (m *machine) takeAway(t *rapid.T) {
	list := m.log.Segments()
	if len(list) < 3 {
		return
	}
	name := list[rapid.IntRange(0, len(list)-3).Draw(t, "removed")].Name
	content, err := m.disk.Contents(name)
	if err != nil {
		return // it is gone already
	}
	m.gone[name] = content
	m.fine(t, m.disk.Remove(name))
	m.fine(t, m.disk.SyncDir(m.log.Folder()))
}

// putBack brings back what was removed, unless the ring has gone on in a file
// of the name since.
func (m *machine) putBack() {
	for name, content := range m.gone {
		if _, err := m.disk.Contents(name); errors.Is(err, fs.ErrNotExist) {
			m.disk.Put(name, content)
		}
		delete(m.gone, name)
	}
}

// crash fails the power after some operations of a few actions.
func (m *machine) crash(t *rapid.T) {
	m.putBack()
	m.disk.Fault(crashdisk.FailAfter(rapid.IntRange(0, 40).Draw(t, "operations"), crashdisk.ErrPower))
	var err error
	for err == nil {
		err = m.write(t)
		if err == nil {
			err = m.archive(t)
		}
		if err == nil {
			err = m.checkpoint(t)
		}
	}
	if !errors.Is(err, crashdisk.ErrPower) && !errors.Is(err, wal.ErrFailed) {
		t.Fatal(err)
	}
	crash(m.disk, rapid.IntRange(0, 99).Draw(t, "what is kept"))
	m.fine(t, m.reopen())
}

// restarted ends the queue manager and starts it with other counts.
func (m *machine) restarted(t *rapid.T) {
	m.putBack()
	m.set.Primary = rapid.IntRange(2, 5).Draw(t, "primary")
	m.set.Secondary = rapid.IntRange(1, 4).Draw(t, "secondary")
	m.fine(t, m.w.Close())
	m.fine(t, m.reopen())
	m.fine(t, m.checkpoint(t))
}

// check reads from the older mark on. Where a person has removed a file the
// reading ends there, and nowhere else.
func (m *machine) check(t *rapid.T) {
	from := m.restart
	if m.set.Kind == Linear {
		from = min(from, m.media)
	}
	_, err := m.read(from)
	var damage *wal.Damage
	if errors.As(err, &damage) && errors.Is(err, fs.ErrNotExist) && m.gone[damage.Segment] != nil {
		return
	}
	if err != nil {
		t.Fatalf("from %s on: %v (%v, %v gone)", from, err, m.listed(), m.names())
	}
	if n := m.log.used(m.restart); n > m.set.Primary+m.set.Secondary && m.log.known && m.began() {
		t.Fatalf("%d extents for a restart", n)
	}
}

// began tells whether the log has begun an extent under the counts that it has
// now: before that it may hold more than they allow.
func (m *machine) began() bool { return m.log.begun > 0 }

func (m *machine) names() (names []string) {
	for name := range m.gone {
		names = append(names, path.Base(name))
	}
	return names
}
