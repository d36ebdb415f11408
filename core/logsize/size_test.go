package logsize_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/logsize"
)

// The table of chapter 7.1.4, by hand.
func TestOverhead(t *testing.T) {
	for _, c := range []struct {
		release string
		length  int64
		want    int64
	}{
		{"5.3", 0, 750},
		{"5.3", 2048, 2798},
		{"5.3", 15_700, 16_450},             // one record
		{"5.3", 15_701, 15_701 + 750 + 600}, // two segments
		{"5.3", 100_000, 102_850},           // seven
		{"9.4.0", 100_000, 100_750},
		{"9.4.0", 300_000, 301_350},
		{"", 300_000, 301_350},
	} {
		if got := logsize.OverheadOf(c.release).PutOf(c.length); got != c.want {
			t.Errorf("%s: a put of %d bytes takes %d, want %d", c.release, c.length, got, c.want)
		}
	}
	o := logsize.OverheadOf("8.0")
	if got := o.ImageOf(600_000); got != 800+600_000+3*300 {
		t.Errorf("an image takes %d", got)
	}
	if got := o.ImageOf(0); got != 800 {
		t.Errorf("an empty image takes %d", got)
	}
	if got := o.CheckpointOf(5); got != 1750 {
		t.Errorf("a checkpoint takes %d", got)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		release                   string
		windows, linear           bool
		primary, secondary, pages int
		ok                        bool
	}{
		{"9.4.0", false, false, 3, 2, 4096, true},
		{"9.4.0", false, true, 510, 1, 65535, true},
		{"9.4.0", false, true, 510, 2, 65535, false}, // 511 together
		{"9.4.0", false, false, 2, 509, 64, true},
		{"9.4.0", false, false, 2, 510, 64, false},
		{"9.4.0", false, false, 1, 5, 64, false},
		{"9.4.0", false, false, 5, 0, 64, false},
		{"9.4.0", false, false, 3, 2, 65536, false},
		{"7.5", true, false, 254, 1, 32, true},
		{"7.5", true, false, 254, 2, 32, false},
		{"7.5", true, false, 2, 253, 31, false},
		{"5.3", false, false, 60, 3, 1024, true},
		{"5.3", false, false, 60, 4, 1024, false},  // 63 together
		{"5.3", false, true, 600, 400, 1024, true}, // of a circular log only
		{"6.0", true, false, 3, 2, 16385, false},
	} {
		err := logsize.LimitsOf(c.release, c.windows).Check(c.linear, c.primary, c.secondary, c.pages)
		if c.ok != (err == nil) || err != nil && !errors.Is(err, logsize.ErrLimits) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for release, want := range map[string]int{"5.2": 1024, "6.0.2": 1024, "7.0": 4096, "9.4.4.0": 4096} {
		if got := logsize.LimitsOf(release, false).Pages; got != want {
			t.Errorf("%s: LogFilePages %d, want %d", release, got, want)
		}
	}
	if got := logsize.LimitsOf("5.3", true).Pages; got != 256 {
		t.Errorf("5.3 on Windows: LogFilePages %d", got)
	}
}

// office is 10 messages of 2 KiB a second that are put and got, each its own
// unit of work:
//
//	10 x 2798 + 10 x 260 + 20 x 750      = 45,580 bytes a second
//	(750 + 21 x 200) every 500 s         =      9.9
//	(60 + 500 + 1) x 45,590 + 4950       = 25,580,940 for a restart
//	2 x (60 + 1) x 45,590                =  5,561,980 by the rule for the active log
var office = logsize.Load{Puts: 10, Gets: 10, Length: 2048, Longest: time.Minute}

// rush is a bank's day of large units of work, three times as much at its peak:
//
//	100 x 10,990 + 100 x 260 + 200 x 750 = 1,275,000 bytes a second
//	3 x 1,275,000 + 120,950 / 16.667 s   = 3,832,257 at the peak
//	(3600 + 16.667 + 1) x 3,832,257 + 120,950 = 13,863,949,357
//	2 x 3601 x 3,832,257                 = 27,599,914,914
var rush = logsize.Load{Puts: 100, Gets: 100, Length: 10_240, Longest: time.Hour, Burst: 3}

func of(l logsize.Load, change func(*logsize.Load)) logsize.Load {
	change(&l)
	return l
}

func TestWorkedExamples(t *testing.T) {
	for name, c := range map[string]struct {
		load                      logsize.Load
		pages, primary, secondary int
		peak, span, need          int64
	}{
		// 25.6 million in files of 16 MiB: two, and one more; the defaults.
		"an office": {office, 4096, 3, 2, 45_590, 25_580_940, 25_580_940},
		// In files of 4 MiB seven, and one more; half as many secondary ones.
		"in release 5.3": {of(office, func(l *logsize.Load) { l.Release = "5.3" }), 1024, 8, 4, 45_590, 25_580_940, 25_580_940},
		// In files of 1 MiB there would be 26: four times as large, again 8.
		"on Windows": {of(office, func(l *logsize.Load) { l.Release, l.Windows = "5.3", true }), 1024, 8, 4, 45_590, 25_580_940, 25_580_940},
		// A checkpoint every ten seconds: 4950 / 10 more a second, 71 of them.
		"checkpoints are often": {of(office, func(l *logsize.Load) { l.Checkpoint = 10 * time.Second }), 4096, 3, 2,
			46_075, 71*46_075 + 4950, 2 * 61 * 46_075},
		// The largest files: 52 and one for a restart, 104 by the rule.
		"a rush": {rush, 65535, 53, 51, 3_832_257, 13_863_949_357, 27_599_914_914},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := logsize.Of(c.load)
			if err != nil {
				t.Fatal(err)
			}
			if s.FilePages != c.pages || s.Primary != c.primary || s.Secondary != c.secondary {
				t.Errorf("LogFilePages %d, %d and %d files; want %d, %d and %d", s.FilePages, s.Primary, s.Secondary, c.pages, c.primary, c.secondary)
			}
			if s.Peak != c.peak || s.Span != c.span || s.Need != c.need {
				t.Errorf("peak %d, span %d, need %d; want %d, %d, %d", s.Peak, s.Span, s.Need, c.peak, c.span, c.need)
			}
			if want := int64(c.primary+c.secondary) * int64(c.pages+2) * 4096; s.FileSystem != want {
				t.Errorf("file system of %d bytes, want %d", s.FileSystem, want)
			}
		})
	}
}

// Images go to the log too, and what media recovery needs is kept beside what
// a restart needs: 1000 messages of 2048 + 750 bytes every hour.
//
//	800 + 2,798,000 + 11 x 300           = 2,802,100 an image
//	45,580 + 9.9 + 2,802,100 / 3600      = 46,369 a second
//	(46,369 x 3 h + 2,802,100) / 16 MiB  = 30.02 extents
func TestImagesOfALinearLog(t *testing.T) {
	s, err := logsize.Of(of(office, func(l *logsize.Load) {
		l.Linear, l.Depth, l.Images, l.Keep = true, 1000, time.Hour, 2*time.Hour
	}))
	if err != nil {
		t.Fatal(err)
	}
	if s.Average != 46_369 || s.Peak != 45_590 || s.Span != 25_580_940+2_802_100 {
		t.Errorf("average %d, peak %d, span %d", s.Average, s.Peak, s.Span)
	}
	if s.Files != 32+2 || s.FileSystem != 34*4098*4096 {
		t.Errorf("%d files of %d bytes together", s.Files, s.FileSystem)
	}
	circular, err := logsize.Of(of(office, func(l *logsize.Load) { l.Depth, l.Images = 1000, time.Hour }))
	if err != nil || circular.Average != 45_590 {
		t.Errorf("a circular log has no images: %d, %v", circular.Average, err)
	}
}

func TestWhatCantBe(t *testing.T) {
	for name, l := range map[string]logsize.Load{
		"nothing":           {Length: 100},
		"negative":          {Puts: -1, Gets: 2},
		"no number":         {Puts: nan(), Gets: 1},
		"infinite":          {Puts: 1e300},
		"less than once":    {Puts: 1, Burst: 0.5},
		"negative length":   {Puts: 1, Length: -5},
		"negative time":     {Puts: 1, Longest: -time.Second},
		"negative messages": {Puts: 1, Depth: -1},
	} {
		if _, err := logsize.Of(l); !errors.Is(err, logsize.ErrLoad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := logsize.Of(of(rush, func(l *logsize.Load) { l.Longest = 100 * time.Hour }))
	if !errors.Is(err, logsize.ErrTooLarge) || !strings.Contains(err.Error(), "511 files") {
		t.Errorf("%v", err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// Every step names its formula, its numbers and its rule.
func TestStepsAreWhole(t *testing.T) {
	s, err := logsize.Of(of(rush, func(l *logsize.Load) { l.Linear, l.Depth, l.Images = true, 10, time.Hour }))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range s.Steps {
		if step.What == "" || step.Formula == "" || step.Numbers == "" || step.Result == "" || step.Rule == "" || strings.Contains(step.Numbers, "%!") {
			t.Errorf("%+v", step)
		}
		t.Log(step.What, "=", step.Formula, "=", step.Numbers, "=", step.Result)
	}
}

// Any load gives a size that the limits allow, or an error of its class.
func TestAnyLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(-1, 1e10)
		d := rapid.Int64Range(-1, 1<<62)
		l := logsize.Load{
			Puts: rate.Draw(t, "puts"), Gets: rate.Draw(t, "gets"), Units: rate.Draw(t, "units"), Burst: rapid.Float64Range(0, 1e10).Draw(t, "burst"),
			Length: rapid.Int64Range(0, 1<<40).Draw(t, "length"), Depth: rapid.Int64Range(0, 1<<40).Draw(t, "depth"),
			Longest: time.Duration(d.Draw(t, "longest")), Checkpoint: time.Duration(d.Draw(t, "checkpoint")),
			Images: time.Duration(d.Draw(t, "images")), Keep: time.Duration(d.Draw(t, "keep")),
			Linear: rapid.Bool().Draw(t, "linear"), Release: rapid.SampledFrom([]string{"5.3", "8.0", "9.4.0"}).Draw(t, "release"),
		}
		s, err := logsize.Of(l)
		if err != nil {
			if !errors.Is(err, logsize.ErrLoad) && !errors.Is(err, logsize.ErrTooLarge) {
				t.Fatalf("unclassed: %v", err)
			}
			return
		}
		if err := logsize.LimitsOf(l.Release, false).Check(l.Linear, s.Primary, s.Secondary, s.FilePages); err != nil {
			t.Fatal(err)
		}
		if s.Secondary >= s.Primary || int64(s.Primary+s.Secondary)*int64(s.FilePages)*logsize.Page < s.Need || s.FileSystem <= 0 {
			t.Fatalf("%+v", s)
		}
	})
}
