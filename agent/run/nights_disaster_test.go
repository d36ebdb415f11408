package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/wal"
)

// disaster is a failure and the recovery from it.
type disaster struct {
	name string
	// strike has it happen; recover is the recovery.
	strike  func(*nights, *sim.Estate) error
	recover string
	// down: the queue manager is down between the two.
	down bool
	// reads gives from where the recovery reads, in truth.
	reads func(truth) wal.LSN
	// told gives what the outlook says of it.
	told func(ledger.Outlook) ledger.Readiness
}

// disasters are the three of the design (section 1).
var disasters = []disaster{
	{
		name: "crash", down: true,
		strike:  func(*nights, *sim.Estate) error { return nil },
		recover: "STRMQM MQMNAME(ORDERS)",
		reads:   func(t truth) wal.LSN { return t.restart },
		told:    func(o ledger.Outlook) ledger.Readiness { return o.Restart },
	},
	{
		name:    "every queue is damaged",
		strike:  damageQueues,
		recover: "RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)",
		reads:   func(t truth) wal.LSN { return t.queues },
		told:    func(o ledger.Outlook) ledger.Readiness { return o.Rebuild },
	},
	{
		name: "crash, and the queue manager object is damaged", down: true,
		strike: func(n *nights, e *sim.Estate) error {
			_, err := e.Fault(n.t.Context(), "ORDERS", "damage", "*MQM")
			return err
		},
		recover: "STRMQM MQMNAME(ORDERS)",
		reads:   func(t truth) wal.LSN { return min(t.restart, t.manager) },
		told:    func(o ledger.Outlook) ledger.Readiness { return o.StartUpDamage },
	},
}

func damageQueues(n *nights, e *sim.Estate) error {
	for _, q := range e.Manager("ORDERS").Queues() {
		if _, err := e.Fault(n.t.Context(), "ORDERS", "damage", q.Name); err != nil {
			return err
		}
	}
	return nil
}

// fail has each disaster happen to a copy of everything, and recovers.
func (n *nights) fail(outlook ledger.Outlook) {
	untouched := n.copied()
	var before map[string][]string
	untouched.work(func(e *sim.Estate) error { before = untouched.contents(e); return nil })
	for _, d := range disasters {
		copied := n.copied()
		copied.strikeAndRecover(d, d.told(outlook), before)
		n.must(copied.ledger.Close())
		n.must(os.RemoveAll(copied.root))
	}
	n.must(untouched.ledger.Close())
	n.must(os.RemoveAll(untouched.root))
}

// copied gives a copy of estate and store, with a ledger of its own.
func (n *nights) copied() *nights {
	c, s := *n, *n.station
	c.station = &s
	var err error
	c.root, err = os.MkdirTemp(n.root, "copy")
	n.must(err)
	c.dir, c.vault = filepath.Join(c.root, "estate"), filepath.Join(c.root, "vault")
	n.must(os.CopyFS(c.dir, os.DirFS(n.dir)))
	n.must(linked(n.vault, c.vault))
	c.keeper, err = store.NewDirectory(store.Settings{Name: "vault", Path: c.vault, SameFilesystem: true, Form: store.SaveFile})
	n.must(err)
	c.ledger, err = ledger.Open(n.t.Context(), filepath.Join(c.root, "state"), ledger.Options{Clock: n.now})
	n.must(err)
	c.chain.all = append([]link{}, n.chain.all...)
	return &c
}

// linked gives a folder the files of another one, which are never written in
// place: a store writes new ones and renames them. One that is not there has
// none.
func linked(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		under, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Mkdir(filepath.Join(to, under), 0o700)
		default:
			return os.Link(path, filepath.Join(to, under))
		}
	})
}

// strikeAndRecover has a disaster happen. What was told of it at the end of the
// night's run is held against what happens; so is what the queue manager itself
// knew the moment before.
func (n *nights) strikeAndRecover(d disaster, told ledger.Readiness, before map[string][]string) {
	n.rt.Helper()
	var inside truth
	n.work(func(e *sim.Estate) error {
		if err := d.strike(n, e); err != nil {
			return err
		}
		inside = truthOf(e)
		if d.down {
			_, err := e.Fault(n.t.Context(), "ORDERS", "crash")
			return err
		}
		return nil
	})
	n.must(n.look(n.t.Context(), n.dir))
	missing := n.missing(d.reads(inside))
	err := n.attempt(d.recover)
	switch {
	case err == nil && len(missing) > 0:
		n.rt.Fatalf("%s: it works without %s", d.name, names(missing))
	case err != nil && len(missing) == 0:
		n.rt.Fatalf("%s: all is there, and yet: %v", d.name, err)
	case err != nil && !missesEntry(err):
		n.rt.Fatalf("%s: it misses %s, and yet: %v", d.name, names(missing), err)
	case err != nil && told.Ready != "restore first":
		n.rt.Fatalf("%s: told was %+v, and it misses %s: %v", d.name, told, names(missing), err)
	}
	if err != nil {
		n.tally.add("recoveries after a restore", 1)
		n.restoreTold(d, told)
		if err := n.attempt(d.recover); err != nil {
			n.rt.Fatalf("%s: told %+v; missing was %s; after the restore of %s to %s: %v", d.name, told, names(missing), told.First, told.Last, err)
		}
	} else {
		n.tally.add("recoveries at once", 1)
	}
	n.work(func(e *sim.Estate) error {
		if diff := cmp.Diff(before, n.contents(e)); diff != "" {
			n.rt.Fatalf("%s: messages before (-) and after (+):\n%s", d.name, diff)
		}
		return nil
	})
}

// restoreTold restores what the outlook names, and nothing else.
func (n *nights) restoreTold(d disaster, told ledger.Readiness) {
	n.rt.Helper()
	list, err := Restore(n.t.Context(), RestoreOrder{
		Order: n.order(connect.Apply, n.policy), Target: n.target, Segments: []string{told.First + ".." + told.Last},
	})
	if err != nil {
		n.rt.Fatalf("%s: restoring %s to %s: %v", d.name, told.First, told.Last, err)
	}
	n.tally.add("restored", restoredNow(n.rt, list))
}

// attempt gives one command, and its answer.
func (n *nights) attempt(command string) (err error) {
	n.work(func(e *sim.Estate) error {
		_, err = e.CL(n.t.Context(), "ORDERS", e.Job(), command)
		return nil
	})
	return err
}

// contents gives the persistent messages of each queue, after what is open was
// backed out as a restart would do it.
func (n *nights) contents(e *sim.Estate) map[string][]string {
	m := e.Manager("ORDERS")
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
