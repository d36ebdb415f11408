package archive

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// Confirm tells whether the media images of [Plugin.Plan] were recorded. It
// works from the action alone: of a run that died nothing else is left. That
// rcdmqimg ended well proves nothing (trap 16): an object may have been busy or
// damaged, and the point shows only with the next checkpoint.
//
//   - done: the media point lies in a later extent than when they were planned;
//   - failed: it does not, and the queue manager does not plainly run here;
//   - unknown: the log can't be read;
//   - pending otherwise: they may still be written.
//
// An action that is not such a command is an error.
func (p Plugin) Confirm(ctx context.Context, action plugins.Action, host plugins.Host) (plugins.Result, error) {
	if words, err := observe.ControlWords(action.Command.Text); action.Kind != plugins.KindCommand || err != nil || words[0] != imageCommand {
		return plugins.Result{}, fmt.Errorf("confirming %s: %s %q is no command of this plugin", action.ID, action.Kind, action.Command.Text)
	}
	was, err := readBefore(action.Items)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	facts, err := observe.ReadExtents(ctx, host, was.target(action.QueueManager))
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	result := was.seen(facts)
	result.Action = action.ID
	return result, nil
}

// seen tells what became of the images, by a fresh reading.
func (b before) seen(facts observe.ExtentFacts) plugins.Result {
	look := points.Look{Open: facts.Inventory.Open, Stopped: finding.NotThisHost}
	return look.Became(func() (plugins.State, string) { return b.imaged(facts.Log.Media) })
}

// imaged tells whether the media point has moved to a later extent.
func (b before) imaged(media string) (plugins.State, string) {
	evidence := fmt.Sprintf("the media point is in %s; it was in %s when the images were planned, and %s was written", media, b.media, b.current)
	switch {
	case media == "":
		return plugins.Unknown, "the media point is not known"
	case !later(b.media, media):
		return plugins.Pending, evidence
	case later(media, b.current):
		evidence += ": some object has no new image"
	}
	return plugins.Done, evidence
}
