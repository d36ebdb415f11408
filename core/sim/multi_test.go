package sim_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// linear is a log of small extents, of which a day writes many.
var linear = extents.Settings{Kind: extents.Linear, Primary: 10, Secondary: 10, FilePages: 64}

// madeMulti gives an estate in Berlin, in March, with QM1 on it, closed.
func madeMulti(tb testing.TB, log extents.Settings) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "estate")
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tb.Fatal(err)
	}
	e, err := sim.Create(tb.Context(), dir, sim.Settings{Zone: zone.String(), Start: time.Date(2026, 3, 10, 6, 0, 0, 0, zone), NoSync: true})
	if err != nil {
		tb.Fatal(err)
	}
	if err := e.Add(tb.Context(), sim.Multi{Spec: qmgr.Spec{Name: "QM1", Log: log}}); err != nil {
		tb.Fatal(err)
	}
	if err := e.Close(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// machine is an estate with QM1 that a test works on.
type machine struct {
	*testing.T
	e *sim.Estate
}

// run carries out a control command and gives what it printed, with the exit
// code behind it where that is not 0.
func (m machine) run(argv ...string) string {
	m.Helper()
	return m.with("", argv...)
}

func (m machine) with(stdin string, argv ...string) string {
	m.Helper()
	ended, err := m.e.Control(m.Context(), "QM1", argv, []byte(stdin))
	if err != nil {
		m.Fatalf("%q: %v", argv, err)
	}
	text := string(ended.Out) + string(ended.Err)
	if ended.Code != 0 {
		text += fmt.Sprintf("exit code %d", ended.Code)
	}
	return text
}

// well carries out a control command that has to succeed.
func (m machine) well(argv ...string) {
	m.Helper()
	if out := m.run(argv...); strings.Contains(out, "exit code") {
		m.Fatalf("%q: %s", argv, out)
	}
}

// fails carries out a control command that has to say so with a message.
func (m machine) fails(message string, argv ...string) {
	m.Helper()
	if out := m.run(argv...); !strings.Contains(out, "exit code") || !strings.Contains(out, message) {
		m.Errorf("%q: %q is not in %s", argv, message, out)
	}
}

func (m machine) fault(name string, args ...string) {
	m.Helper()
	if _, err := m.e.Fault(m.Context(), "QM1", name, args...); err != nil {
		m.Fatalf("%s %q: %v", name, args, err)
	}
}

// put puts a persistent message on the queue A.
func (m machine) put(bytes int) error {
	_, err := m.e.Multi("QM1").Put(m.Context(), "A", engine.Message{Persistent: true, Body: make([]byte, bytes)})
	return err
}

func (m machine) depth() int {
	m.Helper()
	n, err := m.e.Multi("QM1").Depth("A")
	if err != nil {
		m.Error(err)
	}
	return n
}

// What one command does in a morning, six commands do in hours, on
// Multiplatforms too; a command that shows something takes no time.
func TestTimePassesOnMultiplatforms(t *testing.T) {
	questions := []string{"DISPLAY QMSTATUS ALL", "DISPLAY QSTATUS(*) TYPE(QUEUE) MEDIALOG CURDEPTH", "DISPLAY CONN(*) ALL", "DISPLAY QLOCAL(*) CURDEPTH"}
	var ends [2]map[string]string
	for i, steps := range []int{1, 6} {
		dir := madeMulti(t, linear)
		on(t, dir, func(e *sim.Estate) {
			if err := e.SetWorkload("QM1", office(t), 11); err != nil {
				t.Fatal(err)
			}
		})
		for range steps {
			on(t, dir, func(e *sim.Estate) { advance(t, e, 6*time.Hour/time.Duration(steps)) })
		}
		ends[i] = map[string]string{}
		e, err := sim.Look(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		site, err := e.Site("QM1")
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			ended, err := site.Run(t.Context(), []string{"runmqsc", "QM1"}, []byte(q+"\n"))
			if err != nil || ended.Code != 0 {
				t.Errorf("%s: %d, %s, %v", q, ended.Code, ended.Err, err)
			}
			ends[i][q] = strings.ReplaceAll(string(ended.Out), dir, "ESTATE")
		}
		if got := e.Now().Format(time.DateTime); got != "2026-03-10 12:00:02" {
			t.Errorf("it is %s", got)
		}
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(ends[0], ends[1]); diff != "" {
		t.Errorf("one step (-) and many (+) differ:\n%s", diff)
	}
}

// One who looks can't change anything on Multiplatforms either.
func TestWhoLooksAtMultiplatformsChangesNothing(t *testing.T) {
	dir := madeMulti(t, linear)
	before := tree(t, dir)
	e, err := sim.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	site, err := e.Site("QM1")
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string][]string{
		"": {"rcdmqimg", "-m", "QM1", "-t", "all", "*"}, "ended": {"endmqm", "-i", "QM1"}, "DEFINE QLOCAL(A)\n": {"runmqsc", "QM1"},
	}
	for stdin, argv := range changes {
		if _, err := site.Display(t.Context(), argv, []byte(stdin)); !errors.Is(err, sim.ErrUsage) {
			t.Errorf("%q was taken for a display: %v", argv, err)
		}
		if ended, err := site.Control(t.Context(), argv, []byte(stdin)); err == nil && ended.Code == 0 {
			t.Errorf("%q: %s", argv, ended.Out)
		}
	}
	for _, argv := range [][]string{{"dspmq"}, {"dspmq", "-m", "QM1", "-o", "status", "-x"}, {"dspmqinf", "QM1"}, {"dspmqver"}} {
		if ended, err := site.Display(t.Context(), argv, nil); err != nil || ended.Code != 0 || len(ended.Out) == 0 {
			t.Errorf("%q: %d, %s, %v", argv, ended.Code, ended.Err, err)
		}
	}
	if _, err := e.Fault(t.Context(), "QM1", "lose-extent", "S0000000.LOG"); !errors.Is(err, disk.ErrReadOnly) {
		t.Errorf("fault: %v", err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("changed:\n%s", diff)
	}
}

// tree gives content and time of every file of an estate but its lock.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "lock" {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		all[name] = info.ModTime().String() + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A process that dies with an estate open is a power failure on Multiplatforms
// too.
func TestPowerFailureOnMultiplatforms(t *testing.T) {
	dir := madeMulti(t, linear)
	on(t, dir, func(e *sim.Estate) {
		if err := e.SetWorkload("QM1", office(t), 3); err != nil {
			t.Fatal(err)
		}
		advance(t, e, 3*time.Hour)
	})
	died, err := sim.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := died.Advance(&countdown{t.Context(), 1500}, 10*time.Hour, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("it went on to the end: %v", err)
	}
	died.Abandon()
	on(t, dir, func(e *sim.Estate) {
		m := machine{t, e}
		if out := m.run("dspmq", "-m", "QM1"); !strings.Contains(out, "STATUS(Ended unexpectedly)") {
			t.Error(out)
		}
		m.well("strmqm", "QM1")
		if worked := advance(t, e, 5*time.Hour); len(worked) != 1 || worked[0].Stopped != "" || worked[0].Report.Puts == 0 {
			t.Errorf("%+v", worked)
		}
	})
}

// Both platforms live in one estate, each queue manager on a system of its own,
// and a name is there once.
func TestTwoPlatformsInOneEstate(t *testing.T) {
	dir := made(t, ordersSpec, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		for _, spec := range []sim.Multi{{Spec: qmgr.Spec{Name: "QM1", Log: linear}}, {Spec: qmgr.Spec{Name: "QM2", Log: linear}, System: "SYS2"}} {
			if err := e.Add(t.Context(), spec); err != nil {
				t.Fatal(err)
			}
		}
		for _, spec := range []sim.Multi{{Spec: qmgr.Spec{Name: "ORDERS", Log: linear}}, {Spec: qmgr.Spec{Name: "QM3", Log: linear}, System: "SYS1"}, {Spec: qmgr.Spec{Name: "not a name", Log: linear}}} {
			if err := e.Add(t.Context(), spec); err == nil {
				t.Errorf("%s on %q was made", spec.Name, spec.System)
			}
		}
		if _, err := e.CL(t.Context(), "QM1", e.Job(), "DSPMQM"); !errors.Is(err, sim.ErrUsage) {
			t.Errorf("a CL command: %v", err)
		}
		if _, err := e.Control(t.Context(), "ORDERS", []string{"dspmq"}, nil); !errors.Is(err, sim.ErrUsage) {
			t.Errorf("a control command: %v", err)
		}
		if _, err := e.Fault(t.Context(), "QM1", "ipl"); !errors.Is(err, sim.ErrUsage) || !strings.Contains(err.Error(), "lose-extent") {
			t.Errorf("a fault of IBM i: %v", err)
		}
	})
	on(t, dir, func(e *sim.Estate) {
		want := []observe.Target{
			{Name: "ORDERS", Platform: observe.IBMi, Library: "QMORDERS", Zone: "Europe/Berlin"},
			{Name: "QM1", Platform: observe.Multiplatforms, Zone: "Europe/Berlin"},
			{Name: "QM2", Platform: observe.Multiplatforms, Zone: "Europe/Berlin"},
		}
		if diff := cmp.Diff(want, e.Targets()); diff != "" {
			t.Error(diff)
		}
		var on []string
		for _, m := range e.Status().Managers {
			on = append(on, m.Name+" on "+m.System)
		}
		if diff := cmp.Diff([]string{"ORDERS on SYS1", "QM1 on SYS2", "QM2 on SYS2"}, on); diff != "" {
			t.Error(diff)
		}
		advance(t, e, time.Hour)
	})
}

// An estate can be moved: its files name each other by where they are now.
func TestMovedEstateOfMultiplatforms(t *testing.T) {
	dir := madeMulti(t, linear)
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	on(t, moved, func(e *sim.Estate) {
		m := machine{t, e}
		if out := m.with("DISPLAY QMSTATUS LOG\n", "runmqsc", "QM1"); !strings.Contains(out, moved) || strings.Contains(out, dir) {
			t.Error(out)
		}
		site, err := e.Site("QM1")
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(site.DataRoot(), "mqs.ini"))
		if err != nil || !strings.Contains(string(content), moved) || strings.Contains(string(content), dir) {
			t.Errorf("%s, %v", content, err)
		}
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "QM1")
	})
}
