package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// keeper is a plugin that asks two questions and keeps what it is told.
type keeper struct {
	asked  *atomic.Int64
	dies   *atomic.Int64 // so many plans fail as if the process had died
	grumbl string        // a complaint about the configuration
}

func (k keeper) Describe() plugins.Description {
	return plugins.Description{Name: "keeper", Version: "1", Actions: []plugins.Kind{plugins.KindDelete}, Schema: schema.Schema{Fields: []schema.Field{{Name: "least", Kind: schema.Int}}}}
}
func (keeper) SHA256() string { return "00" }
func (keeper) Confirms() bool { return false }
func (keeper) Performs() bool { return false }
func (keeper) Confirm(context.Context, plugins.Action, observe.Asker, func(string)) (plugins.Result, error) {
	return plugins.Result{}, errors.New("not asked for")
}

func (keeper) Perform(context.Context, plugins.Action, observe.Asker, func(context.Context, plugins.Command) (observe.Answer, error), func(string)) (plugins.Result, error) {
	return plugins.Result{}, errors.New("not asked for")
}
func (keeper) Stop() error { return nil }

func (k keeper) Check(context.Context, plugins.Request) ([]plugins.Complaint, error) {
	if k.grumbl == "" {
		return nil, nil
	}
	return []plugins.Complaint{{Path: "least", Text: k.grumbl}}, nil
}

func (k keeper) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	if k.dies.Add(-1) >= 0 {
		return plugins.Plan{}, &host.CrashError{Plugin: "keeper", Call: "Plan", Exit: "signal: killed"}
	}
	progress("asking")
	space := observe.Question{Language: observe.UsrSpc, QueueManager: request.Target.Name, Text: "LIB/AMQJRNINF"}
	var seen []string
	for range 2 {
		k.asked.Add(1)
		answer, err := asker.Ask(ctx, space)
		if err != nil {
			return plugins.Plan{}, err
		}
		seen = append(seen, strings.TrimSpace(string(answer.Body)))
	}
	if _, err := asker.Ask(ctx, observe.Question{Language: observe.SQL, QueueManager: request.Target.Name, Text: "QSYS2.JOURNAL_INFO"}); !errors.As(err, new(*observe.NotAnswered)) {
		return plugins.Plan{}, fmt.Errorf("want a question that nobody answers, got %w", err)
	}
	inventory := recovery.Inventory{QueueManager: request.Target.Name, Segments: []recovery.Segment{
		{ID: recovery.SegmentID{QueueManager: request.Target.Name, Library: "LIB", Name: "AMQA000001"}, From: 1, To: 1, State: recovery.Online, Bytes: 10},
		{ID: recovery.SegmentID{QueueManager: request.Target.Name, Library: "LIB", Name: "AMQA000002"}, From: 2, To: 2, State: recovery.Current, Bytes: 20},
	}, Needs: []recovery.Need{{Kind: recovery.Restart, From: 2, Source: strings.Join(seen, " then ")}, {Kind: recovery.Media, From: 2, Source: "a test"}}}
	decision := recovery.Decide([]recovery.Inventory{inventory}, request.Promise)
	plan := plugins.Plan{Decision: decision}
	for i, v := range decision.Managers[0].Verdicts {
		if v.Kind.Goes() {
			s := inventory.Segments[i]
			plan.Actions = append(plan.Actions, plugins.Action{ID: "delete-1", Kind: plugins.KindDelete, QueueManager: request.Target.Name, Object: s.ID.String(), Segment: s.ID})
		}
	}
	return plan, nil
}

// keepers starts keepers and counts them.
type keepers struct {
	keeper
	starts *atomic.Int64
	fails  bool
}

func (k keepers) Start(context.Context, string) (Plugin, error) {
	k.starts.Add(1)
	if k.fails {
		return nil, errors.New("no such file")
	}
	return k.keeper, nil
}

func newKeepers() keepers {
	return keepers{keeper: keeper{asked: new(atomic.Int64), dies: new(atomic.Int64)}, starts: new(atomic.Int64)}
}

// moving is a transcript in which AMQJRNINF differs from question to
// question.
const moving = `>>> CLOCK 2026-05-28T02:00:00+02:00
>>> QMGR QM1 ibmi
>>> USRSPC QM1: LIB/AMQJRNINF
first
>>> USRSPC QM1: LIB/AMQJRNINF
second
>>> USRSPC QM1: LIB/AMQJRNINF
third
`

// order plans two policies of one file on the moving transcript.
func order(t *testing.T, text string, started keepers) Order {
	t.Helper()
	file := filepath.Join(t.TempDir(), "site.hcl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configuration, err := policies.Load(policies.Checks{Allow: usual}, file)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := configuration.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	script, err := transcript.Parse("moving", strings.NewReader(moving), nil)
	if err != nil {
		t.Fatal(err)
	}
	return Order{
		ID: "r1", Policies: chosen, Targets: script.Targets(), Plugins: started,
		Gate: connect.New(connect.Plan, map[string]connect.Dialer{"QM1": connect.Transcript(script)}),
		Log:  slog.New(slog.DiscardHandler),
		Now:  func() time.Time { return time.Unix(0, 0).UTC() },
	}
}

const twoPolicies = `
policy "one" {
  task "keeper" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "delete"
  }
}
policy "two" {
  task "keeper" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "hold"
    config {
      least = 3
    }
  }
}
`

// Several policies are planned on one observation: both see the very same
// answers, and the target is asked once.
func TestOneObservation(t *testing.T) {
	started := newKeepers()
	record, err := Plan(t.Context(), order(t, twoPolicies, started))
	if err != nil {
		t.Fatal(err)
	}
	if len(record.Targets) != 2 || started.starts.Load() != 1 {
		t.Fatalf("%d targets by %d starts, want 2 by 1", len(record.Targets), started.starts.Load())
	}
	for _, target := range record.Targets {
		if got, want := target.Recovery.Restart.Source, "first then second"; got != want {
			t.Errorf("policy %s saw %q, want %q", target.Policy, got, want)
		}
		if diff := cmp.Diff([]string{"SQL QM1: QSYS2.JOURNAL_INFO"}, target.Unanswered); diff != "" {
			t.Errorf("policy %s, unanswered:\n%s", target.Policy, diff)
		}
	}
	one, two := record.Targets[0], record.Targets[1]
	// The host itself can't see on these answers that anything may go.
	if one.Totals.Delete != 0 || one.Totals.Hold != 1 || two.Totals.Delete != 0 || two.Totals.Hold != 1 {
		t.Errorf("totals %+v and %+v", one.Totals, two.Totals)
	}
	if !slices.ContainsFunc(one.Findings, func(f finding.Finding) bool { return f.Code == finding.GuardRefused }) || one.Segments[0].Reason != "guard-refused" {
		t.Errorf("findings %v, segment %+v", one.Findings, one.Segments[0])
	}
	if want := "DLTJRNRCV JRNRCV(LIB/AMQA000001) DLTOPT(*IGNINQMSG)"; len(one.Actions) != 1 || one.Actions[0].Command != want || one.Actions[0].Outcome != "skipped" {
		t.Errorf("actions %+v, want %s", one.Actions, want)
	}
	if !record.DryRun || record.Run.Mode != "plan" {
		t.Errorf("a plan that does not say so: %+v", record.Run)
	}
}

// Identical observations give identical records, but for run.
func TestSameObservationSameRecord(t *testing.T) {
	text := func() string {
		record, err := Plan(t.Context(), order(t, twoPolicies, newKeepers()))
		if err != nil {
			t.Fatal(err)
		}
		record.Run = ledger.Run{}
		out, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if diff := cmp.Diff(text(), text()); diff != "" {
		t.Error(diff)
	}
}

// A plugin that dies is started once more, and only once; the other targets
// and policies are planned all the same.
func TestPluginDies(t *testing.T) {
	for _, test := range []struct{ deaths, starts, failed int }{{0, 1, 0}, {1, 2, 0}, {2, 2, 1}, {9, 2, 2}} {
		t.Run(fmt.Sprint(test.deaths), func(t *testing.T) {
			started := newKeepers()
			started.dies.Store(int64(test.deaths))
			record, err := Plan(t.Context(), order(t, twoPolicies, started))
			if err != nil {
				t.Fatal(err)
			}
			failed := 0
			for _, target := range record.Targets {
				if target.Error != "" {
					failed++
					if len(target.Actions) > 0 || len(target.Segments) > 0 {
						t.Errorf("a failed plan has actions or segments: %+v", target)
					}
				}
			}
			if int(started.starts.Load()) != test.starts || failed != test.failed {
				t.Errorf("%d starts, %d failed; want %d and %d", started.starts.Load(), failed, test.starts, test.failed)
			}
			if want := map[bool]string{true: "failed", false: "planned"}[failed > 0]; record.Run.Outcome != want {
				t.Errorf("outcome %s, want %s", record.Run.Outcome, want)
			}
		})
	}
}

// Mistakes are found before any target is asked.
func TestMistakes(t *testing.T) {
	t.Run("setting", func(t *testing.T) {
		started := newKeepers()
		_, err := Plan(t.Context(), order(t, strings.Replace(twoPolicies, "least = 3", "lest = 3", 1), started))
		var config *ConfigError
		if !errors.As(err, &config) || !strings.Contains(err.Error(), "site.hcl:15") || started.asked.Load() != 0 {
			t.Errorf("error %v after %d questions, want a *ConfigError that names site.hcl:15 after none", err, started.asked.Load())
		}
	})
	t.Run("complaint", func(t *testing.T) {
		started := newKeepers()
		started.grumbl = "is odd"
		_, err := Plan(t.Context(), order(t, twoPolicies, started))
		var config *ConfigError
		if !errors.As(err, &config) || len(config.Diagnostics) != 2 {
			t.Fatalf("error %v, want a *ConfigError with a mistake of each policy", err)
		}
		if text := config.Diagnostics[1].String(); !strings.Contains(text, "site.hcl:15") || !strings.Contains(text, "is odd") {
			t.Errorf("complaint %s, want one at site.hcl:15", text)
		}
	})
	t.Run("no target", func(t *testing.T) {
		_, err := Plan(t.Context(), order(t, strings.ReplaceAll(twoPolicies, "ibmi/*", "zos/*"), newKeepers()))
		if !errors.Is(err, ErrNoTarget) {
			t.Errorf("error %v, want ErrNoTarget", err)
		}
	})
	t.Run("plugin", func(t *testing.T) {
		started := newKeepers()
		started.fails = true
		_, err := Plan(t.Context(), order(t, twoPolicies, started))
		var plugin *PluginError
		if !errors.As(err, &plugin) || plugin.Plugin != "keeper" {
			t.Errorf("error %v, want a *PluginError", err)
		}
	})
	t.Run("connection", func(t *testing.T) {
		o := order(t, twoPolicies, newKeepers())
		o.Gate = connect.Gate{}
		record, err := Plan(t.Context(), o)
		if err != nil || record.Targets[0].Error == "" {
			t.Errorf("error %v, record %+v; want a target with its error", err, record.Targets)
		}
	})
}

// A long chain is drawn with its ends, its recovery points and the cut, and
// says how many are left out.
func TestTimelineOfALongChain(t *testing.T) {
	const n = 1000
	inventory := recovery.Inventory{QueueManager: "QM", Needs: []recovery.Need{{Kind: recovery.Media, From: 400}, {Kind: recovery.Restart, From: 900}}}
	for i := range n {
		state := recovery.Saved
		if i == n-1 {
			state = recovery.Current
		}
		inventory.Segments = append(inventory.Segments, recovery.Segment{ID: recovery.SegmentID{Name: fmt.Sprint(i)}, From: recovery.Position(i + 1), To: recovery.Position(i + 1), State: state})
	}
	picture, ok := timeline(recovery.Decide([]recovery.Inventory{inventory}, recovery.Promise{Strategy: recovery.Conservative}).Managers[0])
	if !ok || len(picture.Points)+picture.Hidden != n || len(picture.Points) > mostDots {
		t.Fatalf("%d points, %d hidden", len(picture.Points), picture.Hidden)
	}
	if got := picture.Points[picture.Cut].Name; got != "399" {
		t.Errorf("cut at %s, want 399", got)
	}
	for i, want := range []string{"399", "899"} {
		if got := picture.Points[picture.Marks[i].Point].Name; got != want {
			t.Errorf("mark %d at %s, want %s", i, got, want)
		}
	}
}
