package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
	"github.com/mqhk/mqhk/plugins/schema"
)

// estate is a simulated queue manager ORDERS with a plugin beside it.
type estate struct {
	*testing.T
	ctx     context.Context
	sim     *sim.Estate
	promise recovery.Promise
	history string // what earlier runs saw, in the rows of HISTORY
}

// newEstate makes one; capacity 0 is without a limit.
func newEstate(t *testing.T, capacity int64) *estate {
	t.Helper()
	e := &estate{T: t, ctx: t.Context(), promise: recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}}
	made, err := sim.Create(t.Context(), filepath.Join(t.TempDir(), "estate"), sim.Settings{
		Zone: "Europe/Berlin", Start: time.Date(2026, 6, 1, 5, 0, 0, 0, time.UTC), NoSync: true,
	})
	e.must(err)
	t.Cleanup(func() {
		if err := made.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	e.sim = made
	e.must(made.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS", Threshold: 256}, Settings: os400.Settings{Capacity: capacity}}))
	return e
}

func (e *estate) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// Ask answers as the simulated system does; its host knows what earlier runs
// saw.
func (e *estate) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language == observe.History && e.history != "" {
		return observe.Answer{Body: []byte("AT,KIND,LIBRARY,SEGMENT,POSITION\n" + e.history), At: e.sim.Now()}, nil
	}
	if q.Language.OfHost() {
		return observe.Answer{At: e.sim.Now()}, nil
	}
	return e.sim.Ask(ctx, q)
}

// live has applications work for some days.
func (e *estate) live(days int, seed uint64) {
	e.Helper()
	p, err := workload.Named("deep")
	e.must(err)
	p.Messages.Persistent, p.Messages.NonPersistent = 2000, 100
	p.Queues[0].Keep = 1000
	e.must(e.sim.SetWorkload("ORDERS", p, seed))
	_, err = e.sim.Advance(e.ctx, time.Duration(days)*24*time.Hour, nil)
	e.must(err)
	e.must(e.sim.StopWorkload("ORDERS"))
}

func (e *estate) plan(round int) plugins.Plan {
	e.Helper()
	config, err := schema.New(settings(), map[string]any{"record_images": true})
	e.must(err)
	plan, err := Plugin{}.Plan(e.ctx, plugins.Request{Round: round, Target: e.sim.Targets()[0], Promise: e.promise, Config: config}, played{e})
	e.must(err)
	return plan
}

// give carries a command out as an operator would.
func (e *estate) give(text string) {
	e.Helper()
	if _, err := e.sim.CL(e.ctx, "ORDERS", e.sim.Job(), text); err != nil {
		e.Fatalf("%s: %v", text, err)
	}
}

func (e *estate) confirm(action plugins.Action, want plugins.State) {
	e.Helper()
	result, err := Plugin{}.Confirm(e.ctx, action, played{e})
	e.must(err)
	if result.State != want {
		e.Fatalf("%s is %+v, want %s", action.Command.Text, result, want)
	}
}

// perform carries out a plan's deletes, oldest first.
func (e *estate) perform(plan plugins.Plan) {
	for _, a := range plan.Actions {
		if a.Kind == plugins.KindDelete {
			e.give(fmt.Sprintf("DLTJRNRCV JRNRCV(%s) DLTOPT(*IGNINQMSG)", a.Segment))
		}
	}
}

func (e *estate) bytes() int64 { return e.sim.Status().Managers[0].Bytes }

// The images really move the point: more goes in the second round, never more
// than was said, and they write no more than was predicted. What is left is
// enough for a restart.
func TestImagesOnAnEstate(t *testing.T) {
	seeds := uint64(3)
	if os.Getenv("MQHK_LONG") != "" {
		seeds = 60
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e := newEstate(t, int64(seed%2)*4<<30)
			e.live(1+int(seed%2), seed)
			e.promise.KeepNewest = int(seed % 4)
			e.night()
			e.live(1, seed+1)
			e.night()
		})
	}
}

// night is a run with images and both of its rounds.
func (e *estate) night() {
	first := e.plan(1)
	manager := first.Decision.Managers[0]
	if !first.Again {
		e.Fatalf("no images: %v", imageFindings(first))
	}
	e.history += fmt.Sprintf("%s,media,QMORDERS,%s,\n", e.sim.Now().UTC().Format(time.RFC3339), e.sim.Status().Managers[0].Media.Receiver)
	most, now := points.Goes(points.WithImages(manager.Inventory, e.promise)), points.Goes(manager)
	e.record(first)
	e.perform(first)
	second := e.plan(2)
	then := points.Goes(second.Decision.Managers[0])
	for _, s := range manager.Inventory.Segments {
		if (now[s.ID] || then[s.ID]) && !most[s.ID] {
			e.Errorf("%s goes, which the bound keeps", s.ID)
		}
	}
	if len(then) == 0 || second.Again {
		e.Errorf("the images let go %d receivers, again %v: %v", len(then), second.Again, second.Findings)
	}
	e.perform(second)
	e.history += fmt.Sprintf("%s,media,QMORDERS,%s,\n", e.sim.Now().UTC().Format(time.RFC3339), e.sim.Status().Managers[0].Media.Receiver)
	_, err := e.sim.Fault(e.ctx, "ORDERS", "crash")
	e.must(err)
	e.give("STRMQM MQMNAME(ORDERS)")
	for _, a := range first.Actions[:2] {
		e.confirm(a, plugins.Done) // also where the receiver of then has gone
	}
	if third := e.plan(1); third.Again {
		e.Errorf("images again, with the point where the last ones begin: %v", third.Actions[1].Reason)
	}
}

// record carries out the images of a plan, and looks at every step.
func (e *estate) record(plan plugins.Plan) {
	load, err := points.ReadLoad(e.ctx, e, e.sim.Targets()[0], plan.Decision.Managers[0].Inventory, "receiver")
	e.must(err)
	attach, record := plan.Actions[0], plan.Actions[1]
	e.confirm(attach, plugins.Pending)
	e.give(attach.Command.Text)
	e.confirm(attach, plugins.Done)
	e.confirm(record, plugins.Pending)
	before := e.bytes()
	e.give(record.Command.Text)
	if written := e.bytes() - before; written > load.Bytes {
		e.Fatalf("the images wrote %d bytes, predicted were %s", written, load)
	}
	e.confirm(record, plugins.Done)
}

// An ended queue manager records nothing more.
func TestImagesOnAnEndedManager(t *testing.T) {
	e := newEstate(t, 0)
	e.live(1, 7)
	planned := e.plan(1)
	if !planned.Again {
		t.Fatalf("no images: %v", imageFindings(planned))
	}
	e.give(planned.Actions[0].Command.Text)
	e.give("ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)")
	e.confirm(planned.Actions[0], plugins.Done)
	e.confirm(planned.Actions[1], plugins.Failed)
}

// A pool that is nearly full takes no images.
func TestImagesInAFullPool(t *testing.T) {
	e := newEstate(t, 7<<20)
	e.live(1, 7)
	e.says(finding.ImageWouldNotFit, "no images: they write up to ")
}

// A unit of work that pins the startup point makes them useless.
func TestImagesBesideALongUnit(t *testing.T) {
	e := newEstate(t, 0)
	e.give("CRTMQMQ QNAME(PARKED) QTYPE(*LCL) MQMNAME(ORDERS)")
	_, err := e.sim.Fault(e.ctx, "ORDERS", "open-unit", "PARKED")
	e.must(err)
	e.live(1, 7)
	e.says(finding.NoImages, "the startup point is ")
}

// says wants one finding about images, and none of their commands.
func (e *estate) says(code finding.Code, text string) {
	e.Helper()
	plan := e.plan(1)
	found := imageFindings(plan)
	if plan.Again || len(found) != 1 || found[0].Code != code || !strings.Contains(found[0].Text, text) ||
		slices.ContainsFunc(plan.Actions, func(a plugins.Action) bool { return a.Kind == plugins.KindCommand }) {
		e.Errorf("%v, want %s: %s", found, code, text)
	}
}
