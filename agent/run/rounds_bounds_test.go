package run

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// restless asks to plan again whatever was done.
type restless struct{ commander }

func (p restless) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	plan, err := p.commander.Plan(ctx, request, asker, progress)
	plan.Again = true
	plan.Actions = append(plan.Actions, plugins.Action{ID: "once more", Kind: plugins.KindAlert, Object: "ORDERS"})
	return plan, err
}

// A plugin that is never content is asked so many times and no more: the next
// run is due anyway.
func TestRoundsEnd(t *testing.T) {
	s := ready(t)
	plugin := restless{newCommander(recordImages)}
	s.plugin = plugin
	record := s.run(connect.Apply, "unsaved")
	if got := len(*plugin.planned); got != maxRounds || record.Run.Outcome != Applied {
		t.Errorf("%d plans, %s", got, record.Run.Outcome)
	}
	var ids []string
	for _, a := range record.Targets[0].Actions {
		if strings.HasSuffix(a.ID, "once more") {
			ids = append(ids, a.ID+" "+a.Outcome)
		}
	}
	if got := strings.Join(ids, ", "); got != "once more done, 2:once more done, 3:once more done" {
		t.Error(got)
	}
	for i, request := range *plugin.planned {
		if request.Round != i+1 {
			t.Errorf("plan %d is of round %d", i+1, request.Round)
		}
	}
}

// A part of the segments is a part of what was there when the run began: each
// round by itself stays below it, and the run as a whole does too.
func TestPartOverRounds(t *testing.T) {
	apply := func(limit int) (there, first, all int) {
		s := newStation(t, 30)
		s.cl(changeReceiver, recordImages) // so much the first round lets go
		for range 12 {
			s.cl(changeReceiver) // and so much the second, after images
		}
		s.run(connect.Plan, "unsaved")
		if limit > 0 {
			s.text = strings.Replace(s.text, `unsaved  = "delete"`, fmt.Sprintf("unsaved  = \"delete\"\n    limits {\n      max_percent = %d\n    }", limit), 1)
		}
		plugin := newCommander(recordImages)
		plugin.again = true
		s.plugin = plugin
		there = len(s.receivers())
		record := s.run(connect.Apply, "unsaved")
		for _, a := range record.Targets[0].Actions {
			if a.Kind == string(plugins.KindDelete) && a.Outcome == string(plugins.Done) && !strings.HasPrefix(a.ID, "2:") {
				first++
			}
		}
		return there, first, there - len(s.receivers())
	}
	there, first, all := apply(0)
	rest := there - first
	limit := max(first*100/there, (all-first)*100/rest) + 2
	if limit*there >= all*100 {
		t.Fatalf("of %d, %d and then %d of %d go: no limit is between a round's and the run's", there, first, all-first, rest)
	}
	if _, early, got := apply(limit); early != first || got != there*limit/100 {
		t.Errorf("at most %d of 100: %d and then %d of %d went, want %d in all", limit, early, got-early, there, there*limit/100)
	}
}
