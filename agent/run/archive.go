package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// archive copies a segment to the task's store. It is done when the copy is
// durable, was read back and has its manifest.
func (a *applier) archive(ctx context.Context, action plugins.Action) plugins.Result {
	failed := func(format string, args ...any) plugins.Result {
		return plugins.Result{State: plugins.Failed, Evidence: fmt.Sprintf(format, args...)}
	}
	keeper, ok := a.Keepers[action.Store]
	if !ok {
		return failed("store %q is not configured", action.Store)
	}
	segment, ok := a.key.seen.segment(action.Segment)
	if !ok || segment.Fingerprint != action.Fingerprint {
		return failed("%s is not the segment that was planned", action.Segment)
	}
	if err := a.claim.Check(ctx); err != nil {
		return failed("not saved: %v", err)
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(action.Within, archiveWithin))
	defer cancel()
	content, err := a.writer.Save(step, action.Segment, a.Stores[action.Store])
	if err != nil {
		return failed("%v", err)
	}
	if content.Fingerprint != "" && content.Fingerprint != action.Fingerprint {
		return failed("%s is not the segment that was planned: it is %s now%s", action.Segment, content.Fingerprint, closing(content))
	}
	facts := a.facts(action.Segment)
	facts.Bytes, facts.Origin, facts.Log = content.Bytes, content.Origin, content.Log
	if content.SaveFile {
		facts.Form = store.SaveFile
	}
	kept, err := keeper.Put(step, segment, facts, content)
	if err = errors.Join(err, content.Close()); err != nil {
		return failed("%v", err)
	}
	return plugins.Result{State: plugins.Done, Evidence: fmt.Sprintf("in store %s, %d bytes, SHA-256 %s", kept.Store, kept.Bytes, kept.SHA256)}
}

// closing closes what is not read, and says where that failed.
func closing(c io.Closer) string {
	if err := c.Close(); err != nil {
		return "; " + err.Error()
	}
	return ""
}

// mostAtOnce is how many segments are copied at the same time: the store's pool
// has a worker for each core, and while one copy waits for the disk another
// keeps them busy.
const mostAtOnce = 2

// sideBySide tells whether an action may be done beside others of its kind: the
// archive of a segment that is a file. On IBM i a save is a command of a job,
// one after the other.
func (a *applier) sideBySide(action plugins.Action) bool {
	return action.Kind == plugins.KindArchive && a.key.seen.directory != ""
}

// archives copies several segments at the same time, with the intent of each
// before and its outcome after.
func (a *applier) archives(ctx context.Context, actions []plugins.Action) error {
	switch len(actions) {
	case 0:
		return nil
	case 1:
		return a.one(ctx, actions[0])
	}
	for i, action := range actions {
		if err := a.intend(ctx, []plugins.Action{action}); err != nil {
			a.skip(actions[i:], err.Error())
			actions = actions[:i]
			return errors.Join(err, a.archived(ctx, actions, make([]plugins.Result, len(actions))))
		}
	}
	results := make([]plugins.Result, len(actions))
	var wait sync.WaitGroup
	for i, action := range actions {
		wait.Go(func() { results[i] = a.archive(ctx, action) })
	}
	wait.Wait()
	return a.archived(ctx, actions, results)
}

// archived writes down what became of archives; one without a state was not
// begun.
func (a *applier) archived(ctx context.Context, actions []plugins.Action, results []plugins.Result) error {
	a.key.changed()
	for i, action := range actions {
		r := &results[i]
		r.Action = action.ID
		if r.State == "" {
			r.State, r.Evidence = plugins.Skipped, "not attempted"
		}
		a.saved(action.Segment, r.State)
		a.note(action, r.State, r.Evidence)
	}
	if len(actions) == 0 {
		return nil
	}
	return a.Ledger.Seen(context.WithoutCancel(ctx), a.claim.Lease, results)
}

// facts gives what a manifest says of a segment, as the system showed it.
func (a *applier) facts(id recovery.SegmentID) store.Facts {
	facts := a.key.seen.pieces[id].facts
	facts.Run = a.ID
	for _, inv := range a.key.seen.inventories {
		facts.Marks = append(facts.Marks, store.MarksOf(inv.Needs)...)
	}
	return facts
}

func stampText(s observe.Stamp) string {
	if s.IsZero() {
		return ""
	}
	return s.String()
}

func numberText(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}
