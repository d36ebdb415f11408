package schedule

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // case 70: an image without zone data must not mean UTC
)

// Schedule is a checked cron expression in a time zone. The zero Schedule
// never fires.
type Schedule struct {
	expression string
	zone       *time.Location
	rule       rule
	warning    string
}

// shortest is the least distance of two runs that @every may ask for. A
// crontab field can't ask for less either.
const shortest = time.Minute

// Parse reads a cron expression of five fields (minute, hour, day of month,
// month, day of week), one of @hourly, @daily, @midnight, @weekly, @monthly,
// @yearly, @annually, or "@every 90m", which runs at multiples of 90 minutes
// since 1970-01-01 00:00 UTC. The zone is an Area/City name of the time zone
// database, or UTC; the machine's own zone is not accepted, since a policy
// means the same everywhere.
//
// The error names the field that is wrong and is fit to stand beside it.
func Parse(expression, timezone string) (Schedule, error) {
	zone, err := parseZone(timezone)
	if err != nil {
		return Schedule{}, err
	}
	expression = strings.Join(strings.Fields(expression), " ")
	s := Schedule{expression: expression, zone: zone}
	switch {
	case expression == "":
		return Schedule{}, fmt.Errorf("the cron expression is empty")
	case strings.Contains(strings.ToUpper(expression), "TZ="):
		return Schedule{}, fmt.Errorf("the time zone is not part of the cron expression: write timezone = %q", "Area/City")
	case strings.HasPrefix(expression, "@every"):
		s.rule, err = parseEvery(expression)
	default:
		s.rule, s.warning, err = parseFields(expression)
	}
	if err != nil {
		return Schedule{}, err
	}
	return s, nil
}

// String gives the expression and the zone: "0 2 * * * Europe/Berlin".
func (s Schedule) String() string {
	if s.rule == nil {
		return "never"
	}
	return s.expression + " " + s.zone.String()
}

// Warning says where the expression is valid but may not mean what it seems
// to; empty where there is no doubt.
func (s Schedule) Warning() string { return s.warning }

// parseZone refuses "" and "Local", which time.LoadLocation takes for UTC and
// for the zone of the machine.
func parseZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("time zone %q is not a zone: write Area/City, such as Europe/Berlin, or UTC", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is not known: %w", name, err)
	}
	return zone, nil
}

// parseEvery reads "@every 90m". The library takes negative and zero
// distances and fires every second for them.
func parseEvery(expression string) (rule, error) {
	text := strings.TrimSpace(strings.TrimPrefix(expression, "@every"))
	distance, err := time.ParseDuration(text)
	if err != nil {
		return nil, fmt.Errorf("@every %q: %w", text, err)
	}
	if distance < shortest {
		return nil, fmt.Errorf("@every %s: at least %s must lie between two runs", text, shortest)
	}
	if distance%time.Second != 0 {
		return nil, fmt.Errorf("@every %s: fractions of a second are not kept", text)
	}
	return every{distance}, nil
}
