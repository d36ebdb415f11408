package schedule

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The zones of the oracle: changes at night, at midnight, by half an hour, by
// a government's word two weeks before, around Ramadan, never, and none since
// some year.
var oracleZones = []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "America/Havana",
	"America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca", "Asia/Tehran", "UTC"}

// plain is a schedule for the oracle: what an expression means, written down
// without reading any. In days of month and week, 0 stands for *.
type plain struct {
	minutes, hours, days, weekdays uint64
	elapsed                        bool
	expression                     string
}

// covers says whether a day is meant. Both kinds of day given: one of them
// is enough.
func (p plain) covers(day time.Time) bool {
	onDay, onWeekday := p.days>>day.Day()&1 == 1, p.weekdays>>day.Weekday()&1 == 1
	switch {
	case p.days == 0 && p.weekdays == 0:
		return true
	case p.days == 0:
		return onWeekday
	case p.weekdays == 0:
		return onDay
	}
	return onDay || onWeekday
}

// means says whether a minute of a day that is meant is meant.
func (p plain) means(minute int) bool {
	return p.hours>>(minute/60)&1 == 1 && p.minutes>>(minute%60)&1 == 1
}

// randomPlain writes a schedule down at random.
func randomPlain(r *rand.Rand) plain {
	some := func(low, high, most int) (uint64, string) {
		var set uint64
		for range 1 + r.IntN(most) {
			set |= 1 << (low + r.IntN(high-low+1))
		}
		var list []string
		for rest := set; rest != 0; rest &= rest - 1 {
			list = append(list, strconv.Itoa(bits.TrailingZeros64(rest)))
		}
		return set, strings.Join(list, ",")
	}
	p := plain{}
	minutes, hours, days, weekdays := "", "", "*", "*"
	p.minutes, minutes = some(0, 59, 3)
	p.hours, hours = some(0, 4, 3) // clocks change at night
	switch r.IntN(5) {
	case 0:
		p.hours, hours, p.elapsed = 1<<24-1, "*", true
	case 1:
		step := 2 + r.IntN(5)
		p.hours, hours, p.elapsed = 0, fmt.Sprintf("*/%d", step), true
		for hour := 0; hour < 24; hour += step {
			p.hours |= 1 << hour
		}
	}
	if r.IntN(4) == 0 {
		p.days, days = some(1, 31, 3)
	}
	if r.IntN(4) == 0 {
		p.weekdays, weekdays = some(0, 6, 3)
	}
	p.expression = strings.Join([]string{minutes, hours, days, "*", weekdays}, " ")
	return p
}

// nightly and others that have to be right whatever chance brings.
var oraclePlains = []plain{
	{minutes: 1 << 30, hours: 1 << 2, expression: "30 2 * * *"},
	{minutes: 1, hours: 1, expression: "0 0 * * *"},
	{minutes: 1, hours: 1 << 3, weekdays: 1, expression: "0 3 * * 0"},
	{minutes: 1 | 1<<15 | 1<<30 | 1<<45, hours: 1<<24 - 1, expression: "*/15 0-23 * * *"},
	{minutes: 1 | 1<<15 | 1<<30 | 1<<45, hours: 1<<24 - 1, elapsed: true, expression: "*/15 * * * *"},
	{minutes: 1 << 30, hours: 0x555555, elapsed: true, expression: "30 */2 * * *"},
}

// walk lists the firings of schedules by looking at the clock on the wall each
// minute. It knows nothing of offsets and changes beyond what the wall shows.
func walk(zone *time.Location, from, to time.Time, plains []plain, found func(schedule int, f Firing)) {
	var day time.Time // of today's schedules
	var today []bool
	covered := func(wall int64) []bool { // wall: minutes since 1970, as shown
		if d := time.Unix(wall*60, 0).UTC().Truncate(24 * time.Hour); !d.Equal(day) || today == nil {
			day, today = d, make([]bool, len(plains))
			for i, p := range plains {
				today[i] = p.covers(d)
			}
		}
		return today
	}
	shown := func(t time.Time) int64 {
		_, offset := t.Zone()
		return (t.Unix() + int64(offset)) / 60
	}
	latest := int64(-1)
	for t := from.Add(-4 * time.Hour).In(zone); !t.After(to); t = t.Add(time.Minute) {
		wall := shown(t)
		if latest < 0 {
			latest = wall - 1
		}
		if t.Before(from) {
			latest = max(latest, wall)
			continue
		}
		for i, ok := range covered(wall) {
			if ok && plains[i].elapsed && plains[i].means(int(wall%1440)) {
				found(i, Firing{t, t.Format("2006-01-02T15:04:05Z07:00")})
			}
		}
		keys := make(map[int]string)
		for ; latest < wall; latest++ {
			for i, ok := range covered(latest + 1) {
				if ok && !plains[i].elapsed && plains[i].means(int((latest+1)%1440)) {
					keys[i] = time.Unix((latest+1)*60, 0).UTC().Format("2006-01-02T15:04")
				}
			}
		}
		for i, key := range keys {
			found(i, Firing{t, key})
		}
	}
}

// Next agrees with a walk over the minutes. In the usual run that is a year
// and ten days, in another year for each zone; with MQHK_LONG it is twelve years.
func TestOracle(t *testing.T) {
	for n, name := range oracleZones {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, last := 2015+n, 2015+n+1
			schedules := 6
			if os.Getenv("MQHK_LONG") != "" {
				first, last, schedules = 2015, 2027, 40
			}
			checkOracle(t, name, schedules, time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(last, 1, 10, 0, 0, 0, 0, time.UTC))
		})
	}
}

// At the end of 2011 Apia left out a day.
func TestOracleDayLeftOut(t *testing.T) {
	checkOracle(t, "Pacific/Apia", 20, time.Date(2011, 12, 20, 0, 0, 0, 0, time.UTC), time.Date(2012, 1, 10, 0, 0, 0, 0, time.UTC))
}

// Beyond the years that a zone's file lists its changes follow from a rule,
// and Go's bounds of an offset are wrong on the last day of a leap year.
func TestOracleByRule(t *testing.T) {
	for _, name := range oracleZones {
		checkOracle(t, name, 5, time.Date(2040, 12, 10, 0, 0, 0, 0, time.UTC), time.Date(2041, 1, 10, 0, 0, 0, 0, time.UTC))
		checkOracle(t, name, 5, time.Date(2048, 2, 25, 0, 0, 0, 0, time.UTC), time.Date(2048, 4, 10, 0, 0, 0, 0, time.UTC))
	}
}

func checkOracle(t *testing.T, name string, random int, from, to time.Time) {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(from.Year()), uint64(len(name))))
	plains := append([]plain(nil), oraclePlains...)
	for range random {
		plains = append(plains, randomPlain(r))
	}
	schedules, moments := make([]Schedule, len(plains)), make([]time.Time, len(plains))
	for i, p := range plains {
		if schedules[i], err = Parse(p.expression, name); err != nil {
			t.Fatal(err)
		}
		moments[i] = from.Add(-1)
	}
	count := 0
	walk(zone, from, to, plains, func(i int, want Firing) {
		count++
		got, ok := schedules[i].Next(moments[i])
		if !ok || !got.At.Equal(want.At) || got.Key != want.Key {
			t.Fatalf("%s: after %v comes %v, the wall says %v", schedules[i], moments[i].In(zone), got, want)
		}
		// From any moment between, and so in the second pass of an hour too,
		// the same one comes next.
		between := moments[i].Add(time.Duration(r.Int64N(int64(got.At.Sub(moments[i])))))
		if again, _ := schedules[i].Next(between); again != got {
			t.Fatalf("%s: after %v comes %v, after %v %v", schedules[i], moments[i].In(zone), got, between.In(zone), again)
		}
		moments[i] = got.At
	})
	for i, s := range schedules {
		if got, ok := s.Next(moments[i]); !ok || !got.At.After(to) {
			t.Errorf("%s: after %v comes %v, the wall says nothing", s, moments[i].In(zone), got)
		}
	}
	if count < 1000 {
		t.Errorf("only %d firings", count)
	}
}
