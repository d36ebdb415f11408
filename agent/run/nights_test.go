package run

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/sim"
)

// long tells that there is time for many histories with much traffic.
func long() bool { return os.Getenv("MQHK_LONG") != "" }

// oneAfterTheOther is a test of many runs, of which each goes the way of all. With
// -short, as the race detector is run, it is left out: what is beside a run, its
// lease and its targets, is in the tests that stay.
func oneAfterTheOther(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a test of many runs, one after the other")
	}
}

// howMany gives how many histories of how many nights are lived.
func howMany() (histories, nights int) {
	switch {
	case long():
		return 30, 30
	case testing.Short():
		return 1, 8
	default:
		return 1, 30
	}
}

// calm is how seldom nights are on which everything fails: one of nine.
var calm = []bool{false, false, false, false, true, false, false, false, false}

// traffic is how many persistent messages a working day may have.
func traffic() []int {
	if long() {
		return []int{100, 500, 1500, 3000}
	}
	return []int{100, 200, 400}
}

// tally counts what was done over all histories of a policy: a test in which
// nothing is ever deleted shows nothing.
type tally struct {
	mu    sync.Mutex
	night int
	sums  map[string]int
}

func (t *tally) add(what string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums[what] += n
}

// Thirty nights of a policy that is applied, over whatever may happen at a
// site. No night has a false alarm. Nothing that the policy promises to have
// at once is ever removed, and what was removed and is needed is in the store.
// On some nights, and on the last one, everything fails on a copy: what is
// promised works; what is not fails with the queue manager's own message, and
// works after the restore of what the run's outlook names. Then no committed
// persistent message is missing.
func TestThirtyNights(t *testing.T) {
	histories, many := howMany()
	draw(t, histories)
	for _, policy := range []string{"conservative", "fast-startup", "aggressive"} {
		t.Run(policy, func(t *testing.T) {
			if policy != "fast-startup" { // which deletes, saves and restores
				oneAfterTheOther(t)
			}
			t.Parallel()
			sum := &tally{sums: map[string]int{}}
			rapid.Check(t, func(rt *rapid.T) {
				n := newNights(&station{t: t}, rt, policy, sum)
				if _, err := Run(t.Context(), n.order(connect.Plan, policy)); err != nil {
					rt.Fatal(err)
				}
				for night := range many {
					sum.night = night
					if last := night == many-1; last {
						n.lastDay()
					} else {
						n.live(night)
					}
					outlook := n.apply()
					if night == many-1 || rapid.SampledFrom(calm).Draw(rt, "disaster") {
						n.fail(outlook)
					}
				}
				t.Logf("%s: %v", policy, n.count)
			})
			t.Logf("%s: %v", policy, sum.sums)
			wanted := []string{"deleted", "archived"}
			if policy != "aggressive" {
				wanted = append(wanted, "recoveries at once")
			}
			if policy != "conservative" {
				wanted = append(wanted, "recoveries after a restore", "restored")
			}
			for _, what := range wanted {
				if sum.sums[what] == 0 {
					t.Errorf("%s: none: this shows nothing", what)
				}
			}
		})
	}
}

// draw has rapid draw so many cases, unless the command line says how many.
func draw(t *testing.T, checks int) {
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
	t.Cleanup(func() { _ = drawn.Value.Set(drawn.DefValue) })
}

// right tells whether a finding is no false alarm: what it says is the case,
// from the inside or by what was drawn. Nothing that is drawn is a reason for a
// critical one.
func (n *nights) right(f finding.Finding, inside truth) bool {
	switch f.Code {
	case finding.MediaNotMoving:
		return n.behind(inside.shown.Media, n.now())
	case finding.StartupNotMoving:
		return n.behind(inside.shown.Startup, n.now())
	case finding.SaveDoubtful: // a receiver was saved while it was attached
		return n.count["save by the site"] > 0
	case finding.RemoteBehind:
		return n.remote && n.count["remote journal"] > 0
	case finding.MarkTie, finding.ClockWentBack: // seconds and hours that come twice
		return true
	}
	return f.Severity == finding.Info
}

// apply is one night's run. It gives what the run tells of a failure after it.
func (n *nights) apply() ledger.Outlook {
	n.rt.Helper()
	before := n.inside()
	record, err := Run(n.t.Context(), n.order(connect.Apply, n.policy))
	n.must(err)
	target := record.Targets[0]
	inside := n.inside()
	for _, f := range target.Findings {
		n.count["finding "+string(f.Code)]++
		if !n.right(f, before) && !n.right(f, inside) {
			n.rt.Errorf("night %d: a false alarm: %v", n.tally.night, f)
		}
	}
	if record.Run.Outcome != Applied {
		n.rt.Fatalf("night %d: %s: %s\n%s", n.tally.night, record.Run.Outcome, target.Error, outcomes(target))
	}
	n.counted(target)
	outlook := target.Recovery.Outlook
	if target.ReadBack != nil {
		outlook = target.ReadBack.Outlook
	}
	n.check(target, outlook, inside)
	return outlook
}

func (n *nights) counted(t ledger.Target) {
	for _, a := range t.Actions {
		if a.Outcome == "done" {
			n.tally.add(map[string]string{"delete": "deleted", "archive": "archived", "command": "commands"}[a.Kind], 1)
		}
	}
}

// inside looks into the queue manager and at its receivers.
func (n *nights) inside() (inside truth) {
	n.rt.Helper()
	n.work(func(e *sim.Estate) error {
		if problems := e.Problems(); len(problems) > 0 {
			n.rt.Fatal(problems)
		}
		inside = truthOf(e)
		return nil
	})
	n.must(n.look(n.t.Context(), n.dir))
	return inside
}

// check holds what is on the system, and what the run tells, against what the
// queue manager itself knows.
func (n *nights) check(t ledger.Target, told ledger.Outlook, inside truth) {
	n.rt.Helper()
	restart, rebuild := n.missing(inside.restart), n.missing(min(inside.restart, inside.media))
	switch {
	case n.policy != "aggressive" && len(restart) > 0:
		n.rt.Fatalf("night %d: a restart reads %s, which are gone:\n%s", n.tally.night, names(restart), outcomes(t))
	case n.policy == "conservative" && len(rebuild) > 0:
		n.rt.Fatalf("night %d: a rebuild reads %s, which are gone:\n%s", n.tally.night, names(rebuild), outcomes(t))
	}
	if lost := n.lost(rebuild); len(lost) > 0 {
		n.rt.Fatalf("night %d: %s are needed and nowhere:\n%s", n.tally.night, names(lost), outcomes(t))
	}
	exact := inside.published && !slices.ContainsFunc(t.Findings, func(f finding.Finding) bool { return f.Severity == finding.Warning })
	n.toldRight("restart", told.Restart, restart, exact)
	n.toldRight("rebuild", told.Rebuild, n.missing(inside.media), exact)
	n.toldRight("start-up damage", told.StartUpDamage, rebuild, exact)
}

// toldRight holds what a run tells of a recovery against what it would meet.
// What was published last may be older than the truth, never newer: where it is
// older the run may have told to restore what is not read any more.
func (n *nights) toldRight(what string, told ledger.Readiness, missing []link, exact bool) {
	n.rt.Helper()
	switch {
	case told.Ready == "at once" && len(missing) == 0:
	case told.Ready == "restore first" && len(missing) > 0:
		n.tally.add("nights to restore first", 1)
	case told.Ready == "restore first" && !exact:
		n.tally.add("nights told too darkly", 1)
	default:
		n.rt.Fatalf("night %d: told of %s is %+v; missing is %q, published %v", n.tally.night, what, told, names(missing), exact)
	}
}
