package connect

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// ErrElsewhere says that a segment belongs to a queue manager that is not the
// target's.
var ErrElsewhere = errors.New("it belongs to another target")

// gated is a writer as a gate hands it out: it changes its own target alone,
// and lets log pieces go by Remove alone, whatever the connection is.
type gated struct {
	Writer
	target observe.Target
	home   *home
}

// Do lets changes through. Of the other classes a release is the one that
// matters: DLTJRNRCV is sent for a segment that the guard has seen, or never. A
// change has to be aimed at the target by what it says ([Aimed]).
func (g *gated) Do(ctx context.Context, c plugins.Command) (observe.Answer, plugins.State, error) {
	class, _, err := observe.Classify(c.Language, c.Text)
	switch {
	case err != nil:
		return refuse(c, err.Error())
	case class == observe.Release:
		return refuse(c, "it lets a log piece go, which only the action of a named segment does")
	case class != observe.Change:
		return refuse(c, "it is no change but "+class.String())
	case !g.own(c.QueueManager):
		return refuse(c, fmt.Sprintf("queue manager %q is not of the target %s", c.QueueManager, g.target))
	}
	library, err := g.home.find(ctx)
	switch {
	case ctx.Err() != nil:
		return observe.Answer{}, plugins.Failed, fmt.Errorf("%s: %w: %w", c.Text, ErrNotSent, ctx.Err())
	case err != nil:
		return refuse(c, err.Error())
	}
	if err := Aimed(g.target, library, c); err != nil {
		return refuse(c, err.Error())
	}
	return g.Writer.Do(ctx, c)
}

// refuse says why a command was not sent.
func refuse(c plugins.Command, why string) (observe.Answer, plugins.State, error) {
	q := observe.Question{Language: c.Language, QueueManager: c.QueueManager, Text: c.Text}
	return observe.Answer{}, plugins.Failed, &observe.Refused{Question: q, Why: why}
}

// own tells whether a queue manager is the target, or a member of it.
func (g *gated) own(queueManager string) bool {
	return g.target.Owns(queueManager)
}

// check refuses segments of others.
func (g *gated) check(id recovery.SegmentID) error {
	if !g.own(id.QueueManager) {
		return fmt.Errorf("segment %s on target %s: %w", id, g.target, ErrElsewhere)
	}
	return nil
}

func (g *gated) Remove(ctx context.Context, r Removal) (observe.Answer, plugins.State, error) {
	if err := g.check(r.Segment); err != nil {
		return observe.Answer{}, plugins.Failed, err
	}
	return g.Writer.Remove(ctx, r)
}

func (g *gated) MarkArchived(ctx context.Context, id recovery.SegmentID) (observe.Answer, plugins.State, error) {
	if err := g.check(id); err != nil {
		return observe.Answer{}, plugins.Failed, err
	}
	return g.Writer.MarkArchived(ctx, id)
}

func (g *gated) Save(ctx context.Context, id recovery.SegmentID, store Store) (Content, error) {
	if err := g.check(id); err != nil {
		return Content{}, err
	}
	return g.Writer.Save(ctx, id, store)
}

func (g *gated) Discard(ctx context.Context, id recovery.SegmentID, store Store) error {
	if err := g.check(id); err != nil {
		return err
	}
	return g.Writer.Discard(ctx, id, store)
}

func (g *gated) Restore(ctx context.Context, copied recovery.Copy, store Store, content io.Reader) (observe.Answer, error) {
	if err := g.check(copied.Segment); err != nil {
		return observe.Answer{}, err
	}
	return g.Writer.Restore(ctx, copied, store, content)
}
