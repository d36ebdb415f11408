package report

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
)

// Figure 1: media recovery entry 13:09:07 in the third receiver, startup
// entry 15:09:48 in the fourth, shortly before the fifth was attached.
func TestTimelineOfFigure1(t *testing.T) {
	target := figure1().Targets[0]
	lines := drawTimeline(target.Pictures[0], target.Segments, 78)
	axis := lines[2]
	if axis != "|...........|...........#===========|===========|===========|==========>" {
		t.Errorf("axis is %q", axis)
	}
	third, fourth, fifth := 24, 36, 48
	for _, l := range lines[3:6] {
		column := strings.IndexAny(l, "^#")
		switch {
		case strings.Contains(l, "cut") && column == third:
		case strings.Contains(l, "media 13:09:07") && column > third && column < third+6:
		case strings.Contains(l, "restart 15:09:48") && column > fourth+6 && column < fifth:
		default:
			t.Errorf("column %d in %q", column, l)
		}
	}
}

// Every line fits, whatever the chain, and the cut and the marks are shown
// however many pieces are left out.
func TestTimelineFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1200).Draw(t, "pieces")
		width := rapid.IntRange(MinimumWidth, 200).Draw(t, "width")
		picture := ledger.Picture{Kind: "timeline", Cut: rapid.IntRange(0, n-1).Draw(t, "cut")}
		every := rapid.IntRange(1, 500).Draw(t, "one in so many is held")
		for i := range n {
			verdict := "keep"
			if i < picture.Cut {
				verdict = []string{"hold", "delete"}[min(i%every, 1)]
			}
			picture.Points = append(picture.Points, ledger.Dot{Name: fmt.Sprintf("AMQA%06d", i), At: fmt.Sprintf("2026-05-28 %02d:%02d:00", i/60%24, i%60), Verdict: verdict})
		}
		for range rapid.IntRange(0, 3).Draw(t, "marks") {
			picture.Marks = append(picture.Marks, ledger.Mark{Kind: "media", Point: rapid.IntRange(0, n-1).Draw(t, "point"), At: "2026-05-28 01:00:30"})
		}
		lines := drawTimeline(picture, nil, width)
		if len(lines) > 60 {
			t.Fatalf("%d lines for %d pieces", len(lines), n)
		}
		text := strings.Join(lines, "\n")
		for _, l := range lines {
			if len(l) > width {
				t.Fatalf("%d columns of %d: %q", len(l), width, l)
			}
		}
		if got := strings.Count(text, "^"); got != len(picture.Marks) {
			t.Fatalf("%d carets for %d marks:\n%s", got, len(picture.Marks), text)
		}
		if (strings.Contains(text, "# the cut") || strings.Contains(text, "the cut: nothing right of it goes #")) != (picture.Cut > 0) {
			t.Fatalf("cut %d:\n%s", picture.Cut, text)
		}
	})
}

// A picture that comes with gaps shows how many pieces are in each of them.
func TestTimelineCountsWhatThePictureLeftOut(t *testing.T) {
	target := thousand().Targets[0]
	full := target.Pictures[0]
	picture := ledger.Picture{Kind: "timeline", Cut: 3, Hidden: 994, Marks: []ledger.Mark{{Kind: "restart", Point: 3, At: "2026-04-21 15:02:11"}}}
	for _, i := range []int{0, 1, 956, 957, 998, 999} {
		picture.Points = append(picture.Points, full.Points[i])
	}
	text := strings.Join(drawTimeline(picture, target.Segments, 100), "\n")
	for _, want := range []string{"AMQA000001  954 more    AMQA000956", "AMQA000957  40 more     AMQA000998", "994 of 1000 are left out"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestStamp(t *testing.T) {
	for at, want := range map[string][2]string{
		"2026-05-27-13.59.00.000000": {"2026-05-27", "13.59.00"},
		"2026-05-27 13:59:00":        {"2026-05-27", "13:59:00"},
		"2026-05-27T13:59:00+02:00":  {"2026-05-27", "13:59:00"},
		"13:59:00":                   {"", "13:59:00"},
		"":                           {"", "-"},
	} {
		if date, clock := stamp(at); date != want[0] || clock != want[1] {
			t.Errorf("stamp(%q) = %q, %q", at, date, clock)
		}
	}
}

// A picture that is no time line is listed, not dropped.
func TestOtherPicturesAreListed(t *testing.T) {
	r := figure1()
	r.Targets[0].Pictures[0].Kind = "series"
	if text := render(t, r, Options{}); !strings.Contains(text, "The chain of ORDERS (series)") || !strings.Contains(text, "media 13:09:07") {
		t.Error(text)
	}
}
