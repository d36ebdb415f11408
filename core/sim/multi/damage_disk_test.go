package multi

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// j: the folders are broken, or the log is: no start. Everything is wiped and
// the backup restored.
func TestDirectoryStructureBroken(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.well("endmqm", "-w", "QM1")
		data, log := m.backup()
		m.must(os.RemoveAll(m.file("startprm"))) // an empty one counts too (SEED 7.4.1)
		m.fails(unexpected, "AMQ7018", "strmqm", "QM1")
		m.restoreData(data)
		m.well("strmqm", "QM1")
		m.put("Q", "newer")
		m.well("endmqm", "-w", "QM1")
		for _, broken := range []string{"var/mqm/log/QM1", "var/mqm/log/QM1/active", "var/mqm/log/QM1/amqhlctl.lfh"} {
			m.must(os.RemoveAll(filepath.Join(m.root, broken)))
			m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
			m.restoreData(data)
			m.restoreLog(log)
			m.well("strmqm", "QM1")
			m.holds("Q", "kept")
			m.well("endmqm", "-w", "QM1")
		}
	})
}

// k: the data are lost, the folders made anew, the log is fine. Linear: it
// starts, DISPLAY QUEUE finds the damage, rcrmqobj mends all but channels.
// Circular: the last backup is restored.
func TestDataLost(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.mqsc("DEFINE CHANNEL(TO.B) CHLTYPE(SVRCONN)", "DEFINE PROCESS(P) APPLICID('a')", "DEFINE NAMELIST(N) NAMES(Q)")
		m.well("endmqm", "-w", "QM1")
		data, log := m.backup()
		m.well("strmqm", "QM1")
		m.put("Q", "newer")
		m.checkpoint()
		m.crash()
		for _, folder := range []string{"queues", "procdef", "channel", "namelist", "qmanager", "topic"} {
			m.must(os.RemoveAll(m.file(folder)))
			m.must(os.Mkdir(m.file(folder), 0o700))
		}
		if kind == extents.Circular {
			m.fails(objectDamaged, "AMQ7084", "strmqm", "QM1")
			m.restoreData(data)
			m.restoreLog(log)
			m.well("strmqm", "QM1")
			m.holds("Q", "kept")
			m.mqsc("DISPLAY QUEUE(*) CURDEPTH")
			return
		}
		m.well("strmqm", "QM1")
		if r := m.run("DISPLAY QUEUE(*)\n", "runmqsc", "QM1"); !bytes.Contains(r.Out, []byte("AMQ8149")) {
			t.Errorf("%s", r.Out)
		}
		out := m.well("rcrmqobj", "-m", "QM1", "-t", "all", "*")
		for _, want := range []string{"Object Q, type qlocal recreated.", "Object P, type process recreated.", "Object N, type namelist recreated."} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %s", want, out)
			}
		}
		if strings.Contains(out, "TO.B") {
			t.Error(out)
		}
		m.holds("Q", "kept", "newer")
		m.fails(notRecoverable, "", "rcrmqobj", "-m", "QM1", "-t", "channel", "TO.B")
		// The default channels are lost too: strmqm -c makes them anew.
		m.mqsc("DELETE CHANNEL(TO.B)")
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "-c", "QM1")
		m.is("Ended immediately")
		m.well("strmqm", "QM1")
		m.mqsc("DEFINE CHANNEL(TO.B) CHLTYPE(SVRCONN)", "DISPLAY QUEUE(*) CURDEPTH")
	})
}

// l: data restored from a backup, the current logs kept, on linear: the start
// rolls forward to the newest state. Without the oldest extent that the backup
// needs it does not.
func TestDataRestoredLogsKept(t *testing.T) {
	m := ready(t, extents.Linear)
	m.mqsc("DEFINE QLOCAL(GONE)")
	m.well("endmqm", "-w", "QM1")
	data, _ := m.backup()
	m.well("strmqm", "QM1")
	needed, _ := m.marks() // the end's checkpoint, which the start read from, is in it or before
	m.well("endmqm", "-w", "QM1")
	want := []string{"kept"}
	for round := range 3 {
		m.well("strmqm", "QM1")
		more := numbered(round*30, round*30+30)
		m.put("Q", more...)
		want = append(want, more...)
		name := "NEW" + string(rune('A'+round))
		m.mqsc("DEFINE QLOCAL(" + name + ")")
		m.put(name, "new")
		m.checkpoint()
		m.well("endmqm", "-w", "QM1")
	}
	m.well("strmqm", "QM1")
	m.mqsc("DELETE QLOCAL(GONE)")
	m.crash() // the failure
	m.restoreData(data)
	m.well("strmqm", "QM1")
	m.holds("Q", want...)
	for _, name := range []string{"NEWA", "NEWB", "NEWC"} {
		m.holds(name, "new")
	}
	if r := m.run("DISPLAY QLOCAL(GONE)\n", "runmqsc", "QM1"); !bytes.Contains(r.Out, []byte("AMQ8147")) {
		t.Errorf("%s", r.Out)
	}
	m.well("endmqm", "-w", "QM1")

	m.restoreData(data)
	back := m.take(m.extent(needed))
	m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
	back()
	m.well("strmqm", "QM1")
	m.holds("Q", want...)
}

// m: data and log of different ages. Newer data with an older log are refused;
// so are older data on a circular log that has gone over what they need. Both of
// one time start.
func TestDifferentAges(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.well("endmqm", "-w", "QM1")
		data, log := m.backup()
		m.well("strmqm", "QM1")
		m.put("Q", numbered(0, 300)...) // more than the ring
		m.well("endmqm", "-w", "QM1")
		newData, newLog := m.backup()
		m.restoreLog(log)
		m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		if kind == extents.Circular {
			m.restoreLog(newLog)
			m.restoreData(data)
			m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		}
		m.restoreData(data)
		m.restoreLog(log)
		m.well("strmqm", "QM1")
		m.holds("Q", "kept")
		m.well("endmqm", "-w", "QM1")
		m.restoreData(newData)
		m.restoreLog(newLog)
		m.well("strmqm", "QM1")
		m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 300))...)
	})
}

// n: an extent that is needed is deleted under the running queue manager: it
// runs on without an error, ends cleanly, and does not start (SEED 7.3). Copied
// back, it starts with all messages.
func TestNeededExtentDeletedRunning(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.begin("Q", "in doubt", true) // needs the first extent
		m.put("Q", numbered(0, 40)...)
		m.checkpoint()
		back := m.take(m.extent("S0000000.LOG"))
		told := len(m.told(0))
		m.put("Q", "after the deletion")
		m.is("Running")
		m.well("endmqm", "-i", "QM1")
		m.is("Ended immediately")
		for _, id := range m.told(told) {
			if id == "AMQ6767" || id == "AMQ7017" || id == "AMQ7472" {
				t.Errorf("%s was told", id)
			}
		}
		m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		back()
		m.well("strmqm", "QM1")
		m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 40), []string{"after the deletion"})...)
		if out := m.well("dspmqtrn", "-m", "QM1"); !strings.Contains(out, "PREPARED") {
			t.Error(out)
		}
	})
}

// j, with nothing left of the data: the queue manager is shown as one that
// nobody can ask, the others are not held up, and with the backup restored it is
// there again.
func TestDataFolderGone(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.well("crtmqm", "-lf", "64", "QM2")
		m.well("endmqm", "-i", "QM1")
		data, log := m.backup()
		m.must(os.RemoveAll(m.file(".")))
		m.is("Status not available")
		m.fails(unexpected, "AMQ7018S: The queue manager directory "+m.root+"/var/mqm/qmgrs/QM1 ", "strmqm", "QM1")
		m.fails(unexpected, "AMQ7018", "rcdmqimg", "-m", "QM1", "-t", "all", "*")
		m.fails(alreadyExists, "AMQ8110", "crtmqm", "QM1")
		m.well("strmqm", "QM2")
		m.restoreData(data)
		m.restoreLog(log)
		m.well("strmqm", "QM1")
		m.holds("Q", "kept")
		m.crash()
		m.must(os.RemoveAll(m.file(".")))
		m.well("dltmqm", "QM1")
		if out := m.well("dspmq"); strings.Contains(out, "QM1") || !strings.Contains(out, "QM2") {
			t.Error(out)
		}
	})
}

// l without its first condition: the data of the backup with the checkpoint file
// of now. What the files lack is not passed over in silence: it does not start,
// or what it can't vouch for is damaged and comes back from the log.
func TestDataRestoredWithoutItsCheckpointFile(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.well("endmqm", "-w", "QM1")
		data, _ := m.backup()
		m.well("strmqm", "QM1")
		m.put("Q", numbered(0, 60)...)
		m.checkpoint()
		m.well("endmqm", "-w", "QM1")
		checkpoint, err := os.ReadFile(m.file("amqalchk.fil"))
		m.must(err)
		m.restoreData(data)
		m.must(os.WriteFile(m.file("amqalchk.fil"), checkpoint, 0o600))
		if r := m.run("", "strmqm", "QM1"); r.Code != 0 {
			t.Logf("it does not start: %s", r.Err)
			return
		}
		if kind == extents.Linear {
			m.run("DISPLAY QLOCAL(Q)\n", "runmqsc", "QM1")
			m.well("rcrmqobj", "-m", "QM1", "-t", "all", "*")
			m.holds("Q", slices.Concat([]string{"kept"}, numbered(0, 60))...)
			return
		}
		r := m.run("DISPLAY QLOCAL(Q) CURDEPTH\n", "runmqsc", "QM1")
		if !bytes.Contains(r.Out, []byte("AMQ8149")) {
			t.Errorf("messages were lost in silence:\n%s", r.Out)
		}
	})
}

// The log of a fresh queue manager of equal size in place of one's own is no
// remedy (reference, Multiplatforms 6 item 113): it is refused.
func TestTransplantedLog(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		flag := map[extents.Kind]string{extents.Circular: "-lc", extents.Linear: "-ll"}[kind]
		m.well("crtmqm", flag, "-lf", "64", "-lp", "3", "-ls", "2", "QM2")
		m.crash()
		_, log := m.backup()
		m.restoreLog(filepath.Join(m.root, "var/mqm/log/QM2"))
		m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
		m.restoreLog(log)
		m.well("strmqm", "QM1")
		m.holds("Q", "kept")
	})
}
