package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// DefaultHeld is how long what was restored is held at most, by the target's
// clock.
const DefaultHeld = 7 * 24 * time.Hour

// RestoreOrder says which segments come back from the stores. Of the order it
// takes the gate, the ledger, the stores and who it is; a gate that only plans
// makes it a dry run, which needs no ledger.
type RestoreOrder struct {
	Order
	Target observe.Target
	// Segments are NAME, LIBRARY/NAME, or a range A..B of what is in store,
	// in the order in which the segments were written.
	Segments []string
	// Needed asks for all that some recovery reads and that is not on the
	// system, beside or in place of Segments.
	Needed bool
	// For narrows Needed to one recovery: recovery.Restart or recovery.Media;
	// none: whatever any of them reads.
	For recovery.NeedKind
	// Store is the only one to take copies from; empty: any.
	Store string
	// Until ends the hold on what was restored, if no clean start does so
	// before; zero: DefaultHeld after now, on the target's clock.
	Until time.Time
}

// Restored is one segment and what became of it.
type Restored struct {
	Segment    recovery.SegmentID
	Last       recovery.SegmentID // the newest of several extents that are nowhere; zero: it is one segment
	Copy       recovery.Copy      // that it came, or would come, from
	Statements []string           // what is sent; the copy goes into the save file after the first
	Path       string             // of the file that mqhk writes; empty: none
	// State is planned in a dry run, else done, failed or skipped: it is on
	// the system already, or a newer one failed.
	State    plugins.State
	Evidence string
}

// Restore brings segments back from the stores, newest first, each from a copy
// that is verified while it is read, and holds them. It is what a person asks
// for by name: nothing restores by itself.
//
// What became of each is in the list, also where the error says that it was
// broken off. Errors are ErrNoCopy, ErrNoRange, connect.ErrNotHere, *ledger.Held,
// those of the connection, of the ledger and of the context.
func Restore(ctx context.Context, o RestoreOrder) ([]Restored, error) {
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.By = cmp.Or(o.By, o.Host, "mqhk")
	r := &restorer{planner: newPlanner(o.Order), order: o}
	if o.Gate.Mode() != connect.Apply {
		return r.list(ctx)
	}
	if o.Ledger == nil {
		return nil, ErrNoLedger
	}
	// Nothing else changes the target meanwhile.
	c, err := r.claimed(ctx, ledger.Firing{Target: o.Target.Name, Task: ApplyTask, Policy: restoring})
	if err != nil {
		return nil, fmt.Errorf("restoring on %s: %w", o.Target, err)
	}
	held, end := c.during(ctx)
	defer end()
	list, err := r.restoreAll(held)
	outcome := restoreOutcome(list)
	if err != nil {
		outcome = Failed
	}
	r.release(ctx, c, outcome)
	return list, err
}

// restorer is a restore on its way.
type restorer struct {
	*planner
	order RestoreOrder
	hold  int64 // that keeps what was restored so far; 0: none yet
}

// list gives what would be restored.
func (r *restorer) list(ctx context.Context) ([]Restored, error) {
	seen, wanted, list, err := r.choose(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range wanted {
		list = append(list, r.intended(seen, k))
	}
	return list, nil
}

// choose observes the target and finds what is wanted. What is needed and in
// no store stands in the list as failed.
func (r *restorer) choose(ctx context.Context) (look, []stored, []Restored, error) {
	var seen look
	var looked error
	err := r.observing(ctx, r.order.Target, func(o *observation) { seen, looked = lookAt(ctx, whatIsReadable{o.view()}, r.order.Target) })
	if err := errors.Join(err, looked); err != nil {
		return seen, nil, nil, err
	}
	if why := r.notHere(seen); why != "" {
		return seen, nil, nil, fmt.Errorf("restoring on %s: %w: %s", r.order.Target, connect.ErrNotHere, why)
	}
	all := ordered(copiesIn(ctx, r.Keepers, r.order.Store, r.order.Target.Name, r.Log), seen)
	wanted, err := named(all, r.order.Segments)
	if err != nil || !r.order.Needed {
		return seen, wanted, nil, err
	}
	missing, nowhere := needed(all, seen, r.order.For)
	var list []Restored
	for _, l := range nowhere {
		list = append(list, l.restored())
	}
	return seen, merged(all, wanted, missing), list, nil
}

// intended says what is sent for one segment, or why nothing is.
func (r *restorer) intended(seen look, k stored) Restored {
	one := Restored{Segment: k.id(), Copy: k.copies[0], State: plugins.Planned}
	if s, there := seen.segment(k.id()); there && s.State.Readable() {
		one.State, one.Evidence = plugins.Skipped, "it is on the system already, "+s.State.String()
		if p, known := seen.pieces[k.id()]; !known || !p.copiedBy(one.Copy) {
			one.State, one.Evidence = plugins.Failed, fmt.Sprintf("another of that name is on the system%s; the copy is of %s", since(s.Opened), k.which())
		}
		return one
	}
	commands, err := connect.RestoreStatements(r.order.Target, k.id(), r.Stores[one.Copy.Store])
	if err != nil {
		one.State, one.Evidence = plugins.Failed, err.Error()
	}
	for _, c := range commands {
		one.Statements = append(one.Statements, c.Text)
	}
	if seen.directory != "" {
		one.Path = observe.ExtentPath(seen.directory, k.id().Name)
	}
	return one
}

// restoreAll restores what is wanted. What is to be restored is durable in the
// ledger before, and what became of it after.
func (r *restorer) restoreAll(ctx context.Context) (list []Restored, err error) {
	writer, err := r.Gate.Writer(ctx, r.order.Target)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, writer.Close()) }()
	seen, wanted, list, err := r.choose(ctx)
	if err != nil {
		return list, err
	}
	if err := r.tidyUp(ctx, writer); err != nil || len(wanted) == 0 {
		return list, err
	}
	for _, k := range wanted {
		list = append(list, r.intended(seen, k))
	}
	record := r.begun(wanted, list)
	if err := r.Ledger.Begin(ctx, record); err != nil {
		return list, err
	}
	// Before anything is back all is held: a process that dies with a segment
	// restored must not leave it to the next run.
	if err := r.keep(ctx, seen, recovery.SegmentID{QueueManager: r.order.Target.Name}); err != nil {
		return list, err
	}
	err = r.bringBack(ctx, writer, wanted, list[len(list)-len(wanted):])
	if err == nil {
		err = r.holdRestored(context.WithoutCancel(ctx), seen, list)
	}
	ended(&record, list, r.Now())
	return list, errors.Join(err, r.Ledger.Finish(context.WithoutCancel(ctx), record))
}

// bringBack restores one segment after the other. After a failure the rest is not
// tried: an older receiver joins the chain in front of a newer one. The error
// is that of the ledger or of the context.
func (r *restorer) bringBack(ctx context.Context, writer connect.Writer, wanted []stored, list []Restored) error {
	stop := ""
	for i := range list {
		one := &list[i]
		if one.State == plugins.Planned && stop != "" {
			one.State, one.Evidence = plugins.Skipped, stop
			continue
		}
		if one.State == plugins.Planned {
			if err := r.restore(ctx, writer, wanted[i], one); err != nil {
				return err
			}
		}
		if one.State == plugins.Failed {
			stop = one.Segment.String() + " before it was not restored"
		}
	}
	return nil
}

// restore brings one segment back.
func (r *restorer) restore(ctx context.Context, writer connect.Writer, k stored, one *Restored) error {
	if ctx.Err() != nil {
		one.State, one.Evidence = plugins.Skipped, "not attempted"
		return context.Cause(ctx)
	}
	copied, err := r.fromAny(ctx, writer, k)
	one.Copy, one.State = copied, plugins.Done
	one.Evidence = fmt.Sprintf("from store %s, SHA-256 %s", copied.Store, copied.SHA256)
	if err != nil {
		one.State, one.Evidence = plugins.Failed, err.Error()
	}
	return nil
}

// holdRestored keeps the log from the oldest restored segment on, in place of
// all of it; where nothing was restored nothing is held any more.
func (r *restorer) holdRestored(ctx context.Context, seen look, list []Restored) error {
	for i := len(list) - 1; i >= 0; i-- { // they are restored newest first
		if list[i].State == plugins.Done {
			return r.keep(ctx, seen, list[i].Segment)
		}
	}
	return r.Ledger.LiftHold(ctx, r.hold, r.By)
}

// fromAny restores from the first copy that is whole. One that is not is
// marked as damaged in its store.
func (r *restorer) fromAny(ctx context.Context, writer connect.Writer, k stored) (recovery.Copy, error) {
	var problems []error
	for _, c := range k.copies {
		damaged, err := r.from(ctx, writer, c)
		if err == nil {
			return c, nil
		}
		problems = append(problems, fmt.Errorf("store %s: %w", c.Store, err))
		if !damaged && !errors.Is(err, connect.ErrNoLibrary) {
			break
		}
	}
	return k.copies[0], errors.Join(problems...)
}

// from restores one copy, and tells whether it was the copy that was bad.
func (r *restorer) from(ctx context.Context, writer connect.Writer, c recovery.Copy) (damaged bool, err error) {
	keeper := r.Keepers[c.Store]
	content, err := keeper.Open(ctx, c)
	if err != nil {
		return true, err
	}
	read := &watched{Reader: content}
	_, err = writer.Restore(ctx, c, r.Stores[c.Store], read)
	err = errors.Join(err, content.Close())
	damaged = errors.Is(read.err, store.ErrDamaged) || errors.Is(err, store.ErrDamaged)
	if damaged {
		if why := keeper.Verify(ctx, c); why != nil {
			r.Log.Warn("the copy is damaged", "store", c.Store, "segment", c.Segment.String(), "err", why)
		}
	}
	return damaged, err
}

// watched remembers why reading ended, whatever a writer makes of it.
type watched struct {
	io.Reader
	err error
}

func (w *watched) Read(b []byte) (n int, err error) {
	n, err = w.Reader.Read(b)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// keep holds the target's log from a segment on, or all of it where it has no
// name, and lifts the hold that this restore had before.
func (r *restorer) keep(ctx context.Context, seen look, id recovery.SegmentID) error {
	now := r.Now()
	for _, inv := range seen.inventories {
		if inv.QueueManager == id.QueueManager && !inv.Observed.IsZero() {
			now = inv.Observed
		}
	}
	until := r.order.Until
	if until.IsZero() {
		until = now.Add(DefaultHeld)
	}
	hold, err := r.Ledger.AddHold(ctx, ledger.Hold{
		Target: r.order.Target.Name, Since: now, Until: until, UntilStart: true,
		Library: id.Library, Segment: id.Name, Reason: "restored", By: r.By,
	})
	if err != nil {
		return err
	}
	before := r.hold
	r.hold = hold.ID
	if before == 0 {
		return nil
	}
	return r.Ledger.LiftHold(ctx, before, r.By)
}
