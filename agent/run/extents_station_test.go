package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/archive"
)

const extentPolicies = `
policy "conservative" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    unsaved  = "delete"
  }
}
policy "unsaved" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    store    = "vault"
    unsaved  = "delete"
  }
}
policy "saved" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    store    = "vault"
    unsaved  = "save"
  }
}
policy "fast-startup" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "fast-startup"
    store    = "vault"
    unsaved  = "save"
  }
}
policy "aggressive" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "aggressive"
    store    = "vault"
    unsaved  = "save"
  }
}
`

// extentSite is a machine of stand-ins with one queue manager, a store on another
// folder and a ledger: all that a run needs, with real files.
type extentSite struct {
	*station
	host  *standin.Host
	log   string // folder of the extents
	state string // that of the ledger
	hook  hook
	// shift is how far the clock of this machine was put forward.
	shift atomic.Int64
}

// case18 is the log of case 18: restart older than media.
func case18() standin.Manager {
	return standin.Manager{Name: "QM1", First: 100, Current: 130, Restart: 112, Media: 120}
}

// longMedia is a log whose media point lies before its restart point.
func longMedia() standin.Manager {
	return standin.Manager{Name: "QM1", First: 100, Current: 120, Restart: 115, Media: 108}
}

// manyProcesses is a test that asks the stand-ins again and again. With -short, as
// the race detector is run, it is left out: each question is a process, which
// the detector makes slow and finds nothing in.
func manyProcesses(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a test of many processes")
	}
}

func newExtents(t *testing.T, m standin.Manager) *extentSite {
	t.Helper()
	s := &extentSite{station: &station{t: t, text: extentPolicies, target: observe.Target{Name: m.Name, Platform: observe.Multiplatforms}}}
	s.now = func() time.Time { return time.Now().Add(time.Duration(s.shift.Load())) }
	var err error
	s.host, err = standin.New(filepath.Join(t.TempDir(), "with blanks"))
	s.must(err)
	if m.Bytes == 0 {
		m.Bytes = 8192
	}
	m, err = s.host.Create(m)
	s.must(err)
	s.log = m.Active()
	s.vault = filepath.Join(t.TempDir(), "vault")
	s.keeper, err = store.NewDirectory(store.Settings{Name: "vault", Path: s.vault, SameFilesystem: true})
	s.must(err)

	s.state = filepath.Join(t.TempDir(), "state")
	s.reopen()
	t.Cleanup(func() { _ = s.ledger.Close() })
	s.plugin = archiving{archive.Plugin{Version: "1"}}
	return s
}

// reopen opens the ledger.
func (s *extentSite) reopen() {
	s.t.Helper()
	var err error
	s.ledger, err = ledger.Open(s.t.Context(), s.state, ledger.Options{Clock: s.now})
	s.must(err)
}

// order makes the order of one run, over a connection of its own as another
// process would have it.
func (s *extentSite) order(mode connect.Mode, policy string) Order {
	s.t.Helper()
	o := s.station.order(mode, policy)
	dial := local.Dial(local.Settings{Bin: s.host.Bin, DataRoot: s.host.Root, Timeout: time.Minute})
	if s.wrap != nil {
		dial = s.wrap(dial)
	}
	keepers := map[string]store.Store{"vault": s.keeper}
	o.Stores = map[string]connect.Store{"vault": {Kind: "directory"}}
	o.Gate = connect.New(mode, map[string]connect.Dialer{s.target.Name: connect.Hosted(&s.hook, Knowledge{s.ledger, keepers})})
	o.Simulated = nil
	s.hook.Dialer = dial
	return o
}

// run carries out a policy, which must not fail.
func (s *extentSite) run(mode connect.Mode, policy string) ledger.Record {
	s.t.Helper()
	record, err := Run(s.t.Context(), s.order(mode, policy))
	s.must(err)
	return record
}

// apply carries out a policy on a target that is known, and gives what became of
// it there.
func (s *extentSite) apply(policy string) ledger.Target {
	s.t.Helper()
	known, err := s.ledger.Known(s.t.Context(), s.target.Name)
	s.must(err)
	if !known {
		s.run(connect.Plan, policy)
	}
	return s.run(connect.Apply, policy).Targets[0]
}

// wants checks the outcome of a target: no error, no critical finding, and the
// actions in their order.
func (s *extentSite) wants(target ledger.Target, actions string) {
	s.t.Helper()
	if target.Error != "" || critical(target) {
		s.t.Errorf("error %q, findings %v", target.Error, target.Findings)
	}
	if got := extentOutcomes(target); got != actions {
		s.t.Errorf("actions\n%s\nwant\n%s", got, actions)
	}
}

// extentOutcomes writes actions as "delete 100 done, delete 101 done".
func extentOutcomes(t ledger.Target) string {
	var list []string
	for _, a := range t.Actions {
		name := filepath.Base(a.Object)
		if _, number, err := observe.ParseExtent(name); err == nil {
			name = strings.TrimLeft(name[1:8], "0")
			if number == 0 {
				name = "0"
			}
		}
		list = append(list, a.Kind+" "+name+" "+a.Outcome)
	}
	return strings.Join(list, ", ")
}

// each writes the same words for a run of numbers, both ends included.
func each(from, to int, words ...string) string {
	var list []string
	for n := from; n <= to; n++ {
		for _, w := range words {
			list = append(list, strings.ReplaceAll(w, "N", strings.TrimLeft(observe.ExtentName(n)[1:8], "0")))
		}
	}
	return strings.Join(list, ", ")
}

// change changes the queue manager as a test wants it.
func (s *extentSite) change(f func(*standin.Manager)) {
	s.t.Helper()
	s.must(s.host.Change(s.target.Name, f))
}

func (s *extentSite) manager() standin.Manager {
	s.t.Helper()
	m, err := s.host.Manager(s.target.Name)
	s.must(err)
	return m
}

func (s *extentSite) path(number int) string { return filepath.Join(s.log, observe.ExtentName(number)) }

// there gives the numbers of the S files, in the order of names.
func (s *extentSite) there() []int {
	s.t.Helper()
	var numbers []int
	for _, name := range s.names() {
		if kind, number, err := observe.ParseExtent(name); err == nil && kind == observe.LogExtent {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// names gives all that is in the folder of the extents.
func (s *extentSite) names() []string {
	s.t.Helper()
	m := s.manager()
	names, err := m.Extents()
	s.must(err)
	return names
}

// holdsFrom checks that exactly the extents from one number to another are
// there.
func (s *extentSite) holdsFrom(from, to int) {
	s.t.Helper()
	var want []int
	for n := from; n <= to; n++ {
		want = append(want, n)
	}
	if got := s.there(); !slices.Equal(got, want) {
		s.t.Errorf("extents %v are there, want %d to %d", got, from, to)
	}
}

// contents gives the digests of extents by number, of those that are there.
func (s *extentSite) contents(from, to int) map[int]string {
	s.t.Helper()
	all := map[int]string{}
	for n := from; n <= to; n++ {
		body, err := os.ReadFile(s.path(n))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		s.must(err)
		sum := sha256.Sum256(body)
		all[n] = hex.EncodeToString(sum[:])
	}
	return all
}

// archiving is the archive plugin as a run sees it.
type archiving struct{ archive.Plugin }

func (archiving) SHA256() string { return "00" }
func (archiving) Stop() error    { return nil }
func (archiving) Performs() bool { return false }
func (archiving) Confirms() bool { return true }
func (archiving) Check(context.Context, plugins.Request) ([]plugins.Complaint, error) {
	return nil, nil
}

func (p archiving) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	return p.Plugin.Plan(ctx, request, asHost{asker, progress})
}

func (p archiving) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, progress func(string)) (plugins.Result, error) {
	return p.Plugin.Confirm(ctx, action, asHost{asker, progress})
}

func (archiving) Perform(context.Context, plugins.Action, observe.Asker, func(context.Context, plugins.Command) (observe.Answer, error), func(string)) (plugins.Result, error) {
	return plugins.Result{}, errors.New("it performs nothing")
}
