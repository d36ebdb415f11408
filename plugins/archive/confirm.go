package archive

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// askAgain is after what time images that do not show yet are looked for again.
const askAgain = 5 * time.Second

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
	stopped := ""
	for _, f := range facts.Inventory.Open {
		switch {
		case f.Code == finding.NotThisHost:
			stopped = f.Text
		case f.Severity == finding.Critical:
			return plugins.Result{State: plugins.Unknown, Evidence: f.Text}
		}
	}
	media := facts.Log.Media
	evidence := fmt.Sprintf("the media point is in %s; it was in %s when the images were planned, and %s was written", media, b.media, b.current)
	switch {
	case media == "":
		return plugins.Result{State: plugins.Unknown, Evidence: "the media point is not known"}
	case later(b.media, media):
		if later(media, b.current) {
			evidence += ": some object has no new image"
		}
		return plugins.Result{State: plugins.Done, Evidence: evidence}
	case stopped != "":
		return plugins.Result{State: plugins.Failed, Evidence: evidence + "; " + stopped}
	}
	return plugins.Result{State: plugins.Pending, After: askAgain, Evidence: evidence}
}
