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
