package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// siteConfiguration has a policy for each way in which a receiver goes: by
// images and without a copy, with a copy by way of save files, and with a copy
// although a restart needs it.
const siteConfiguration = `queue_manager "ORDERS" {
  platform = "ibmi"
  zone     = "Europe/Berlin"
  connection "sim" {
    estate = "../estate"
  }
}
store "vault" {
  kind            = "directory"
  path            = "../vault"
  library         = "QGPL"
  same_filesystem = true
}
store "files" {
  kind            = "savf"
  path            = "../files"
  library         = "MQVAULT"
  same_filesystem = true
}
policy "images" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "delete"
    config {
      record_images = true
    }
  }
}
policy "saves" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    store    = "files"
    unsaved  = "save"
    config {
      record_images = true
    }
  }
}
policy "least" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "aggressive"
    store    = "vault"
    unsaved  = "save"
  }
}
`

// site is all that mqhk has on one machine, in one folder: an estate with one
// queue manager, a configuration, a ledger and stores.
type site struct {
	t      *testing.T
	home   string
	policy string
	db     *sql.DB // of the ledger, past the ledger
}

// newSite makes one whose queue manager has worked for some hours with small
// receivers, and on which the ledger knows the target.
func newSite(t *testing.T, policy string, hours int) *site {
	t.Helper()
	s := &site{t: t, home: t.TempDir(), policy: policy}
	s.furnish(hours)
	return s
}

func (s *site) furnish(hours int) {
	s.t.Helper()
	t := s.t
	for _, dir := range []string{"mqhk.d", "tmp"} {
		s.must(os.Mkdir(s.path(dir), 0o700))
	}
	s.must(os.WriteFile(s.path("mqhk.d", "site.hcl"), []byte(siteConfiguration), 0o600))
	start := time.Date(2026, 6, 1, 6, 0, 0, 0, time.UTC)
	e, err := sim.Create(t.Context(), s.path("estate"), sim.Settings{Zone: "Europe/Berlin", Start: start})
	s.must(err)
	s.must(e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS", Threshold: 64}}))
	p, err := workload.Named("office")
	s.must(err)
	p.Messages.Persistent, p.Messages.NonPersistent = 2000, 100
	p.Long.PerDay = 0 // they would hold back what is to go
	for i := range p.Queues {
		p.Queues[i].Keep = min(p.Queues[i].Keep, 50)
	}
	s.must(e.SetWorkload("ORDERS", p, 7))
	_, err = e.CL(t.Context(), "ORDERS", e.Job(), "CRTLIB LIB(MQVAULT)")
	s.must(err)
	_, err = e.Advance(t.Context(), time.Duration(hours)*time.Hour, nil)
	s.must(err)
	s.must(e.Close(t.Context()))
	s.mqhk("run", "--policy", s.policy)
}

func (s *site) path(parts ...string) string {
	return filepath.Join(append([]string{s.home}, parts...)...)
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// args adds where everything is to a command line.
func (s *site) args(args []string) []string {
	if args[0] == "sim" {
		return append(slices.Clone(args), "--estate", s.path("estate"))
	}
	return append(slices.Clone(args), "--config", s.path("mqhk.d"), "--state", s.path("state"))
}

// mqhk carries out a command line in this process, which must not fail.
func (s *site) mqhk(args ...string) string {
	s.t.Helper()
	return mqhk(s.t, s.args(args)...)
}

// try likewise; it may fail.
func (s *site) try(args ...string) (status int, out string) {
	var both bytes.Buffer
	return execute(s.args(args), &both, &both), both.String()
}

// apply gives the command line that applies the site's policy.
func (s *site) apply(more ...string) []string {
	return append([]string{"run", "--policy", s.policy, "--apply", "--log-level", "debug"}, more...)
}

// open works on the estate by hand.
func (s *site) open(work func(*sim.Estate)) {
	s.t.Helper()
	e, err := sim.Open(s.t.Context(), s.path("estate"))
	s.must(err)
	work(e)
	s.must(e.Close(s.t.Context()))
}

// persistent gives the persistent messages that are on the queues: what a
// crash may not lose.
func persistent(t *testing.T, e *sim.Estate) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	m := e.Manager("ORDERS")
	for _, q := range m.Queues() {
		err := m.Browse(q.Name, func(msg engine.Message) bool {
			if msg.Persistent {
				all[fmt.Sprintf("%s/%d/%x", q.Name, msg.Sequence, sha256.Sum256(msg.Body))] = true
			}
			return true
		})
		if err != nil {
			t.Fatalf("browsing %s: %v", q.Name, err)
		}
	}
	return all
}

// receivers gives the names of those that are on the disk of the system.
func (s *site) receivers() []string {
	s.t.Helper()
	return s.objects("QMORDERS", ".JRNRCV")
}

// saveFiles gives the save files in the libraries of the stores.
func (s *site) saveFiles() []string {
	s.t.Helper()
	return append(s.objects("QGPL", ".SAVF"), s.objects("MQVAULT", ".SAVF")...)
}

func (s *site) objects(library, kind string) []string {
	s.t.Helper()
	entries, err := os.ReadDir(s.path("estate", "systems", "SYS1", "QSYS.LIB", library+".LIB"))
	s.must(err)
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), kind); ok {
			names = append(names, name)
		}
	}
	return names
}

// later names whoever takes over the claims of those that died.
const later = "an hour later"

// runOut lets the claims of processes that died run out: whoever comes by
// the clock of a later hour takes them over and gives them back. Nobody has to
// wait for the two minutes then.
func (s *site) runOut() {
	s.t.Helper()
	s.runOutOn("ORDERS", s.policy+"/receivers")
}

// runOutOn does so for a task on a target.
func (s *site) runOutOn(target, task string) {
	s.t.Helper()
	clock := func() time.Time { return time.Now().Add(time.Hour) }
	l, err := ledger.Open(s.t.Context(), s.path("state", ledgerName), ledger.Options{Clock: clock})
	s.must(err)
	for _, task := range []string{task, run.ApplyTask} {
		lease, err := l.Claim(s.t.Context(), ledger.Firing{Target: target, Task: task, Run: later, By: "a test", For: time.Second})
		s.must(err)
		s.must(lease.Release(s.t.Context(), "nothing done"))
	}
	s.must(l.Close())
}
