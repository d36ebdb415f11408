package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

var macros = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// library is given numbers only; it is asked for no seconds, descriptors or
// zone prefixes, on which it panics or guesses.
var library = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)

// parseFields reads the five fields, or the name of such five. The second
// result is where it may mean something else than it seems to; or empty.
func parseFields(expression string) (rule, string, error) {
	if strings.HasPrefix(expression, "@") {
		fields, ok := macros[strings.ToLower(expression)]
		if !ok {
			return nil, "", fmt.Errorf("%s is not known: use @hourly, @daily, @weekly, @monthly, @yearly or @every 90m", expression)
		}
		expression = fields
	}
	words := strings.Fields(expression)
	if len(words) != len(fields) {
		return nil, "", fmt.Errorf("a cron expression has 5 fields (minute, hour, day of month, month, day of week), this has %d", len(words))
	}
	var sets [len(fields)]set
	for i, word := range words {
		var err error
		if sets[i], err = fields[i].parse(word); err != nil {
			return nil, "", err
		}
	}
	if err := neverComes(sets); err != nil {
		return nil, "", err
	}
	numbers := make([]string, len(sets))
	for i, s := range sets {
		numbers[i] = s.String()
	}
	dates, err := library.Parse(strings.Join(numbers, " "))
	if err != nil {
		return nil, "", fmt.Errorf("cron expression %q: %w", expression, err)
	}
	if spec, ok := dates.(*cron.SpecSchedule); ok {
		spec.Location = time.UTC
	}
	if strings.Contains(words[hour], "*") {
		return everyHour{calendar{dates}}, eitherDay(sets, words), nil
	}
	return fixedHours{calendar{dates}}, eitherDay(sets, words), nil
}

// longest is the number of days that a month can have; 29 February comes
// every four years (case 65).
var longest = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// neverComes refuses dates such as 30 February. With a day of week beside it
// a date is one of two ways to be hit, so some day always comes.
func neverComes(sets [len(fields)]set) error {
	days, months, weekdays := sets[dayOfMonth], sets[month], sets[dayOfWeek]
	if days.star || !weekdays.star {
		return nil
	}
	for m := 1; m <= 12; m++ {
		for d := 1; d <= longest[m]; d++ {
			if months.has(m) && days.has(d) {
				return nil
			}
		}
	}
	return fmt.Errorf("day of month %s never comes in month %s", days, months)
}

// eitherDay warns of cron's oldest surprise.
func eitherDay(sets [len(fields)]set, words []string) string {
	if sets[dayOfMonth].star || sets[dayOfWeek].star {
		return ""
	}
	return fmt.Sprintf("day of month %s and day of week %s are both given: it runs when one OR the other fits, not only when both do",
		words[dayOfMonth], words[dayOfWeek])
}
