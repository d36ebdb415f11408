package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// The errors of runs.
var (
	ErrNoRun    = errors.New("no such run")
	ErrRunBegun = errors.New("a run with this ID was begun already")
	ErrRunEnded = errors.New("this run has ended, its record does not change")
)

// Unfinished is the outcome of a run that was begun and has not ended: it is
// going on, or its process died.
const Unfinished = "unfinished"

// runRow is one run in the table of runs.
type runRow struct {
	id                string
	begun, ended      int64 // rows of the trail; ended 0: not finished
	mode              string
	dry               bool
	started, finished int64 // nanoseconds since 1970; finished 0: not finished
	outcome, host     string
}

// unfinished gives the line of a run that began with a row of the trail.
func (r runRow) unfinished(begun int64) runRow {
	r.begun, r.ended, r.finished, r.outcome = begun, 0, 0, Unfinished
	return r
}

// targetRow is one target of a run in its table.
type targetRow struct {
	target, task, policy string
	observed             int64 // nanoseconds since 1970; 0: nothing was observed
	good                 bool
	totals               string // JSON
}

// Begin records that a run begins. The record needs its schema, the run's ID
// and its start (RFC 3339); what else is known may be in it. An ID that was
// used before is ErrRunBegun.
func (l *Ledger) Begin(ctx context.Context, record Record) error {
	id := record.Run.ID
	run, targets, body, err := prepare(record)
	if err != nil {
		return fmt.Errorf("recording the beginning of run %q: %w", id, err)
	}
	err = l.change(ctx, "recording the beginning of run "+id, func(c *change) error {
		known, err := c.runAt(id)
		switch {
		case err != nil:
			return err
		case known.id != "":
			return ErrRunBegun
		}
		seq, err := c.note(row{Kind: kindBegin, Run: id, Body: body})
		if err != nil {
			return err
		}
		return c.index(run.unfinished(seq), targets)
	})
	return err
}

// Finish records how a run ended, with all that a report shows. It can be done
// once; ErrNoRun when it was never begun, ErrRunEnded when it has ended. It is
// called also for a run that was interrupted: with a context that is not.
//
// Then the head of the trail is noted anew. A head that does not fit is Broken;
// the record is durable nonetheless.
func (l *Ledger) Finish(ctx context.Context, record Record) error {
	id := record.Run.ID
	run, targets, body, err := prepare(record)
	if err == nil && run.finished == 0 {
		err = errors.New("it does not say when it finished")
	}
	if err != nil {
		return fmt.Errorf("recording the end of run %q: %w", id, err)
	}
	err = l.change(ctx, "recording the end of run "+id, func(c *change) error {
		known, err := c.runAt(id)
		switch {
		case err != nil:
			return err
		case known.id == "":
			return ErrNoRun
		case known.ended != 0:
			return ErrRunEnded
		}
		run.begun = known.begun
		if run.ended, err = c.note(row{Kind: kindFinish, Run: id, About: known.begun, Body: body}); err != nil {
			return err
		}
		if err := c.measure(record); err != nil {
			return err
		}
		return c.index(run, targets)
	})
	if err != nil {
		return err
	}
	return l.seal(ctx)
}

// prepare gives what is stored of a record.
func prepare(record Record) (runRow, []targetRow, []byte, error) {
	run, targets, err := draw(record)
	if err != nil {
		return runRow{}, nil, nil, err
	}
	body, err := packRecord(record)
	return run, targets, body, err
}

// draw gives the lines of a record in the tables, as a run that has ended.
func draw(record Record) (runRow, []targetRow, error) {
	r := record.Run
	run := runRow{id: r.ID, mode: r.Mode, dry: record.DryRun, outcome: r.Outcome, host: r.Host}
	if err := oneLine("the run's ID", r.ID, true); err != nil {
		return run, nil, err
	}
	if record.Schema != Schema {
		return run, nil, fmt.Errorf("the record's schema is %q, not %q", record.Schema, Schema)
	}
	started, err := time.Parse(time.RFC3339Nano, r.Started)
	if err != nil {
		return run, nil, fmt.Errorf("its start: %w", err)
	}
	run.started = nanos(started)
	if r.Finished != "" {
		finished, err := time.Parse(time.RFC3339Nano, r.Finished)
		if err != nil {
			return run, nil, fmt.Errorf("its end: %w", err)
		}
		run.finished = nanos(finished)
	}
	targets := make([]targetRow, len(record.Targets))
	for i, t := range record.Targets {
		totals, err := json.Marshal(t.Totals)
		if err != nil {
			return run, nil, err
		}
		targets[i] = targetRow{t.Name, t.Task, t.Policy, observed(t), isGood(t, record.DryRun), string(totals)}
	}
	return run, targets, nil
}

// observed gives when the target was seen, by its own clock; 0 when it was
// not, or nobody could say when.
func observed(t Target) int64 {
	at, err := time.Parse(time.RFC3339Nano, t.Observed)
	if err != nil || t.Error != "" {
		return 0
	}
	return nanos(at)
}

// isGood tells whether a run did, or in a dry run planned, all that it should
// on a target, and has nothing critical to say.
func isGood(t Target, dry bool) bool {
	if worst, some := finding.Worst(t.Findings); t.Error != "" || some && worst == finding.Critical {
		return false
	}
	for _, a := range t.Actions {
		if a.Outcome != string(plugins.Done) && !(dry && a.Outcome == string(plugins.Planned)) {
			return false
		}
	}
	return true
}

// runAt gives a run's line; an empty id: there is none.
func (c *change) runAt(id string) (runRow, error) {
	found, err := rows(c.ctx, c.tx, scanRun, "SELECT "+runColumns+" FROM run r WHERE r.id = ?", id)
	if err != nil || len(found) == 0 {
		return runRow{}, err
	}
	return found[0], nil
}

// index puts a run and its targets into the tables, in place of what was
// known of it when it began.
func (c *change) index(r runRow, targets []targetRow) error {
	_, err := c.exec(`INSERT OR REPLACE INTO run (id, begun, ended, mode, dry, started, finished, outcome, host) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.id, r.begun, r.ended, r.mode, r.dry, r.started, r.finished, r.outcome, r.host)
	if err != nil {
		return err
	}
	if _, err := c.exec("DELETE FROM run_target WHERE run = ?", r.id); err != nil {
		return err
	}
	for i, t := range targets {
		_, err := c.exec("INSERT INTO run_target (run, place, target, task, policy, observed, good, totals) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			r.id, i, t.target, t.task, t.policy, t.observed, t.good, t.totals)
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	runColumns    = "r.id, r.begun, r.ended, r.mode, r.dry, r.started, r.finished, r.outcome, r.host"
	targetColumns = "t.target, t.task, t.policy, t.observed, t.good, t.totals"
)

func scanRun(found *sql.Rows) (runRow, error) {
	var r runRow
	err := found.Scan(&r.id, &r.begun, &r.ended, &r.mode, &r.dry, &r.started, &r.finished, &r.outcome, &r.host)
	return r, err
}

func (t *targetRow) scan(found *sql.Rows, more ...any) error {
	return found.Scan(append([]any{&t.target, &t.task, &t.policy, &t.observed, &t.good, &t.totals}, more...)...)
}
