package main

import (
	"context"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
)

// taskOf finds the runs of one task among those of its target, newest first.
func taskOf(runs []ledger.Summary, target, policy, task string, now time.Time) statusTask {
	status := statusTask{Task: schedule.Name(policy, task), Findings: []statusFinding{}}
	for _, r := range runs {
		for _, t := range r.Targets {
			if t.Target != target || t.Policy != policy || t.Task != task {
				continue
			}
			age := max(now.Sub(r.Started), 0)
			run := &statusRun{r.ID, r.Mode, r.Started, inDays(age), int64(age / time.Second), r.Outcome}
			if status.Last == nil {
				status.Last = run
			}
			if status.Good == nil && t.Good && !r.Finished.IsZero() {
				status.Good = run
			}
			if status.Applied == nil && t.Good && !r.Finished.IsZero() && !r.DryRun {
				status.Applied = run
			}
		}
		if status.Good != nil && status.Applied != nil {
			break
		}
	}
	return status
}

// found reads from the record of the last run what was found on the target.
func (s *statusTask) found(ctx context.Context, l *ledger.Ledger, target, policy, task string) error {
	if l == nil || s.Last == nil {
		return nil
	}
	record, err := l.Run(ctx, s.Last.Run)
	if err != nil {
		return err
	}
	for _, t := range record.Targets {
		if t.Name != target || t.Policy != policy || t.Task != task {
			continue
		}
		s.Error = t.Error
		for _, f := range t.Findings {
			if one := (statusFinding{f.Severity, f.Code}); !slices.Contains(s.Findings, one) {
				s.Findings = append(s.Findings, one)
			}
		}
	}
	return nil
}

// shownMissed bounds how far back missed firings are looked for.
const shownMissed = 100

// missedOf gives the firings that nobody ran since the last one that was run,
// newest first.
func missedOf(ctx context.Context, l *ledger.Ledger, target, task string) ([]statusDue, error) {
	missed := []statusDue{}
	if l == nil {
		return missed, nil
	}
	fired, err := l.Firings(ctx, target, task, shownMissed)
	if err != nil {
		return nil, err
	}
	for _, f := range fired {
		if f.State != ledger.FiringMissed {
			break
		}
		missed = append(missed, statusDue{f.Key, f.Outcome})
	}
	return missed, nil
}

func openOf(ctx context.Context, l *ledger.Ledger, target string) ([]statusOpen, error) {
	open := []statusOpen{}
	intents, err := l.OpenIntents(ctx, target)
	if err != nil {
		return nil, err
	}
	for _, o := range intents {
		open = append(open, statusOpen{o.Task, o.Run, o.Action.ID, o.Action.Object, o.At, string(o.State), o.Live})
	}
	return open, nil
}
