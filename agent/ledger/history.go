package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Summary is a run in one line, with what became of its targets.
type Summary struct {
	ID, Mode          string
	DryRun            bool
	Started, Finished time.Time // Finished is zero while it is Unfinished
	Outcome           string    // of the whole run
	Host              string
	Targets           []TargetSummary
}

// TargetSummary is one task of one policy on one target in a run.
type TargetSummary struct {
	Target, Task, Policy string
	Observed             time.Time // by the target's own clock; zero: nothing was observed
	Good                 bool      // all was done, or planned in a dry run, and nothing critical found
	Totals               Totals
}

// Filter says which runs are asked for; its zero value is all.
type Filter struct {
	Target, Task string    // runs that have such a target
	Outcome      string    // of the whole run
	Since, Until time.Time // started not before the one and before the other
	Limit        int       // the newest only; 0: no limit
}

// where gives the filter as an SQL condition on run r.
func (f Filter) where() (string, []any) {
	conditions := []string{"true"}
	var args []any
	add := func(wanted bool, condition string, values ...any) {
		if wanted {
			conditions, args = append(conditions, condition), append(args, values...)
		}
	}
	add(f.Target != "" || f.Task != "", `EXISTS (SELECT 1 FROM run_target t WHERE t.run = r.id
		AND (t.target = ? OR ? = '') AND (t.task = ? OR ? = ''))`, f.Target, f.Target, f.Task, f.Task)
	add(f.Outcome != "", "r.outcome = ?", f.Outcome)
	add(!f.Since.IsZero(), "r.started >= ?", nanos(f.Since))
	add(!f.Until.IsZero(), "r.started < ?", nanos(f.Until))
	return strings.Join(conditions, " AND "), args
}

// Runs gives the runs that fit a filter, in the order in which they began,
// newest first.
func (l *Ledger) Runs(ctx context.Context, f Filter) ([]Summary, error) {
	where, args := f.where()
	query := "SELECT " + runColumns + " FROM run r WHERE " + where + " ORDER BY r.begun DESC"
	if f.Limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", f.Limit)
	}
	list, err := l.summaries(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the runs: %w", err)
	}
	return list, nil
}

// LastGood gives the newest run that did all it should for a task on a target;
// ErrNoRun when there was none. It may have been a dry run: the summary says.
func (l *Ledger) LastGood(ctx context.Context, target, task string) (Summary, error) {
	list, err := l.summaries(ctx, "SELECT "+runColumns+` FROM run r JOIN run_target t ON t.run = r.id
		WHERE t.target = ? AND t.task = ? AND t.good AND r.ended <> 0 ORDER BY r.begun DESC LIMIT 1`, target, task)
	if err == nil && len(list) == 0 {
		err = ErrNoRun
	}
	if err != nil {
		return Summary{}, fmt.Errorf("reading the last good run of %s on %s: %w", task, target, err)
	}
	return list[0], nil
}

// Known tells whether a run has ever seen the target. A ledger that knows
// nothing of a target applies nothing on it: the first run is a plan.
func (l *Ledger) Known(ctx context.Context, target string) (bool, error) {
	var known bool
	err := l.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM run_target t JOIN run r ON r.id = t.run
		WHERE t.target = ? AND t.observed <> 0 AND r.ended <> 0)`, target).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("asking whether %s is known: %w", target, explain(err))
	}
	return known, nil
}

// Begun tells whether a run of this ID was ever begun in this ledger.
func (l *Ledger) Begun(ctx context.Context, run string) (bool, error) {
	var begun bool
	if err := l.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM run WHERE id = ?)", run).Scan(&begun); err != nil {
		return false, fmt.Errorf("asking whether run %s is known: %w", run, explain(err))
	}
	return begun, nil
}

// Run gives the record of a run: all of it once it has finished, what was known
// at its beginning before. ErrNoRun when there is none of this ID.
func (l *Ledger) Run(ctx context.Context, id string) (Record, error) {
	var body []byte
	err := l.db.QueryRowContext(ctx, "SELECT t.body FROM run r JOIN trail t ON t.seq = max(r.begun, r.ended) WHERE r.id = ?", id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoRun
	}
	if err != nil {
		return Record{}, fmt.Errorf("reading run %s: %w", id, explain(err))
	}
	record, err := unpackRecord(body)
	if err != nil {
		return Record{}, fmt.Errorf("reading run %s: %w", id, err)
	}
	return record, nil
}

// summaries gives the runs that a query finds, with their targets.
func (l *Ledger) summaries(ctx context.Context, query string, args ...any) ([]Summary, error) {
	found, err := rows(ctx, l.db, scanRun, query, args...)
	if err != nil {
		return nil, err
	}
	list := make([]Summary, len(found))
	for i, r := range found {
		list[i] = Summary{
			ID: r.id, Mode: r.mode, DryRun: r.dry, Started: moment(r.started), Finished: moment(r.finished),
			Outcome: r.outcome, Host: r.host,
		}
		list[i].Targets, err = rows(ctx, l.db, scanTarget, "SELECT "+targetColumns+" FROM run_target t WHERE t.run = ? ORDER BY t.place", r.id)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func scanTarget(found *sql.Rows) (TargetSummary, error) {
	var t targetRow
	if err := t.scan(found); err != nil {
		return TargetSummary{}, err
	}
	s := TargetSummary{Target: t.target, Task: t.task, Policy: t.policy, Observed: moment(t.observed), Good: t.good}
	if err := json.Unmarshal([]byte(t.totals), &s.Totals); err != nil {
		return s, fmt.Errorf("reading the totals of %s: %w", t.target, err)
	}
	return s, nil
}
