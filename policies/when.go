package policies

import (
	"fmt"
	"strconv"
	"strings"
)

// sentence says when a task runs and whether it changes anything.
func (s *Schedule) sentence() string {
	if s == nil {
		return "It has no schedule: it runs when somebody runs it."
	}
	mode := "and only makes a plan: a scheduled run changes nothing"
	if s.Mode == Apply {
		mode = "and APPLIES its plan: it deletes by itself"
	}
	return fmt.Sprintf("It runs %s (%s) %s. %s %s It is ended after %s.",
		when(s.Cron), s.Timezone, mode, s.late(), s.overlapping(), formatDuration(s.Timeout))
}

// late says how far a run may be off its time.
func (s *Schedule) late() string {
	text := "Missed runs are not made up for."
	if s.CatchUp == Once {
		text = fmt.Sprintf("One run makes up for all that were missed, at most %s late.", formatDuration(s.CatchUpWithin))
	}
	if s.Jitter > 0 {
		text = fmt.Sprintf("A run starts up to %s later. ", formatDuration(s.Jitter)) + text
	}
	return text
}

func (s *Schedule) overlapping() string {
	if s.Overlap == QueueRun {
		return "A run that is due while the last one goes on waits for its end."
	}
	return "A run that is due while the last one goes on is left out."
}

var weekdays = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// when words the plainest cron expressions; any other is shown as it is.
func when(expression string) string {
	fields := strings.Fields(expression)
	shown := fmt.Sprintf("on the schedule %q", expression)
	if len(fields) != 5 || fields[2] != "*" || fields[3] != "*" {
		return shown
	}
	if step, ok := strings.CutPrefix(fields[0], "*/"); ok && fields[1] == "*" && fields[4] == "*" {
		if n, err := strconv.Atoi(step); err == nil && n > 0 && 60%n == 0 {
			return fmt.Sprintf("every %d minutes", n)
		}
		return shown
	}
	if fields[0] == "0" && fields[1] == "*" && fields[4] == "*" {
		return "every hour"
	}
	minute, err1 := strconv.Atoi(fields[0])
	hour, err2 := strconv.Atoi(fields[1])
	if err1 != nil || err2 != nil || minute < 0 || hour < 0 {
		return shown
	}
	days := "day"
	if fields[4] != "*" {
		n, err := strconv.Atoi(fields[4])
		if err != nil || n < 0 || n >= len(weekdays) {
			return shown
		}
		days = weekdays[n]
	}
	return fmt.Sprintf("every %s at %02d:%02d", days, hour, minute)
}
