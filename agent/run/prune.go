package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// pruning is the mode of a prune in the ledger, and its task.
const pruning = "prune"

// PruneOrder says of which target copies that no recovery needs may leave the
// stores. Of the order it takes the gate, the ledger, the stores and who it is;
// a gate that only plans makes it a dry run, which needs no ledger.
type PruneOrder struct {
	Order
	Target observe.Target
	// Store is the only one to prune; empty: each that holds copies.
	Store string
}

// ErrUnbounded says that nothing may leave a store, since it is not known what a
// recovery needs.
var ErrUnbounded = errors.New("it is not known what a recovery needs: nothing leaves a store")

// Prune removes from the stores what lies before every range of need, the oldest
// first: restart and media recovery, data backups that were noted, a backup
// queue manager that has not replayed, holds. It gives what became of each copy,
// or would.
//
// Errors are ErrUnbounded, *ledger.Held, ErrNoLedger, those of the connection,
// of a store, of the ledger and of the context.
func Prune(ctx context.Context, o PruneOrder) ([]store.Fate, error) {
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.By = cmp.Or(o.By, o.Host, "mqhk")
	p := &pruner{newPlanner(o.Order), o}
	if o.Gate.Mode() != connect.Apply {
		needs, end, err := p.look(ctx)
		if err != nil {
			return nil, err
		}
		return p.fates(ctx, end, needs)
	}
	if o.Ledger == nil {
		return nil, ErrNoLedger
	}
	c, err := p.claimed(ctx, ledger.Firing{Target: o.Target.Name, Task: ApplyTask, Policy: pruning})
	if err != nil {
		return nil, fmt.Errorf("pruning the copies of %s: %w", o.Target, err)
	}
	held, end := c.during(ctx)
	defer end()
	list, err := p.prune(held)
	outcome := Applied
	if err != nil {
		outcome = Failed
	}
	p.release(ctx, c, outcome)
	return list, err
}

// pruner is a prune on its way.
type pruner struct {
	*planner
	order PruneOrder
}

// look observes what is needed, and gives the scale on which copies are placed.
// The holds and the notes have to be those of the site: a ledger that does not
// know who made the copies may lack the ones that keep them.
func (p *pruner) look(ctx context.Context) ([]recovery.Need, store.End, error) {
	doubts, err := p.ledgerFindings(ctx, job{target: p.order.Target})
	if err != nil {
		return nil, nil, err
	}
	if len(doubts) > 0 {
		return nil, nil, fmt.Errorf("%w: %s", ErrUnbounded, doubts[0].Text)
	}
	var seen look
	var looked error
	err = p.observing(ctx, p.order.Target, func(o *observation) { seen, looked = lookAt(ctx, o.view(), p.order.Target) })
	if err := errors.Join(err, looked); err != nil {
		return nil, nil, err
	}
	if why := seen.whole(); why != "" {
		return nil, nil, fmt.Errorf("%s: %w: %s", p.order.Target.Name, ErrUnbounded, why)
	}
	inv := seen.inventories[0]
	if why := pointsUnknown(inv); why != "" {
		return nil, nil, fmt.Errorf("%s: %w: %s", p.order.Target.Name, ErrUnbounded, why)
	}
	return inv.Needs, endsIn(inv), nil
}

// pointsUnknown says why the recovery points are no bound for what may leave a
// store; empty: they are. What only the error log tells counts where a policy
// says that it is trusted, and no policy has a part in this.
func pointsUnknown(inv recovery.Inventory) string {
	known := make(map[recovery.NeedKind]bool)
	for _, n := range inv.Needs {
		if n.Logged {
			return fmt.Sprintf("only the error log tells the %s point, %s (%s)", n.Kind, n.Name, n.Source)
		}
		known[n.Kind] = true
	}
	if !known[recovery.Published] && (!known[recovery.Restart] || !known[recovery.Media]) {
		return "restart and media recovery point are not both known"
	}
	return ""
}

// fates decides without removing anything.
func (p *pruner) fates(ctx context.Context, end store.End, needs []recovery.Need) ([]store.Fate, error) {
	var all []store.Fate
	for _, d := range p.directories() {
		var entries []store.Entry
		for entry, err := range d.Entries(ctx, p.order.Target.Name) {
			if err != nil {
				return all, err
			}
			entries = append(entries, entry)
		}
		all = append(all, store.Prunable(entries, end, needs...)...)
	}
	return all, nil
}

// directories gives the stores from which copies can be removed here.
func (p *pruner) directories() []*store.Directory {
	var list []*store.Directory
	for _, name := range slices.Sorted(maps.Keys(p.Keepers)) {
		if d, ok := p.Keepers[name].(*store.Directory); ok && (p.order.Store == "" || p.order.Store == name) {
			list = append(list, d)
		}
	}
	return list
}

// prune removes what may go. What is to go is durable in the ledger before, and
// what became of it after.
func (p *pruner) prune(ctx context.Context) ([]store.Fate, error) {
	needs, end, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	planned, err := p.fates(ctx, end, needs)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(planned, func(f store.Fate) bool { return f.Goes }) {
		return planned, nil
	}
	record := p.begun(planned)
	if err := p.Ledger.Begin(ctx, record); err != nil {
		return nil, err
	}
	var all []store.Fate
	for _, d := range p.directories() {
		fates, failed := d.Prune(ctx, p.order.Target.Name, end, needs...)
		all = append(all, fates...)
		if failed != nil {
			err = errors.Join(err, failed)
		}
	}
	p.ended(&record, all, err)
	return all, errors.Join(err, p.Ledger.Finish(context.WithoutCancel(ctx), record))
}

// begun writes down what is to go.
func (p *pruner) begun(fates []store.Fate) ledger.Record {
	t := ledger.Target{
		Name: p.order.Target.Name, Platform: string(p.order.Target.Platform), Policy: "by hand", Task: pruning,
		Recovery: ledger.Recovery{Needs: []ledger.Point{}, Outlook: unknownOutlook()},
		Segments: []ledger.Segment{}, Objects: []ledger.Object{}, Actions: []ledger.Action{},
		Findings: []finding.Finding{}, Unanswered: []string{}, Pictures: []ledger.Picture{},
	}
	for _, f := range fates {
		if f.Goes {
			t.Actions = append(t.Actions, ledger.Action{
				ID: fmt.Sprintf("prune-%d", len(t.Actions)+1), Kind: string(plugins.KindDelete), Object: copyName(f.Entry.Copy),
				QueueManager: p.order.Target.Name, After: []string{}, Reason: f.Why, Outcome: string(plugins.Planned),
			})
		}
	}
	return ledger.Record{Schema: ledger.Schema, Targets: []ledger.Target{t}, Run: ledger.Run{
		ID: p.ID, Mode: pruning, Host: p.Host, Started: p.Now().Format(time.RFC3339), Outcome: ledger.Unfinished,
		Simulated: p.Simulated, Plugins: []ledger.Plugin{},
	}}
}

// copyName names a copy for people: its store, the segment and the content.
func copyName(c recovery.Copy) string {
	return fmt.Sprintf("%s in store %s, SHA-256 %s", c.Segment, c.Store, c.SHA256)
}

func (p *pruner) ended(record *ledger.Record, fates []store.Fate, failed error) {
	gone := make(map[string]bool)
	for _, f := range fates {
		gone[copyName(f.Entry.Copy)] = f.Gone
	}
	actions := record.Targets[0].Actions
	for i := range actions {
		actions[i].Outcome, actions[i].Evidence = string(plugins.Done), "removed from the store"
		if !gone[actions[i].Object] {
			actions[i].Outcome, actions[i].Evidence = string(plugins.Skipped), "it stayed"
		}
	}
	record.Run.Outcome = Applied
	if failed != nil {
		record.Run.Outcome, record.Targets[0].Error = Failed, failed.Error()
	}
	record.Run.Finished = p.Now().Format(time.RFC3339)
}

// endsIn places copies in a log: those that join it as they lie there, and
// extents of the same log by their numbers. An extent of which nothing tells that
// it is of this very log has no place.
func endsIn(inv recovery.Inventory) store.End {
	line := make(map[recovery.SegmentID]recovery.Segment, len(inv.Segments))
	var anchor *recovery.Segment
	for i, s := range inv.Segments {
		line[s.ID] = s
		if s.State == recovery.Current {
			anchor = &inv.Segments[i]
		}
	}
	joined := make(map[observe.CopyKey]bool, len(inv.Copies))
	for _, c := range inv.Copies {
		joined[observe.KeyOf(c)] = true
	}
	return func(c recovery.Copy) (recovery.Position, bool) {
		_, number, err := observe.ParseExtent(c.Segment.Name)
		isExtent := err == nil
		if same, known := observe.SameLog(c.Incarnation, inv.Incarnation); isExtent && (!same || !known) {
			return 0, false // a name that comes again in every log
		}
		if s, there := line[c.Segment]; there && joined[observe.KeyOf(c)] {
			return s.To, true
		}
		if anchor == nil || !isExtent {
			return 0, false
		}
		_, from, err := observe.ParseExtent(anchor.ID.Name)
		if err != nil {
			return 0, false
		}
		at := int64(anchor.From) + int64(observe.ExtentDistance(from, number))
		return recovery.Position(max(at, 1)), at > 0
	}
}
