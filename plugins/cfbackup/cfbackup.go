// Package cfbackup looks after the backups of coupling facility structures of a
// queue-sharing group. It only plans: core/observe/qsg learns the facts, and this
// package says from them
//
//   - whether RECOVER CFSTRUCT would work right now, and why not (readiness.go):
//     that is what a backup is for;
//   - which structures are backed up next, on which member, and whether its log
//     has room for the images (choice.go, place.go, size.go);
//   - what became of a backup (confirm.go): that BACKUP CFSTRUCT was accepted
//     (CSQ9022I) says nothing of it.
//
// RECOVER CFSTRUCT itself is never planned. What it would read and cost is told.
package cfbackup

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Name is the plugin as tasks name it.
const Name = "cfbackup"

// Plugin is the cfbackup plugin. The zero value is ready.
type Plugin struct{ Version string }

var (
	_ plugins.Plugin    = Plugin{}
	_ plugins.Checker   = Plugin{}
	_ plugins.Confirmer = Plugin{}
)

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Says whether the structures of a queue-sharing group could be recovered now, and backs them up.",
		Platforms: []observe.Platform{observe.ZOS},
		Languages: []observe.Language{observe.MQSC, observe.Job, observe.IDCAMS, observe.DB2, observe.Syslog, observe.Note},
		Actions:   []plugins.Kind{plugins.KindCommand},
		Schema:    settings(),
	}
}

// wanted are the facts that a plan is made from.
const wanted = qsg.Structures | qsg.Backups | qsg.Connections | qsg.DataSets | qsg.Logs | qsg.Archives | qsg.Usage |
	qsg.BSDS | qsg.ArchiveCatalog | qsg.Repository | qsg.Messages | qsg.Notes

// Plan reads the group, says of each structure whether it could be recovered now,
// and orders the backups. A single queue manager has no structures.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	if !request.Target.Group {
		return plugins.Plan{Decision: recovery.Decision{Promise: request.Promise}}, ctx.Err()
	}
	host.Progress(0, 0, "reading the group "+request.Target.Name)
	group, err := qsg.Read(ctx, host, request.Target, wanted)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("group read", "members", len(group.Members), "structures", len(group.Structures), "open", len(group.Open))
	v := newView(&group, request)
	choice := v.choose()
	plan := plugins.Plan{
		Decision: recovery.Decision{Promise: request.Promise},
		Objects:  v.objects(choice),
		Actions:  v.actions(choice),
		Pictures: v.pictures(),
	}
	plan.Findings = append(plan.Findings, group.Open...)
	plan.Findings = append(plan.Findings, v.findings(choice)...)
	host.Progress(1, 1, "planned")
	return plan, ctx.Err()
}
