// Package smdsexpand looks after the shared message data sets of queue-sharing
// groups on z/OS: how full each is, how far it can still grow, whether there are
// enough buffers, and which offload rules fill it. It only plans: core/observe/qsg
// learns the facts, core/forecast says where they go.
//
// A data set never shrinks, and its extents are few: an expansion should be an
// exception, and one that fails stops the puts of large messages. So each
// expansion is a finding, and each failed one is critical. Advice comes with its
// command. A run gives two of these itself where its task says so: more buffers,
// and expansion again after a person has removed the cause of a failure.
//
// Looking must be no load: each fact is asked for once, and of DISPLAY USAGE only
// the type SMDS.
package smdsexpand

import (
	"context"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Name is the plugin as tasks name it.
const Name = "smdsexpand"

// Plugin is the plugin for shared message data sets. The zero value is ready.
type Plugin struct{ Version string }

var (
	_ plugins.Plugin    = Plugin{}
	_ plugins.Checker   = Plugin{}
	_ plugins.Confirmer = Plugin{}
)

// wanted are the facts that a plan needs.
const wanted = qsg.Structures | qsg.Backups | qsg.DataSets | qsg.Catalog | qsg.Messages | qsg.History

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Watches how the shared message data sets of queue-sharing groups fill and grow, and says what to do before one is full.",
		Platforms: []observe.Platform{observe.ZOS},
		Languages: []observe.Language{observe.MQSC, observe.IDCAMS, observe.Syslog, observe.History},
		Actions:   []plugins.Kind{plugins.KindCommand},
		Schema:    settings(),
	}
}

// Plan reads the data sets of a group and says how each stands. Of a target that
// is a queue manager by itself it says that there are none: only groups have them.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	if !request.Target.Group {
		return plugins.Plan{Findings: []finding.Finding{finding.About(request.Target.Name, finding.NotChecked,
			"it is no queue-sharing group, and only these have shared message data sets")}}, nil
	}
	host.Progress(0, 0, "reading the data sets of "+request.Target.Name)
	group, err := qsg.Read(ctx, host, request.Target, wanted)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("group read", "data_sets", len(group.DataSets), "open", len(group.Open))
	c := configOf(request.Config)
	v := viewOf(ctx, &group, c)
	found := findings(&group, v, c)
	plan := plugins.Plan{
		Decision: decision(&group, request),
		Objects:  objects(v, c),
		Actions:  actions(&group, v.dataSets, c),
		Findings: append(group.Open, found...),
		Pictures: pictures(&group, v, c),
	}
	host.Progress(1, 1, "planned")
	return plan, ctx.Err()
}

// decision says of the group when it was observed. There are no log pieces to
// decide on.
func decision(g *qsg.Group, request plugins.Request) recovery.Decision {
	inventory := recovery.Inventory{QueueManager: g.Name, Observed: g.Observed}
	return recovery.Decision{Promise: request.Promise, Managers: []recovery.ManagerDecision{{Inventory: inventory}}}
}
