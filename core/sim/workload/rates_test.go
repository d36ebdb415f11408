package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// plain leaves nothing but messages.
func plain(p Profile) Profile {
	p.Long, p.Bursts, p.Backouts = Long{}, Bursts{}, 0
	return p
}

// counted runs a workload and counts its puts by the hour that a function
// gives.
func counted[K comparable](t *testing.T, p Profile, from, until time.Time, key func(time.Time) K) map[K]float64 {
	t.Helper()
	m := newManager(t, from.Location())
	counts := map[K]float64{}
	m.seen = func(string, engine.Message) { counts[key(m.Now())]++ }
	run(t, New(p, 11, from), m, until)
	return counts
}

func near(t *testing.T, what any, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%v: %.1f, want %.1f", what, got, want)
	}
}

func TestMessagesFollowTheHours(t *testing.T) {
	p := plain(named(t, "office"))
	p.Messages = Messages{Persistent: 60000, NonPersistent: 20000}
	p.Unit = Spread{1, 3, 20}
	p.Hours[12] = 0
	monday := time.Date(2026, 6, 1, 0, 0, 0, 0, berlin(t))
	const days = 5
	counts := counted(t, p, monday, monday.AddDate(0, 0, days), time.Time.Hour)
	sum := 0.0
	for _, w := range p.Hours {
		sum += w
	}
	total := 0.0
	for hour, w := range p.Hours {
		want := 80000 * days * w / sum
		near(t, hour, counts[hour], want, 0.04+5/math.Sqrt(want+1))
		total += counts[hour]
	}
	near(t, "all", total, 80000*days, 0.01)
}

func TestWeekend(t *testing.T) {
	p := plain(named(t, "office"))
	p.Weekend = 0.25
	friday := time.Date(2026, 6, 5, 0, 0, 0, 0, time.UTC)
	counts := counted(t, p, friday, friday.AddDate(0, 0, 4), time.Time.Weekday)
	near(t, "Friday", counts[time.Friday], 30000, 0.05)
	near(t, "Saturday", counts[time.Saturday], 7500, 0.08)
	near(t, "Sunday", counts[time.Sunday], 7500, 0.08)
	near(t, "Monday", counts[time.Monday], 30000, 0.05)
	p.Weekend = 0
	counts = counted(t, p, friday, friday.AddDate(0, 0, 4), time.Time.Weekday)
	if counts[time.Saturday]+counts[time.Sunday] != 0 {
		t.Errorf("%v at a weekend without work", counts)
	}
}

// On the days of 23 and 25 hours the rate follows the wall clock, while time
// itself never goes back (which the queue manager of these tests asserts).
func TestDaylightSaving(t *testing.T) {
	p := plain(named(t, "office"))
	p.Weekend = 1
	for i := range p.Hours {
		p.Hours[i] = 1
	}
	p.Hours[2] = 5 // the hour that is missing in March and twice in October
	zone := berlin(t)
	perHour := 30000.0 / 28
	cases := []struct {
		day   time.Time
		hours int
		two   float64
	}{
		{time.Date(2026, 3, 29, 0, 0, 0, 0, zone), 23, 0},
		{time.Date(2026, 10, 25, 0, 0, 0, 0, zone), 25, 10 * perHour},
		{time.Date(2026, 10, 24, 0, 0, 0, 0, zone), 24, 5 * perHour},
	}
	for _, c := range cases {
		end := c.day.AddDate(0, 0, 1)
		if got := end.Sub(c.day); got != time.Duration(c.hours)*time.Hour {
			t.Fatalf("%s has %s", c.day, got)
		}
		byHour := counted(t, p, c.day, end, time.Time.Hour)
		near(t, c.day, byHour[2], c.two, 0.08)
		near(t, c.day, byHour[3], perHour, 0.2)
		utc := counted(t, p, c.day, end, func(at time.Time) time.Time { return at.UTC().Truncate(time.Hour) })
		if len(utc) != c.hours {
			t.Errorf("%s: work in %d hours, want %d", c.day, len(utc), c.hours)
		}
	}
}

func TestBursts(t *testing.T) {
	p := plain(named(t, "busy"))
	p.Bursts = Bursts{PerDay: 24, Times: 20, Lasts: Span(10 * time.Minute)}
	for i := range p.Hours {
		p.Hours[i] = 1
	}
	from := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	counts := counted(t, p, from, from.AddDate(0, 0, 2), func(at time.Time) time.Time { return at.Truncate(time.Minute) })
	perMinute := 130000.0 / 24 / 60
	var high, low []float64
	for _, n := range counts {
		switch {
		case n > 10*perMinute:
			high = append(high, n)
		case n < 3*perMinute:
			low = append(low, n)
		}
	}
	if len(high) < 150 || len(high) > 600 {
		t.Errorf("%d minutes of bursts", len(high))
	}
	slices.Sort(high)
	slices.Sort(low)
	near(t, "in a burst", high[len(high)/2], 20*perMinute, 0.2)
	near(t, "outside", low[len(low)/2], perMinute, 0.2)
}

func TestSizes(t *testing.T) {
	p := plain(named(t, "office"))
	p.Sizes = Spread{Min: 100, Typical: 1000, Max: 5000}
	m := newManager(t, time.UTC)
	var sizes []int
	m.seen = func(_ string, m engine.Message) { sizes = append(sizes, len(m.Body)) }
	from := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	r := run(t, New(p, 5, from), m, from.AddDate(0, 0, 1))
	slices.Sort(sizes)
	if sizes[0] < 100 || sizes[len(sizes)-1] > 5000 {
		t.Errorf("from %d to %d", sizes[0], sizes[len(sizes)-1])
	}
	near(t, "median", float64(sizes[len(sizes)/2]), 1000, 0.03)
	near(t, "mean", float64(r.Bytes)/float64(r.Puts), p.Sizes.mean(), 0.02)
	if r.Puts != len(sizes) {
		t.Errorf("%d puts, %d seen", r.Puts, len(sizes))
	}
}

func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []Spread{{1, 1, 1}, {1, 1, 10}, {10, 10, 10}, {1, 10, 10}, {1, 2, 50}, {20, 200, 2000}} {
		sum := 0
		for range 200000 {
			n := s.draw(rng)
			if n < s.Min || n > s.Max {
				t.Fatalf("%+v: drew %d", s, n)
			}
			sum += n
		}
		near(t, s, float64(sum)/200000, s.mean(), 0.01)
	}
}
