package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// Nothing is deleted past a failure, in no later batch either and whatever the
// plan says waits for what; and not in another order than the oldest first.
func TestOrderIsTheHosts(t *testing.T) {
	unchained := func(plan *plugins.Plan) {
		for i := range plan.Actions {
			plan.Actions[i].After = nil
		}
	}
	t.Run("a failure", func(t *testing.T) {
		s := ready(t)
		s.plugin = liar{lie: func(_ context.Context, p *plugins.Plan, _ observe.Asker) { unchained(p) }}
		s.wrap = func(d connect.Dialer) connect.Dialer {
			w := tamper(d)
			w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
				if n == 2 {
					return observe.Answer{}, plugins.Failed, errors.New("CPF705E")
				}
				return next()
			}
			return w
		}
		before := len(s.receivers())
		if got := inOrder(s.run(connect.Apply, "unsaved")); !strings.HasPrefix(got, "done failed skipped") || strings.Count(got, "done") != 1 || len(s.receivers()) != before-1 {
			t.Error(got)
		}
	})
	for name, lie := range map[string]func(p *plugins.Plan){
		"newest first": func(p *plugins.Plan) { unchained(p); slices.Reverse(p.Actions) },
		"one left out": func(p *plugins.Plan) { unchained(p); p.Actions = slices.Delete(p.Actions, 1, 2) },
		"one alone":    func(p *plugins.Plan) { unchained(p); p.Actions = p.Actions[2:3] },
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(t)
			s.plugin = liar{lie: func(_ context.Context, p *plugins.Plan, _ observe.Asker) { lie(p) }}
			before := len(s.receivers())
			if record := s.run(connect.Apply, "unsaved"); !hasFinding(record.Targets[0], finding.GuardRefused) || len(s.receivers()) != before {
				t.Errorf("%v", record.Targets[0].Findings)
			}
		})
	}
}

// A copy that is not whole any more is read before its receiver goes.
func TestRottenCopy(t *testing.T) {
	s := savedNotDeleted(t)
	before := s.receivers()
	s.spoil(before[0])
	record := s.run(connect.Apply, "aggressive")
	if f := record.Targets[0].Findings[0]; f.Code != finding.CopyDamaged || len(s.receivers()) != len(before) {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), len(before))
	}
	// Its damage is noted: it is saved again, and then all of it goes.
	if record := s.run(connect.Apply, "aggressive"); record.Run.Outcome != Applied || len(s.receivers()) != 1 {
		t.Errorf("%s, %v, %d left", record.Run.Outcome, record.Targets[0].Findings, len(s.receivers()))
	}
}

// A copy in a store that this run can't read proves nothing.
func TestCopyOutOfReach(t *testing.T) {
	s := savedNotDeleted(t)
	before := s.receivers()
	order := s.order(connect.Apply, "aggressive") // the manifests are still answered
	order.Keepers = map[string]store.Store{}
	record, err := Run(t.Context(), order)
	s.must(err)
	if f := record.Targets[0].Findings[0]; f.Code != finding.CopyDamaged || len(s.receivers()) != len(before) {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), len(before))
	}
}

// savedNotDeleted is a station of which all is saved and nothing deleted: the
// process ended in between.
func savedNotDeleted(t *testing.T) *station {
	t.Helper()
	s := ready(t)
	s.run(connect.Plan, "aggressive")
	ctx, cancel := context.WithCancel(t.Context())
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.remove = func(_ int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			cancel()
			return observe.Answer{}, plugins.Failed, errors.New("ended")
		}
		return w
	}
	_, err := Run(ctx, s.order(connect.Apply, "aggressive"))
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.wrap = nil
	return s
}

// spoil changes a byte in the middle of the copy of a receiver.
func (s *station) spoil(name string) {
	s.t.Helper()
	spoiled := 0
	s.must(filepath.WalkDir(s.vault, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.Base(path), name) || strings.HasSuffix(path, ".json") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content[len(content)/2] ^= 1
		spoiled++
		return os.WriteFile(path, content, 0o600)
	}))
	if spoiled != 1 {
		s.t.Fatalf("%d copies of %s", spoiled, name)
	}
}
