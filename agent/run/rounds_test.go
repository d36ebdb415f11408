package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
)

// commander plans one command before the deletes of the journal plugin, and
// says what became of it as it is told to.
type commander struct {
	first bool // the deletes wait for the command
	served
	text    string
	again   bool          // plan anew after it
	custom  bool          // do it itself
	within  time.Duration // a minute if it is zero
	tries   string        // a command that it has not planned
	says    func(n int) (plugins.Result, error)
	asked   *int
	planned *[]plugins.Request
}

func newCommander(text string) commander {
	return commander{text: text, asked: new(int), planned: new([]plugins.Request)}
}

func (c commander) Describe() plugins.Description {
	d := journal.Plugin{Version: "1"}.Describe()
	d.Actions = []plugins.Kind{plugins.KindDelete, plugins.KindCommand, plugins.KindCustom, plugins.KindAlert}
	return d
}

func (c commander) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	*c.planned = append(*c.planned, request)
	plan, err := c.served.Plan(ctx, request, asker, progress)
	if err != nil || request.Round > 1 {
		return plan, err
	}
	a := plugins.Action{ID: "do", Kind: plugins.KindCommand, QueueManager: "ORDERS", Object: "ORDERS",
		Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: c.text}, Within: cmp.Or(c.within, time.Minute)}
	if c.custom {
		a.Kind = plugins.KindCustom
	}
	follows := plugins.Action{ID: "tell", Kind: plugins.KindAlert, Object: "ORDERS", After: []string{"do"}}
	if c.first && len(plan.Actions) > 0 {
		plan.Actions[0].After = append(plan.Actions[0].After, a.ID)
	}
	plan.Actions = append([]plugins.Action{a, follows}, plan.Actions...)
	plan.Again = c.again
	return plan, nil
}

func (c commander) Confirms() bool { return c.says != nil }

func (c commander) Confirm(context.Context, plugins.Action, observe.Asker, func(string)) (plugins.Result, error) {
	*c.asked++
	return c.says(*c.asked)
}

func (c commander) Performs() bool { return c.custom }

func (c commander) Perform(ctx context.Context, a plugins.Action, _ observe.Asker, do func(context.Context, plugins.Command) (observe.Answer, error), _ func(string)) (plugins.Result, error) {
	if c.tries != "" {
		if _, err := do(ctx, plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: c.tries}); err == nil {
			return plugins.Result{}, errors.New("another command was sent")
		}
	}
	if _, err := do(ctx, a.Command); err != nil {
		return plugins.Result{}, err
	}
	return plugins.Result{State: plugins.Done, Evidence: "did it"}, nil
}

// at once: a wait is over as soon as it begins, and is counted.
func (s *station) atOnce() *[]time.Duration {
	var waits []time.Duration
	var shift time.Duration
	s.now = func() time.Time { return time.Now().Round(0).Add(shift) }
	s.after = func(d time.Duration) <-chan time.Time {
		waits = append(waits, d)
		shift += d
		c := make(chan time.Time, 1)
		c <- s.now()
		return c
	}
	return &waits
}

// The five results of a confirm: done, failed, pending, retry, unknown. What
// waits for the command is done only when it is; what does not goes on.
func TestConfirm(t *testing.T) {
	result := func(state plugins.State) (plugins.Result, error) {
		return plugins.Result{State: state, After: 5 * time.Second, Evidence: "it is " + string(state)}, nil
	}
	// What names a time far away is asked, and sent, again when its own is over.
	inAYear := func(state plugins.State) (plugins.Result, error) {
		return plugins.Result{State: state, After: 365 * 24 * time.Hour, Evidence: "see you"}, nil
	}
	tests := []struct {
		name  string
		says  func(n int) (plugins.Result, error)
		want  string
		waits int
		sent  int // receivers that the command attached
	}{
		{"done", func(int) (plugins.Result, error) { return result(plugins.Done) }, "done done", 0, 1},
		{"failed", func(int) (plugins.Result, error) { return result(plugins.Failed) }, "failed skipped", 0, 1},
		{"unknown", func(int) (plugins.Result, error) { return result(plugins.Unknown) }, "unknown skipped", 0, 1},
		{"pending, then done", func(n int) (plugins.Result, error) {
			return result(map[bool]plugins.State{true: plugins.Pending, false: plugins.Done}[n < 4])
		}, "done done", 3, 1},
		{"pending for ever", func(int) (plugins.Result, error) { return result(plugins.Pending) }, "unknown skipped", 12, 1},
		{"pending, until in a year", func(int) (plugins.Result, error) { return inAYear(plugins.Pending) }, "unknown skipped", 1, 1},
		{"to be sent again in a year", func(n int) (plugins.Result, error) {
			return inAYear(map[bool]plugins.State{true: plugins.Retry, false: plugins.Done}[n < 2])
		}, "done done", 1, 2},
		{"to be sent again, then done", func(n int) (plugins.Result, error) {
			return result(map[bool]plugins.State{true: plugins.Retry, false: plugins.Done}[n < 2])
		}, "done done", 1, 2},
		{"to be sent again for ever", func(int) (plugins.Result, error) { return result(plugins.Retry) }, "failed skipped", 3, 3},
		{"can't tell", func(int) (plugins.Result, error) { return plugins.Result{}, errors.New("the plugin is gone") }, "unknown skipped", 0, 1},
		{"says something that is no outcome", func(int) (plugins.Result, error) { return result("perhaps") }, "unknown skipped", 0, 1},
		{"has no opinion", nil, "done done", 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ready(t)
			waits := s.atOnce()
			plugin := newCommander(changeReceiver)
			plugin.says = test.says
			s.plugin = plugin
			before := s.receivers()
			record := s.run(connect.Apply, "unsaved")
			got := inOrder(record)
			if !strings.HasPrefix(got, test.want) || len(*waits) != test.waits {
				t.Errorf("%d waits, outcomes %s, want %s: %s", len(*waits), got, test.want, record.Targets[0].Actions[0].Evidence)
			}
			for _, wait := range *waits {
				if wait > time.Minute {
					t.Errorf("it waited for %s", wait)
				}
			}
			deletes := len(record.Targets[0].Actions) - 2
			if strings.Count(got, "done") != deletes+strings.Count(test.want, "done") {
				t.Errorf("what does not wait for it did not go on: %s", got)
			}
			if after := s.receivers(); len(after) != len(before)-deletes+test.sent {
				t.Errorf("it was sent %d times, want %d", len(after)-len(before)+deletes, test.sent)
			}
		})
	}
}

// A custom action can send its own command, and no other.
func TestPerform(t *testing.T) {
	s := ready(t)
	plugin := newCommander(changeReceiver)
	plugin.custom = true
	s.plugin = plugin
	record := s.run(connect.Apply, "unsaved")
	if record.Run.Outcome != Applied || record.Targets[0].Actions[0].Evidence != "did it" {
		t.Errorf("%s: %s", record.Run.Outcome, record.Targets[0].Actions[0].Evidence)
	}
}

// One that performs something else than it planned is believed in nothing, were
// it a command that harms nobody or its own in other words: it was not sent, what
// became of the action is not known, and the rest is not done.
func TestPerformsAnother(t *testing.T) {
	for _, other := range []string{recordImages, "CRTLIB LIB(ELSEWHERE)", changeReceiver + " "} {
		t.Run(other, func(t *testing.T) {
			s := ready(t)
			plugin := newCommander(changeReceiver)
			plugin.custom, plugin.first, plugin.tries = true, true, other
			s.plugin = plugin
			before := s.receivers()
			record := s.run(connect.Apply, "unsaved")
			target := record.Targets[0]
			if f := target.Findings[0]; f.Code != finding.QuestionRefused || !strings.Contains(f.Text, "not the action's own command") {
				t.Errorf("findings %v", target.Findings)
			}
			if got := inOrder(record); !strings.HasPrefix(got, "unknown skipped") || strings.Contains(got, "done") || record.Run.Outcome != InPart {
				t.Errorf("%s: outcomes %s", record.Run.Outcome, got)
			}
			// Its own command was sent, as it was planned: nothing else happened.
			if after := s.receivers(); len(after) != len(before)+1 || after[0] != before[0] {
				t.Errorf("receivers %v, before %v", after, before)
			}
		})
	}
}

// A plan that asks for it is made again after its actions, with their
// results, a bounded number of times; a dry run is one round.
func TestRounds(t *testing.T) {
	s := ready(t)
	s.advance(20)
	plugin := newCommander(recordImages)
	plugin.again = true
	s.plugin = plugin
	s.run(connect.Plan, "unsaved")
	if len(*plugin.planned) != 1 {
		t.Fatalf("a dry run plans %d times", len(*plugin.planned))
	}
	before := s.receivers()
	*plugin.planned = nil
	record := s.run(connect.Apply, "unsaved")
	target := record.Targets[0]
	if record.Run.Outcome != Applied || len(*plugin.planned) != 2 {
		t.Fatalf("%s after %d plans: %v", record.Run.Outcome, len(*plugin.planned), target.Findings)
	}
	second := (*plugin.planned)[1]
	if second.Round != 2 || len(second.Earlier) == 0 || second.Earlier[0].Action != "do" || second.Earlier[0].State != plugins.Done {
		t.Errorf("the second request: %+v", second)
	}
	later := 0
	ids := map[string]bool{}
	for _, a := range target.Actions {
		if ids[a.ID] {
			t.Errorf("%s stands twice", a.ID)
		}
		ids[a.ID] = true
		if strings.HasPrefix(a.ID, "2:delete") {
			later++
		}
	}
	if later == 0 || len(s.receivers()) != len(before)-target.ReadBack.Deleted {
		t.Errorf("the images let nothing more go:\n%s", outcomes(target))
	}
}

// A command of which nobody knows what became of it is not sent again, and the
// run goes on without it.
func TestUnknownCommandIsNotSentAgain(t *testing.T) {
	s := ready(t)
	plugin := newCommander(changeReceiver)
	plugin.says = func(int) (plugins.Result, error) { return plugins.Result{State: plugins.Unknown, Evidence: "fog"}, nil }
	s.plugin = plugin
	s.run(connect.Apply, "unsaved")
	before := s.receivers()
	record := s.run(connect.Apply, "unsaved")
	target := record.Targets[0]
	if !hasFinding(target, finding.OutcomeUnknown) || target.Actions[0].Outcome != "skipped" || !strings.Contains(target.Actions[0].Evidence, "fog") {
		t.Errorf("%v: %+v", target.Findings, target.Actions[0])
	}
	if len(s.receivers()) != len(before) {
		t.Error("it was sent again")
	}
	// Now the plugin can tell: it is done, and may be sent again.
	plugin.says = func(int) (plugins.Result, error) { return plugins.Result{State: plugins.Done, Evidence: "clear"}, nil }
	s.plugin = plugin
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || len(s.receivers()) != len(before)+1 {
		t.Errorf("%s: %v", record.Run.Outcome, record.Targets[0].Findings)
	}
}

// The limits of a policy hold for a run as a whole, whatever number of rounds
// it has.
func TestLimitsOverRounds(t *testing.T) {
	for _, limit := range []string{"max_deletes = 3", "max_percent = 70"} {
		t.Run(limit, func(t *testing.T) {
			s := ready(t)
			s.advance(40)
			s.text = strings.Replace(s.text, `unsaved  = "delete"`, fmt.Sprintf("unsaved  = \"delete\"\n    limits {\n      %s\n    }", limit), 1)
			plugin := newCommander(recordImages)
			plugin.again = true
			s.plugin = plugin
			before := len(s.receivers())
			record := s.run(connect.Apply, "unsaved")
			deleted := record.Targets[0].ReadBack.Deleted
			most := map[string]int{"max_deletes = 3": 3, "max_percent = 70": before * 70 / 100}[limit]
			if deleted == 0 || deleted > most {
				t.Errorf("%d of %d deleted, at most %d: %s", deleted, before, most, inOrder(record))
			}
		})
	}
}

// What can go does not wait for a command that has to be confirmed for long.
func TestDeletesDoNotWaitForCommands(t *testing.T) {
	s := ready(t)
	h := s.watch()
	left := -1
	plugin := newCommander(changeReceiver)
	removed := 0
	h.remove = func(context.Context, recovery.SegmentID, bool) { removed++ }
	plugin.says = func(int) (plugins.Result, error) {
		left = removed
		return plugins.Result{State: plugins.Done, Evidence: "attached"}, nil
	}
	s.plugin = plugin
	s.run(connect.Apply, "unsaved")
	if left <= 0 {
		t.Errorf("%d were deleted before the command was confirmed", left)
	}
}
