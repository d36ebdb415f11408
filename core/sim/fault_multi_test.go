package sim_test

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
)

// multiCase is a fault and how it is seen afterwards.
type multiCase struct {
	args  []string
	after func(machine)
}

// Every fault of Multiplatforms does what it says: it is seen from outside.
func TestMultiFaults(t *testing.T) {
	rebuild := []string{"rcrmqobj", "-m", "QM1", "-t", "qlocal", "A"}
	cases := map[string][]multiCase{
		"crash": {{nil, func(m machine) {
			if got := m.e.Status().Managers[0]; got.State != "Ended unexpectedly" || got.Work != nil {
				m.Errorf("%+v", got)
			}
			m.well("strmqm", "QM1")
			if m.depth() != 1 {
				m.Errorf("%d messages", m.depth())
			}
		}}},
		"damage": {
			{[]string{"A"}, func(m machine) {
				if got := m.e.Status().Managers[0].Work.Damaged; got != 1 {
					m.Errorf("%d damaged", got)
				}
				if err := m.put(1); !errors.Is(err, engine.ErrDamaged) {
					m.Error(err)
				}
				m.well(rebuild...)
				if m.depth() != 1 {
					m.Errorf("%d messages", m.depth())
				}
			}},
			// The queue manager object damaged: it ends pre-emptively, and a start
			// rebuilds it (reference, Multiplatforms 4.6, b).
			{[]string{"*qmgr"}, func(m machine) {
				if got := m.e.Status().Managers[0].State; got != "Ended preemptively" {
					m.Errorf("it has %s", got)
				}
				m.well("strmqm", "QM1")
			}},
		},
		// An object file deleted by accident (4.6, f): found with the next use of it
		// after a start.
		"lose-file": {{[]string{"var/mqm/qmgrs/QM1/queues/A/q"}, func(m machine) {
			m.well("endmqm", "-i", "QM1")
			m.well("strmqm", "QM1")
			m.run(rebuild...)
			if m.depth() != 1 {
				m.Errorf("%d messages", m.depth())
			}
		}}},
		// A needed extent is lost: no start (4.6, h); none of a rebuild (4.6, g).
		"lose-extent": {{[]string{"S0000000.LOG"}, func(m machine) {
			m.fault("damage", "A")
			m.fails("AMQ6767", rebuild...)
			m.fault("crash")
			m.fails("AMQ7017", "strmqm", "QM1")
		}}},
		"flip-byte": {{[]string{"S0000000.LOG", "9000"}, func(m machine) {
			for at := 120_000; at < 260_000; at += 1000 { // some of them are in what a rebuild reads
				m.fault("flip-byte", "S0000000.LOG", strconv.Itoa(at))
			}
			m.fault("damage", "A")
			if out := m.run(rebuild...); !strings.Contains(out, "exit code") {
				m.Error(out)
			}
		}}},
		"file-system": {{[]string{"64"}, func(m machine) {
			var full error
			for n := 0; n < 40 && full == nil; n++ {
				full = m.put(100 << 10)
			}
			if full == nil {
				m.Error("the file system never fills")
			}
			if got := m.e.Status().Managers[0].Free; got == nil || *got > 64<<10 {
				m.Error("it is not shown how much is free")
			}
			if _, err := m.e.Fault(m.Context(), "QM1", "file-system", "none"); err != nil {
				m.Error(err)
			}
			if got := m.e.Status().Managers[0].Free; got != nil {
				m.Errorf("%d bytes are free", *got)
			}
		}}},
		"backup":  {{nil, nil}}, // TestBackupOfAQueueManager
		"restore": {{nil, nil}},
		"clock-back": {{[]string{"1h"}, func(m machine) {
			if st := m.e.Status(); st.Managers[0].Clock.Sub(st.Time) != -time.Hour {
				m.Errorf("%s and %s", st.Managers[0].Clock, st.Time)
			}
		}}},
		"clock-forward": {{[]string{"90m"}, func(m machine) {
			if st := m.e.Status(); st.Managers[0].Clock.Sub(st.Time) != 90*time.Minute {
				m.Errorf("%s and %s", st.Managers[0].Clock, st.Time)
			}
		}}},
		"open-unit": {
			{[]string{"A"}, func(m machine) {
				if out := m.with("DISPLAY CONN(*) UOWLOG APPLTAG\n", "runmqsc", "QM1"); !strings.Contains(out, "UOWLOG(S0000000.LOG)") || !strings.Contains(out, "APPLTAG(APPHAND)") {
					m.Error(out)
				}
			}},
			{[]string{"A", "prepared"}, func(m machine) {
				m.well("endmqm", "-i", "QM1")
				m.well("strmqm", "QM1")
				if got := m.e.Status().Managers[0].Work.UnitsOfWork; got != 1 {
					m.Errorf("%d in doubt", got)
				}
			}},
		},
		"end-unit": {{[]string{"1", "commit"}, func(m machine) {
			if got := m.e.Status().Managers[0].Work; got.UnitsOfWork != 0 || got.Messages != 2 {
				m.Errorf("%+v", got)
			}
		}}},
	}
	for _, k := range sim.Faults(observe.Multiplatforms) {
		if len(cases[k.Name]) == 0 {
			t.Errorf("fault %s has no test", k.Name)
		}
		for _, c := range cases[k.Name] {
			if c.after == nil {
				continue
			}
			t.Run(k.Name, func(t *testing.T) {
				dir := madeMulti(t, linear)
				on(t, dir, func(e *sim.Estate) {
					m := machine{t, e}
					m.with("DEFINE QLOCAL(A) MAXMSGL(4194304)\n", "runmqsc", "QM1")
					if err := m.put(10); err != nil {
						t.Fatal(err)
					}
					m.prepare(k.Name, c.args)
					if done, err := e.Fault(t.Context(), "QM1", k.Name, c.args...); err != nil || done == "" {
						t.Errorf("%v: %q, %v", c.args, done, err)
					}
					if _, err := e.Fault(t.Context(), "QM1", k.Name, "a", "b", "c"); !errors.Is(err, sim.ErrUsage) {
						t.Errorf("three arguments: %v", err)
					}
				})
				on(t, dir, func(e *sim.Estate) { c.after(machine{t, e}) }) // also in the next command
			})
		}
	}
}

// prepare gives the fault something to happen to.
func (m machine) prepare(name string, args []string) {
	m.Helper()
	switch name {
	case "lose-file": // the queue has a file once it was hardened
		m.well("rcdmqimg", "-m", "QM1", "-t", "qlocal", "A")
	case "lose-extent", "flip-byte": // of which none is being written
		m.with("RESET QMGR TYPE(ADVANCELOG)\n", "runmqsc", "QM1")
	case "end-unit": // its number takes the place of the first argument
		done, err := m.e.Fault(m.Context(), "QM1", "open-unit", "A")
		if err != nil {
			m.Fatal(err)
		}
		args[0] = strings.Fields(strings.TrimPrefix(done, "unit of work "))[0]
	}
}

// Faults of files stay in the folder of the machine, and what is no extent is
// not taken for one.
func TestMultiFaultsOfOtherFiles(t *testing.T) {
	dir := madeMulti(t, linear)
	on(t, dir, func(e *sim.Estate) {
		for _, c := range [][]string{
			{"lose-file", "/etc/passwd"}, {"lose-file", filepath.Join(dir, "estate.json")}, {"lose-extent", "qm.ini"},
			{"flip-byte", filepath.Join(dir, "estate.json"), "1"}, {"flip-byte", "S0000000.LOG", "-1"}, {"file-system", "much"},
		} {
			if _, err := e.Fault(t.Context(), "QM1", c[0], c[1:]...); !errors.Is(err, sim.ErrUsage) {
				t.Errorf("%q: %v", c, err)
			}
		}
		if _, err := e.Fault(t.Context(), "QM1", "lose-file", "../../../estate.json"); err == nil {
			t.Error("a file above the machine is gone")
		}
		machine{t, e}.well("dspmq")
	})
}

// A whole backup brings the queue manager back as it was then; data of a backup
// with the logs of now are rolled forward to now (reference, Multiplatforms 4.6,
// l); logs of a backup with newer data are refused (m).
func TestBackupOfAQueueManager(t *testing.T) {
	dir := madeMulti(t, linear)
	backup := filepath.Join(t.TempDir(), "backup")
	on(t, dir, func(e *sim.Estate) {
		m := machine{t, e}
		m.with("DEFINE QLOCAL(A) MAXMSGL(4194304)\n", "runmqsc", "QM1")
		put := func(n int) {
			t.Helper()
			for range n {
				if err := m.put(50_000); err != nil {
					t.Fatal(err)
				}
			}
		}
		again := func(want int) {
			t.Helper()
			m.well("strmqm", "QM1")
			if got := m.depth(); got != want {
				t.Errorf("%d messages, and %d were to be", got, want)
			}
			m.well("endmqm", "-i", "QM1")
		}
		put(3)
		if _, err := e.Fault(t.Context(), "QM1", "backup", backup); err == nil {
			t.Error("a queue manager that runs was copied")
		}
		m.well("endmqm", "-i", "QM1")
		m.fault("backup", backup)
		if _, err := e.Fault(t.Context(), "QM1", "backup", backup); err == nil {
			t.Error("a backup was made over another")
		}
		m.well("strmqm", "QM1")
		put(20) // over several extents
		m.well("endmqm", "-i", "QM1")
		m.fault("restore", backup, "data")
		again(23)
		m.fault("restore", backup, "log")
		if out := m.run("strmqm", "QM1"); !strings.Contains(out, "exit code") {
			t.Errorf("data that are newer than the log: %s", out)
		}
		m.fault("restore", backup)
		again(3)
	})
	on(t, dir, func(e *sim.Estate) { machine{t, e}.well("strmqm", "QM1") })
}
