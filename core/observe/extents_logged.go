package observe

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/finding"
)

// oldestLogged is how old a recovery point of the error log may be. A queue
// manager that works writes them far more often; one that does not moves neither.
const oldestLogged = 24 * time.Hour

// readLogged reads the recovery points from the error log. They are those of
// some time ago: never is one used that may not be the newest, or that is of
// before the last start.
func (g *extentGatherer) readLogged() {
	marks, why := g.readErrorLogs()
	if why == "" {
		why = g.distrust(marks)
	}
	if why != "" {
		g.open(finding.MarkMissing, "DISPLAY QMSTATUS does not tell the recovery points, and the error log can't: %s", why)
		return
	}
	g.restart, g.media = loggedPoint(marks.Restart), loggedPoint(marks.Media)
	g.open(finding.PointsLogged, "DISPLAY QMSTATUS does not tell the recovery points; %s and %s do", g.restart.source, g.media.source)
}

func loggedPoint(m *errlog.Mark) extentPoint {
	_, number, err := ParseExtent(m.Extent)
	return extentPoint{known: err == nil, number: number, source: m.Seen.ID + " " + m.Seen.Time.Format(rfc3339), logged: true}
}

// readErrorLogs reads the logs of the queue manager: the text, which can't be
// turned off, or where it was not answered the JSON beside it. A file that was
// not answered matters if a newer one, or one between others, is missing.
func (g *extentGatherer) readErrorLogs() (errlog.Marks, string) {
	if g.settings.data == "" {
		return errlog.Marks{}, "where it is is not known"
	}
	errors := joinPath(g.settings.data, "errors")
	var files []errlog.File
	for _, ending := range []string{"LOG", "json"} {
		for n := 1; n <= 3 && (n == 1 || len(files) > 0); n++ {
			path := joinPath(errors, fmt.Sprintf("AMQERR%02d.%s", n, ending))
			q := Question{Language: File, QueueManager: g.target.Name, Text: path}
			answer, err := g.asker.Ask(g.ctx, q)
			if g.silent(q, err); err == nil {
				g.setObserved(answer) // the age of what it says is counted from here
				files = append(files, errlog.File{Name: path, Log: bytes.NewReader(answer.Body)})
			}
		}
		if len(files) > 0 {
			break
		}
	}
	if len(files) == 0 {
		return errlog.Marks{}, "AMQERR01.LOG in " + errors + " was not answered"
	}
	marks, err := errlog.Watermarks(g.target.Name, files...)
	if err != nil {
		return marks, err.Error()
	}
	return marks, ""
}

// distrust says why the points of an error log can't be used; empty: they can.
func (g *extentGatherer) distrust(m errlog.Marks) string {
	switch {
	case len(m.Missing()) > 0:
		return strings.Join(m.Missing(), " and ") + " of " + g.target.Name + " is not in it"
	case len(m.Gaps) > 0:
		return strings.Join(m.Gaps, ", ") + " is missing between others"
	case m.Unfinished:
		return "its newest record is not whole"
	}
	for _, mark := range []*errlog.Mark{m.Restart, m.Media} {
		if why := g.distrustMark(m, mark); why != "" {
			return why
		}
	}
	return ""
}

// distrustMark says why one point can't be used.
func (g *extentGatherer) distrustMark(m errlog.Marks, mark *errlog.Mark) string {
	seen := mark.Seen
	switch {
	case len(mark.Rivals) > 0:
		return fmt.Sprintf("%s and %s both may be the newest", seen, mark.Rivals[0].Seen)
	case mark.Damaged:
		return fmt.Sprintf("it is damaged behind %s", seen)
	case mark.Unread:
		return fmt.Sprintf("there may be a newer message than %s that can't be read", seen)
	case seen.Clock != errlog.UTC && seen.Clock != errlog.Local:
		return fmt.Sprintf("%s has no time that can be read", seen)
	}
	for _, later := range []*errlog.Sighting{m.Created, m.Started, m.Ended} {
		if later != nil && !surelyAfter(seen, *later) {
			return fmt.Sprintf("%s is not newer than %s", seen, *later)
		}
	}
	if m.Newest != nil && m.Newest.Clock == seen.Clock && m.Newest.Time.Sub(seen.Time) > oldestLogged {
		return fmt.Sprintf("%s is older than %s by more than %s", seen, *m.Newest, oldestLogged)
	}
	return g.distrustAge(seen)
}

// surelyAfter tells whether one record was written after another. Times of two
// kinds can't be compared; of one second the place decides in one file.
func surelyAfter(a, b errlog.Sighting) bool {
	if a.Clock != b.Clock {
		return false
	}
	return a.Time.After(b.Time) || a.Time.Equal(b.Time) && a.File == b.File && a.Offset > b.Offset
}

// distrustAge holds a point against the clock and the start of the queue
// manager. A start that the clock can't place counts for the one that says less.
func (g *extentGatherer) distrustAge(seen errlog.Sighting) string {
	at := Stamp{seen.Time}
	if seen.Clock == errlog.UTC && !g.observed.IsZero() {
		at = g.wall(seen.Time)
	}
	day, _ := g.status.tells("STARTDA")
	clock, _ := g.status.tells("STARTTI")
	start, err := ParseStamp(day + " " + clock)
	known := seen.Clock == errlog.Local || !g.observed.IsZero()
	switch {
	case day != "" && (err != nil || !known || at.Before(start.Time)):
		return fmt.Sprintf("%s is not surely of after the start of the queue manager, %s %s", seen, day, clock)
	case g.observed.IsZero():
		return ""
	case g.now.Sub(at.Time) > oldestLogged:
		return fmt.Sprintf("%s is older than %s: the clock shows %s", seen, oldestLogged, g.now)
	case at.Sub(g.now.Time) > time.Hour:
		return fmt.Sprintf("%s is of the future: the clock shows %s", seen, g.now)
	}
	return ""
}
