package multi

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// The scenarios of damage by their letters (reference, Multiplatforms 4.6; SEED
// 7.2 to 7.5). Each breaks real files, with rm, cp and what a bad disk does, and
// acts as a person would: through the control commands alone.

// a: power or communication fails: the restart brings back what was committed,
// drops what was not, and what was not persistent is gone.
func TestPowerFails(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.begin("Q", "uncommitted", false)
		doubt := m.begin("Q", "in doubt", true)
		m.crash()
		m.is("Ended unexpectedly")
		out := m.well("strmqm", "QM1")
		for _, want := range []string{
			"IBM MQ queue manager 'QM1' starting.", "during the log replay phase.", "Log replay for queue manager 'QM1' complete.",
			"Transaction manager state recovered for queue manager 'QM1'.", "1 out of 2 in-flight transactions resolved",
			"IBM MQ queue manager 'QM1' started using V9.4.0.0.",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
		m.holds("Q", "kept")
		m.well("rsvmqtrn", "-m", "QM1", "-c", unitName(doubt))
		m.holds("Q", "kept", "in doubt")
	})
}

// b: the queue manager object is damaged while it runs: it shuts down
// pre-emptively. Linear: its file is deleted, dspmqfls says which, and the start
// makes it anew. Circular: a backup of data and log is restored.
func TestManagerObjectDamagedRunning(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.well("endmqm", "-i", "QM1")
		data, log := m.backup()
		m.well("strmqm", "QM1")
		m.put("Q", "newer")
		file := m.file("qmanager/QMANAGER")
		m.spoil(file)
		if r := m.run("ALTER QMGR DESCR('x')\n", "runmqsc", "QM1"); r.Code == 0 {
			t.Errorf("%s", r.Out)
		}
		m.is("Ended preemptively")
		m.tells(0, "AMQ7472")
		if out := m.well("dspmqfls", "-m", "QM1", "-t", "qmgr", "*"); !strings.Contains(out, filepath.ToSlash(file)) {
			t.Error(out)
		}
		m.must(os.Remove(file))
		if kind == extents.Linear {
			m.well("strmqm", "QM1")
			m.holds("Q", "kept", "newer")
			return
		}
		m.fails(objectDamaged, "QM1, type qmgr", "strmqm", "QM1")
		m.restoreData(data)
		m.restoreLog(log)
		m.well("strmqm", "QM1")
		m.holds("Q", "kept")
	})
}

// c: the queue manager object is damaged when it starts. Linear: it is made
// anew; circular: no start.
func TestManagerObjectDamagedAtStart(t *testing.T) {
	for _, how := range []string{"deleted", "rubbish", "flipped"} {
		both(t, func(m *machine, kind extents.Kind) {
			m.mqsc("ALTER QMGR DESCR('ours')")
			m.well("endmqm", "-i", "QM1")
			file := m.file("qmanager/QMANAGER")
			switch how {
			case "deleted":
				m.must(os.Remove(file))
			case "rubbish":
				m.spoil(file)
			default:
				m.flip(file, 100)
			}
			if kind == extents.Circular {
				m.fails(objectDamaged, "AMQ7084E: Object QM1, type qmgr damaged.", "strmqm", "QM1")
				m.well("dltmqm", "QM1") // the other way out
				return
			}
			m.well("strmqm", "QM1")
			m.tells(0, "AMQ7081")
			if out := m.mqsc("DISPLAY QMGR DESCR"); !strings.Contains(out, "DESCR(ours)") {
				t.Error(out)
			}
			m.holds("Q", "kept")
		})
	}
}

// flip changes one bit of a file.
func (m *machine) flip(name string, at int) {
	m.Helper()
	content, err := os.ReadFile(name)
	m.must(err)
	content[at] ^= 0x40
	m.must(os.WriteFile(name, content, 0o600))
}

// d: a local queue with uncommitted work is damaged when it starts. Linear: it
// is made anew. Circular: it is flagged, AMQ7472, its uncommitted work ignored,
// and the start goes on.
func TestQueueWithWorkDamagedAtStart(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.mqsc("DEFINE QLOCAL(OTHER)")
		m.put("OTHER", "elsewhere")
		doubt := m.begin("Q", "in doubt", true)
		m.begin("Q", "uncommitted", false)
		m.checkpoint()
		m.crash()
		m.spoil(m.file("queues/Q/q"))
		told := len(m.told(0))
		m.well("strmqm", "QM1")
		m.tells(told, "AMQ7472")
		m.holds("OTHER", "elsewhere")
		if kind == extents.Linear {
			m.tells(told, "AMQ7081")
			m.holds("Q", "kept")
			m.well("rsvmqtrn", "-m", "QM1", "-c", unitName(doubt))
			m.holds("Q", "kept", "in doubt")
			return
		}
		r := m.run("DISPLAY QLOCAL(Q) CURDEPTH\n", "runmqsc", "QM1")
		if r.Code != 10 || !bytes.Contains(r.Out, []byte("AMQ8149")) {
			t.Errorf("%d\n%s", r.Code, r.Out)
		}
		m.redefine("Q")
	})
}

// redefine is what is left on a circular log: delete and define.
func (m *machine) redefine(queue string) {
	m.Helper()
	m.mqsc("DELETE QLOCAL("+queue+") PURGE", "DEFINE QLOCAL("+queue+")")
	m.put(queue, "new")
	m.holds(queue, "new")
	m.well("endmqm", "-i", "QM1")
	m.well("strmqm", "QM1")
	m.holds(queue, "new")
}

// e and f: a single object is damaged, or its file deleted by accident, while
// the queue manager runs: it goes on, most operations on the object fail.
// Linear: rcrmqobj brings back all messages; circular: delete and define.
func TestSingleObjectDamagedRunning(t *testing.T) {
	for _, how := range []string{"deleted", "rubbish"} {
		both(t, func(m *machine, kind extents.Kind) {
			m.mqsc("DEFINE QLOCAL(OTHER)")
			m.put("Q", numbered(0, 20)...)
			m.checkpoint() // hardens it
			m.put("Q", "after the checkpoint")
			if how == "deleted" {
				m.must(os.Remove(m.file("queues/Q/q")))
			} else {
				m.spoil(m.file("queues/Q/q"))
			}
			r := m.run("DISPLAY QLOCAL(Q) CURDEPTH\n", "runmqsc", "QM1")
			if r.Code != 10 || !bytes.Contains(r.Out, []byte("AMQ8149")) {
				t.Fatalf("%d\n%s", r.Code, r.Out)
			}
			m.tells(0, "AMQ7472")
			m.is("Running")
			m.put("OTHER", "goes on")
			m.onManager(func(q *qmgr.Manager) error {
				if _, err := q.Get(t.Context(), "Q"); qmgr.Reason(err) != qmgr.ObjectDamaged {
					t.Errorf("%v", err)
				}
				return nil
			})
			if kind == extents.Circular {
				m.fails(noMediaRecovery, "AMQ7044", "rcrmqobj", "-m", "QM1", "-t", "qlocal", "Q")
				m.redefine("Q")
				return
			}
			m.fails(objectDamaged, "AMQ7084E: Object Q, type qlocal damaged.", "rcdmqimg", "-m", "QM1", "-t", "qlocal", "Q")
			if out := m.well("rcrmqobj", "-m", "QM1", "-t", "qlocal", "Q"); out != "Object Q, type qlocal recreated.\n" {
				t.Error(out)
			}
			m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 20), []string{"after the checkpoint"})...)
			m.holds("OTHER", "goes on")
			m.fails(nothingProcessed, "AMQ7082", "rcrmqobj", "-m", "QM1", "-t", "qlocal", "Q")
		})
	}
}

// g: an extent that a media recovery needs is missing: AMQ6767. With that one
// alone put back it fails on the next, with all later ones it works.
func TestExtentMissingForMediaRecovery(t *testing.T) {
	m := ready(t, extents.Linear)
	m.put("Q", numbered(0, 100)...)
	m.checkpoint()
	restart, media := m.marks()
	names := m.extents()
	from, to := slices.Index(names, media), slices.Index(names, restart)
	if to-from < 2 {
		t.Fatal(restart, media, names)
	}
	first, second := m.take(m.extent(names[from])), m.take(m.extent(names[from+1]))
	m.spoil(m.file("queues/Q/q"))
	recreate := []string{"rcrmqobj", "-m", "QM1", "-t", "qlocal", "Q"}
	m.run("DISPLAY QLOCAL(Q)\n", "runmqsc", "QM1") // finds the damage
	m.fails(noMediaImage, "AMQ6767E: Log file "+names[from]+" ", recreate...)
	m.tells(0, "AMQ6767")
	first()
	m.fails(noMediaImage, "AMQ6767E: Log file "+names[from+1]+" ", recreate...)
	second()
	m.well(recreate...)
	m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 100))...)
}

// h: an extent that a restart needs is missing, or damaged: no start, AMQ7017;
// put back, it starts with all messages.
func TestExtentMissingForRestart(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.put("Q", numbered(0, 30)...)
		m.crash()
		name := m.extent("S0000000.LOG")
		back := m.take(name)
		for range 2 { // nothing is made in its place (reference, Multiplatforms 4.2 item 87)
			m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		}
		if _, err := os.Stat(name); err == nil {
			t.Error("a file is in its place")
		}
		m.is("Ended unexpectedly")
		back()
		content, err := os.ReadFile(name)
		m.must(err)
		m.flip(name, bytes.Index(content, []byte("000003 x"))+5000)
		m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		m.tells(0, "AMQ7017")
		m.must(os.WriteFile(name, content, 0o600))
		m.well("strmqm", "QM1")
		m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 30))...)
	})
}

// i: automatic media recovery fails at the start: no start; the last backup of
// data and log is restored and starts.
func TestAutomaticMediaRecoveryFails(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("endmqm", "-w", "QM1")
	data, log := m.backup()
	m.well("strmqm", "QM1")
	m.put("Q", numbered(0, 100)...)
	m.begin("Q", "uncommitted", false)
	m.checkpoint()
	_, media := m.marks()
	m.crash()
	m.must(os.Remove(m.extent(media)))
	m.must(os.Remove(m.file("queues/Q/q")))
	m.fails(logNotAvailable, "AMQ6767", "strmqm", "QM1")
	m.restoreData(data)
	m.restoreLog(log)
	m.well("strmqm", "QM1")
	m.holds("Q", "kept")
}
