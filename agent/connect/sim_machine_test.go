package connect

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// machineStation is an estate with queue managers of Multiplatforms, QM1 and
// QM2 on a machine each.
type machineStation struct {
	*testing.T
	dir string
	*Estates
}

func newMachineStation(t *testing.T) *machineStation {
	t.Helper()
	s := &machineStation{t, filepath.Join(t.TempDir(), "estate"), NewEstates()}
	e, err := sim.Create(t.Context(), s.dir, sim.Settings{Zone: "UTC", Start: time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC), NoSync: true})
	s.must(err)
	for _, name := range []string{"QM1", "QM2"} {
		s.must(e.Add(t.Context(), sim.Multi{Spec: qmgr.Spec{Name: name, Log: extents.Settings{Kind: extents.Linear, FilePages: 64}}}))
	}
	s.must(e.Close(t.Context()))
	return s
}

func (s *machineStation) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *machineStation) look(queueManager string) Runner {
	s.Helper()
	r, err := s.Machine(s.dir, queueManager).Look(s.Context())
	s.must(err)
	return r
}

func (s *machineStation) change(queueManager string) Runner {
	s.Helper()
	r, err := s.Machine(s.dir, queueManager).Change(s.Context())
	s.must(err)
	return r
}

// run runs a command that has to end well, and gives what it printed.
func (s *machineStation) run(r Runner, stdin string, argv ...string) string {
	s.Helper()
	ended, err := r.Run(s.Context(), argv, []byte(stdin))
	if err != nil || ended.Code != 0 {
		s.Errorf("%q: exit code %d, %s, %v", argv, ended.Code, ended.Said, err)
	}
	return string(ended.Output)
}

// Who looks is answered, on a disk that refuses to be written, and is refused
// whatever does more than show something: it never gets to the estate.
func TestLookAtAMachine(t *testing.T) {
	s := newMachineStation(t)
	r := s.look("QM1")
	if out := s.run(r, "DISPLAY QMSTATUS LOG\nend\n", "runmqsc", "QM1"); !strings.Contains(out, "CURRLOG(S0000000.LOG)") {
		t.Error(out)
	}
	if out := s.run(r, "", "dspmq", "-m", "QM1", "-o", "status", "-x"); !strings.Contains(out, "QMNAME(QM1)") || !strings.Contains(out, "STATUS(Running)") {
		t.Error(out)
	}
	if out := s.run(r, "", "id"); !strings.HasPrefix(out, "uid=") || !readIdentity(out).in(administrators) {
		t.Error(out)
	}
	for _, argv := range [][]string{{"rcdmqimg", "-m", "QM1", "-t", "all", "*"}, {"endmqm", "-i", "QM1"}, {"runmqsc", "QM1"}} {
		if _, err := r.Run(t.Context(), argv, []byte("SET LOG ARCHIVED(S0000000.LOG)\n")); !errors.Is(err, ErrNotSent) {
			t.Errorf("%q: %v", argv, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.DataRoot(), "mqs.ini")); err != nil {
		t.Error(err)
	}
	if at := r.Now(); at.Format(time.DateTime) != "2026-01-05 06:00:04" {
		t.Errorf("it is %s", at)
	}
	if _, _, limited := r.Room(); limited {
		t.Error("the file system has a limit")
	}
	for range 2 {
		s.must(r.Close())
	}
	if _, err := r.Run(t.Context(), []string{"dspmq"}, nil); !errors.Is(err, ErrNotSent) {
		t.Errorf("after the end: %v", err)
	}
}

// A change takes time, a display none; who looks meanwhile sees what was done.
func TestChangeAMachine(t *testing.T) {
	s := newMachineStation(t)
	w, other := s.change("QM1"), s.change("QM2")
	r := s.look("QM1")
	before := w.Now()
	s.run(w, "DEFINE QLOCAL(A)\nend\n", "runmqsc", "QM1")
	s.run(w, "DISPLAY QLOCAL(A)\nend\n", "runmqsc", "QM1")
	if passed := w.Now().Sub(before); passed != 2*time.Second {
		t.Errorf("%s have passed", passed)
	}
	if out := s.run(r, "DISPLAY QLOCAL(A)\nend\n", "runmqsc", "QM1"); !strings.Contains(out, "QUEUE(A)") {
		t.Error(out)
	}
	var all sync.WaitGroup
	for _, a := range []struct {
		r    Runner
		name string
	}{{w, "QM1"}, {other, "QM2"}} {
		all.Go(func() { s.run(a.r, "", "rcdmqimg", "-m", a.name, "-t", "all", "*") })
		all.Go(func() { s.run(a.r, "DISPLAY QMSTATUS ALL\nend\n", "runmqsc", a.name) })
	}
	all.Wait()
	for _, open := range []Runner{w, other, r} {
		s.must(open.Close())
	}
	if out := s.run(s.look("QM1"), "DISPLAY QLOCAL(A)\nend\n", "runmqsc", "QM1"); !strings.Contains(out, "QUEUE(A)") {
		t.Error(out)
	}
}

// Others who have the estate keep a change out, and a name that is not there is
// an error that leaves it free.
func TestMachineInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMachineStation(t)
		r := s.look("QM1")
		if _, err := s.Machine(s.dir, "QM1").Change(t.Context()); !errors.Is(err, sim.ErrLocked) {
			t.Errorf("while a reader has it: %v", err)
		}
		s.must(r.Close())
		if _, err := s.Machine(s.dir, "QM9").Change(t.Context()); !errors.Is(err, sim.ErrNoManager) {
			t.Error(err)
		}
		if _, err := s.Machine(s.dir, "QM9").Look(t.Context()); !errors.Is(err, sim.ErrNoManager) {
			t.Error(err)
		}
		s.must(s.change("QM1").Close())
	})
}
