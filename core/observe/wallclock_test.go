package observe

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

func at(text string) Stamp {
	s, err := ParseStamp("2026-10-25 " + text)
	if err != nil {
		panic(err)
	}
	return s
}

func berlin(t *testing.T) wallClock {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return wallClock{zone}
}

// livesFrom makes the lives of receivers that were attached at these times,
// each until the next one was; the last is open.
func livesFrom(starts ...string) []life {
	lives := make([]life, len(starts))
	for i, start := range starts {
		lives[i].start = at(start)
		if i > 0 {
			lives[i-1].end = at(start)
		}
	}
	return lives
}

// In Berlin the hour from 02:00 to 03:00 of 25 October 2026 came twice.
func TestMoments(t *testing.T) {
	utc := func(text string) time.Time { return at(text).Time }
	tests := []struct{ stamp, earliest, latest string }{
		{"01:59:59", "23:59:59", "23:59:59"}, // of the day before
		{"02:00:00", "00:00:00", "01:00:00"},
		{"02:59:59", "00:59:59", "01:59:59"},
		{"03:00:00", "02:00:00", "02:00:00"},
		{"12:00:00", "11:00:00", "11:00:00"},
	}
	for _, test := range tests {
		want := [2]time.Time{utc(test.earliest), utc(test.latest)}
		if test.stamp == "01:59:59" {
			want[0], want[1] = want[0].AddDate(0, 0, -1), want[1].AddDate(0, 0, -1)
		}
		earliest, latest := berlin(t).moments(at(test.stamp))
		if !earliest.Equal(want[0]) || !latest.Equal(want[1]) {
			t.Errorf("%s: %v to %v", test.stamp, earliest.UTC(), latest.UTC())
		}
		if earliest, latest = (wallClock{}).moments(at(test.stamp)); !earliest.Equal(utc(test.stamp)) || !latest.Equal(utc(test.stamp)) {
			t.Errorf("%s without a zone: %v to %v", test.stamp, earliest, latest)
		}
	}
}

func TestLowest(t *testing.T) {
	tests := []struct {
		name   string
		starts []string
		entry  string
		zoned  bool
		want   int
	}{
		{"in the middle", []string{"10:00:00", "11:00:00", "12:00:00"}, "11:30:00", false, 1},
		{"in the last", []string{"10:00:00", "11:00:00", "12:00:00"}, "12:30:00", false, 2},
		{"in the first", []string{"10:00:00", "11:00:00", "12:00:00"}, "10:30:00", false, 0},
		{"older than all", []string{"10:00:00", "11:00:00"}, "09:59:59.999", false, -1},
		{"in the second of the first attach", []string{"10:00:00", "11:00:00"}, "10:00:00.5", false, 0},
		{"in the second of an attach: the older one (case 2)", []string{"10:00:00", "11:00:00", "12:00:00"}, "11:00:00.900", false, 0},
		{"a second later", []string{"10:00:00", "11:00:00", "12:00:00"}, "11:00:01", false, 1},
		{"only one", []string{"10:00:00"}, "10:30:00", false, 0},
		{"only one, older", []string{"10:00:00"}, "09:30:00", false, -1},
		{"the clock went back along the chain (case 3)", []string{"00:30:00", "01:30:00", "02:50:00", "02:10:00", "05:00:00"}, "02:30:00", false, 1},
		{"the same with the zone", []string{"00:30:00", "01:30:00", "02:50:00", "02:10:00", "05:00:00"}, "02:30:00", true, 1},
		{"after the repeated hour", []string{"00:30:00", "01:30:00", "02:50:00", "02:10:00", "05:00:00"}, "05:30:00", true, 4},
		{"within a long life the zone tells nothing more", []string{"01:00:00", "04:00:00"}, "02:30:00", true, 0},
		{"attached in the first pass, entry perhaps before it", []string{"01:00:00", "02:30:00", "04:00:00"}, "02:40:00", true, 0},
		{"a receiver whose own life shows the step", []string{"01:50:00", "02:50:00", "02:20:00", "04:00:00"}, "02:55:00", false, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			clock := wallClock{}
			if test.zoned {
				clock = berlin(t)
			}
			if got := clock.lowest(livesFrom(test.starts...), at(test.entry)); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
	if got := (wallClock{}).lowest(nil, at("10:00:00")); got != -1 {
		t.Errorf("an empty chain: %d", got)
	}
}

func TestMay(t *testing.T) {
	clock := wallClock{}
	closed, open := life{start: at("10:00:00"), end: at("11:00:00")}, life{start: at("10:00:00")}
	back := life{start: at("02:50:00"), end: at("02:10:00")}
	tests := []struct {
		name  string
		life  life
		entry string
		want  bool
	}{
		{"before", closed, "09:59:59", false},
		{"in the second of the attach", closed, "10:00:00", true},
		{"within", closed, "10:30:00", true},
		{"in the second of the detach", closed, "11:00:00.999", true},
		{"after", closed, "11:00:01", false},
		{"open", open, "23:00:00", true},
		{"before an open one", open, "09:00:00", false},
		{"back: after the attach", back, "02:55:00", true},
		{"back: before the detach of the second pass", back, "02:05:00", true},
		{"back: an hour behind the attach", back, "03:50:00", true},
		{"back: up to where it ran nothing tells", back, "23:10:01", true},
		{"back: between the detach and the attach", back, "02:30:00", false},
	}
	for _, test := range tests {
		if got := clock.may(test.life, at(test.entry)); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
	if closed.wentBack() || open.wentBack() || !back.wentBack() || (life{start: at("10:00:00"), end: at("10:00:00.5")}).wentBack() {
		t.Error("wentBack")
	}
}

// The clock was set back while AMQA099991 was attached, as its own times show.
// The two receivers behind it are not listed, and the next one that is was
// attached later than it by the clock: an entry of that very second may have been
// written before the clock went back, when no time tells how far it ran (found by
// TestAgainstOracle).
func TestClockWentBackBeforeABreak(t *testing.T) {
	receiver := func(name, attach, detach string) Receiver {
		return Receiver{ID: recovery.SegmentID{Library: "QMQM1", Name: name}, State: recovery.Saved, Attach: at(attach), Detach: at(detach)}
	}
	last := receiver("AMQA099995", "19:45:42", "20:00:00")
	last.State, last.Detach = recovery.Current, Stamp{}
	for _, test := range []struct {
		name, detach, entry string
		want                int
	}{
		{"in the second behind the next attach", "17:11:12", "18:46:18.663", 0},
		{"an hour later", "17:11:12", "19:50:00", 0},
		{"between detach and attach", "17:11:12", "17:30:00", -1},
		{"before both", "17:11:12", "17:00:00", -1},
		{"the clock did not go back", "18:00:00", "18:46:18.663", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := &gatherer{}
			g.chain.receivers = []Receiver{receiver("AMQA099991", "17:54:25", test.detach), receiver("AMQA099994", "18:46:17", "19:45:42"), last}
			var lives []life
			for _, p := range g.presentPieces() {
				lives = append(lives, p.life)
			}
			if got := g.clock.lowest(lives, at(test.entry)); got != test.want {
				t.Errorf("it lies in %d, want %d: %+v", got, test.want, lives)
			}
		})
	}
}

// Without a zone an entry of the hours in which summer time ends is looked for earlier too, but not where the chain itself shows that the clock went back.
func TestDoubtful(t *testing.T) {
	rising := livesFrom("00:10:00", "01:10:00", "02:10:00", "03:10:00")
	shown := livesFrom("00:30:00", "01:30:00", "02:50:00", "02:10:00", "05:00:00")
	tests := []struct {
		name  string
		clock wallClock
		lives []life
		entry string
		want  bool
	}{
		{"small hours", wallClock{}, rising, "02:30:00", true},
		{"03:59", wallClock{}, rising, "03:59:59", true},
		{"04:00", wallClock{}, rising, "04:00:00", false},
		{"21:59", wallClock{}, rising, "21:59:59", false},
		{"the hour before midnight, as in Chile", wallClock{}, rising, "23:40:00", true},
		{"zone known", berlin(t), rising, "02:30:00", false},
		{"shown by the chain", wallClock{}, shown, "02:30:00", false},
	}
	for _, test := range tests {
		got, doubtful := test.clock.doubtful(test.lives, at(test.entry))
		want := at(test.entry)
		if test.want {
			want = Stamp{want.Add(-2 * time.Hour)}
		}
		if doubtful != test.want || !got.Equal(want.Time) {
			t.Errorf("%s: %s, %t", test.name, got, doubtful)
		}
	}
	later := shown
	for i := range later {
		later[i].start = Stamp{later[i].start.AddDate(0, 0, -2)}
		if !later[i].end.IsZero() {
			later[i].end = Stamp{later[i].end.AddDate(0, 0, -2)}
		}
	}
	if _, doubtful := (wallClock{}).doubtful(later, at("02:30:00")); !doubtful {
		t.Error("a step two days ago tells nothing of tonight")
	}
}

func TestMayFollow(t *testing.T) {
	tests := []struct {
		second, first string
		zoned         bool
		want          bool
	}{
		{"12:00:00", "11:00:00", false, true},
		{"12:00:00", "12:00:00", false, true},
		{"11:59:59", "12:00:00", false, false},
		{"02:10:00", "02:50:00", false, true}, // may be the second pass
		{"00:50:00", "02:50:00", false, true},
		{"00:49:59", "02:50:00", false, false},
		{"23:10:00", "23:40:00", false, true},
		{"21:00:00", "21:40:00", false, false},
		{"02:10:00", "02:50:00", true, true},
		{"01:59:00", "02:50:00", true, false},
		{"03:10:00", "03:50:00", true, false}, // the zone knows better
		{"03:10:00", "03:50:00", false, true},
		{"04:10:00", "04:50:00", false, false},
	}
	for _, test := range tests {
		clock := wallClock{}
		if test.zoned {
			clock = berlin(t)
		}
		if got := clock.mayFollow(at(test.second), at(test.first)); got != test.want {
			t.Errorf("%s after %s (zone known: %t): %t", test.second, test.first, test.zoned, got)
		}
	}
	if !(wallClock{}).mayFollow(at("00:00:00"), Stamp{}) {
		t.Error("anything follows what never was")
	}
}
