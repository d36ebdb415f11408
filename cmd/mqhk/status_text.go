package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/finding"
)

func statusReport(r statusResult) string {
	text := statusLines(r.Targets)
	if r.None {
		text = fmt.Sprintf("there is no ledger in %s: nothing is known of earlier runs\n", report.Printable(r.Ledger)) + text
	}
	for _, why := range r.Reasons {
		text += report.Printable(why) + "\n"
	}
	return text
}

// statusFound names what the last run of a task found, but for what is worth no
// more than a line in its report.
func statusFound(task statusTask) string {
	var found []string
	for _, f := range task.Findings {
		if f.Severity > finding.Info {
			found = append(found, f.Severity.String()+" "+report.Printable(string(f.Code)))
		}
	}
	return strings.Join(found, ", ")
}

// inDays writes an age in its two largest units.
func inDays(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	switch {
	case d >= 24*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

func statusLines(targets []statusTarget) string {
	var b strings.Builder
	for _, t := range targets {
		fmt.Fprintf(&b, "%s\n", report.Printable(t.Name))
		if len(t.Tasks) == 0 {
			b.WriteString("  no task of the policies works on it\n")
		}
		for _, task := range t.Tasks {
			fmt.Fprintf(&b, "  %-32s last good %s, last apply %s\n", report.Printable(task.Task), statusRunText(task.Good), statusRunText(task.Applied))
			if task.Last != nil && (task.Good == nil || task.Last.Run != task.Good.Run) {
				fmt.Fprintf(&b, "    the last run ended %s: %s\n", task.Last.Outcome, statusRunText(task.Last))
			}
			if found := statusFound(task); found != "" {
				fmt.Fprintf(&b, "    the last run found: %s\n", found)
			}
			for _, m := range task.Missed {
				fmt.Fprintf(&b, "    missed: %s, %s\n", report.Printable(m.Key), report.Printable(m.Why))
			}
		}
		for _, o := range t.Open {
			state := "outcome not known yet"
			switch {
			case o.Live:
				state = "being done"
			case o.State != "":
				state = o.State
			}
			fmt.Fprintf(&b, "  open: %s %s, %s (run %s)\n", report.Printable(o.Action), report.Printable(o.Object), state, report.Printable(o.Run))
		}
		for _, h := range t.Holds {
			fmt.Fprintf(&b, "  held: %s", holdText(h))
		}
	}
	return b.String()
}

func statusRunText(r *statusRun) string {
	if r == nil {
		return "never"
	}
	return fmt.Sprintf("%s ago (%s, %s)", r.Age, r.Mode, report.Printable(r.Run))
}
