// Package archive looks after the log extents of queue managers on
// Multiplatforms. It only plans: core/observe learns the facts, core/recovery
// decides, and this package turns verdicts into ordered actions and adds what a
// person should know beside them.
//
// Who removes extents is the queue manager's own setting, LogManagement in
// qm.ini, and no strategy changes it:
//
//   - Manual: the task removes what its strategy lets go, archived first where
//     it says so. Aggressive is only reported.
//   - Archive: the queue manager removes an extent once it is superfluous and
//     was reported as archived. The task archives and reports.
//   - Automatic, and a REPLICATED log: the queue manager alone. The task
//     watches.
//
// In the last two it also archives what the site needs the log for and the queue
// manager knows nothing of: data backups that were noted, another queue manager
// that replays the log, holds.
//
// Where a task wants it, media images are planned too, which move the media
// recovery point, and told afterwards whether they did.
package archive

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// Name is the plugin as tasks name it.
const Name = "archive"

// Plugin is the archive plugin. The zero value is ready.
type Plugin struct{ Version string }

var (
	_ plugins.Plugin    = Plugin{}
	_ plugins.Confirmer = Plugin{}
)

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Archives and prunes the log extents of queue managers on Multiplatforms that no recovery needs.",
		Platforms: []observe.Platform{observe.Multiplatforms},
		Languages: []observe.Language{observe.MQSC, observe.CTL, observe.File, observe.LogDir, observe.Space, observe.Store, observe.HoldOn, observe.Note, observe.History},
		Actions:   []plugins.Kind{plugins.KindCommand, plugins.KindArchive, plugins.KindMarkArchived, plugins.KindDelete},
		Schema:    settings(),
	}
}

// Plan reads the log of the target, decides, and orders what may go or is to be
// archived. Where the task records media images, the first round of a run plans
// them before the deletes, which do not wait for them, and asks to be planned
// again; what the images let go is planned then, from facts newer than their end.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	return planExtents(ctx, request, host)
}
