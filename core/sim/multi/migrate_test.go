package multi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// migrateTo is the flag of migmqlog for a kind of log.
func migrateTo(kind extents.Kind) string {
	return map[extents.Kind]string{extents.Circular: "-lc", extents.Linear: "-ll"}[kind]
}

func otherKind(kind extents.Kind) extents.Kind {
	return map[extents.Kind]extents.Kind{extents.Circular: extents.Linear, extents.Linear: extents.Circular}[kind]
}

// works asserts that QM1 does what one with its kind of log does: on a linear one
// a queue is recreated from the log, also from what was written before.
func (m *machine) works(kind extents.Kind, messages ...string) {
	m.Helper()
	m.well("strmqm", "QM1")
	m.holds("Q", messages...)
	if kind == extents.Circular {
		m.fails(noMediaRecovery, "AMQ7044", "rcdmqimg", "-m", "QM1", "-t", "all", "*")
		return
	}
	if _, media := m.marks(); !strings.HasPrefix(media, "S0") {
		m.Errorf("MEDIALOG %q", media)
	}
	m.checkpoint()
	m.spoil(m.file("queues/Q/q"))
	m.run("DISPLAY QLOCAL(Q)\n", "runmqsc", "QM1")
	m.well("rcrmqobj", "-m", "QM1", "-t", "qlocal", "Q")
	m.holds("Q", messages...)
	m.well("rcdmqimg", "-m", "QM1", "-t", "all", "*")
}

// The log is migrated from each type to the other and back, where it is and to
// another folder, after a clean end and after a crash: every message is there
// again, a unit of work in doubt too, and the log has the same records
// (reference, Multiplatforms 3.4 item 70).
func TestMigrateLog(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		m.fails(alreadyRuns, "AMQ7005", "migmqlog", "-m", "QM1", migrateTo(otherKind(kind)))
		m.put("Q", numbered(0, 40)...)
		doubt := m.begin("Q", "in doubt", true)
		m.begin("Q", "never committed", false)
		m.crash()
		held := append([]string{"kept"}, numbered(0, 40)...)
		before := m.well("dmpmqlog", "-m", "QM1")
		m.well("migmqlog", "-m", "QM1", migrateTo(otherKind(kind)))
		if after := m.well("dmpmqlog", "-m", "QM1"); records(after) != records(before) {
			t.Error("the log has other records")
		}
		if rest, err := os.ReadDir(filepath.Join(m.root, "var/mqm/log/QM1")); err != nil || len(rest) != 2 {
			t.Errorf("%v, %v: active and the control file", rest, err)
		}
		m.works(otherKind(kind), held...)
		m.well("rsvmqtrn", "-m", "QM1", "-c", unitName(doubt))
		held = append(held, "in doubt")
		m.well("endmqm", "-i", "QM1")

		// Back, to another folder: the old one stays.
		m.must(os.MkdirAll(filepath.Join(m.root, "newlog"), 0o770))
		old := m.extents()
		m.well("migmqlog", "-m", "QM1", "-ld", m.root+"/newlog", migrateTo(kind))
		if now := m.extents(); strings.Join(now, " ") != strings.Join(old, " ") {
			t.Errorf("the old folder has %v, had %v", now, old)
		}
		m.works(kind, held...)
		if out := m.mqsc("DISPLAY QMSTATUS LOGPATH LOGTYPE"); !strings.Contains(out, "LOGPATH("+m.root+"/newlog/QM1/active/)") || !strings.Contains(out, "LOGTYPE("+string(kind)+")") {
			t.Error(out)
		}
		m.put("Q", "later")
		m.crash()
		m.works(kind, append(held, "later")...)
	})
}

// records gives what a dump has below its header.
func records(dump string) string {
	_, all, _ := strings.Cut(dump, "LOG RECORD")
	return all
}

// What can't be migrated is refused, and stays as it is.
func TestMigrateLogRefused(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("endmqm", "-i", "QM1")
	m.edit("var/mqm/qmgrs/QM1/qm.ini", "LogSecondaryFiles=2", "LogSecondaryFiles=40")
	m.well("strmqm", "QM1")
	m.begin("Q", "held", true)
	m.put("Q", numbered(0, 200)...) // 2 MB that the restart needs, more than five extents hold
	m.well("endmqm", "-i", "QM1")
	m.edit("var/mqm/qmgrs/QM1/qm.ini", "LogSecondaryFiles=40", "LogSecondaryFiles=2")
	for _, r := range []refusal{
		{"migmqlog -m QM1", badArguments, "Usage: migmqlog"},
		{"migmqlog -m QM2 -lc", noManager, "AMQ8118E"},
		{"migmqlog -m QM1 -lc -ll", badArguments, "Usage"},
		{"migmqlog -m QM1 -lr here", badArguments, "not simulated"},
		{"migmqlog -m QM1 -lc -ld /elsewhere", badLogLocation, "/elsewhere"},
		{"migmqlog -m QM1 -lc", badLogSize, "the restart needs"},
	} {
		m.fails(r.code, r.says, strings.Fields(r.argv)...)
	}
	m.edit("var/mqm/qmgrs/QM1/qm.ini", "LogSecondaryFiles=2", "LogSecondaryFiles=40")
	m.well("strmqm", "QM1")
	if n := len(m.bodies("Q")); n != 201 {
		t.Errorf("%d messages", n)
	}
	m.well("endmqm", "-i", "QM1")
	m.must(os.Remove(filepath.Join(m.root, "var/mqm/log/QM1/amqhlctl.lfh")))
	m.fails(logNotAvailable, "AMQ7017", "migmqlog", "-m", "QM1", "-lc")
}

// A process that dies while it migrates leaves a log that starts with every
// message, or does not start; and the command goes on where it was.
func TestKilledWhileMigrating(t *testing.T) {
	for _, place := range [][]string{nil, {"-ld", "newlog"}} {
		both(t, func(m *machine, kind extents.Kind) {
			m.begin("Q", "in doubt", true)
			m.put("Q", numbered(0, 25)...)
			m.crash()
			data, log := m.backup()
			for n := 0; ; n += 1 + n/8 {
				argv := []string{"migmqlog", "-m", "QM1", migrateTo(otherKind(kind))}
				if place != nil {
					argv = append(argv, place[0], m.root+"/"+place[1])
					m.must(os.RemoveAll(filepath.Join(m.root, place[1])))
					m.must(os.MkdirAll(filepath.Join(m.root, place[1]), 0o770))
				}
				m.restoreData(data)
				m.restoreLog(log)
				if !m.killed(n, argv...) {
					return
				}
				held := append([]string{"kept"}, numbered(0, 25)...)
				if r := m.run("", "strmqm", "QM1"); r.Code == done {
					m.holds("Q", held...)
					m.well("endmqm", "-i", "QM1")
				} else if r.Code != logNotAvailable || !strings.Contains(string(r.Err), "AMQ7017") {
					t.Fatalf("after %d changes: %d %s", n, r.Code, r.Err)
				}
				m.well(argv...)
				m.well("strmqm", "QM1")
				m.holds("Q", held...)
				m.well("endmqm", "-i", "QM1")
			}
		})
	}
}
