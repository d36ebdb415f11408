package multi

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// mqs.ini has a stanza for each queue manager, in the order of their creation,
// and what a person has written in it stays.
func TestMqsIni(t *testing.T) {
	m := newMachine(t, Settings{})
	ini := filepath.Join(m.root, "var/mqm/mqs.ini")
	m.edit("var/mqm/mqs.ini", "LogPrimaryFiles=3", "LogPrimaryFiles=7")
	m.edit("var/mqm/mqs.ini", "LogFilePages=4096", "LogFilePages=64")
	m.edit("var/mqm/mqs.ini", "LogType=CIRCULAR", "LogType=linear\n# ours")
	m.well("crtmqm", "QM1")
	m.well("crtmqm", "-q", "-ls", "3", "-ld", m.root+"/logs", "-md", m.root+"/data", "A.B")
	m.well("crtmqm", "-lc", "-ld", m.root+"/logs", "A/B")
	var names, folders []string
	file := mqini.Parse([]byte(read(t, ini)))
	for _, manager := range mqini.Managers(file) {
		folder, _ := manager.DataDir()
		names, folders = append(names, manager.Name), append(folders, strings.TrimPrefix(folder, m.root))
	}
	if !slices.Equal(names, []string{"QM1", "A.B", "A/B"}) || !slices.Equal(folders, []string{"/var/mqm/qmgrs/QM1", "/data/A!B", "/var/mqm/qmgrs/A&B"}) {
		t.Errorf("%q %q", names, folders)
	}
	if len(file.Problems) > 0 || !strings.Contains(read(t, ini), "# ours") {
		t.Errorf("%v\n%s", file.Problems, read(t, ini))
	}
	log := mqini.Log(mqini.Parse([]byte(read(t, filepath.Join(m.root, "data/A!B/qm.ini")))))
	if log.Type.Value != mqini.Linear || log.PrimaryFiles.Value != 7 || log.SecondaryFiles.Value != 3 || log.FilePages.Value != 64 || log.Path.Value != m.root+"/logs/A!B/" {
		t.Errorf("%+v", log)
	}
	m.well("strmqm") // A.B
	if out := m.well("dspmq", "-m", "A.B", "-o", "all"); !strings.Contains(out, "Running") || !strings.Contains(out, "DEFAULT(yes)") {
		t.Error(out)
	}
	if out := m.well("dspmqinf", "A.B"); !strings.Contains(out, "   DataPath="+m.root+"/data/A!B\n") {
		t.Error(out)
	}
	m.well("endmqm", "A.B")
	m.well("dltmqm", "A.B")
	if text := read(t, ini); strings.Contains(text, "A.B") || strings.Contains(text, "DefaultQueueManager") || !strings.Contains(text, "Name=A/B") || !strings.Contains(text, "# ours") {
		t.Error(text)
	}
}

// Two names that make the same folder's name have different folders (".000").
func TestFoldersOfLikeNames(t *testing.T) {
	m := newMachine(t, Settings{})
	m.must(os.MkdirAll(filepath.Join(m.root, "var/mqm/log/QM1"), 0o700)) // somebody's
	m.well("crtmqm", "-lf", "64", "QM1")
	if out := m.well("dspmqinf", "QM1"); !strings.Contains(out, "Directory=QM1.000\n") {
		t.Error(out)
	}
	m.well("strmqm", "QM1")
}

// A host whose folder was moved goes on where it is: its files name others by
// their real paths and are written anew. One who only looks sees the same and
// writes nothing.
func TestMovedHost(t *testing.T) {
	for _, to := range []string{"elsewhere", "elsewhere/below"} {
		m := ready(t, extents.Linear)
		m.well("crtmqm", "-lf", "64", "-ld", m.root+"/logs", "-md", m.root+"/data", "QM2")
		was := m.root
		m.root = filepath.ToSlash(filepath.Join(t.TempDir(), to))
		m.must(os.MkdirAll(filepath.Dir(m.root), 0o700))
		m.must(os.Rename(was, m.root))
		ini := filepath.Join(m.root, "var/mqm/mqs.ini")
		before := read(t, ini)
		look := m.options()
		look.Disk = disk.ReadOnly(look.Disk)
		h, err := Open(look)
		m.must(err)
		if len(h.Managers()) != 2 || h.Manager("QM2").LogPath() != m.root+"/logs/QM2/active/" || read(t, ini) != before {
			t.Errorf("%v, %s", h.Managers(), read(t, ini))
		}
		if r := h.Run(t.Context(), []string{"dspmqinf", "QM1"}, nil); !bytes.Contains(r.Out, []byte("Prefix="+m.root+"/var/mqm\n")) {
			t.Errorf("%s", r.Out)
		}
		m.is("Running")
		m.holds("Q", "kept")
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "QM1")
		m.well("strmqm", "QM2")
		m.holds("Q", "kept")
		for _, name := range []string{"var/mqm/mqs.ini", "var/mqm/qmgrs/QM1/qm.ini", "data/QM2/qm.ini"} {
			if text := read(t, filepath.Join(m.root, name)); strings.Contains(text, was) || !strings.Contains(text, m.root) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// One qm.ini that is gone, empty or torn does not hold up the others of a host
// that is moved; put back as it was, with the paths of a folder that the host
// left two moves ago, the queue manager is there again.
func TestMovedHostWithALostManager(t *testing.T) {
	for what, lose := range map[string]func(name string) error{
		"gone":  os.Remove,
		"empty": func(name string) error { return os.Truncate(name, 0) },
		"torn":  func(name string) error { return os.Truncate(name, 20) },
	} {
		m := ready(t, extents.Linear)
		m.well("crtmqm", "-lf", "64", "QM2")
		ini := func() string { return filepath.Join(m.root, "var/mqm/qmgrs/QM2/qm.ini") }
		content := read(t, ini())
		m.must(lose(ini()))
		for range 2 {
			was := m.root
			m.root = filepath.ToSlash(filepath.Join(t.TempDir(), "elsewhere"))
			m.must(os.Rename(was, m.root))
			h, err := Open(m.options())
			m.must(err)
			if len(h.Managers()) != 1 || h.Manager("QM1") == nil || h.Lost()["QM2"] == nil {
				t.Errorf("%s: %v, lost are %v", what, h.Managers(), h.Lost())
			}
		}
		m.must(os.WriteFile(ini(), []byte(content), 0o600))
		h, err := Open(m.options())
		m.must(err)
		if again := h.Manager("QM2"); again == nil || again.LogPath() != m.root+"/var/mqm/log/QM2/active/" {
			t.Errorf("%s: put back, lost are %v", what, h.Lost())
		}
		m.well("strmqm", "QM2")
		m.holds("Q", "kept")
	}
}

// Counts of log files are those of qm.ini at a start (reference, Multiplatforms
// 1.2); kind and size are what the log is, whatever qm.ini says (1.1 item 4).
func TestCountsChangedAtARestart(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		other := extents.Linear
		if kind == extents.Linear {
			other = extents.Circular
		}
		m.edit("var/mqm/qmgrs/QM1/qm.ini", "LogPrimaryFiles=3", "LogPrimaryFiles=6")
		m.edit("var/mqm/qmgrs/QM1/qm.ini", "LogType="+string(kind), "LogType="+string(other))
		m.put("Q", "before the restart")
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "QM1")
		if out := m.mqsc("DISPLAY QMSTATUS LOGPRIM LOGTYPE"); !strings.Contains(out, "LOGPRIM(6)") || !strings.Contains(out, "LOGTYPE("+string(kind)+")") {
			t.Error(out)
		}
		m.holds("Q", "kept", "before the restart")
	})
}

// The file system of a host has a size, which outlives commands.
func TestFileSystemFull(t *testing.T) {
	m := ready(t, extents.Linear)
	m.on(func(h *Host) { m.must(h.Limit(300 << 10)) })
	full := false
	m.on(func(h *Host) {
		for n := 0; n < 100 && !full; n++ {
			_, err := h.Manager("QM1").Put(t.Context(), "Q", engine.Message{Persistent: true, Body: make([]byte, 10_000)})
			full = err != nil
		}
		if size, free, limited := h.Room(); !limited || size == 0 || free > 300<<10 {
			t.Errorf("%d, %d, %v", size, free, limited)
		}
	})
	if !full {
		t.Error("it never fills")
	}
	m.tells(0, "AMQ6708")
	m.fails(noStorage, "AMQ7083", "crtmqm", "-lf", "64", "QM2")
	if _, err := os.Stat(filepath.Join(m.root, "var/mqm/qmgrs/QM2")); !os.IsNotExist(err) {
		t.Errorf("a part of QM2 is left: %v", err)
	}
	m.on(func(h *Host) { m.must(h.Limit(-1)) })
	m.put("Q", "goes on")
	m.well("crtmqm", "-lf", "64", "QM2")
}

// A name that is taken elsewhere in the estate is none for crtmqm.
func TestTakenName(t *testing.T) {
	m := newMachine(t, Settings{})
	m.on(func(h *Host) {
		h.Taken = func(name string) bool { return name == "ORDERS" }
		if r := h.Run(t.Context(), []string{"crtmqm", "ORDERS"}, nil); r.Code != alreadyExists || !bytes.Contains(r.Err, []byte("AMQ8110")) {
			t.Errorf("%d %s", r.Code, r.Err)
		}
		if _, err := h.Create(t.Context(), qmgr.Spec{Name: "ORDERS"}); !errors.Is(err, ErrTaken) {
			t.Error(err)
		}
	})
}

// On a host that can't be written every command that changes something fails,
// and nothing is changed.
func TestReadOnlyHost(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("crtmqm", "-lf", "64", "QM2")
	before := tree(t, m.root)
	look := m.options()
	look.Disk = disk.ReadOnly(look.Disk)
	h, err := Open(look)
	m.must(err)
	for argv, stdin := range map[string]string{
		"crtmqm -lf 64 QM3": "", "strmqm QM2": "", "dltmqm QM2": "", "endmqm -i QM1": "", "strmqm QM1": "", "runmqsc QM1": "DEFINE QLOCAL(A)\n",
		"rcdmqimg -m QM1 -t all *": "", "rcrmqobj -m QM1 -t all *": "", "rsvmqtrn -m QM1 -c 1": "", "dltmqm QM1": "",
	} {
		if r := h.Run(t.Context(), strings.Fields(argv), []byte(stdin)); r.Code == 0 {
			t.Errorf("%s: %s", argv, r.Out)
		}
	}
	for _, argv := range []string{"dspmq", "dspmqinf QM1", "dmpmqlog -m QM2", "dspmqfls -m QM1 -t all *", "dspmqtrn -m QM1 -a", "dmpmqcfg -m QM1"} {
		if r := h.Run(t.Context(), strings.Fields(argv), nil); r.Code != 0 {
			t.Errorf("%s: %d %s", argv, r.Code, r.Err)
		}
	}
	if !slices.Equal(before, tree(t, m.root)) {
		t.Error("something was changed")
	}
}

// tree gives all files with their sizes and times.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && !entry.IsDir() {
			all = append(all, name+" "+info.ModTime().String()+read(t, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
