package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/mqhk/mqhk/plugins"
)

// drawn is what the tables beside the trail should hold, drawn from it anew.
type drawn struct {
	runs    map[string]runRow
	targets map[string][]targetRow // by run, in the order of the record
	intents map[int64]intentRow    // those that are open
}

func newDrawn() *drawn {
	return &drawn{map[string]runRow{}, map[string][]targetRow{}, map[int64]intentRow{}}
}

// add takes in one row of the trail. A body that can't be read is an error.
func (d *drawn) add(r row) error {
	switch r.Kind {
	case kindBegin, kindFinish:
		record, err := unpackRecord(r.Body)
		if err != nil {
			return err
		}
		run, targets, err := draw(record)
		if err != nil {
			return err
		}
		if r.Kind == kindBegin {
			run = run.unfinished(r.Seq)
		} else {
			run.begun, run.ended = r.About, r.Seq
		}
		d.runs[run.id], d.targets[run.id] = run, targets
	case kindIntent:
		var body intentBody
		if err := json.Unmarshal(r.Body, &body); err != nil {
			return fmt.Errorf("reading an intent: %w", err)
		}
		for i, action := range body.Actions {
			d.intents[intentID(r.Seq, i)] = intentRow{r.Target, r.Task, body.Epoch, action.ID, ""}
		}
	case kindOutcome:
		var body outcomeBody
		if err := json.Unmarshal(r.Body, &body); err != nil {
			return fmt.Errorf("reading an outcome: %w", err)
		}
		for _, o := range body.Outcomes {
			d.settle(o.Intent, o.State)
		}
	}
	return nil
}

func (d *drawn) settle(id int64, state plugins.State) {
	if settled(state) {
		delete(d.intents, id)
		return
	}
	if open, ok := d.intents[id]; ok {
		open.state = string(state)
		d.intents[id] = open
	}
}

// compare holds the tables against what was drawn.
func (d *drawn) compare(ctx context.Context, q querier) error {
	runs, targets, err := readIndex(ctx, q)
	if err != nil {
		return err
	}
	for id := range merged(d.runs, runs) {
		if d.runs[id] != runs[id] || !sameTargets(d.targets[id], targets[id]) {
			return &Broken{What: fmt.Sprintf("run %s is listed otherwise than its record says", id)}
		}
	}
	intents, err := readOpen(ctx, q)
	if err != nil {
		return err
	}
	for id := range merged(d.intents, intents) {
		if d.intents[id] != intents[id] {
			return &Broken{Row: intentRowOf(id), What: "which of its intents are open is listed otherwise than the outcomes say"}
		}
	}
	return nil
}

func merged[K comparable, V any](a, b map[K]V) map[K]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func sameTargets(a, b []targetRow) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// readIndex reads the tables of runs.
func readIndex(ctx context.Context, q querier) (map[string]runRow, map[string][]targetRow, error) {
	runs := map[string]runRow{}
	targets := map[string][]targetRow{}
	all, err := rows(ctx, q, scanRun, "SELECT "+runColumns+" FROM run r")
	if err != nil {
		return nil, nil, err
	}
	for _, r := range all {
		runs[r.id] = r
	}
	type of struct {
		run string
		row targetRow
	}
	scan := func(found *sql.Rows) (of, error) {
		var o of
		err := o.row.scan(found, &o.run)
		return o, err
	}
	lines, err := rows(ctx, q, scan, "SELECT "+targetColumns+", t.run FROM run_target t ORDER BY t.run, t.place")
	if err != nil {
		return nil, nil, err
	}
	for _, o := range lines {
		targets[o.run] = append(targets[o.run], o.row)
	}
	return runs, targets, nil
}

// readOpen reads the table of open intents.
func readOpen(ctx context.Context, q querier) (map[int64]intentRow, error) {
	type of struct {
		id  int64
		row intentRow
	}
	scan := func(found *sql.Rows) (of, error) {
		var o of
		err := found.Scan(&o.id, &o.row.target, &o.row.task, &o.row.epoch, &o.row.action, &o.row.state)
		return o, err
	}
	lines, err := rows(ctx, q, scan, "SELECT id, target, task, epoch, action, state FROM open_intent")
	if err != nil {
		return nil, err
	}
	open := make(map[int64]intentRow, len(lines))
	for _, o := range lines {
		open[o.id] = o.row
	}
	return open, nil
}
