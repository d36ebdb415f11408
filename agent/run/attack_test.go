package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
)

// digest sums up everything in a folder: names, modes, sizes and contents. The
// lock of an estate that is looked at is none of it.
func digest(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %s %s\n", path, info.Mode(), info.ModTime())
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(sum, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// liar plans whatever it is told to, with the facts of a plan that is true.
type liar struct {
	served
	lie func(ctx context.Context, plan *plugins.Plan, asker observe.Asker)
}

func (l liar) Describe() plugins.Description {
	d := journal.Plugin{Version: "1"}.Describe()
	d.Actions = []plugins.Kind{plugins.KindArchive, plugins.KindDelete, plugins.KindCommand, plugins.KindCustom, plugins.KindAlert}
	return d
}

func (l liar) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	plan, err := l.served.Plan(ctx, request, asker, progress)
	if err == nil {
		l.lie(ctx, &plan, asker)
	}
	return plan, err
}

// everyReceiver gives an action for each receiver that is there.
func everyReceiver(plan *plugins.Plan, as func(n int, a plugins.Action) plugins.Action) {
	plan.Actions = nil
	for _, m := range plan.Decision.Managers {
		for i, s := range m.Inventory.Segments {
			a := plugins.Action{ID: fmt.Sprint("lie-", i), QueueManager: s.ID.QueueManager, Object: s.ID.String(), Segment: s.ID, Fingerprint: s.Fingerprint}
			plan.Actions = append(plan.Actions, as(i, a))
		}
	}
}

func command(text string) func(int, plugins.Action) plugins.Action {
	return func(_ int, a plugins.Action) plugins.Action {
		a.Kind = plugins.KindCommand
		a.Command = plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: strings.ReplaceAll(text, "@", a.Segment.String())}
		a.Segment, a.Fingerprint = plugins.Action{}.Segment, ""
		return a
	}
}

// No plugin can remove what the policy promises to keep, whatever it plans and
// however it says it: nothing is gone, and the run says why.
func TestLyingPlugin(t *testing.T) {
	deleted := func(_ int, a plugins.Action) plugins.Action { a.Kind = plugins.KindDelete; return a }
	tests := []lie{
		{"delete", finding.GuardRefused, "may not go", func(_ context.Context, p *plugins.Plan, _ observe.Asker) { everyReceiver(p, deleted) }},
		{"delete, said to be saved first", finding.GuardRefused, "may not go", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, deleted)
			var both []plugins.Action
			for _, a := range p.Actions {
				save := a
				save.ID, save.Kind, save.Store = "save-"+a.ID, plugins.KindArchive, "vault"
				both = append(both, save, a)
			}
			p.Actions = both
		}},
		{"delete of another's", finding.ActionRefused, "not the target", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, func(_ int, a plugins.Action) plugins.Action {
				a.Kind, a.Segment.QueueManager = plugins.KindDelete, "STOCK"
				return a
			})
		}},
		{"command", finding.ActionRefused, "DLTJRNRCV", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("DLTJRNRCV JRNRCV(@) DLTOPT(*IGNINQMSG)"))
		}},
		{"wrapped command", finding.ActionRefused, "CALL", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("CALL PGM(QCMDEXC) PARM('DLTJRNRCV JRNRCV(@)' 50)"))
		}},
		{"a second command behind a line end", finding.ActionRefused, "", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("CRTSAVF FILE(MQVAULT/X)\nDLTJRNRCV JRNRCV(@)"))
		}},
		{"another's journal", finding.ActionRefused, "QMPAY", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("CHGJRN JRN(QMPAY/AMQAJRN) JRNRCV(*GEN)"))
		}},
		{"another's images", finding.ActionRefused, "PAY", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(PAY) DSPJRNDTA(*YES)"))
		}},
		{"saved and freed", finding.ActionRefused, "SAVOBJ", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, command("SAVOBJ OBJ(*ALL) LIB(QMORDERS) DEV(*SAVF) SAVF(MQVAULT/X) STG(*FREE)"))
		}},
		{"custom with a release", finding.ActionRefused, "DLTJRNRCV", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, func(n int, a plugins.Action) plugins.Action {
				a = command("DLTJRNRCV JRNRCV(@)")(n, a)
				a.Kind = plugins.KindCustom
				return a
			})
		}},
		{"to another store", finding.ActionRefused, "store", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			everyReceiver(p, func(_ int, a plugins.Action) plugins.Action {
				a.Kind, a.Store = plugins.KindArchive, "elsewhere"
				return a
			})
		}},
		{"question", finding.QuestionRefused, "DLTJRNRCV", func(ctx context.Context, p *plugins.Plan, asker observe.Asker) {
			for _, m := range p.Decision.Managers {
				for _, s := range m.Inventory.Segments {
					_, _ = asker.Ask(ctx, observe.Question{Language: observe.CL, QueueManager: "ORDERS", Text: "DLTJRNRCV JRNRCV(" + s.ID.String() + ")"})
				}
			}
		}},
		{"a kind nobody described", finding.ActionRefused, "did not describe", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			p.Actions = []plugins.Action{{ID: "x", Kind: plugins.KindMarkArchived, Segment: p.Decision.Managers[0].Inventory.Segments[0].ID}}
		}},
		{"an order that can't be", finding.ActionRefused, "waits for", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			p.Actions = []plugins.Action{{ID: "x", Kind: plugins.KindAlert, After: []string{"y"}}, {ID: "y", Kind: plugins.KindAlert}}
		}},
		{"twice", finding.ActionRefused, "earlier action", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
			a := p.Actions[len(p.Actions)-1]
			a.ID, a.After = "again", []string{p.Actions[0].ID}
			p.Actions = append(p.Actions, a)
		}},
	}
	tests = append(tests, slices.Concat(malformed, outside)...)
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	s.run(connect.Plan, "conservative")
	before := digest(t, s.dir)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.plugin = liar{lie: test.lie}
			for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
				record := s.run(mode, "conservative")
				target := record.Targets[0]
				if len(target.Findings) == 0 || target.Findings[0].Code != test.code || !strings.Contains(target.Findings[0].Text, test.says) {
					t.Errorf("mode %d: findings %v, want %s that says %q first", mode, target.Findings, test.code, test.says)
				}
				for _, a := range target.Actions {
					if a.Outcome != "skipped" {
						t.Errorf("mode %d: %s is %s", mode, a.ID, a.Outcome)
					}
				}
				if want := map[connect.Mode]string{connect.Plan: Planned, connect.Apply: InPart}[mode]; record.Run.Outcome != want {
					t.Errorf("mode %d: outcome %s", mode, record.Run.Outcome)
				}
				if record.Totals.Delete != 0 {
					t.Errorf("mode %d: totals %+v", mode, record.Totals)
				}
			}
		})
	}
	if after := digest(t, s.dir); after != before {
		t.Error("something has changed in the estate")
	}
	// The second key is no wall: what may go goes.
	s.plugin = liar{lie: func(context.Context, *plugins.Plan, observe.Asker) {}}
	if record := s.run(connect.Apply, "conservative"); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("an honest plan: %s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
}

// A plan that is recorded, and one that is not, change nothing of the estate
// and the store; whatever the policy is.
func TestDryRunChangesNothing(t *testing.T) {
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	before := digest(t, s.dir)
	for _, policy := range []string{"conservative", "unsaved", "fast-startup", "aggressive"} {
		s.run(connect.Plan, policy)
		if _, err := Plan(t.Context(), s.order(connect.Plan, policy)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := PlanToKeep(t.Context(), s.order(connect.Plan, policy)); err != nil {
			t.Fatal(err)
		}
	}
	if after := digest(t, s.dir); after != before {
		t.Error("a dry run has changed the estate")
	}
}
