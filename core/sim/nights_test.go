package sim_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// Nights of housekeeping as a person would do it with what mqhk knows: what the
// conservative rule lets go is deleted by DLTJRNRCV, whatever applications did,
// then everything fails at once. The queue manager starts, every queue is
// damaged and rebuilt, and no committed persistent message is missing. It is
// what the first sentence of this project promises.
func TestWhatTheRuleLetsGoIsNeverNeeded(t *testing.T) {
	nights := 4
	if os.Getenv("MQHK_LONG") != "" {
		nights = 30
	} else {
		few(t, 4)
	}
	freed := 0
	rapid.Check(t, func(rt *rapid.T) {
		profile := rapid.SampledFrom(workload.Profiles()).Draw(rt, "profile")
		p, err := workload.Named(profile)
		if err != nil {
			rt.Fatal(err)
		}
		p.Messages.Persistent, p.Messages.NonPersistent = min(p.Messages.Persistent, 3000), min(p.Messages.NonPersistent, 300)
		for i := range p.Queues {
			p.Queues[i].Keep = min(p.Queues[i].Keep, 500)
		}
		start := rapid.SampledFrom([]string{"2026-03-27 06:00:00", "2026-10-23 06:00:00", "2026-06-01 21:00:00"}).Draw(rt, "start")
		first := rapid.SampledFrom([]string{"", "AMQA099995"}).Draw(rt, "first receiver")
		dir := made(t, qmgr.Spec{Threshold: 256, FirstReceiver: first}, start)
		e, err := sim.Open(t.Context(), dir)
		if err != nil {
			rt.Fatal(err)
		}
		n := &night{rt: rt, t: t, estate: e}
		n.must(e.SetWorkload("ORDERS", p, rapid.Uint64().Draw(rt, "seed")))
		for range nights {
			n.live()
			freed += n.housekeeping()
			n.disaster()
		}
		n.must(e.Close(t.Context()))
	})
	if freed == 0 {
		t.Error("nothing was ever deleted: this shows nothing")
	}
}

// few has rapid draw a few cases only, unless the command line says how many.
func few(t *testing.T, checks int) {
	t.Helper()
	drawn := flag.Lookup("rapid.checks")
	if drawn.Value.String() != drawn.DefValue {
		return
	}
	if testing.Short() {
		checks *= 5 // of which rapid draws a fifth
	}
	if err := drawn.Value.Set(strconv.Itoa(checks)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = drawn.Value.Set(drawn.DefValue) }) // as it was
}

// night is one of them.
type night struct {
	rt     *rapid.T
	t      *testing.T
	estate *sim.Estate
}

func (n *night) must(err error) {
	n.rt.Helper()
	if err != nil {
		n.rt.Fatal(err)
	}
}

// cl gives commands as an operator does.
func (n *night) cl(commands ...string) {
	n.rt.Helper()
	job := n.estate.Job()
	for _, text := range commands {
		if _, err := n.estate.CL(n.t.Context(), "ORDERS", job, text); err != nil {
			n.rt.Fatalf("%s: %v", text, err)
		}
	}
}

// live lets a day pass, with what may happen on one.
func (n *night) live() {
	const images = "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)"
	const change = "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"
	for range rapid.IntRange(1, 4).Draw(n.rt, "stretches") {
		hours := rapid.IntRange(1, 14).Draw(n.rt, "hours")
		if _, err := n.estate.Advance(n.t.Context(), time.Duration(hours)*time.Hour, nil); err != nil {
			n.rt.Fatal(err)
		}
		switch rapid.IntRange(0, 6).Draw(n.rt, "event") {
		case 0:
			n.cl(change, images)
		case 1:
			n.cl(images)
		case 2:
			n.cl(change)
		case 3:
			n.cl("ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)", "STRMQM MQMNAME(ORDERS)")
		case 4:
			n.cl("PWRDWNSYS OPTION(*IMMED) RESTART(*YES)", "STRMQM MQMNAME(ORDERS)")
		case 5:
			n.crash()
			n.cl("STRMQM MQMNAME(ORDERS)")
		}
	}
}

func (n *night) crash() {
	_, err := n.estate.Fault(n.t.Context(), "ORDERS", "crash")
	n.must(err)
}

// housekeeping deletes what the conservative rule lets go, oldest first, and
// tells how much that was.
func (n *night) housekeeping() int {
	facts, err := observe.ReadJournal(n.t.Context(), asks{n.estate}, n.estate.Targets()[0])
	n.must(err)
	d := recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved})
	gone := 0
	for i, v := range d.Managers[0].Verdicts {
		if v.Kind != recovery.Delete {
			continue
		}
		id := d.Managers[0].Inventory.Segments[i].ID
		n.cl(fmt.Sprintf("DLTJRNRCV JRNRCV(%s/%s) DLTOPT(*IGNINQMSG)", id.Library, id.Name))
		gone++
	}
	return gone
}

// disaster is a crash after which nothing but the receivers can be relied on.
func (n *night) disaster() {
	before := n.contents()
	n.crash()
	n.cl("STRMQM MQMNAME(ORDERS)")
	if diff := cmp.Diff(before, n.contents()); diff != "" {
		n.rt.Fatalf("before (-) and after the restart (+):\n%s", diff)
	}
	for queue := range before {
		if _, err := n.estate.Fault(n.t.Context(), "ORDERS", "damage", queue); err != nil {
			n.rt.Fatal(err)
		}
	}
	n.cl("RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)")
	if diff := cmp.Diff(before, n.contents()); diff != "" {
		n.rt.Fatalf("before (-) and rebuilt (+):\n%s", diff)
	}
}

// contents gives the persistent messages of each queue, after what is open was
// backed out as a restart would do it.
func (n *night) contents() map[string][]string {
	m := n.estate.Manager("ORDERS")
	all := map[string][]string{}
	for _, unit := range m.Engine().Units() {
		if !unit.Prepared {
			u, err := m.Unit(unit.ID)
			n.must(err)
			n.must(u.Backout(n.t.Context()))
		}
	}
	for _, q := range m.Queues() {
		all[q.Name] = []string{}
		n.must(m.Browse(q.Name, func(msg engine.Message) bool {
			if msg.Persistent {
				all[q.Name] = append(all[q.Name], string(msg.Body))
			}
			return true
		}))
	}
	return all
}

// asks answers as a connection does: of what the host knows there is nothing.
type asks struct{ *sim.Estate }

func (a asks) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return observe.Answer{At: a.Now()}, nil
	}
	return a.Estate.Ask(ctx, q)
}
