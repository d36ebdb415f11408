package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/plugins"
)

// nights is a site that lives night after night under one policy.
type nights struct {
	*station
	chain
	rt       *rapid.T
	policy   string
	root     string // folder of everything
	vault    string // folder of the store
	tally    *tally
	queue    string           // one that applications work with
	units    map[int]int      // left open by hand: number, night in which it ends
	saves    int              // save files of the site's own
	remote   bool             // there is a remote journal
	verified map[wal.LSN]bool // copies that were read, by where the receiver begins
	count    map[string]int   // events of this history
	base     time.Time        // what the estate's clock showed last
	set      time.Time        // when that was
}

// Local midnights near which summer time begins and ends, or nothing happens:
// each history of thirty nights that begins in spring or autumn has the change
// in it.
var starts = []struct{ zone, start string }{
	{"Europe/Berlin", "2026-03-26 06:00:00"},
	{"Europe/Berlin", "2026-10-22 06:00:00"},
	{"Europe/Berlin", "2026-10-22 03:40:00"}, // a night falls into the second pass of an hour
	{"America/New_York", "2026-10-30 21:00:00"},
	{"Australia/Lord_Howe", "2026-04-01 10:00:00"},
	{"Asia/Kolkata", "2026-06-01 18:30:00"},
}

// newNights draws a site: where and when it begins, what its applications do,
// how its receivers are called, and whether the policy records images.
func newNights(station *station, rt *rapid.T, policy string, sum *tally) *nights {
	n := &nights{
		station: station, rt: rt, policy: policy, tally: sum, root: station.t.TempDir(),
		units: map[int]int{}, verified: map[wal.LSN]bool{}, count: map[string]int{},
	}
	rt.Cleanup(func() { _ = os.RemoveAll(n.root) })
	n.dir, n.vault, n.text = filepath.Join(n.root, "estate"), filepath.Join(n.root, "vault"), sitePolicies
	if rapid.Bool().Draw(rt, "records images") {
		n.text = strings.ReplaceAll(n.text, `unsaved  = "save"`, "unsaved  = \"save\"\n    config {\n      record_images = true\n    }")
	}
	n.settle()
	n.build()
	var err error
	n.keeper, err = store.NewDirectory(store.Settings{Name: "vault", Path: n.vault, SameFilesystem: true, Form: store.SaveFile})
	n.must(err)
	n.ledger, err = ledger.Open(n.t.Context(), filepath.Join(n.root, "state"), ledger.Options{Clock: n.now})
	n.must(err)
	rt.Cleanup(func() { _ = n.ledger.Close() })
	return n
}

// settle has the host's clock follow the estate's, and its waits be over at
// once.
func (n *nights) settle() {
	n.now = func() time.Time { return n.base.Add(time.Since(n.set)) }
	n.after = func(time.Duration) <-chan time.Time {
		over := make(chan time.Time, 1)
		over <- n.now()
		return over
	}
}

// follow sets the host's clock by the estate's. It never goes back.
func (n *nights) follow(estate time.Time) {
	if estate.After(n.now()) {
		n.base, n.set = estate, time.Now()
	}
}

// build makes the estate.
func (n *nights) build() {
	p, err := workload.Named(rapid.SampledFrom(workload.Profiles()).Draw(n.rt, "profile"))
	n.must(err)
	messages := float64(rapid.SampledFrom(traffic()).Draw(n.rt, "messages a day"))
	p.Messages.Persistent, p.Messages.NonPersistent = messages, messages/10
	p.Weekend = max(p.Weekend, 0.3)
	if !long() {
		p.Sizes.Max = min(p.Sizes.Max, 5_000)
	}
	for i := range p.Queues {
		p.Queues[i].Keep = min(p.Queues[i].Keep, traffic()[0])
	}
	n.queue = p.Queues[0].Name
	where := rapid.SampledFrom(starts).Draw(n.rt, "start")
	zone, err := time.LoadLocation(where.zone)
	n.must(err)
	start, err := time.ParseInLocation(time.DateTime, where.start, zone)
	n.must(err)
	first := rapid.SampledFrom([]string{"", "AMQA099995", "AMQA999990"}).Draw(n.rt, "first receiver")
	e, err := sim.Create(n.t.Context(), n.dir, sim.Settings{Zone: where.zone, Start: start, NoSync: true})
	n.must(err)
	n.must(e.Add(n.t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS", Threshold: 256, FirstReceiver: first}}))
	n.must(e.SetWorkload("ORDERS", p, rapid.Uint64().Draw(n.rt, "seed")))
	n.target = e.Targets()[0]
	n.base, n.set = e.Now(), time.Now()
	n.must(e.Close(n.t.Context()))
	n.give("CRTLIB LIB(MQVAULT)", "CRTLIB LIB(SITE)")
	if n.remote = rapid.IntRange(0, 3).Draw(n.rt, "remote journal") == 0; n.remote {
		n.give("ADDMQMJRN MQMNAME(ORDERS) RMTJRNRDB(OTHERSYS)")
	}
}

func (n *nights) must(err error) {
	n.rt.Helper()
	if err != nil {
		n.rt.Fatal(err)
	}
}

// work works on the estate by hand.
func (n *nights) work(do func(*sim.Estate) error) {
	n.rt.Helper()
	e, err := sim.Open(n.t.Context(), n.dir)
	n.must(err)
	err = do(e)
	n.follow(e.Now())
	n.must(errors.Join(err, e.Close(n.t.Context())))
}

// give gives commands as an operator does.
func (n *nights) give(commands ...string) {
	n.rt.Helper()
	n.work(func(e *sim.Estate) error {
		for _, text := range commands {
			if _, err := e.CL(n.t.Context(), "ORDERS", e.Job(), text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		return nil
	})
}

// fault has something go wrong, and gives what was done.
func (n *nights) fault(name string, args ...string) (done string) {
	n.rt.Helper()
	n.work(func(e *sim.Estate) (err error) {
		done, err = e.Fault(n.t.Context(), "ORDERS", name, args...)
		return err
	})
	return done
}

// events are what may happen in a day, each with how often it is drawn.
var events = []struct {
	name string
	less int // 1: as often as any, 3: a third of that
	do   func(*nights)
}{
	{"nothing", 1, func(*nights) {}},
	{"images", 3, func(n *nights) { n.give(changeReceiver, recordImages) }},
	{"images without a new receiver", 4, func(n *nights) { n.give(recordImages) }},
	{"new receiver", 1, func(n *nights) { n.give(changeReceiver) }},
	{"end and start", 2, func(n *nights) { n.give("ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)"); n.start() }},
	{"IPL", 3, func(n *nights) { n.give("PWRDWNSYS OPTION(*IMMED) RESTART(*YES)"); n.start() }},
	{"crash", 2, func(n *nights) { n.fault("crash"); n.start() }},
	{"long unit of work", 1, (*nights).openUnit},
	{"save by the site", 2, (*nights).saveAll},
	{"save of one by the site", 2, (*nights).saveOne},
	{"remote journal", 2, (*nights).lag},
}

// lastDay is one behind which each policy leaves what it promises, and no more:
// the media point lies some receivers back, the startup point in the last one
// that is detached, and nothing else keeps a receiver.
func (n *nights) lastDay() {
	n.text = sitePolicies // images in the night would move both points
	if n.remote {
		n.fault("remote", "active", "0")
	}
	n.endUnits(math.MaxInt)
	n.pass(2)
	n.give(changeReceiver, recordImages)
	n.pass(1)
	n.give(changeReceiver)
	n.pass(13) // whatever was in doubt before is over
	n.fault("crash")
	n.start()
	n.pass(1)
	n.give(changeReceiver)
}

// live lets a day pass, with what may happen on one.
func (n *nights) live(night int) {
	left := 24
	for range rapid.IntRange(1, 3).Draw(n.rt, "events") {
		hours := rapid.IntRange(1, left-1).Draw(n.rt, "hours")
		left -= hours
		n.pass(hours)
		event := rapid.SampledFrom(events).Draw(n.rt, "event")
		if rapid.IntRange(1, event.less).Draw(n.rt, "does it happen") == 1 {
			n.count[event.name]++
			event.do(n)
		}
		if left == 1 {
			break
		}
	}
	n.pass(left)
	n.endUnits(night)
}

func (n *nights) pass(hours int) {
	n.work(func(e *sim.Estate) error {
		_, err := e.Advance(n.t.Context(), time.Duration(hours)*time.Hour, nil)
		return err
	})
}

// start starts the queue manager. Where the policy promises a restart only
// after a restore it may miss receivers: they are restored as an operator
// would, and then it starts.
func (n *nights) start() {
	n.rt.Helper()
	err := n.tryStart()
	if err == nil {
		return
	}
	if n.policy != "aggressive" || !missesEntry(err) {
		n.rt.Fatalf("%s: the start: %v", n.policy, err)
	}
	n.count["start that failed"]++
	list, err := Restore(n.t.Context(), RestoreOrder{Order: n.order(connect.Apply, n.policy), Target: n.target, Needed: true})
	n.must(err)
	n.tally.add("restored", restoredNow(n.rt, list))
	if err := n.tryStart(); err != nil {
		n.rt.Fatalf("the start after a restore of %d: %v", len(list), err)
	}
}

// restoredNow counts what came back, and fails where something did not.
func restoredNow(rt *rapid.T, list []Restored) int {
	rt.Helper()
	done := 0
	for _, one := range list {
		switch one.State {
		case plugins.Done:
			done++
		case plugins.Skipped:
		default:
			rt.Fatalf("%s was not restored: %s: %s", one.Segment, one.State, one.Evidence)
		}
	}
	return done
}

func (n *nights) tryStart() (err error) {
	n.work(func(e *sim.Estate) error {
		_, err = e.CL(n.t.Context(), "ORDERS", e.Job(), "STRMQM MQMNAME(ORDERS)")
		return nil
	})
	return err
}

// missesEntry tells whether a command failed since the journal does not reach
// back: MQ's message, not any other failure.
func missesEntry(err error) bool {
	var e *os400.Error
	return errors.As(err, &e) && e.ID == "AMQ7432"
}

// openUnit leaves a unit of work open for some nights, or in doubt.
func (n *nights) openUnit() {
	args := []string{n.queue}
	if rapid.Bool().Draw(n.rt, "prepared") {
		args = append(args, "prepared")
	}
	var number int
	if _, err := fmt.Sscanf(n.fault("open-unit", args...), "unit of work %d", &number); err != nil {
		n.rt.Fatal(err)
	}
	n.units[number] = n.tally.night + rapid.IntRange(0, 5).Draw(n.rt, "nights")
}

// endUnits ends those whose time is over. A restart has backed out what was
// not prepared.
func (n *nights) endUnits(night int) {
	for number, end := range n.units {
		if end > night {
			continue
		}
		delete(n.units, number)
		n.work(func(e *sim.Estate) error {
			how := []string{"commit", "backout"}[number%2]
			_, _ = e.Fault(n.t.Context(), "ORDERS", "end-unit", fmt.Sprint(number), how)
			return nil
		})
	}
}

// saveAll is a site's own save of all receivers, the attached one among them.
func (n *nights) saveAll() { n.save("*ALL") }

// saveOne is a save of the newest that is detached.
func (n *nights) saveOne() {
	if on := n.receivers(); len(on) > 1 {
		n.save(on[len(on)-2])
	}
}

func (n *nights) save(object string) {
	n.saves++
	n.give(fmt.Sprintf("CRTSAVF FILE(SITE/S%d)", n.saves),
		fmt.Sprintf("SAVOBJ OBJ(%s) LIB(QMORDERS) DEV(*SAVF) SAVF(SITE/S%d) OBJTYPE(*JRNRCV)", object, n.saves),
		fmt.Sprintf("DLTF FILE(SITE/S%d)", n.saves))
}

// lag has the remote journal fall behind, or catch up.
func (n *nights) lag() {
	if !n.remote {
		return
	}
	if rapid.Bool().Draw(n.rt, "catches up") {
		n.fault("remote", "active", "0")
		return
	}
	n.fault("remote", "inactive", fmt.Sprint(rapid.IntRange(1, 500).Draw(n.rt, "entries behind")))
}
