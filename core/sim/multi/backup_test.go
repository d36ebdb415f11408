package multi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// Backup and restore of a whole queue manager (SEED 7.4): ended, data and log
// at the same moment, with empty folders and permissions, the target emptied
// first. What came after the backup is gone.
func TestBackupAndRestore(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		m.mqsc("DEFINE QLOCAL(OTHER)", "DEFINE PROCESS(P) APPLICID('a')", "ALTER QMGR DESCR('as backed up')")
		m.put("Q", numbered(0, 20)...)
		m.begin("Q", "in doubt", true)
		m.well("endmqm", "-i", "QM1")
		data, log := m.backup()
		m.well("strmqm", "QM1")
		m.put("OTHER", "newer")
		m.mqsc("DEFINE QLOCAL(NEWER)", "ALTER QMGR DESCR('newer')", "DELETE PROCESS(P)")
		m.well("endmqm", "-w", "QM1")
		m.restoreData(data)
		m.restoreLog(log)
		m.well("strmqm", "QM1")
		m.holds("Q", append([]string{"kept"}, numbered(0, 20)...)...)
		m.holds("OTHER")
		m.mqsc("DISPLAY PROCESS(P)")
		if out := m.mqsc("DISPLAY QMGR DESCR"); !strings.Contains(out, "as backed up") {
			t.Error(out)
		}
		if out := m.well("dspmqtrn", "-m", "QM1"); !strings.Contains(out, "PREPARED") {
			t.Error(out)
		}
		if r := m.run("DISPLAY QLOCAL(NEWER)\n", "runmqsc", "QM1"); r.Code != 10 {
			t.Errorf("%s", r.Out)
		}
	})
}

// A backup that lost permissions or owners is none: the start names the file
// that it can't use (SEED 7.4.1; reference, Multiplatforms 10, trap 28).
func TestRestoredWithoutPermissions(t *testing.T) {
	m := ready(t, extents.Linear)
	m.checkpoint()
	m.well("endmqm", "-w", "QM1")
	data, log := m.backup()
	for _, name := range []string{
		m.file("qm.ini"), m.file("amqalchk.fil"), m.file("queues"), m.file("queues/Q/q"), m.file("startprm"),
		m.extent("S0000000.LOG"), filepath.Dir(m.extent("")), filepath.Join(m.root, "var/mqm/log/QM1/amqhlctl.lfh"),
	} {
		info, err := os.Stat(name)
		m.must(err)
		m.must(os.Chmod(name, info.Mode().Perm()&^0o200))
		m.fails(notAuthorised, filepath.ToSlash(name), "strmqm", "QM1")
		if os.Geteuid() == 0 {
			m.must(os.Chmod(name, info.Mode().Perm()))
			m.must(os.Chown(name, 4711, 4711))
			m.fails(notAuthorised, "4711", "strmqm", "QM1")
		}
		m.must(os.RemoveAll(m.file(".")))
		m.restoreData(data)
		m.restoreLog(log)
	}
	m.well("strmqm", "QM1")
	m.holds("Q", "kept")
}

// The configuration has to lead to where the backup was put (SEED 7.4.2): with
// the log in another folder it starts once LogPath says so.
func TestRestoredToAnotherFolder(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("endmqm", "-w", "QM1")
	_, log := m.backup()
	m.must(os.RemoveAll(filepath.Join(m.root, "var/mqm/log/QM1")))
	copyTree(t, log, filepath.Join(m.root, "newlog"))
	m.fails(logNotAvailable, "AMQ7017", "strmqm", "QM1")
	m.edit("var/mqm/qmgrs/QM1/qm.ini", m.root+"/var/mqm/log/QM1/", m.root+"/newlog/")
	m.well("strmqm", "QM1")
	m.holds("Q", "kept")
	if out := m.mqsc("DISPLAY QMSTATUS LOGPATH"); !strings.Contains(out, m.root+"/newlog/active/") {
		t.Error(out)
	}
}

// edit changes a word of a configuration file, as with an editor.
func (m *machine) edit(name, from, to string) {
	m.Helper()
	file := filepath.Join(m.root, name)
	content, err := os.ReadFile(file)
	m.must(err)
	if !strings.Contains(string(content), from) {
		m.Fatalf("%s is not in %s\n%s", from, name, content)
	}
	m.must(os.WriteFile(file, []byte(strings.ReplaceAll(string(content), from, to)), 0o600))
}

// Data that were copied while the queue manager ran are no backup (SEED 7.4.1):
// put back with the log of now they are those of a queue manager that crashed,
// and no message that the log has is missing after the start.
func TestCopyOfARunningQueueManager(t *testing.T) {
	both(t, func(m *machine, _ extents.Kind) {
		data, _ := m.backup()
		m.put("Q", numbered(0, 20)...)
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "QM1")
		m.put("Q", "last")
		m.well("endmqm", "-i", "QM1")
		m.restoreData(data)
		m.on(func(*Host) {}) // finds that it can't go on
		m.is("Ended unexpectedly")
		m.well("strmqm", "QM1")
		m.holds("Q", append(append([]string{"kept"}, numbered(0, 20)...), "last")...)
	})
}
