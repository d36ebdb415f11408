package main

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/policies"
)

// statusLimits are what a monitor takes for good.
type statusLimits struct {
	maxAge time.Duration // 0: any age
	failOn string
	fails  func(finding.Severity) bool
}

func (w watching) limits() (statusLimits, error) {
	l := statusLimits{failOn: w.failOn}
	var err error
	if l.fails, err = failing(w.failOn); err != nil || w.maxAge == "" {
		return l, err
	}
	if l.maxAge, err = policies.ParseDuration(w.maxAge); err != nil {
		return l, usage("--max-age %q: %w", w.maxAge, err)
	}
	if l.maxAge <= 0 {
		return l, usage("--max-age %q is not more than 0s", w.maxAge)
	}
	return l, nil
}

// asked tells whether anything is looked for at all.
func (l statusLimits) asked() bool { return l.maxAge > 0 || l.failOn != "never" }

// reasons gives why not all is good, a line for each. Where there is nothing to
// look at, that is a reason: a monitor that watches nothing must not be green.
func (l statusLimits) reasons(targets []statusTarget) []string {
	reasons := []string{}
	if !l.asked() {
		return reasons
	}
	scheduled, ran := false, false
	for _, t := range targets {
		for _, task := range t.Tasks {
			scheduled, ran = scheduled || task.Mode != "", ran || task.Last != nil
		}
	}
	if !scheduled && !ran {
		return append(reasons, "NOTHING TO WATCH: no task has a schedule, and none was ever run")
	}
	for _, t := range targets {
		for _, task := range t.Tasks {
			if scheduled && task.Mode != "" || !scheduled && task.Last != nil {
				reasons = append(reasons, l.of(t.Name, task)...)
			}
		}
	}
	return reasons
}

// of gives the reasons of one task.
func (l statusLimits) of(target string, task statusTask) []string {
	var reasons []string
	of := target + " " + task.Task + ": "
	good, what := task.Good, "good run"
	if task.Mode == string(policies.Apply) { // a plan by hand is no sign that the schedule applies
		good, what = task.Applied, "good apply"
	}
	switch {
	case l.maxAge == 0:
	case good == nil:
		reasons = append(reasons, fmt.Sprintf("TOO OLD: %sno %s ever", of, what))
	case time.Duration(good.Seconds)*time.Second > l.maxAge:
		reasons = append(reasons, fmt.Sprintf("TOO OLD: %sthe last %s was %s ago, more than %s", of, what, good.Age, inShort(l.maxAge)))
	}
	if l.failOn != "never" && task.Error != "" {
		reasons = append(reasons, fmt.Sprintf("FAILED: %sthe last run: %s", of, task.Error))
	}
	for _, f := range task.Findings {
		if l.fails(f.Severity) {
			reasons = append(reasons, fmt.Sprintf("FOUND: %s%s %s in the last run", of, f.Severity, f.Code))
		}
	}
	return reasons
}
