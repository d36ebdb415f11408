package schedule

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
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
		{"@every 90m", "UTC", "2026-05-27T02:30:00Z"},
	}
	for _, test := range tests {
		s, err := Parse(test.expression, test.zone)
		if err != nil {
			t.Errorf("Parse(%q, %q): %v", test.expression, test.zone, err)
			continue
		}
		if got := s.Next(at).Format(time.RFC3339); got != test.next {
			t.Errorf("%s: next run %s, want %s", s, got, test.next)
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

func TestZeroSchedule(t *testing.T) {
	var s Schedule
	if !s.Next(at).IsZero() || s.String() != "never" {
		t.Errorf("the zero schedule fires at %v and is called %q", s.Next(at), s)
	}
}

// 2100 is no leap year: from March 2096 the next 29 February is eight years
// away, further than the library looks.
func TestLeapDayAround2100(t *testing.T) {
	s, err := Parse("0 0 29 2 *", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	next := s.Next(time.Date(2096, 3, 1, 0, 0, 0, 0, time.UTC))
	if got := next.Format(time.DateOnly); got != "2104-02-29" {
		t.Errorf("next run %s, want 2104-02-29", got)
	}
}

var zones = []string{"UTC", "Europe/Berlin", "America/Santiago", "America/Havana", "Asia/Beirut",
	"Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Asia/Kathmandu"}

// What is accepted fires again and again, each time later than before.
func TestNextMovesForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		element := func(low, high int) *rapid.Generator[string] {
			return rapid.Custom(func(t *rapid.T) string {
				if rapid.Bool().Draw(t, "star") {
					return "*"
				}
				return set{bits: 1 << rapid.IntRange(low, high).Draw(t, "n")}.String()
			})
		}
		words := make([]string, len(fields))
		for i, f := range fields {
			words[i] = element(f.low, f.high).Draw(t, f.name)
		}
		expression := strings.Join(words, " ")
		s, err := Parse(expression, rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			if !strings.Contains(err.Error(), "never comes") {
				t.Fatalf("%s: %v", expression, err)
			}
			return
		}
		moment := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "moment"), 0).UTC()
		for range 3 {
			next := s.Next(moment)
			if !next.After(moment) {
				t.Fatalf("%s: after %v comes %v", s, moment, next)
			}
			moment = next
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0 2 * * *", "TZ=UTC", "CRON_TZ=", "@every -5m", "*/90 * * * *", "0 0 30 2 *", "1,2-5/2 * ? jan-mar 5-7", "@daily"} {
		f.Add(seed, "Europe/Berlin")
	}
	f.Add("0 0 * * *", "America/Santiago")
	f.Fuzz(func(t *testing.T, expression, zone string) {
		s, err := Parse(expression, zone)
		if err != nil {
			return
		}
		if next := s.Next(at); !next.After(at) {
			t.Errorf("Parse(%q, %q) was accepted, but after %v comes %v", expression, zone, at, next)
		}
		if again, err := Parse(s.expression, zone); err != nil || again.String() != s.String() {
			t.Errorf("%q is not read again as itself: %v, %v", s, again, err)
		}
	})
}
