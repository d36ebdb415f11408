package journal

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// Confirm tells whether a command of [Plugin.Plan] has done what it is for. It
// works from the action alone: of a run that died nothing else is left. That a
// command was accepted proves nothing (case 11):
//
//   - done: another receiver is attached (CHGJRN); the media point lies in a
//     receiver that was attached after the plan was made (RCDMQMIMG);
//   - failed: it has not, and the queue manager does not run;
//   - unknown: the system can't be read;
//   - pending otherwise: the job may still be at it.
//
// An action that is not such a command is an error.
func (p Plugin) Confirm(ctx context.Context, action plugins.Action, host plugins.Host) (plugins.Result, error) {
	command, err := cl.Parse(action.Command.Text)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	if action.Kind != plugins.KindCommand || command.Name != "CHGJRN" && command.Name != "RCDMQMIMG" {
		return plugins.Result{}, fmt.Errorf("confirming %s: %s %q is no command of this plugin", action.ID, action.Kind, command.Name)
	}
	was, err := readBefore(action.Items)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	facts, err := observe.ReadJournal(ctx, host, was.target(action.QueueManager))
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	shown := was.attached
	if command.Name == "RCDMQMIMG" {
		shown = was.imaged
	}
	result := seen(facts, shown)
	result.Action = action.ID
	return result, nil
}

// harmless are critical findings that leave what is looked at here readable.
var harmless = []finding.Code{finding.ManagerNotRunning, finding.RecoveryFailed, finding.NameClash}

// seen tells what became of a command, by a look that gives its evidence and
// whether it shows.
func seen(facts observe.JournalFacts, shown func(recovery.Inventory) (string, bool)) plugins.Result {
	look := points.Look{Open: facts.Inventory.Open, Stopped: finding.ManagerNotRunning, Harmless: harmless}
	result := look.Became(func() (plugins.State, string) {
		evidence, done := shown(facts.Inventory)
		if !done {
			return plugins.Pending, evidence
		}
		return plugins.Done, evidence
	})
	for _, f := range facts.Inventory.Open {
		if result.State == plugins.Pending && (f.Code == finding.JournalingStopped || f.Code == finding.NameClash) {
			result.Evidence += "; " + f.Text // why it takes so long
		}
	}
	return result
}

// attached tells whether another receiver has been attached since.
func (b before) attached(inventory recovery.Inventory) (string, bool) {
	for _, s := range inventory.Segments {
		if s.State == recovery.Current {
			return fmt.Sprintf("%s is attached since %s", s.ID, s.Opened), b.passed(inventory, s.From)
		}
	}
	return "no receiver is attached", false
}

// imaged tells whether the media point lies in a receiver attached since: what
// CHGJRN before it is for. A point that moved less far is not that of images of
// all objects.
func (b before) imaged(inventory recovery.Inventory) (string, bool) {
	media, _, known := points.Oldest(inventory, recovery.Media)
	if !known {
		return "the media point is not known", false
	}
	at := media.From
	for _, s := range inventory.Segments {
		if s.ID.Name == media.Name {
			at = max(at, s.From) // a tie makes it begin in the one before
		}
	}
	return fmt.Sprintf("the media point is in %s (%s)", media.Name, media.Source), b.passed(inventory, at)
}
