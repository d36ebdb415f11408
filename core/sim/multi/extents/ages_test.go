package extents_test

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// The parts of a queue manager that a backup is made of.
const (
	dataFolder = "var/mqm/qmgrs/QM1"
	logFolder  = folder
)

// copyOf gives what is in a folder, and in the folder of extents below it.
func (m *manager) copyOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, dir := range []string{dir, dir + "/active"} {
		names, err := m.disk.List(dir)
		must(t, err)
		for _, name := range names {
			content, err := m.disk.Contents(path.Join(dir, name))
			must(t, err)
			files[path.Join(dir, name)] = content
		}
	}
	return files
}

// restore empties a folder and puts a copy there.
func (m *manager) restore(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name := range m.copyOf(t, dir) {
		must(t, m.disk.Remove(name))
	}
	for name, content := range files {
		m.disk.Put(name, content)
	}
}

func small(kind extents.Kind, management extents.Management) extents.Settings {
	s := extents.Settings{Kind: kind, Management: management, Primary: 3, Secondary: 3, FilePages: 8}
	s.Limits.MinPrimary, s.Limits.MaxPrimary, s.Limits.MaxSecondary, s.Limits.MaxSum, s.Limits.MaxPages = 2, 9, 9, 18, 64
	return s
}

// busy lets a queue manager work and ends it.
func (m *manager) busy(t *testing.T, r *rand.Rand) {
	t.Helper()
	for range 60 {
		m.settle(t)
		must(t, m.work(t.Context(), r))
	}
	must(t, m.e.End(t.Context()))
}

// begin starts a queue manager of which it is not known whether it will.
func (m *manager) begin(t *testing.T) error {
	t.Helper()
	l, err := extents.Open(m.disk, folder, m.set)
	if err != nil {
		return err
	}
	m.owner = &owner{Log: l}
	m.e, _, err = engine.Start(t.Context(), m.owner, m.options())
	return err
}

// Data of an earlier day and the log of today roll forward on a linear log, if
// every extent since is there (chapter 7.5.1; reference, Multiplatforms 4.6
// scenario l); the log of an earlier day and the data of today are refused.
func TestDataAndLogOfDifferentAges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	m := create(t, small(extents.Linear, extents.Manual))
	m.busy(t, r)
	data, logs, before := m.copyOf(t, dataFolder), m.copyOf(t, logFolder), maps.Clone(m.want)
	m.start(t)
	m.busy(t, r)
	newData, newLogs := m.copyOf(t, dataFolder), m.copyOf(t, logFolder)

	m.restore(t, dataFolder, data)
	m.start(t) // with all messages of today
	must(t, m.e.End(t.Context()))

	m.restore(t, logFolder, logs)
	m.restore(t, dataFolder, newData)
	var refused *engine.LogError
	if err := m.begin(t); !errors.As(err, &refused) {
		t.Errorf("today's data, the log of an earlier day: %v", err)
	}

	m.restore(t, dataFolder, data)
	m.want = before
	m.start(t) // both of the earlier day
	must(t, m.e.End(t.Context()))

	// One extent since is gone, and there is no start without it.
	m.restore(t, dataFolder, data)
	m.restore(t, logFolder, newLogs)
	segment := m.owner.Segments()[len(m.owner.Segments())-1].Name
	must(t, m.disk.Remove(segment))
	if err := m.begin(t); !errors.As(err, &refused) || !errors.Is(err, fs.ErrNotExist) && refused.Segment != segment {
		t.Errorf("without %s: %v", segment, err)
	}
}

// Extents that were removed since a backup of the data are listed again when
// they are put back, and the data rolls forward over them.
func TestPrunedExtentsPutBackForOldData(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	m := create(t, small(extents.Linear, extents.Manual))
	m.busy(t, r)
	data := m.copyOf(t, dataFolder)
	for range 3 {
		m.start(t)
		must(t, m.e.Image(t.Context(), queue))
		m.busy(t, r)
	}
	archive := m.copyOf(t, logFolder)
	m.start(t)
	must(t, m.e.Image(t.Context(), queue))
	_, err := m.e.Checkpoint(t.Context())
	must(t, err)
	m.prune(t)
	must(t, m.e.End(t.Context()))
	putBack := 0
	today := m.copyOf(t, logFolder)
	m.restore(t, dataFolder, data)
	if err := m.begin(t); err == nil {
		t.Fatal("old data, and the extents that it needs are gone: it started")
	}
	for name, content := range archive {
		if _, there := today[name]; !there {
			m.disk.Put(name, content)
			putBack++
		}
	}
	if putBack == 0 {
		t.Fatal("nothing was pruned")
	}
	m.start(t)
}

// The log of another queue manager is refused, in whatever parts it comes.
func TestAnotherQueueManagersLog(t *testing.T) {
	for _, kind := range []extents.Kind{extents.Circular, extents.Linear} {
		r := rand.New(rand.NewPCG(9, 9))
		m, other := create(t, small(kind, "")), create(t, small(kind, ""))
		m.busy(t, r)
		other.busy(t, r)
		own, foreign := m.copyOf(t, logFolder), other.copyOf(t, logFolder)
		control := path.Join(logFolder, extents.ControlName)

		mixed := maps.Clone(own)
		mixed[control] = foreign[control]
		m.restore(t, logFolder, mixed)
		if err := m.begin(t); !errors.Is(err, extents.ErrForeign) {
			t.Errorf("%s: its control file: %v", kind, err)
		}
		mixed = maps.Clone(foreign)
		mixed[control] = own[control]
		m.restore(t, logFolder, mixed)
		if err := m.begin(t); err == nil {
			t.Errorf("%s: its extents: started", kind)
		}
		m.restore(t, logFolder, foreign)
		if err := m.begin(t); !errors.As(err, new(*engine.LogError)) {
			t.Errorf("%s: all of its log: %v", kind, err)
		}
		m.restore(t, logFolder, own)
		m.start(t)
	}
}

// Management is what qm.ini says at a start: extents that were the
// administrator's to remove are the log's from then on.
func TestManagementChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	m := create(t, small(extents.Linear, extents.Manual))
	m.busy(t, r)
	m.start(t)
	must(t, m.e.Image(t.Context(), queue))
	before := len(m.owner.Segments())
	must(t, m.e.End(t.Context()))
	m.set.Management = extents.Automatic
	m.start(t)
	if after := len(m.owner.Segments()); after >= before {
		t.Errorf("%d extents as before", after)
	}
	m.busy(t, r)
	m.start(t)
}
