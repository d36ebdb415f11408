package run

import (
	"context"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// lie is a plan that must not be carried out, and what is said of it.
type lie struct {
	name string
	code finding.Code
	says string
	lie  func(ctx context.Context, plan *plugins.Plan, asker observe.Asker)
}

// harmless is a command that may be sent by itself.
var harmless = plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: recordImages}

// one has a plan hold one action beside its own.
func one(name, says string, a plugins.Action) lie {
	return lie{name, finding.ActionRefused, says, func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
		p.Actions = append([]plugins.Action{a}, p.Actions...)
	}}
}

// turned has every receiver deleted that the plugin deletes, each in a way that
// is not allowed.
func turned(name, says string, turn func(a *plugins.Action)) lie {
	return lie{name, finding.ActionRefused, says, func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
		for i := range p.Actions {
			turn(&p.Actions[i])
		}
	}}
}

// malformed are plans with an action that would be harmless, and is not what an
// action has to be: who plans it is wrong in the rest too.
var malformed = []lie{
	one("no ID", "has no ID", plugins.Action{Kind: plugins.KindCommand, QueueManager: "ORDERS", Command: harmless}),
	{"an ID that stands twice", finding.ActionRefused, "another action has its ID", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
		p.Actions = append(p.Actions, plugins.Action{ID: p.Actions[0].ID, Kind: plugins.KindAlert})
	}},
	one("less than no time", "less than no time", plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "ORDERS", Command: harmless, Within: -time.Second}),
	one("more than a day", "24h0m0s is the most", plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "ORDERS", Command: harmless, Within: 24*time.Hour + 1}),
	one("a command labelled as another's", `labelled "STOCK"`, plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "STOCK", Command: harmless}),
	one("a custom action labelled as another's", `labelled "STOCK"`, plugins.Action{ID: "x", Kind: plugins.KindCustom, QueueManager: "STOCK"}),
	one("an alert labelled as another's", `labelled "STOCK"`, plugins.Action{ID: "x", Kind: plugins.KindAlert, QueueManager: "STOCK"}),
	one("an alert with a command", "comes with a command", plugins.Action{ID: "x", Kind: plugins.KindAlert, QueueManager: "ORDERS", Command: harmless}),
	turned("a delete labelled as another's", `labelled "STOCK"`, func(a *plugins.Action) { a.QueueManager = "STOCK" }),
	one("a command for another queue manager", `is for "STOCK"`, plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "ORDERS",
		Command: plugins.Command{Language: observe.CL, QueueManager: "STOCK", Text: recordImages}}),
	one("a custom command for another queue manager", `is for "STOCK"`, plugins.Action{ID: "x", Kind: plugins.KindCustom, QueueManager: "ORDERS",
		Command: plugins.Command{Language: observe.CL, QueueManager: "STOCK", Text: recordImages}}),
	one("a display as a command", "has to be a change", plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "ORDERS",
		Command: plugins.Command{Language: observe.MQSC, QueueManager: "ORDERS", Text: "DISPLAY QMSTATUS"}}),
	one("a kind that nobody knows", "did not describe", plugins.Action{ID: "x", Kind: "perhaps"}),
	turned("a delete with a command", "comes with a command", func(a *plugins.Action) { a.Command = harmless }),
	turned("an archive of another's segment", "not the target", func(a *plugins.Action) {
		a.Kind, a.Store, a.Segment.QueueManager = plugins.KindArchive, "vault", "STOCK"
	}),
	turned("an archive with a command", "comes with a command", func(a *plugins.Action) {
		a.Kind, a.Store, a.Command = plugins.KindArchive, "vault", harmless
	}),
	{"a delete of what its own verdict keeps", finding.ActionRefused, "own verdict keeps", func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
		for m := range p.Decision.Managers {
			for i := range p.Decision.Managers[m].Verdicts {
				p.Decision.Managers[m].Verdicts[i].Kind = 0 // keep
			}
		}
	}},
}
