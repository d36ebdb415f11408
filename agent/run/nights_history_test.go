package run

import (
	"errors"
	"fmt"
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/plugins"
)

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
