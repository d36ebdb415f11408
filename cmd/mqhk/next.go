package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/policies"
)

// nextSchema names the form of what mqhk next writes as JSON.
const nextSchema = "mqhk.next/v1"

// mostRuns bounds --count.
const mostRuns = 1000

// upcoming is what the flags of next ask for.
type upcoming struct {
	policies []string
	count    int
	from     string
}

func (a *app) nextCommand() *cobra.Command {
	var u upcoming
	cmd := &cobra.Command{
		Use:   "next",
		Short: "Show when each task of the policies runs next",
		Long: `Next shows the coming runs of each scheduled task, in the time zone of its
schedule and in local time, and the moment at which it starts after its jitter.
It shows what the clocks change: a time that a day does not have, and one that
it has twice. Nothing is run.`,
		Example: `  mqhk next
  mqhk next --policy nightly --count 7 --from 2026-03-28T00:00:00+01:00`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.next(u) },
	}
	cmd.Flags().StringArrayVar(&u.policies, "policy", nil, "policy by `NAME|FILE`; may be given several times (default the configuration's own, else the bundled ones)")
	cmd.Flags().IntVar(&u.count, "count", 3, "`NUMBER` of runs of each task")
	cmd.Flags().StringVar(&u.from, "from", "", "runs from this `TIME` on: 2026-03-28T00:00:00+01:00, or without the offset for local time (default now)")
	_ = cmd.RegisterFlagCompletionFunc("policy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.policyNames(), cobra.ShellCompDirectiveDefault
	}) // the flag is there
	return cmd
}

// nextRuns is the result.
type nextRuns struct {
	Schema string     `json:"schema"`
	From   time.Time  `json:"from"`
	Tasks  []nextTask `json:"tasks"`
}

// nextTask is a task and its coming runs; without a schedule it has none.
type nextTask struct {
	Policy   string    `json:"policy"`
	Task     string    `json:"task"`
	Plugin   string    `json:"plugin"`
	Cron     string    `json:"cron,omitempty"`
	Timezone string    `json:"timezone,omitempty"`
	Mode     string    `json:"mode,omitempty"`
	Jitter   string    `json:"jitter,omitempty"`
	Warning  string    `json:"warning,omitempty"`
	Runs     []nextRun `json:"runs"`
}

// nextRun is one run.
type nextRun struct {
	Key    string    `json:"key"`    // the time it is written for
	At     time.Time `json:"at"`     // its moment, in the schedule's zone
	Starts time.Time `json:"starts"` // the moment and its jitter
	Local  time.Time `json:"local"`  // the same as starts, in the zone of this machine
}

func (a *app) next(u upcoming) error {
	if u.count < 1 || u.count > mostRuns {
		return usage("--count %d is not between 1 and %d", u.count, mostRuns)
	}
	from, err := fromTime(u.from)
	if err != nil {
		return err
	}
	configuration, err := a.load(doubting())
	if err != nil {
		return err
	}
	chosen, err := choose(configuration, u.policies)
	if err != nil {
		return err
	}
	result := nextRuns{Schema: nextSchema, From: from, Tasks: []nextTask{}}
	for _, p := range chosen {
		for _, t := range p.Tasks {
			task, err := nextOf(p, t, from, u.count)
			if err != nil {
				return err
			}
			result.Tasks = append(result.Tasks, task)
		}
	}
	return a.result(result, func() string { return nextText(result) })
}

// fromTime reads --from.
func fromTime(text string) (time.Time, error) {
	if text == "" {
		return time.Now().Truncate(time.Second), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", text, time.Local)
	if err != nil {
		return t, usage("--from %q: write it as 2026-03-28T00:00:00+01:00, or without the offset for local time", text)
	}
	return t, nil
}

// nextOf gives the coming runs of a task.
func nextOf(p policies.Policy, t policies.Task, from time.Time, count int) (nextTask, error) {
	task := nextTask{Policy: p.Name, Task: t.Name, Plugin: t.Plugin, Runs: []nextRun{}}
	written := p.ScheduleOf(t)
	if written == nil {
		return task, nil
	}
	parsed, err := schedule.Parse(written.Cron, written.Timezone)
	if err != nil { // the reader of the configuration has asked the same
		return task, usage("schedule in %s: %w", written.At, err)
	}
	task.Cron, task.Timezone = written.Cron, written.Timezone
	task.Mode, task.Warning = string(written.Mode), parsed.Warning()
	if written.Jitter > 0 {
		task.Jitter = inShort(written.Jitter)
	}
	entry := schedule.Entry{Name: schedule.Name(p.Name, t.Name), Schedule: parsed, Jitter: written.Jitter}
	for _, due := range entry.From(from, count) {
		task.Runs = append(task.Runs, nextRun{due.Firing.Key, due.Firing.At, due.Start, due.Start.Local()})
	}
	return task, nil
}

// inShort writes a duration without the zeros at its end.
func inShort(d time.Duration) string {
	text := d.String()
	if d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// nextText writes a paragraph for each task.
func nextText(result nextRuns) string {
	var b strings.Builder
	for i, t := range result.Tasks {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "policy %s, task %s %s: ", t.Policy, t.Plugin, t.Task)
		if t.Cron == "" {
			b.WriteString("no schedule, it runs by hand only\n")
			continue
		}
		fmt.Fprintf(&b, "%s %s, mode %s", t.Cron, t.Timezone, t.Mode)
		if t.Jitter != "" {
			fmt.Fprintf(&b, ", jitter up to %s", t.Jitter)
		}
		b.WriteByte('\n')
		if t.Warning != "" {
			fmt.Fprintf(&b, "  warning: %s\n", t.Warning)
		}
		for _, r := range t.Runs {
			fmt.Fprintf(&b, "  %s  local %s%s\n", nextMoment(r, t.Jitter != ""), r.Local.Format("2006-01-02 15:04:05 MST"), outOfTime(r))
		}
	}
	return b.String()
}

// nextMoment gives the moment of a run in its zone, and its start where a
// jitter sets it apart.
func nextMoment(r nextRun, jitter bool) string {
	text := r.At.Format("Mon 2006-01-02 15:04:05 MST")
	if jitter {
		text += "  starts " + r.Starts.Format(time.TimeOnly)
		if r.Starts.Format(time.DateOnly) != r.At.Format(time.DateOnly) {
			text += " on " + r.Starts.Format(time.DateOnly)
		}
	}
	return text
}

// outOfTime says where a run is not at the time that it is written for.
func outOfTime(r nextRun) string {
	if strings.HasPrefix(r.At.Format("2006-01-02T15:04"), r.Key[:16]) {
		return ""
	}
	return fmt.Sprintf("  (for %s, which the clocks leave out)", strings.Replace(r.Key, "T", " ", 1))
}
