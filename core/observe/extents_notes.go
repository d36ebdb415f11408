package observe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// The kinds of notes that say what the log is needed for (docs/transcript.md).
// What was saved or shipped needs nothing by itself.
const (
	dataBackupNote = "data-backup"
	replayedNote   = "replayed"
	savedNote      = "saved"
	shippedNote    = "shipped"
)

// noteRow is what a job of the site did.
type noteRow struct {
	id, kind string
	at       time.Time
	extent   string // the mark, as it was given
}

// String says where a person can look it up.
func (n noteRow) String() string {
	return fmt.Sprintf("note %s %s %s", n.id, n.kind, n.at.Format(rfc3339))
}

// readNotes asks what the site's own jobs did.
func (g *extentGatherer) readNotes() {
	observed, now := g.observed, g.now
	t := g.hostTable(Note, NotesQuestion, "ID", "AT", "KIND", "SEGMENT")
	g.observed, g.now = observed, now
	for _, row := range t.Rows() {
		n := noteRow{id: row.Text("ID"), kind: strings.ToLower(row.Text("KIND")), extent: strings.ToUpper(row.Text("SEGMENT"))}
		if n.extent == "" {
			n.extent = strings.ToUpper(row.Text("POSITION"))
		}
		var err error
		if n.at, err = parseMoment(row.Text("AT")); err != nil {
			g.open(finding.FactsUnreadable, "note in line %d: %v", row.Line, err)
			continue
		}
		g.notes = append(g.notes, n)
	}
}

// addNotes makes needs of the notes. Each data backup is brought up to date with
// the log from its mark on (trap 23). Another queue manager that replays the log
// needs what follows the extent that it has worked through last.
func (g *extentGatherer) addNotes() {
	var last *noteRow // of those replayed
	for i, n := range g.notes {
		switch n.kind {
		case savedNote, shippedNote:
		case dataBackupNote:
			g.addNote(n, recovery.DataBackup, 0)
		case replayedNote:
			if last == nil || !n.at.Before(last.at) {
				last = &g.notes[i]
			}
		default:
			g.holdForNote(n, "is of a kind that is not known here")
		}
	}
	if last != nil {
		g.addNote(*last, recovery.Replay, 1)
	}
}

// addNote adds the need of a note that begins some extents after its mark.
func (g *extentGatherer) addNote(n noteRow, kind recovery.NeedKind, after int) {
	if len(g.listed) == 0 && !g.certain {
		return // nothing can go, and nothing tells where it lies
	}
	extent, number, err := ParseExtent(n.extent)
	at := g.distance(number) + after
	switch {
	case err != nil || extent != LogExtent:
		g.holdForNote(n, fmt.Sprintf("gives %q, which is no log extent", n.extent))
	case g.beforeLog(n.at):
		g.holdForNote(n, "was made before this log began")
	case at > 0 || at < -farBack || at != 0 && !g.isKnown(at):
		g.holdForNote(n, "is on "+n.extent+", and what it needs is neither in the log nor in a store")
	default:
		g.need(kind, at, n.String(), false)
	}
}

// isKnown tells whether an extent is on the system or in a store.
func (g *extentGatherer) isKnown(at int) bool {
	return g.isListed(ExtentNumber(g.zero+at)) || slices.ContainsFunc(g.kept, func(k keptExtent) bool { return k.at == at })
}

// holdForNote keeps everything for a note that can't be placed: whatever it
// needs, all of it stays.
func (g *extentGatherer) holdForNote(n noteRow, why string) {
	g.open(finding.NoteUnplaced, "%s %s: everything is held", n, why)
	g.needs = append(g.needs, extentNeed{0, recovery.Need{Kind: recovery.Hold, From: 1, Source: n.String()}})
}
