package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// restoring is the mode of a restore in the ledger, and its task.
const restoring = "restore"

// copyObject is the kind of the objects of a restore's record: the copies it
// may take, each with its store.
const copyObject = "copy"

// begun writes down what is to be restored. Its target has no time of
// observation: a restore does not make a target known (Ledger.Known), since it
// says nothing of what may go.
func (r *restorer) begun(wanted []stored, list []Restored) ledger.Record {
	t := ledger.Target{
		Name: r.order.Target.Name, Platform: string(r.order.Target.Platform), Policy: "by hand", Task: restoring,
		Recovery: ledger.Recovery{Needs: []ledger.Point{}, Outlook: unknownOutlook()},
		Segments: []ledger.Segment{}, Objects: []ledger.Object{}, Actions: []ledger.Action{},
		Findings: []finding.Finding{}, Unanswered: []string{}, Pictures: []ledger.Picture{},
	}
	for _, k := range wanted {
		for _, c := range k.copies {
			t.Objects = append(t.Objects, ledger.Object{
				Kind: copyObject, Name: k.id().String(), Owner: c.Store, Verdict: "restore", Reason: "asked for by " + r.By,
				Facts: map[string]string{"opened": c.Opened, "closed": c.Closed, "sha256": c.SHA256},
			})
		}
	}
	for i, one := range list {
		step := ledger.Action{
			ID: fmt.Sprintf("restore-%d", i+1), Kind: string(plugins.KindCommand), Object: one.Name(), QueueManager: one.Segment.QueueManager,
			After: []string{}, Reason: "asked for by " + r.By, Outcome: string(one.State), Evidence: one.Evidence,
		}
		if n := len(one.Statements); n > 1 && r.order.Target.Platform == observe.IBMi { // make the save file, restore, take the save file away
			step.Language, step.Prepare, step.Command = "CL", one.Statements[:1], one.Statements[1]
		}
		t.Actions = append(t.Actions, step)
	}
	return ledger.Record{Schema: ledger.Schema, Targets: []ledger.Target{t}, Run: ledger.Run{
		ID: r.ID, Mode: restoring, Host: r.Host, Started: r.Now().Format(time.RFC3339), Outcome: ledger.Unfinished,
		Simulated: r.Simulated, Plugins: []ledger.Plugin{},
	}}
}

// ended completes the record.
func ended(record *ledger.Record, list []Restored, now time.Time) {
	for i, one := range list {
		step := &record.Targets[0].Actions[i]
		step.Outcome, step.Evidence = string(one.State), one.Evidence
	}
	record.Run.Outcome = restoreOutcome(list)
	record.Run.Finished = now.Format(time.RFC3339)
}

// restoreOutcome says how a restore ended. What was on the system already is
// as good as restored.
func restoreOutcome(list []Restored) string {
	done, failed := 0, 0
	for _, one := range list {
		switch one.State {
		case plugins.Done:
			done++
		case plugins.Failed:
			failed++
		}
	}
	switch {
	case failed == 0:
		return Applied
	case done > 0:
		return InPart
	}
	return Failed
}

// tidyUp ends the records of restores that did not live to see their end, and
// takes away the save files that they may have left, which nothing else would
// and which are in the way of the next. Nobody else is at it: this restore has
// the lease that they had.
func (r *restorer) tidyUp(ctx context.Context, writer connect.Writer) error {
	runs, err := r.Ledger.Runs(ctx, ledger.Filter{Target: r.order.Target.Name, Task: restoring, Outcome: ledger.Unfinished})
	if err != nil {
		return err
	}
	for _, run := range runs {
		record, err := r.Ledger.Run(ctx, run.ID)
		if err != nil {
			return err
		}
		if err := r.tidyAfter(ctx, writer, record); err != nil {
			return err
		}
	}
	return nil
}

// tidyAfter takes away what one restore left, and ends its record. Only the save
// file of the name that is the segment's own goes.
func (r *restorer) tidyAfter(ctx context.Context, writer connect.Writer, record ledger.Record) error {
	for i := range record.Targets {
		t := &record.Targets[i]
		for _, o := range t.Objects {
			library, name, qualified := strings.Cut(o.Name, "/")
			if !qualified {
				library, name = "", o.Name
			}
			known, configured := r.Stores[o.Owner]
			if o.Kind != copyObject || !configured {
				continue
			}
			id := recovery.SegmentID{QueueManager: t.Name, Library: library, Name: name}
			if err := writer.Discard(ctx, id, known); err != nil {
				r.Log.Warn("what a restore left could not be taken away", "run", record.Run.ID, "segment", o.Name, "err", err)
			}
		}
		for k := range t.Actions {
			if a := &t.Actions[k]; a.Outcome == string(plugins.Planned) {
				a.Outcome, a.Evidence = string(plugins.Unknown), "nobody saw its end; the list of segments shows whether it is there"
			}
		}
	}
	record.Run.Outcome, record.Run.Finished = Interrupted, r.Now().Format(time.RFC3339)
	return r.Ledger.Finish(context.WithoutCancel(ctx), record)
}
