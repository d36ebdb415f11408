package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// Applied nights of each policy, thirty where MQHK_LONG is set, on a simulated queue manager of
// Multiplatforms, with work all day. After each night everything fails: a crash
// and a restart bring back every committed persistent message, and so does the
// re-creation of every queue: from the log alone under conservative, with the
// extents out of the archive under fast-startup. Under aggressive nothing ever
// goes, since it is only reported there.
func TestMultiNights(t *testing.T) {
	endToEnd(t)
	t.Parallel()
	for _, policy := range []string{"conservative", "fast-startup", "aggressive"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			nights := 12
			switch {
			case os.Getenv("MQHK_LONG") != "":
				nights = 30
			case policy == "aggressive":
				nights = 4
			}
			n := newNights(t, policy)
			for night := range nights {
				n.live(night)
				n.keepHouse(night)
				n.crash()
				n.rebuild()
			}
			n.sum()
		})
	}
}

// nights are those of one policy.
type nights struct {
	*testing.T
	policy   string
	dir      string
	estate   string
	random   *rand.Rand
	deleted  int // extents
	restored int // times that a re-creation needed the archive
}

func newNights(t *testing.T, policy string) *nights {
	n := &nights{T: t, policy: policy, dir: t.TempDir(), random: rand.New(rand.NewPCG(1, uint64(len(policy))))}
	n.estate = filepath.Join(n.dir, "estate")
	n.mqhk("sim", "init", "QM1", "--platform", "multiplatforms", "--pages", "64", "--primaries", "10", "--secondaries", "10",
		"--zone", "Europe/Berlin", "--no-sync", "--configure")
	store := "store \"vault\" {\n  kind = \"directory\"\n  path = \"../vault\"\n  same_filesystem = true\n}\n"
	if err := os.WriteFile(filepath.Join(n.dir, "mqhk.d", "store.hcl"), []byte(store), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := workload.Named("office")
	if err != nil {
		t.Fatal(err)
	}
	p.Messages.Persistent, p.Messages.NonPersistent = 1200, 100
	n.on(func(e *sim.Estate) error { return e.SetWorkload("QM1", p, 7) })
	return n
}

// line gives a command line with the folders of the nights.
func (n *nights) line(args ...string) []string {
	switch args[0] {
	case "sim":
		args = append([]string{"sim", "--estate", n.estate}, args[1:]...)
	default:
		args = append(args, "--state", filepath.Join(n.dir, "state"))
	}
	return append([]string{"--log-level", "error", "--config", filepath.Join(n.dir, "mqhk.d")}, args...)
}

// mqhk carries out a command line that must not fail.
func (n *nights) mqhk(args ...string) string {
	n.Helper()
	return mqhk(n.T, n.line(args...)...)
}

// control carries out a control command and gives what it printed and its exit
// code.
func (n *nights) control(argv ...string) (string, int) {
	n.Helper()
	var out bytes.Buffer
	code := execute(n.line(append([]string{"sim", "control", "--"}, argv...)...), &out, &out)
	return out.String(), code
}

// well carries out a control command that must not fail.
func (n *nights) well(argv ...string) {
	n.Helper()
	if out, code := n.control(argv...); code != 0 {
		n.Fatalf("%q: exit code %d: %s", argv, code, out)
	}
}

// on opens the estate, does something with it and closes it.
func (n *nights) on(do func(*sim.Estate) error) {
	n.Helper()
	e, err := sim.Open(n.Context(), n.estate)
	if err != nil {
		n.Fatal(err)
	}
	if err := do(e); err != nil {
		n.Fatal(err)
	}
	if err := e.Close(n.Context()); err != nil {
		n.Fatal(err)
	}
}

// live lets a day pass, with what may happen on one. Images are recorded every
// third night; on the others the media point stays behind.
func (n *nights) live(night int) {
	hours := 1 + n.random.IntN(22)
	n.mqhk("sim", "advance", fmt.Sprintf("%dh", hours))
	switch n.random.IntN(5) {
	case 0:
		n.mqhk("sim", "fault", "QM1", "open-unit", "ORDERS.IN")
	case 1:
		n.mqhk("sim", "fault", "QM1", "open-unit", "ORDERS.OUT", "prepared")
	case 2:
		n.well("endmqm", "-i", "QM1")
		n.well("strmqm", "QM1")
	case 3:
		n.mqhk("sim", "mqsc", "QM1", "RESET QMGR TYPE(ADVANCELOG)")
	}
	n.mqhk("sim", "advance", fmt.Sprintf("%dh", 24-hours))
	if night%3 == 2 {
		n.well("rcdmqimg", "-m", "QM1", "-t", "all", "*")
		n.mqhk("sim", "advance", "10m")
	}
}

// keepHouse is an applied run.
func (n *nights) keepHouse(night int) {
	before := n.extents()
	want := 0
	if night == 0 {
		want = exitCritical // the first run on a target is a plan
	}
	var out, problems bytes.Buffer
	code := execute(n.line("run", "--policy", n.policy, "--apply"), &out, &problems)
	if code != want && !(night == 0 && code == 0) {
		n.Fatalf("night %d: exit %d: %s\n%s", night, code, problems.String(), out.String())
	}
	after := n.extents()
	gone := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(after, name) })
	n.deleted += len(gone)
	n.needed(gone)
}

// needed makes sure that nothing has gone that its policy keeps on the system,
// by the queue manager's own word.
func (n *nights) needed(gone []string) {
	n.on(func(e *sim.Estate) error {
		status := e.Multi("QM1").Status()
		keep := []string{status.RecLog, status.CurrLog}
		if n.policy != "fast-startup" {
			keep = append(keep, status.MediaLog)
		}
		for _, name := range gone {
			_, number, err := observe.ParseExtent(name)
			if err != nil {
				return err
			}
			for _, needed := range keep {
				if _, from, err := observe.ParseExtent(needed); err != nil || observe.ExtentDistance(from, number) >= 0 {
					n.Errorf("%s is gone, and %s is needed", name, needed)
				}
			}
		}
		return nil
	})
}

// extents gives the extents that are there.
func (n *nights) extents() []string {
	names, err := filepath.Glob(filepath.Join(n.estate, "systems", "SYS1", "var", "mqm", "log", "QM1", "active", "S*.LOG"))
	if err != nil {
		n.Fatal(err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return names
}

// crash has the queue manager die, and compares what a restart brings back.
func (n *nights) crash() {
	before := n.contents()
	n.mqhk("sim", "fault", "QM1", "crash")
	n.well("strmqm", "QM1")
	if diff := cmp.Diff(before, n.contents()); diff != "" {
		n.Fatalf("before the crash (-) and after the restart (+):\n%s", diff)
	}
}

// rebuild damages every queue and re-creates all. Where an extent that this
// reads has gone to the archive (AMQ6767), it comes back from there.
func (n *nights) rebuild() {
	before := n.contents()
	for _, queue := range slices.Sorted(maps.Keys(before)) {
		n.mqhk("sim", "fault", "QM1", "damage", queue)
	}
	recreate := []string{"rcrmqobj", "-m", "QM1", "-t", "qlocal", "*"}
	out, code := n.control(recreate...)
	if code != 0 && n.policy == "fast-startup" && strings.Contains(out, "AMQ6767") {
		n.restored++
		n.mqhk("archive", "restore", "QM1", "--for", "media", "--until", "1h")
		out, code = n.control(recreate...)
	}
	if code != 0 {
		n.Fatalf("exit code %d: %s", code, out)
	}
	if diff := cmp.Diff(before, n.contents()); diff != "" {
		n.Fatalf("before the damage (-) and re-created (+):\n%s", diff)
	}
}

// contents gives the committed persistent messages of each queue of the
// applications. What is open is backed out, as a restart would do it; what is in
// doubt is committed every time, so that something comes of it.
func (n *nights) contents() map[string][]string {
	all := map[string][]string{}
	n.on(func(e *sim.Estate) error {
		m := e.Multi("QM1")
		for _, unit := range m.Transactions() {
			if err := n.end(m, unit); err != nil {
				return err
			}
		}
		for _, q := range m.QueueStatus() {
			if strings.HasPrefix(q.Name, "SYSTEM.") {
				continue
			}
			all[q.Name] = []string{}
			err := m.Browse(q.Name, func(msg engine.Message) bool {
				if msg.Persistent {
					all[q.Name] = append(all[q.Name], fmt.Sprintf("%s %s", msg.Put.Format(time.RFC3339Nano), msg.Body))
				}
				return true
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// end ends a unit of work.
func (n *nights) end(m *qmgr.Manager, unit qmgr.Transaction) error {
	if unit.Prepared {
		return m.Resolve(n.Context(), unit.Number, true)
	}
	u, err := m.Unit(unit.Number)
	if err != nil {
		return err
	}
	return u.Backout(n.Context())
}

// sum makes sure that the nights showed what they are for.
func (n *nights) sum() {
	switch {
	case n.policy == "aggressive" && n.deleted > 0:
		n.Errorf("%d extents are gone, and nothing was to be", n.deleted)
	case n.policy != "aggressive" && n.deleted < 50:
		n.Errorf("only %d extents were ever deleted", n.deleted)
	case n.policy == "fast-startup" && n.restored == 0:
		n.Error("no re-creation ever needed the archive: this shows nothing")
	}
	n.Logf("%d extents deleted, %d re-creations needed the archive, %d extents left", n.deleted, n.restored, len(n.extents()))
}
