package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/plugins"
)

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
