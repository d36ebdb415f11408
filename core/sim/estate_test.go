package sim_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// made gives an estate in Berlin, in March, with ORDERS on it, closed.
func made(t *testing.T, spec qmgr.Spec, start string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "estate")
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.ParseInLocation(time.DateTime, start, zone)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Create(t.Context(), dir, sim.Settings{Zone: "Europe/Berlin", Start: at, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if spec.Name == "" {
		spec.Name = "ORDERS"
	}
	if spec.Threshold == 0 {
		spec.Threshold = 512
	}
	if err := e.Add(t.Context(), sim.IBMi{Spec: spec}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// on opens an estate, does something with it and closes it.
func on(t *testing.T, dir string, do func(*sim.Estate)) {
	t.Helper()
	e, err := sim.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	do(e)
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func office(t *testing.T) workload.Profile {
	t.Helper()
	p, err := workload.Named("office")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func advance(t *testing.T, e *sim.Estate, by time.Duration) []sim.Worked {
	t.Helper()
	worked, err := e.Advance(t.Context(), by, nil)
	if err != nil {
		t.Fatal(err)
	}
	return worked
}

// What one command does in a day, twenty-four commands do in hours: nothing
// shows that the simulator's process was another each time.
func TestTimePassesInOneStepOrInMany(t *testing.T) {
	questions := []observe.Question{
		{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.JOURNAL_RECEIVER_INFO"},
		{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.JOURNAL_INFO"},
		{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.MESSAGE_QUEUE_INFO"},
		{Language: observe.UsrSpc, QueueManager: "ORDERS", Text: "QMORDERS/AMQJRNINF"},
		{Language: observe.MQSC, QueueManager: "ORDERS", Text: "DISPLAY QMSTATUS ALL"},
		{Language: observe.MQSC, QueueManager: "ORDERS", Text: "DISPLAY QSTATUS(*) TYPE(QUEUE) MEDIALOG CURDEPTH"},
		{Language: observe.MQSC, QueueManager: "ORDERS", Text: "DISPLAY CONN(*) ALL"},
	}
	var ends [2]map[string]string
	for i, steps := range []int{1, 24} {
		dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
		on(t, dir, func(e *sim.Estate) {
			if err := e.SetWorkload("ORDERS", office(t), 11); err != nil {
				t.Fatal(err)
			}
		})
		for range steps {
			on(t, dir, func(e *sim.Estate) { advance(t, e, 24*time.Hour/time.Duration(steps)) })
		}
		ends[i] = map[string]string{}
		e, err := sim.Look(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			answer, err := e.Ask(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			ends[i][q.String()] = string(answer.Body)
		}
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(ends[0], ends[1]); diff != "" {
		t.Errorf("one step (-) and many (+) differ:\n%s", diff)
	}
}

// One who looks can't change anything, and others may look too; one who works
// has the estate alone.
func TestWhoLooksChangesNothing(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	first, err := sim.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := sim.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := sim.Open(soon, dir); err == nil {
		t.Error("it was opened to be changed while others looked")
	}
	if err := second.Close(t.Context()); err != nil {
		t.Error(err)
	}
	_, faulted := first.Fault(t.Context(), "ORDERS", "damage-receiver", "AMQA000000")
	_, passed := first.Advance(t.Context(), time.Hour, nil)
	_, commanded := first.CL(t.Context(), "ORDERS", first.Job(), "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
	for what, err := range map[string]error{"fault": faulted, "time": passed, "command": commanded, "workload": first.SetWorkload("ORDERS", office(t), 1)} {
		if !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := first.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// Summer time begins and ends in the estate as in its zone: the night of 25
// October has an hour twice.
func TestSummerTimeEnds(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-10-25 01:30:00")
	on(t, dir, func(e *sim.Estate) {
		advance(t, e, time.Hour)
		if got := e.Now().Format("15:04 MST"); got != "02:30 CEST" {
			t.Errorf("after an hour it is %s", got)
		}
		advance(t, e, time.Hour)
		if got := e.Now().Format("15:04 MST"); got != "02:30 CET" {
			t.Errorf("after two hours it is %s", got)
		}
	})
}

// A process that dies leaves an estate whose clock is not behind what was
// written, and a queue manager that has crashed and starts again.
func TestAProcessThatDiesIsAPowerFailure(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if err := e.SetWorkload("ORDERS", office(t), 3); err != nil {
			t.Fatal(err)
		}
		advance(t, e, 3*time.Hour)
	})
	died, err := sim.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("power is gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	steps := 0
	_, err = died.Advance(ctx, 10*time.Hour, func(time.Time) {
		if steps++; steps == 2 {
			cancel(broken)
		}
	})
	if err == nil {
		t.Fatal("it went on to the end")
	}
	before := died.Now()
	died.Abandon()
	on(t, dir, func(e *sim.Estate) {
		if e.Now().Before(before) {
			t.Errorf("the clock went back from %s to %s", before, e.Now())
		}
		if got := e.Status().Managers[0].State; got != string(qmgr.Crashed) {
			t.Errorf("state %s", got)
		}
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), "STRMQM MQMNAME(ORDERS)"); err != nil {
			t.Fatal(err)
		}
		worked := advance(t, e, 5*time.Hour)
		if len(worked) != 1 || worked[0].Stopped != "" || worked[0].Report.Puts == 0 {
			t.Errorf("%+v", worked)
		}
	})
}

// Every fault does what it says, and a wrong call of it is told.
func TestFaults(t *testing.T) {
	good := map[string][][]string{
		"crash": {{}}, "ipl": {{}}, "damage": {{"APP.ORDERS"}}, "lose-receiver": {{"AMQA000000"}},
		"flip-byte": {{"AMQA000000", "5000"}}, "damage-receiver": {{"amqa000000"}},
		"lock": {{"AMQA000000"}, {"QMORDERS/AMQA000000", "000001/ME/SAVE"}}, "unlock": {{"AMQA000000"}},
		"remote": {{"active"}, {"inactive", "10"}}, "exit-veto": {{"on"}}, "name-clash": {{}},
		"sequence": {{"2147483000"}}, "asp": {{"1024"}, {"none"}}, "clock-back": {{"1h"}}, "clock-forward": {{"90m"}}, "open-unit": {{"APP.ORDERS"}, {"APP.ORDERS", "prepared"}}, "end-unit": {{"1", "commit"}},
	}
	for _, k := range sim.Faults() {
		calls, ok := good[k.Name]
		if !ok {
			t.Errorf("fault %s has no test", k.Name)
		}
		for _, args := range calls {
			t.Run(k.Name, func(t *testing.T) {
				dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
				on(t, dir, func(e *sim.Estate) {
					prepareFault(t, e, k.Name)
					done, err := e.Fault(t.Context(), "ORDERS", k.Name, args...)
					if err != nil || done == "" {
						t.Errorf("%v: %q, %v", args, done, err)
					}
					if _, err := e.Fault(t.Context(), "ORDERS", k.Name, "a", "b", "c"); !errors.Is(err, sim.ErrUsage) {
						t.Errorf("three arguments: %v", err)
					}
				})
			})
		}
	}
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if _, err := e.Fault(t.Context(), "ORDERS", "meteor"); !errors.Is(err, sim.ErrUsage) || !strings.Contains(err.Error(), "crash") {
			t.Error(err)
		}
		if _, err := e.Fault(t.Context(), "PAYMENTS", "crash"); !errors.Is(err, sim.ErrNoManager) {
			t.Error(err)
		}
	})
}

// prepareFault gives the fault something to happen to.
func prepareFault(t *testing.T, e *sim.Estate, name string) {
	t.Helper()
	commands := []string{"CRTMQMQ QNAME(APP.ORDERS) QTYPE(*LCL) MQMNAME(ORDERS)", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"}
	switch name {
	case "remote":
		commands = append(commands, "ADDMQMJRN MQMNAME(ORDERS) JRN(*DFT) RMTJRNRDB(OTHER) RMTJRNSTS(*ACTIVE)")
	case "end-unit":
		if _, err := e.Fault(t.Context(), "ORDERS", "open-unit", "SYSTEM.DEFAULT.LOCAL.QUEUE"); err != nil {
			t.Fatal(err)
		}
	case "unlock":
		if _, err := e.Fault(t.Context(), "ORDERS", "lock", "AMQA000000"); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range commands {
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), text); err != nil {
			t.Fatal(text, err)
		}
	}
}

func TestFolderThatIsNoEstate(t *testing.T) {
	dir := t.TempDir()
	if _, err := sim.Open(t.Context(), dir); !errors.Is(err, sim.ErrNoEstate) {
		t.Error(err)
	}
	d := disk.At(dir)
	if err := disk.Replace(d, "something", []byte("else")); err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Create(t.Context(), dir, sim.Settings{Zone: "UTC", Start: time.Unix(0, 0)}); err == nil {
		t.Error("an estate was made among other files")
	}
	if err := disk.Replace(d, "estate.json", []byte("{")); err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Open(t.Context(), dir); err == nil {
		t.Error("a broken estate.json was taken")
	}
}

// A queue manager whose files somebody has been at does not hold up the
// others of the estate: it has crashed.
func TestOneThatCannotGoOnHasCrashed(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if err := e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "PAY"}}); err != nil {
			t.Fatal(err)
		}
	})
	objects := "systems/SYS1/QIBM/UserData/mqm/qmgrs/ORDERS/objects"
	if err := disk.Replace(disk.At(dir), objects+"/suspended", []byte("broken")); err != nil {
		t.Fatal(err)
	}
	on(t, dir, func(e *sim.Estate) {
		if len(e.Problems()) != 1 || !strings.Contains(e.Problems()[0].Error(), "ORDERS") {
			t.Error(e.Problems())
		}
		states := e.Status().Managers
		if states[0].State != string(qmgr.Crashed) || states[1].State != string(qmgr.Running) {
			t.Errorf("%s and %s", states[0].State, states[1].State)
		}
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), "STRMQM MQMNAME(ORDERS)"); err != nil {
			t.Error(err)
		}
	})
}

// A queue manager that can't be made leaves nothing behind.
func TestWhatCannotBeMadeIsNotKept(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		for _, spec := range []qmgr.Spec{{Name: "ORDERS"}, {Name: "not a name"}, {Name: "PAY", Threshold: 1}} {
			if err := e.Add(t.Context(), sim.IBMi{Spec: spec}); err == nil {
				t.Errorf("%+v was made", spec)
			}
		}
		names, err := disk.At(dir).List("systems")
		if err != nil || len(names) != 1 {
			t.Errorf("systems %v, %v", names, err)
		}
		if err := e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "PAY"}}); err != nil {
			t.Error(err)
		}
	})
}
