package observe

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
	var why string
	if g.logged, why = g.trustedLogs(); why != "" {
		g.open(finding.MarkMissing, "DISPLAY QMSTATUS does not tell the recovery points (%s), and the error log can't: %s", g.whyNoPoints(), why)
		return
	}
	g.restart, g.media = loggedPoint(g.logged.Restart), loggedPoint(g.logged.Media)
	g.open(finding.PointsLogged, "DISPLAY QMSTATUS does not tell the recovery points (%s); %s and %s do", g.whyNoPoints(), g.restart.source, g.media.source)
}

// trustedLogs reads the error logs, and says why their points can't be used;
// empty: they can.
func (g *extentGatherer) trustedLogs() (errlog.Marks, string) {
	marks, why := g.readErrorLogs()
	if why == "" {
		why = g.distrust(marks)
	}
	return marks, why
}

// whyNoPoints says why DISPLAY QMSTATUS does not tell the recovery points.
func (g *extentGatherer) whyNoPoints() string {
	switch g.status.kind {
	case statusOlder:
		return "the queue manager can't read the command: " + g.status.says
	case statusUnread:
		return "its answer can't be used"
	case statusShown:
		return "it shows neither RECLOG nor MEDIALOG"
	default:
		return g.whyNot(statusQuestion, statusOfLogQuestion)
	}
}

func loggedPoint(m *errlog.Mark) extentPoint {
	_, number, err := ParseExtent(m.Extent)
	return extentPoint{known: err == nil, number: number, source: m.Seen.ID + " " + m.Seen.Time.Format(rfc3339), logged: true}
}

// readErrorLogs reads the logs of the queue manager: the text, which can't be
// turned off, and the JSON beside it. A file that is not there matters if a newer
// one, or one between others, is; one that is there and can't be read may hold
// the newest point.
func (g *extentGatherer) readErrorLogs() (errlog.Marks, string) {
	if g.settings.data == "" {
		return errlog.Marks{}, "where it is is not known"
	}
	files, asked, why := g.errorLogFiles(joinPath(g.settings.data, "errors"))
	switch {
	case why != "":
		return errlog.Marks{}, why
	case len(files) == 0:
		return errlog.Marks{}, g.whyNot(asked...)
	}
	text := slices.ContainsFunc(files, func(f errlog.File) bool { return strings.HasSuffix(f.Name, textEnding) })
	lacks := g.settings.hidden
	if !text {
		lacks = append(slices.Clone(lacks), g.settings.hiddenJSON...)
	}
	if len(lacks) > 0 {
		return errlog.Marks{}, "qm.ini keeps messages out of it by which a start shows: " + strings.Join(slices.Compact(lacks), ", ")
	}
	marks, err := errlog.Watermarks(g.target.Name, files...)
	switch {
	case err != nil:
		return marks, err.Error()
	case text:
		return marks, onlyInJSON(marks)
	}
	return marks, ""
}

// errorLogFiles asks for the files. The reason is of one that can't be read.
func (g *extentGatherer) errorLogFiles(folder string) (files []errlog.File, asked []string, why string) {
	for _, ending := range []string{textEnding, jsonEnding} {
		for n := 1; n <= 3; n++ {
			path := joinPath(folder, fmt.Sprintf("AMQERR%02d%s", n, ending))
			q := Question{Language: File, QueueManager: g.target.Name, Text: path}
			asked = append(asked, path)
			answer, err := g.asker.Ask(g.ctx, q)
			switch {
			case errors.As(err, new(*NotAnswered)):
				g.silent(q, err)
			case err != nil:
				g.silent(q, err)
				return nil, asked, g.whyNot(path)
			default:
				g.setObserved(answer) // the age of what it says is counted from here
				files = append(files, errlog.File{Name: path, Log: bytes.NewReader(answer.Body)})
			}
		}
	}
	return files, asked, ""
}

// The endings of the two kinds of error log.
const (
	textEnding = ".LOG"
	jsonEnding = ".json"
)

// onlyInJSON finds a point that the JSON alone has where the text is there too.
// Every message that the queue manager writes stands in the text, so one of the
// two is not of this queue manager, or not of now.
func onlyInJSON(m errlog.Marks) string {
	for _, mark := range []*errlog.Mark{m.Restart, m.Media} {
		if mark != nil && strings.HasSuffix(mark.Seen.File, jsonEnding) {
			return fmt.Sprintf("%s is not in the text beside it", mark.Seen)
		}
	}
	return ""
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
	if mark.Outlived != nil {
		return fmt.Sprintf("%s is not surely newer than %s", seen, *mark.Outlived)
	}
	if m.Newest != nil && m.Newest.Clock == seen.Clock && m.Newest.Time.Sub(seen.Time) > oldestLogged {
		return fmt.Sprintf("%s is older than %s by more than %s", seen, *m.Newest, oldestLogged)
	}
	return g.distrustAge(seen)
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
