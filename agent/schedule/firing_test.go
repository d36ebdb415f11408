package schedule

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parsed(t rapid.TB, expression, zone string) Schedule {
	t.Helper()
	s, err := Parse(expression, zone)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	m, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the clocks do to a schedule, day by day.
func TestChangeOfClocks(t *testing.T) {
	tests := []struct {
		name, expression, zone, from string
		want                         []string // moment and key
	}{
		{"a gap", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z",
			[]string{"2026-03-29T03:00:00+02:00 2026-03-29T02:30", "2026-03-30T02:30:00+02:00 2026-03-30T02:30"}},
		{"a doubled hour", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z",
			[]string{"2026-10-25T02:30:00+02:00 2026-10-25T02:30", "2026-10-26T02:30:00+01:00 2026-10-26T02:30"}},
		{"asked in the second pass", "30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z",
			[]string{"2026-10-26T02:30:00+01:00 2026-10-26T02:30"}},
		{"a midnight that does not exist", "0 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z",
			[]string{"2026-09-06T01:00:00-03:00 2026-09-06T00:00", "2026-09-07T00:00:00-03:00 2026-09-07T00:00"}},
		{"several in a gap, and one at its end", "*/20 2,3 * * *", "Europe/Berlin", "2026-03-28T23:00:00Z",
			[]string{"2026-03-29T03:00:00+02:00 2026-03-29T03:00", "2026-03-29T03:20:00+02:00 2026-03-29T03:20"}},
		{"half an hour", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z",
			[]string{"2026-10-04T02:30:00+11:00 2026-10-04T02:15", "2026-10-05T02:15:00+11:00 2026-10-05T02:15"}},
		{"a day left out", "30 2 * * *", "Pacific/Apia", "2011-12-29T22:00:00Z",
			[]string{"2011-12-31T00:00:00+14:00 2011-12-30T02:30", "2011-12-31T02:30:00+14:00 2011-12-31T02:30"}},
		{"elapsed over a gap", "30 */1 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z",
			[]string{"2026-03-29T01:30:00+01:00 2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00 2026-03-29T03:30:00+02:00"}},
		{"elapsed in both passes", "30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z",
			[]string{"2026-10-25T02:30:00+02:00 2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00 2026-10-25T02:30:00+01:00"}},
		{"elapsed, at the change itself", "0 */2 * * *", "Europe/Berlin", "2026-10-24T23:00:00Z",
			[]string{"2026-10-25T02:00:00+02:00 2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00 2026-10-25T02:00:00+01:00"}},
		{"a distance knows no clocks", "@every 1h", "Europe/Berlin", "2026-10-25T00:30:00Z",
			[]string{"2026-10-25T02:00:00+01:00 2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00 2026-10-25T03:00:00+01:00"}},
	}
	for _, test := range tests {
		s := parsed(t, test.expression, test.zone)
		var got []string
		at := moment(t, test.from)
		for range test.want {
			f, _ := s.Next(at)
			got = append(got, f.At.Format(time.RFC3339)+" "+f.Key)
			at = f.At
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", test.name, s, diff)
		}
	}
}

func TestZeroSchedule(t *testing.T) {
	var s Schedule
	if f, ok := s.Next(at); ok || s.String() != "never" {
		t.Errorf("the zero schedule fires at %v and is called %q", f, s)
	}
	if missed, more := s.Missed(at, at.AddDate(1, 0, 0), 10); missed != nil || more {
		t.Errorf("the zero schedule missed %v", missed)
	}
}

// 2100 is no leap year: from March 2096 the next 29 February is eight years
// away, further than the library looks.
func TestLeapDayAround2100(t *testing.T) {
	f, _ := parsed(t, "0 0 29 2 *", "UTC").Next(time.Date(2096, 3, 1, 0, 0, 0, 0, time.UTC))
	if got := f.At.Format(time.DateOnly); got != "2104-02-29" {
		t.Errorf("next run %s, want 2104-02-29", got)
	}
}

func TestYears(t *testing.T) {
	s := parsed(t, "0 2 * * *", "Europe/Berlin")
	if f, ok := s.Next(time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC)); !ok || f.At.Year() != 1 {
		t.Errorf("before all years: %v", f)
	}
	if f, ok := s.Next(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)); ok {
		t.Errorf("after all years: %v", f)
	}
}

// expressions are of five fields; the hour is fixed or not.
func expressions(t *rapid.T, fixed bool) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		if star := rapid.Bool().Draw(t, "star"); star && !(fixed && i == hour) {
			words[i] = "*"
			continue
		}
		words[i] = set{bits: 1 << rapid.IntRange(f.low, f.high).Draw(t, f.name)}.String()
	}
	return strings.Join(words, " ")
}

// What is accepted fires again and again, each time later than before and
// under another key.
func TestNextIncreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expression := expressions(t, false)
		s, err := Parse(expression, rapid.SampledFrom(oracleZones).Draw(t, "zone"))
		if err != nil {
			if !strings.Contains(err.Error(), "never comes") {
				t.Fatalf("%s: %v", expression, err)
			}
			return
		}
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "moment"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond"))
		keys := make(map[string]bool)
		for range 200 {
			f, ok := s.Next(at)
			if !ok || !f.At.After(at) {
				t.Fatalf("%s: after %v comes %v", s, at, f)
			}
			if keys[f.Key] {
				t.Fatalf("%s: key %s comes twice", s, f.Key)
			}
			keys[f.Key] = true
			// Nothing lies between: any moment before it gives the same.
			between := at.Add(time.Duration(rapid.Int64Range(0, int64(f.At.Sub(at))-1).Draw(t, "between")))
			if again, _ := s.Next(between); again != f {
				t.Fatalf("%s: after %v comes %v, after %v %v", s, at, f, between, again)
			}
			at = f.At
		}
	})
}

// With fixed hours each day has exactly one run for a written time, on the
// day itself.
func TestOnceADay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hour, minute := rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute")
		s := parsed(t, fmt.Sprintf("%d %d * * *", minute, hour), rapid.SampledFrom(oracleZones).Draw(t, "zone"))
		day := time.Date(rapid.IntRange(2015, 2027).Draw(t, "year"), 1, 1, 0, 0, 0, 0, time.UTC)
		at := time.Date(day.Year()-1, 12, 31, 23, 59, 0, 0, s.zone)
		for range 366 {
			f, _ := s.Next(at)
			want := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute).Format(writtenKey)
			if f.Key != want || f.At.Format(time.DateOnly) != want[:10] || f.At.Format(writtenKey) < want {
				t.Fatalf("%s: after %v comes %v, want %s", s, at, f, want)
			}
			at, day = f.At, day.AddDate(0, 0, 1)
		}
	})
}

// Missed gives the end of the list that Next gives.
func TestMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Parse(expressions(t, rapid.Bool().Draw(t, "fixed")), rapid.SampledFrom(oracleZones).Draw(t, "zone"))
		if err != nil {
			return
		}
		last := time.Unix(rapid.Int64Range(1e9, 2e9).Draw(t, "last"), 0)
		now := last.Add(time.Duration(rapid.IntRange(-10, 5000).Draw(t, "minutes")) * time.Minute)
		limit := rapid.IntRange(1, 50).Draw(t, "limit")
		var all []Firing
		for f, _ := s.Next(last); !f.At.After(now); f, _ = s.Next(f.At) {
			all = append(all, f)
		}
		want := all[max(0, len(all)-limit):]
		got, more := s.Missed(last, now, limit)
		if !slices.Equal(got, want) || more != (len(all) > limit) {
			t.Fatalf("%s: %d missed of %d since %v, more %v; want %d", s, len(got), len(all), last, more, len(want))
		}
	})
}

// What was missed in two thousand years is found without going through them.
func TestMissedForAges(t *testing.T) {
	for _, expression := range []string{"* * * * *", "0 2 * * *", "0 0 29 2 *", "@every 1m"} {
		missed, more := parsed(t, expression, "Europe/Berlin").Missed(time.Time{}, at, 3)
		if len(missed) != 3 || !more || missed[2].At.After(at) {
			t.Errorf("%s: %v, more %v", expression, missed, more)
		}
	}
}

func TestJitter(t *testing.T) {
	name := Name("nightly", "receivers")
	if got := Jitter(name, "2026-05-28T02:00", 5*time.Minute); got != 105*time.Second {
		t.Errorf("the jitter of a firing changed: %v; agents of two versions no longer agree", got)
	}
	if got := Jitter(name, "2026-05-28T02:00", 999*time.Millisecond); got != 0 {
		t.Errorf("less than a second: %v", got)
	}
	seen := make(map[time.Duration]int)
	for day := range 3000 {
		j := Jitter(name, at.AddDate(0, 0, day).Format(writtenKey), 9*time.Second)
		if j < 0 || j > 9*time.Second {
			t.Fatalf("jitter %v", j)
		}
		seen[j]++
	}
	for j := range 10 {
		if n := seen[time.Duration(j)*time.Second]; n < 200 || n > 400 {
			t.Errorf("%d of 3000 wait %d s", n, j)
		}
	}
}
