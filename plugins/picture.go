package plugins

import (
	"fmt"
	"math"
	"time"
)

// PictureKind says what a picture shows.
type PictureKind string

// The kinds of pictures. Of any other kind a report lists the points.
const (
	// PictureSeries is a value by time: Values, with Limits across them.
	PictureSeries PictureKind = "series"
	// PictureWindow is what a recovery would read, by time: Rows from From to
	// To.
	PictureWindow PictureKind = "window"
	// PictureTimeline is a chain of log pieces: Points with Marks among them.
	// That of each queue manager of Plan.Decision is drawn without being asked
	// for.
	PictureTimeline PictureKind = "timeline"
)

// What a plan may hold of pictures at the most. A plan with more is refused:
// nobody reads so many, and a report has to hold them all.
const (
	MostPictures     = 256
	MostPictureItems = 4096 // values, limits, rows, spans, points and marks of one picture
)

// Picture is a drawing as data. It says nothing that the plan's objects and
// findings don't say: a report may leave it out.
type Picture struct {
	Kind  PictureKind
	Title string

	Unit   string         // of a series: blocks, %, MB
	Values []PictureValue // in order of time, those forecast last
	Limits []PictureLimit

	From, To time.Time // of a window; zero: the ends of its rows
	Rows     []PictureRow

	Points []PicturePoint // of a time line, oldest first
	Marks  []PictureMark
	Cut    int // index of the first point that stays; 0: nothing goes
	Hidden int // points that were left out
}

// PictureValue is a value of a series. Of one that is forecast Value is the
// middle of the interval from Low to High.
type PictureValue struct {
	At        time.Time
	Value     float64
	Forecast  bool
	Low, High float64
}

// PictureLimit is a line across a series: a threshold, or an end.
type PictureLimit struct {
	Name  string
	Value float64
}

// PictureRow is a line of a window: a structure, or a member's log. A row
// without spans is shown with its text.
type PictureRow struct {
	Kind  string // structure, log
	Name  string
	Spans []PictureSpan
	Text  string // of it all: "QMBK, logs of QMA1 and QMA2"
}

// PictureSpan is a part of a row. A time that is zero is not known: the span
// begins, or ends, where the window does.
type PictureSpan struct {
	From, To time.Time
	State    SpanState
	Text     string // the data set, for one
}

// SpanState says what a span of a window is.
type SpanState string

// The states of spans.
const (
	SpanNeeded   SpanState = "needed"   // a recovery reads the log of this time
	SpanImage    SpanState = "image"    // a backup was being written
	SpanActive   SpanState = "active"   // log in active data sets
	SpanArchive  SpanState = "archive"  // log in archive data sets
	SpanExpiring SpanState = "expiring" // log that goes before it is needed no more
	SpanMissing  SpanState = "missing"  // log that was not found
)

// PicturePoint is a log piece in a time line. At is the stamp of its first
// entry as the system wrote it; Verdict and State are the words of a report's
// segments.
type PicturePoint struct{ Name, At, Verdict, State string }

// PictureMark is a recovery point in a time line: it lies in the piece of the
// index Point, at the time At.
type PictureMark struct {
	Kind  string
	Point int
	At    string
}

// CheckPictures tells why the pictures of a plan can't be shown: there are too
// many, one holds too much, or a value is no number.
func CheckPictures(pictures []Picture) error {
	if len(pictures) > MostPictures {
		return fmt.Errorf("%d pictures, of %d at most", len(pictures), MostPictures)
	}
	for i, p := range pictures {
		if err := p.check(); err != nil {
			return fmt.Errorf("picture %d: %w", i+1, err)
		}
	}
	return nil
}

func (p Picture) check() error {
	items := len(p.Values) + len(p.Limits) + len(p.Rows) + len(p.Points) + len(p.Marks)
	for _, row := range p.Rows {
		items += len(row.Spans)
	}
	if items > MostPictureItems {
		return fmt.Errorf("it holds %d items, of %d at most", items, MostPictureItems)
	}
	for _, v := range p.Values {
		if !finite(v.Value) || !finite(v.Low) || !finite(v.High) {
			return fmt.Errorf("a value at %s is no number", v.At.Format(time.RFC3339))
		}
	}
	for _, limit := range p.Limits {
		if !finite(limit.Value) {
			return fmt.Errorf("the limit %q is no number", limit.Name)
		}
	}
	return nil
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
