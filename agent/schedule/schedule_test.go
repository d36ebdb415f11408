package schedule

import (
	"strings"
	"testing"
	"time"
)

// at is a Wednesday.
var at = time.Date(2026, 5, 27, 1, 0, 0, 0, time.UTC)

func TestParseNext(t *testing.T) {
	tests := []struct{ expression, zone, next string }{
		{"0 2 * * *", "UTC", "2026-05-27T02:00:00Z"},
		{"  0\t2 * *  * ", "UTC", "2026-05-27T02:00:00Z"},
		{"0 2 * * *", "Europe/Berlin", "2026-05-28T02:00:00+02:00"},
		{"*/15 * * * *", "UTC", "2026-05-27T01:15:00Z"},
		{"30/10 4 * * *", "UTC", "2026-05-27T04:30:00Z"},
		{"0 3 * * 7", "UTC", "2026-05-31T03:00:00Z"},
		{"0 3 * * 0", "UTC", "2026-05-31T03:00:00Z"},
		{"0 3 * * FRI-SUN", "UTC", "2026-05-29T03:00:00Z"},
		{"0 3 * * 5-7", "UTC", "2026-05-29T03:00:00Z"},
		{"0 3 * jun ?", "UTC", "2026-06-01T03:00:00Z"},
		{"0 0 29 2 *", "UTC", "2028-02-29T00:00:00Z"}, // case 65: valid
		{"0 0 30 2 1", "UTC", "2027-02-01T00:00:00Z"}, // a Monday in February always comes
		{"@daily", "UTC", "2026-05-28T00:00:00Z"},
		{"@weekly", "UTC", "2026-05-31T00:00:00Z"},
		{"@every 90m", "UTC", "2026-05-27T01:30:00Z"}, // 16 a day since 1970
	}
	for _, test := range tests {
		s, err := Parse(test.expression, test.zone)
		if err != nil {
			t.Errorf("Parse(%q, %q): %v", test.expression, test.zone, err)
			continue
		}
		if f, ok := s.Next(at); !ok || f.At.Format(time.RFC3339) != test.next {
			t.Errorf("%s: next run %v, want %s", s, f, test.next)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ expression, zone, want string }{
		{"", "UTC", "empty"},
		{" ", "UTC", "empty"},
		{"TZ=UTC", "UTC", "timezone ="}, // case 66: these four panic in the library
		{"CRON_TZ=Europe/Berlin", "UTC", "timezone ="},
		{"TZ=", "UTC", "timezone ="},
		{"TZ=0", "UTC", "timezone ="},
		{"CRON_TZ=UTC 0 2 * * *", "UTC", "timezone ="},
		{"@every -5m", "UTC", "at least 1m0s"},
		{"@every 0s", "UTC", "at least 1m0s"},
		{"@every 500ms", "UTC", "at least 1m0s"},
		{"@every 90.5s", "UTC", "fractions"},
		{"@every", "UTC", "invalid duration"},
		{"@every 1d", "UTC", "unknown unit"},
		{"@reboot", "UTC", "not known"},
		{"0 0 30 2 *", "UTC", "day of month 30 never comes in month 2"}, // case 65
		{"0 0 31 4 *", "UTC", "day of month 31 never comes in month 4"},
		{"0 0 31 4,6,9,11 *", "UTC", "never comes"},
		{"*/90 * * * *", "UTC", "step 90 does not fit between 0 and 59"},
		{"*/60 * * * *", "UTC", "step 60 does not fit"},
		{"10-20/15 * * * *", "UTC", "step 15 does not fit"},
		{"*/0 * * * *", "UTC", "step 0 does not fit"},
		{"*/-1 * * * *", "UTC", "not a whole number"},
		{"0/ * * * *", "UTC", "not a whole number"},
		{"0 2 * *", "UTC", "this has 4"},
		{"0 0 2 * * *", "UTC", "this has 6"},
		{"60 2 * * *", "UTC", `minute "60": 60 is not between 0 and 59`},
		{"0 24 * * *", "UTC", "hour"},
		{"0 0 0 * *", "UTC", "day of month"},
		{"0 0 * 13 *", "UTC", "month"},
		{"0 0 * * 8", "UTC", "8 is not between 0 and 7"},
		{"0 20-4 * * *", "UTC", "runs backwards"},
		{"1,,2 * * * *", "UTC", "not a number"},
		{", * * * *", "UTC", "not a number"},
		{"+5 * * * *", "UTC", "not a number"},
		{"? * * * *", "UTC", "not a number"},
		{"0 0 L * *", "UTC", "other programs"},
		{"0 0 * * 5#3", "UTC", "other programs"},
		{"H H * * *", "UTC", "other programs"},
		{"0 0 99999999999999999999 * *", "UTC", "not a number"},
		{"0 2 * * *", "", "not a zone"},
		{"0 2 * * *", "Local", "not a zone"},
		{"0 2 * * *", "Europe/Berlni", "not known"},
		{"0 2 * * *", "../../etc/passwd", "not known"},
	}
	for _, test := range tests {
		s, err := Parse(test.expression, test.zone)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%q, %q) = %v, %v; want an error with %q", test.expression, test.zone, s, err, test.want)
		}
	}
}

func TestWarning(t *testing.T) {
	for expression, warns := range map[string]bool{
		"0 3 13 * 5":  true,
		"0 3 */2 * 5": true, // the library takes */2 for a restriction
		"0 3 13 * *":  false,
		"0 3 * * 5":   false,
		"0 3 13 * ?":  false,
	} {
		s, err := Parse(expression, "UTC")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(s.Warning(), " OR "); got != warns {
			t.Errorf("%s: warning %q, want one: %v", s, s.Warning(), warns)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0 2 * * *", "TZ=UTC", "CRON_TZ=", "@every -5m", "*/90 * * * *", "0 0 30 2 *", "1,2-5/2 * ? jan-mar 5-7", "@daily"} {
		f.Add(seed, "Europe/Berlin", int64(1774742400))
	}
	f.Add("0 0 * * *", "America/Santiago", int64(0))
	f.Add("*/7 */5 29 2 *", "Pacific/Apia", int64(4e9))
	f.Add("30 2 31 12 ?", "Africa/Casablanca", int64(-62135596800))
	f.Add("@every 2562047h", "UTC", int64(-1<<62))
	f.Fuzz(func(t *testing.T, expression, zone string, second int64) {
		s, err := Parse(expression, zone)
		if err != nil {
			return
		}
		if again, err := Parse(s.expression, zone); err != nil || again.String() != s.String() {
			t.Errorf("%q is not read again as itself: %v, %v", s, again, err)
		}
		moment := time.Unix(second, 0)
		for range 3 {
			f, ok := s.Next(moment)
			if !ok {
				if moment.Year() <= lastYear {
					t.Errorf("Parse(%q, %q) was accepted, but nothing comes after %v", expression, zone, moment)
				}
				return
			}
			if !f.At.After(moment) {
				t.Fatalf("Parse(%q, %q): after %v comes %v", expression, zone, moment, f)
			}
			moment = f.At
		}
	})
}
