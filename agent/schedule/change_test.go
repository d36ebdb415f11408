package schedule

import (
	"testing"
	"time"
)

func TestChanges(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	berlin := "the clocks of Europe/Berlin change at such a time, and it runs once all the same: "
	for _, c := range []struct{ expression, zone, want string }{
		{"30 2 * * *", "Europe/Berlin", berlin + "2026-03-29T02:30 does not come, at 03:00 CEST instead; 2026-10-25T02:30 comes twice, at the first in CEST"},
		{"0 2 * * *", "Europe/Berlin", berlin + "2026-03-29T02:00 does not come, at 03:00 CEST instead; 2026-10-25T02:00 comes twice, at the first in CEST"},
		{"0 1,2 * * *", "Europe/Berlin", berlin + "2026-03-29T02:00 does not come, at 03:00 CEST instead; 2026-10-25T02:00 comes twice, at the first in CEST"},
		{"0 3 * * *", "Europe/Berlin", ""},
		{"59 1 * * *", "Europe/Berlin", ""},
		{"30 2 * * 1-5", "Europe/Berlin", ""}, // clocks change on Sundays
		{"30 2 25 10 *", "Europe/Berlin", berlin + "2026-10-25T02:30 comes twice, at the first in CEST"},
		{"30 * * * *", "Europe/Berlin", ""},
		{"@every 90m", "Europe/Berlin", ""},
		{"30 2 * * *", "UTC", ""},
		{"30 2 * * *", "Asia/Tokyo", ""},
		{"@daily", "America/Havana", "the clocks of America/Havana change at such a time, and it runs once all the same: 2026-03-08T00:00 does not come, at 01:00 CDT instead; 2026-11-01T00:00 comes twice, at the first in CDT"},
	} {
		if got := parsed(t, c.expression, c.zone).Changes(from); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.expression, c.zone, got, c.want)
		}
	}
	if got := (Schedule{}).Changes(from); got != "" {
		t.Errorf("the zero Schedule: %s", got)
	}
}

func TestDoubt(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for expression, want := range map[string]string{
		"0 3 * * *":   "",
		"0 3 13 * 5":  "day of month 13 and day of week 5 are both given: it runs when one OR the other fits, not only when both do",
		"0 2 * * 0":   "the clocks of Europe/Berlin change at such a time, and it runs once all the same: 2026-03-29T02:00 does not come, at 03:00 CEST instead; 2026-10-25T02:00 comes twice, at the first in CEST",
		"0 2 29 3 1":  "day of month 29 and day of week 1 are both given: it runs when one OR the other fits, not only when both do; the clocks of Europe/Berlin change at such a time, and it runs once all the same: 2026-03-29T02:00 does not come, at 03:00 CEST instead",
		"*/5 2 * * *": parsed(t, "*/5 2 * * *", "Europe/Berlin").Changes(from),
	} {
		if got := parsed(t, expression, "Europe/Berlin").Doubt(from); got != want {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}
