package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/policies"
)

// station is a simulated estate with one queue manager, its store and its
// ledger: all that a run needs, and real.
type station struct {
	t      *testing.T
	dir    string // of the estate
	text   string // of the policies
	target observe.Target
	ledger *ledger.Ledger
	keeper store.Store
	vault  string // its folder
	plugin Plugin // in place of the journal plugin
	wrap   func(connect.Dialer) connect.Dialer
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
	binds  func(observe.Target) []Binding
	allow  map[string]policies.Capabilities // in place of what is usual
	runs   int
}

const sitePolicies = `
policy "conservative" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    store    = "vault"
    unsaved  = "save"
  }
}
policy "unsaved" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "delete"
    allow    = ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete", "alert", "custom"]
  }
}
policy "fast-startup" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "fast-startup"
    store    = "vault"
    unsaved  = "save"
  }
}
policy "aggressive" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "aggressive"
    store    = "vault"
    unsaved  = "save"
  }
}
`

// newStation makes an estate in which a queue manager has worked for some
// hours, with small receivers.
func newStation(t *testing.T, hours int) *station {
	t.Helper()
	s := &station{t: t, dir: filepath.Join(t.TempDir(), "estate"), text: sitePolicies, now: time.Now}
	start := time.Date(2026, 6, 1, 6, 0, 0, 0, time.UTC)
	e, err := sim.Create(t.Context(), s.dir, sim.Settings{Zone: "Europe/Berlin", Start: start, NoSync: true})
	s.must(err)
	s.must(e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS", Threshold: 256}}))
	p, err := workload.Named("office")
	s.must(err)
	p.Messages.Persistent, p.Messages.NonPersistent = 1500, 100
	s.must(e.SetWorkload("ORDERS", p, 7))
	_, err = e.Advance(t.Context(), time.Duration(hours)*time.Hour, nil)
	s.must(err)
	s.target = e.Targets()[0]
	s.must(e.Close(t.Context()))
	s.cl("CRTLIB LIB(MQVAULT)")
	s.vault = filepath.Join(t.TempDir(), "vault")
	s.keeper, err = store.NewDirectory(store.Settings{Name: "vault", Path: s.vault, SameFilesystem: true, Form: store.SaveFile})
	s.must(err)
	s.ledger, err = ledger.Open(t.Context(), filepath.Join(t.TempDir(), "state"), ledger.Options{Clock: func() time.Time { return s.now() }})
	s.must(err)
	t.Cleanup(func() { _ = s.ledger.Close() })
	return s
}

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// open works on the estate by hand.
func (s *station) open(work func(*sim.Estate)) {
	s.t.Helper()
	e, err := sim.Open(s.t.Context(), s.dir)
	s.must(err)
	work(e)
	s.must(e.Close(s.t.Context()))
}

// cl gives commands as an operator does.
func (s *station) cl(commands ...string) {
	s.t.Helper()
	s.open(func(e *sim.Estate) {
		job := e.Job()
		for _, text := range commands {
			if _, err := e.CL(s.t.Context(), "ORDERS", job, text); err != nil {
				s.t.Fatalf("%s: %v", text, err)
			}
		}
	})
}

func (s *station) advance(hours int) {
	s.t.Helper()
	s.open(func(e *sim.Estate) {
		_, err := e.Advance(s.t.Context(), time.Duration(hours)*time.Hour, nil)
		s.must(err)
	})
}

// images are what a site does now and then, so that the points move.
const (
	changeReceiver = "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"
	recordImages   = "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)"
)

// receivers gives the names of those that are on the system, oldest first.
func (s *station) receivers() []string {
	s.t.Helper()
	e, err := sim.Look(s.t.Context(), s.dir)
	s.must(err)
	defer func() { s.must(e.Close(s.t.Context())) }()
	facts, err := observe.ReadJournal(s.t.Context(), bare{e}, s.target)
	s.must(err)
	var names []string
	for _, r := range facts.Receivers {
		names = append(names, r.ID.Name)
	}
	return names
}

// bare answers as an estate does, and knows nothing of the host.
type bare struct{ *sim.Estate }

func (b bare) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return observe.Answer{At: b.Now()}, nil
	}
	return b.Estate.Ask(ctx, q)
}

// order makes the order of one run.
func (s *station) order(mode connect.Mode, policy string) Order {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "site.hcl")
	s.must(os.WriteFile(file, []byte(s.text), 0o600))
	allow := s.allow
	if allow == nil {
		allow = usual
	}
	configuration, err := policies.Load(policies.Checks{Allow: allow}, file)
	s.must(err)
	chosen, err := configuration.Find(policy)
	s.must(err)
	keepers := map[string]store.Store{"vault": s.keeper}
	dial := connect.NewEstates().At(s.dir)
	if s.wrap != nil {
		dial = s.wrap(dial)
	}
	s.runs++
	return Order{
		ID: fmt.Sprintf("run-%d-%d", s.runs, time.Now().UnixNano()), Host: "here", By: "a test", Policies: chosen, Targets: []observe.Target{s.target},
		Stores:  map[string]connect.Store{"vault": {Kind: "savf", Library: "MQVAULT"}},
		Keepers: keepers, Ledger: s.ledger,
		Gate:      connect.New(mode, map[string]connect.Dialer{"ORDERS": connect.Hosted(dial, Knowledge{s.ledger, keepers})}),
		Simulated: []string{"ORDERS"}, Plugins: inProcess{s.plugin}, Log: slog.New(slog.DiscardHandler), Now: s.now, After: s.after, Binds: s.binds,
	}
}

// run carries out a policy; an apply is preceded by the plan that makes the
// target known.
func (s *station) run(mode connect.Mode, policy string) ledger.Record {
	s.t.Helper()
	record, err := Run(s.t.Context(), s.order(mode, policy))
	s.must(err)
	return record
}

// inProcess starts plugins in this process.
type inProcess struct{ other Plugin }

func (p inProcess) Start(context.Context, string) (Plugin, error) {
	if p.other != nil {
		return p.other, nil
	}
	return served{journal.Plugin{Version: "1"}}, nil
}

// served is the journal plugin as a run sees it.
type served struct{ journal.Plugin }

func (served) SHA256() string { return "00" }
func (served) Stop() error    { return nil }
func (served) Performs() bool { return false }
func (served) Check(context.Context, plugins.Request) ([]plugins.Complaint, error) {
	return nil, nil
}

func (p served) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	return p.Plugin.Plan(ctx, request, asHost{asker, progress})
}

func (p served) Confirms() bool {
	_, ok := any(p.Plugin).(plugins.Confirmer)
	return ok
}

func (p served) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, progress func(string)) (plugins.Result, error) {
	confirmer, ok := any(p.Plugin).(plugins.Confirmer)
	if !ok {
		return plugins.Result{}, errors.New("it can't confirm")
	}
	return confirmer.Confirm(ctx, action, asHost{asker, progress})
}

func (served) Perform(context.Context, plugins.Action, observe.Asker, func(context.Context, plugins.Command) (observe.Answer, error), func(string)) (plugins.Result, error) {
	return plugins.Result{}, errors.New("it performs nothing")
}

type asHost struct {
	observe.Asker
	say func(string)
}

func (h asHost) Progress(_, _ int64, what string) { h.say(what) }
func (asHost) Log() *slog.Logger                  { return slog.New(slog.DiscardHandler) }

// outcomes writes the actions of a record as "delete AMQA000001 done".
func outcomes(t ledger.Target) string {
	var b strings.Builder
	for _, a := range t.Actions {
		_, name, _ := strings.Cut(a.Object, "/")
		fmt.Fprintf(&b, "%s %s %s\n", a.Kind, name, a.Outcome)
	}
	return b.String()
}

func hasFinding(t ledger.Target, code finding.Code) bool {
	return slices.ContainsFunc(t.Findings, func(f finding.Finding) bool { return f.Code == code })
}
