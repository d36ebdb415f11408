package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal"
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
