package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// madeTwo gives an estate with QM1 and QM2 on one system, and QM3 on another.
func madeTwo(t *testing.T) string {
	t.Helper()
	dir := madeMulti(t, linear)
	on(t, dir, func(e *sim.Estate) {
		for name, system := range map[string]string{"QM2": "SYS1", "QM3": "SYS2"} {
			if err := e.Add(t.Context(), sim.Multi{Spec: qmgr.Spec{Name: name, Log: linear}, System: system}); err != nil {
				t.Fatal(err)
			}
		}
	})
	return dir
}

// A queue manager whose files can't be read stays in sight, with the reason:
// in the status, as a target, as the problem of who opens the estate, and in
// what the others say that can't do without it. The others go on.
func TestLostManagerStaysInSight(t *testing.T) {
	dir := madeTwo(t)
	on(t, dir, func(e *sim.Estate) {
		if err := e.SetWorkload("QM2", office(t), 1); err != nil {
			t.Fatal(err)
		}
	})
	ini := filepath.Join(dir, "systems/SYS1/var/mqm/qmgrs/QM2/qm.ini")
	content, err := os.ReadFile(ini)
	if err == nil {
		err = os.Truncate(ini, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.WithoutCancel(t.Context())) }()
	st := e.Status().Managers
	at := slices.IndexFunc(st, func(m sim.ManagerStatus) bool { return m.Name == "QM2" })
	if len(st) != 3 || at < 0 || st[at].State != "not readable" || !strings.Contains(st[at].Problem, "qm.ini") || st[at].System != "SYS1" || st[at].Work != nil {
		t.Errorf("%+v", st)
	}
	if targets := e.Targets(); len(targets) != 3 || targets[2].String() != "multiplatforms/QM2" || targets[2].Zone != "Europe/Berlin" {
		t.Errorf("%v", targets)
	}
	if problems := e.Problems(); len(problems) != 1 || !errors.Is(problems[0], sim.ErrUnreadable) || !strings.Contains(problems[0].Error(), "QM2") {
		t.Errorf("%v", problems)
	}
	if err := e.Add(t.Context(), sim.Multi{Spec: qmgr.Spec{Name: "QM2", Log: linear}}); err == nil {
		t.Error("a second QM2 was made")
	}
	if _, err := e.Fault(t.Context(), "QM2", "crash"); !errors.Is(err, sim.ErrUnreadable) {
		t.Errorf("%v", err)
	}
	worked := advance(t, e, time.Hour)
	if len(worked) != 1 || !strings.Contains(worked[0].Stopped, "QM2") {
		t.Errorf("%+v", worked)
	}
	if ended, err := e.Control(t.Context(), "QM2", []string{"strmqm", "QM2"}, nil); err != nil || ended.Code == 0 {
		t.Errorf("%+v, %v", ended, err)
	}
	if err := os.WriteFile(ini, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	on(t, dir, func(e *sim.Estate) {
		if m := e.Multi("QM2"); m == nil || len(e.Problems()) != 0 {
			t.Errorf("put back it is not there: %v", e.Problems())
		}
	})
}

// The queue manager that a control command names says which system it is for;
// one that names none, or one of no system, needs the system said.
func TestControlFindsTheSystem(t *testing.T) {
	dir := madeTwo(t)
	e, err := sim.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.WithoutCancel(t.Context())) }()
	for command, want := range map[string]string{
		"rcdmqimg -m QM1 -t all *": "SYS1", "rcrmqobj -m QM3 -t qlocal QM1": "SYS2", "strmqm QM3": "SYS2", "endmqm -i QM2": "SYS1",
		"runmqsc -e QM3": "SYS2", "dspmq -m QM3 -o status": "SYS2", "dspmqinf QM3": "SYS2", "dmpmqlog -b -mQM3": "SYS2", "bin/strmqm QM3": "SYS2",
		"dspmq": "", "strmqm": "", "crtmqm QM3": "", "endmqm -w": "", "dspmqfls -t all QM3": "", "rcdmqimg -m": "", "strmqm QM9": "",
	} {
		site, err := e.SiteOf(strings.Fields(command))
		switch {
		case want == "" && !errors.Is(err, sim.ErrUsage):
			t.Errorf("%s: %v", command, err)
		case want != "" && (err != nil || site.Name() != want):
			t.Errorf("%s: %v", command, err)
		}
	}
}
