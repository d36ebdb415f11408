package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/plugins"
)

// An apply is killed at random points of its way: no committed persistent
// message is lost, nothing is done twice, what was in flight is finished by the
// next run or is unknown with what was seen, and nothing piles up (case 73).
// For the simulated system the death of the process is a loss of power.
func TestApplyKilled(t *testing.T) {
	kills := 200
	switch {
	case os.Getenv("MQHK_LONG") != "":
		kills = 1000
	case testing.Short():
		kills = 20
	}
	for i, policy := range []string{"images", "saves", "least"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			k := &killing{site: newSite(t, policy, 3), fell: map[string]int{}, seen: map[string]bool{}}
			seed := uint64(time.Now().UnixNano())
			k.rand = rand.New(rand.NewPCG(seed, uint64(i)))
			k.measure()
			for n := range (kills + i) / 3 {
				k.once(n)
				if t.Failed() {
					t.Fatalf("seed %d, kill %d", seed, n)
				}
				if n%8 == 7 {
					k.finish()
				}
			}
			k.finish()
			k.disaster()
			t.Logf("kills by where they fell: %v; an apply takes %s; %d times images were recorded by hand", k.fell, k.took, k.byHand)
		})
	}
}

// killing is a site on which applies are killed.
type killing struct {
	*site
	rand     *rand.Rand
	took     time.Duration   // of an apply that nobody kills
	before   map[string]bool // persistent messages when it began
	writes   int64           // rows that it adds to the trail
	last     int64           // row of the trail when it began
	restored int64           // row of the trail when receivers were last restored
	fell     map[string]int
	seen     map[string]bool // receivers that ever were
	byHand   int             // commands whose outcome stayed unknown, so that a person did them
}

// measure has one apply run to its end, in a process as those to come, when
// what had piled up before is gone.
func (k *killing) measure() {
	k.t.Helper()
	k.work()
	k.finish()
	k.work()
	began := time.Now()
	p := k.start(k.apply()...)
	if status := p.status(); status != 0 {
		k.t.Fatalf("exit %d: %s", status, &p.out)
	}
	k.took, k.writes = time.Since(began), k.rows()-k.last
	k.check()
}

// work lets applications work over some receivers.
func (k *killing) work() {
	k.t.Helper()
	k.open(func(e *sim.Estate) {
		if k.policy == "least" { // so that a restore brings back a few, not all
			k.images(e)
		}
		for range 3 {
			_, err := e.Advance(k.t.Context(), 10*time.Minute, nil)
			k.must(err)
			_, err = e.CL(k.t.Context(), "ORDERS", e.Job(), "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
			k.must(err)
		}
		k.before = persistent(k.t, e)
	})
	for _, name := range k.receivers() {
		k.seen[name] = true
	}
	k.last = k.rows()
	k.letGo()
}

// once kills one apply and has the system start again.
func (k *killing) once(n int) {
	k.t.Helper()
	k.work()
	saving := k.saveFileStands
	if k.policy == "images" {
		saving = k.receiverGoes()
	}
	aims := []struct {
		at    func() bool
		after time.Duration // at most
	}{
		{nil, k.took},
		{k.ledgerHas(1 + k.rand.Int64N(k.writes)), 3 * time.Millisecond},
		{k.receiverGoes(), 3 * time.Millisecond},
		{k.ledgerHas(2 + k.rand.Int64N(k.writes)), time.Millisecond},
		{saving, 3 * time.Millisecond},
	}
	aim := aims[n%len(aims)]
	p := k.start(k.apply()...)
	k.shoot(p, aim.at, time.Duration(k.rand.Int64N(int64(aim.after))))
	k.runOut()
	k.fell[k.where(p)]++
	k.recover()
	k.noStrays()
}

// shoot kills a process: some time after it began, or after the moment at which
// something is to be seen.
func (k *killing) shoot(p *process, aim func() bool, wait time.Duration) {
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		_ = p.Wait() // the state says it
	}()
	defer func() {
		if p.ProcessState.Exited() {
			k.took = (k.took + time.Since(began)) / 2 // the machine is faster than it was, or slower
		}
	}()
	if aim != nil {
		defer k.letGo()
		look := time.NewTicker(500 * time.Microsecond)
		defer look.Stop()
		for !aim() {
			select {
			case <-ended:
				return
			case <-look.C:
			}
		}
	}
	select {
	case <-ended:
	case <-time.After(wait):
		_ = p.Process.Kill() // it may have ended by now
		<-ended
	}
}

// receiverGoes gives what sees that one is gone.
func (k *killing) receiverGoes() func() bool {
	had := len(k.receivers())
	return func() bool { return len(k.receivers()) < had }
}

func (k *killing) saveFileStands() bool { return len(k.saveFiles()) > 0 }

// ledgerHas gives what sees that the ledger has so many rows more than when the
// apply began.
func (k *killing) ledgerHas(more int64) func() bool {
	return func() bool { return k.rows() >= k.last+more }
}

// where tells what the apply was at when it was killed, as far as the trail
// tells.
func (k *killing) where(p *process) string {
	k.t.Helper()
	if p.ProcessState.Exited() {
		if code := p.ProcessState.ExitCode(); code != 0 && !(code == exitCritical && strings.Contains(p.out.String(), "outcome-unknown")) {
			k.t.Errorf("it ended with %d by itself: %s", code, &p.out)
		}
		return "after its end"
	}
	rows := k.trail()
	at := "before its claim"
	for _, r := range rows {
		switch {
		case r.seq <= k.last || r.run == later:
		case r.kind == "claim" && at == "before its claim":
			at = "while planning"
		case r.kind == "finish":
			return "after its record"
		}
	}
	for _, one := range judge(k.t, rows).intents {
		if one.row.seq > k.last {
			at = "between actions"
			if len(one.states) == 0 {
				return "in: " + string(one.kind)
			}
		}
	}
	return at
}

// recover starts the queue manager if it crashed: at once, or with what it needs
// from the store where the policy promises no more. What was committed is there.
func (k *killing) recover() {
	k.t.Helper()
	if state := k.state(); state == string(qmgr.Crashed) {
		k.startManager()
	} else if state != string(qmgr.Running) {
		k.t.Fatalf("the queue manager is %s", state)
	}
	k.open(func(e *sim.Estate) { k.intact(e) })
	rows := k.trail()
	there := k.receivers()
	for _, one := range judge(k.t, rows).intents {
		if one.kind == plugins.KindDelete && one.state() == plugins.Done && one.row.seq > k.restored && slices.Contains(there, one.name()) {
			k.t.Errorf("it is there: %s", one)
		}
	}
}

// intact compares what is on the queues with what was there before.
func (k *killing) intact(e *sim.Estate) {
	k.t.Helper()
	now := persistent(k.t, e)
	for message := range k.before {
		if !now[message] {
			k.t.Errorf("message %.60s is lost", message)
		}
	}
}

// state says how the queue manager is.
func (k *killing) state() string {
	k.t.Helper()
	e, err := sim.Look(k.t.Context(), k.path("estate"))
	k.must(err)
	defer func() { k.must(e.Close(k.t.Context())) }()
	return e.Status().Managers[0].State
}

const strmqm = "STRMQM MQMNAME(ORDERS)"

func (k *killing) startManager() {
	k.t.Helper()
	status, out := k.try("sim", "cl", "ORDERS", strmqm)
	switch {
	case status == 0:
	case k.policy == "least" && strings.Contains(out, "AMQ7432"):
		k.mqhk("archive", "restore", "ORDERS", "--needed")
		rows := k.trail()
		k.restored = rows[len(rows)-1].seq
		// What was restored is held until a clean start.
		k.mqhk("sim", "cl", "ORDERS", strmqm, "ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)", strmqm)
	default:
		k.t.Fatalf("the queue manager does not start: %s", out)
	}
}

// finish has an apply run to its end and looks at what all of them left.
func (k *killing) finish() {
	k.t.Helper()
	status, out := k.try(k.apply()...)
	if unknown := strings.Contains(out, "outcome-unknown"); status != 0 && (status != exitCritical || !unknown) {
		k.t.Fatalf("exit %d: %s", status, out)
	} else if unknown {
		k.open(func(e *sim.Estate) { k.images(e) }) // a person looks, and does it
		k.byHand++
	}
	k.check()
}

// images records them as an operator does.
func (k *killing) images(e *sim.Estate) {
	k.t.Helper()
	for _, text := range []string{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)"} {
		_, err := e.CL(k.t.Context(), "ORDERS", e.Job(), text)
		k.must(err)
	}
}

// check holds what is there against what the ledger says.
func (k *killing) check() {
	k.t.Helper()
	k.mqhk("history", "verify")
	gone := map[string]*intended{}
	for _, one := range judge(k.t, k.trail()).intents {
		if !one.settled() {
			k.t.Errorf("nobody found out: %s", one)
		}
		if one.kind != plugins.KindDelete || one.state() != plugins.Done {
			continue
		}
		if first := gone[one.name()]; first != nil && first.row.seq > k.restored {
			k.t.Errorf("twice: %s, %s", first, one)
		}
		gone[one.name()] = one
	}
	copies := k.copies()
	there := k.receivers()
	for name := range k.seen {
		switch {
		case slices.Contains(there, name):
		case gone[name] == nil:
			k.t.Errorf("%s is gone, and no outcome says so", name)
		case k.policy != "images" && !copies[name]:
			k.t.Errorf("%s is gone, and there is no verified copy", name)
		}
	}
	k.tidy()
}

// copies gives the receivers of which there is a verified copy.
func (k *killing) copies() map[string]bool {
	k.t.Helper()
	var list struct{ Copies []archiveCopy }
	k.must(json.Unmarshal([]byte(k.mqhk("archive", "list", "--format", "json")), &list))
	verified := map[string]bool{}
	for _, c := range list.Copies {
		verified[c.Segment] = verified[c.Segment] || c.Verified
	}
	return verified
}

// tidy makes sure that nothing piles up: save files, parts of copies, sockets.
func (k *killing) tidy() {
	k.t.Helper()
	if left := k.saveFiles(); len(left) > 0 {
		k.t.Errorf("save files are left: %v", left)
	}
	for _, store := range []string{"vault", "files"} {
		if left, _ := filepath.Glob(k.path(store, "*", "*.part")); len(left) > 0 {
			k.t.Errorf("parts of copies are left: %v", left)
		}
	}
	old := time.Now().Add(-time.Hour)
	left, _ := filepath.Glob(k.path("tmp", "*"))
	for _, name := range left {
		k.must(os.Chtimes(name, old, old)) // as the next night finds them
	}
	if p := k.start("run", "--policy", k.policy); p.status() != 0 {
		k.t.Errorf("a plan failed: %s", &p.out)
	}
	if left, _ := filepath.Glob(k.path("tmp", "*")); len(left) > 0 {
		k.t.Errorf("temporary files pile up: %v", left)
	}
}

// disaster damages every queue after a crash. Where the policy promises that a
// rebuild works at once, it does: nothing that it needs has gone.
func (k *killing) disaster() {
	k.t.Helper()
	k.work()
	k.mqhk("sim", "fault", "ORDERS", "crash")
	k.startManager()
	if k.policy == "least" {
		k.mqhk("archive", "restore", "ORDERS", "--needed")
	}
	k.open(func(e *sim.Estate) {
		k.intact(e)
		for _, q := range e.Manager("ORDERS").Queues() {
			_, err := e.Fault(k.t.Context(), "ORDERS", "damage", q.Name)
			k.must(err)
		}
		_, err := e.CL(k.t.Context(), "ORDERS", e.Job(), "RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)")
		k.must(err)
		k.intact(e)
	})
}
