package sim_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
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
// October has an hour twice, and attach times in it go back.
func TestSummerTimeEnds(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-10-25 01:29:50")
	on(t, dir, func(e *sim.Estate) {
		advance(t, e, 8*time.Second)
		for range 3 {
			advance(t, e, 50*time.Minute)
			if _, err := e.CL(t.Context(), "ORDERS", e.Job(), "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"); err != nil {
				t.Fatal(err)
			}
		}
		b := &bed{t, e}
		b.shows(observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_RECEIVER_NAME='AMQA000001'", "2026-10-25-02.20.00.000000")
		b.shows(observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_RECEIVER_NAME='AMQA000002'", "2026-10-25-02.10.02.000000")
		b.shows(observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_RECEIVER_NAME='AMQA000003'", "2026-10-25-03.00.04.000000")
	})
	dir = made(t, qmgr.Spec{}, "2026-10-25 01:30:00")
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
	if _, err := died.Advance(&countdown{t.Context(), 1500}, 10*time.Hour, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("it went on to the end: %v", err)
	}
	died.Abandon()
	var kept struct{ Now, Until time.Time }
	content, err := disk.ReadAll(disk.At(dir), "estate.json")
	if err == nil {
		err = json.Unmarshal(content, &kept)
	}
	if err != nil || !kept.Until.After(kept.Now) {
		t.Fatalf("it did not die within a step: %s, %v", content, err)
	}
	on(t, dir, func(e *sim.Estate) {
		if !e.Now().Equal(kept.Until) { // what was written may be as late as that
			t.Errorf("the clock shows %s, the step was to end at %s", e.Now(), kept.Until)
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
		for _, spec := range []qmgr.Spec{{Name: "ORDERS"}, {Name: "not a name"}, {Name: "PAY", Threshold: 1}, {Name: "PAY", FirstReceiver: "AMQB000000"}} {
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

// An estate that somebody has edited says what is wrong and harms nobody.
func TestEditedEstate(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	d := disk.At(dir)
	good, err := disk.ReadAll(d, "estate.json")
	if err != nil {
		t.Fatal(err)
	}
	edits := map[string][2]string{
		"no zone": {`"Europe/Berlin"`, `""`}, "the machine's zone": {`"Europe/Berlin"`, `"Local"`}, "platform": {`"ibmi"`, `"zos"`},
		"a name that leads out": {`"SYS1"`, `"../x"`}, "jobs": {`"jobs": 0`, `"jobs": -7`}, "a year": {`"now": "2026`, `"now": "2326`},
	}
	for what, edit := range edits {
		if err := disk.Replace(d, "estate.json", []byte(strings.Replace(string(good), edit[0], edit[1], 1))); err != nil {
			t.Fatal(err)
		}
		if e, err := sim.Look(t.Context(), dir); err == nil {
			t.Errorf("%s: it was opened", what)
			_ = e.Close(t.Context())
		}
	}
	if err := disk.Replace(d, "estate.json", good); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"null", `{"ORDERS":null}`, "{", `{"ORDERS":{"x":1}}`} {
		if err := disk.Replace(d, "workloads.json", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if e, err := sim.Look(t.Context(), dir); err == nil {
			t.Errorf("workloads %s: it was opened", content)
			_ = e.Close(t.Context())
		}
	}
}

// A name is that of one queue manager in the whole estate, also for CRTMQM.
func TestNamesAreThoseOfTheEstate(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if err := e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "PAY"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.CL(t.Context(), "PAY", e.Job(), "CRTMQM MQMNAME(ORDERS)"); err == nil {
			t.Error("a second ORDERS was made")
		}
		if err := e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "STOCK"}, System: "SYS1"}); err != nil {
			t.Error(err)
		}
		if _, err := e.CL(t.Context(), "PAY", e.Job(), "CRTMQM MQMNAME(STOCK)"); err == nil {
			t.Error("a second STOCK was made")
		}
	})
}

// A process that is killed at any moment leaves the ASP its limit: none is
// lifted on the disk, not even for what the simulator writes for itself.
func TestLimitOfTheASPStays(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if _, err := e.Fault(t.Context(), "ORDERS", "asp", "4096"); err != nil {
			t.Fatal(err)
		}
	})
	before, err := disk.ReadAll(disk.At(dir), "systems/SYS1/system.json")
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	e.Abandon()
	after, err := disk.ReadAll(disk.At(dir), "systems/SYS1/system.json")
	limit := regexp.MustCompile(`"Capacity": ?\d+`)
	if a, b := limit.Find(before), limit.Find(after); err != nil || a == nil || string(a) != string(b) {
		t.Errorf("%s, then %s, %v", a, b, err)
	}
}

// ordersSpec is a queue manager of IBM i with all defaults.
var ordersSpec qmgr.Spec
