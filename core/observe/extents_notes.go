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
	text     string // what the site wrote to it: of a replay, which one it is
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
		n := noteRow{id: row.Text("ID"), kind: strings.ToLower(row.Text("KIND")), extent: strings.ToUpper(row.Text("SEGMENT")), text: strings.Join(strings.Fields(row.Text("TEXT")), " ")}
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
	for _, n := range g.notes {
		switch n.kind {
		case savedNote, shippedNote, replayedNote:
		case dataBackupNote:
			g.addNote(n, recovery.DataBackup, 0)
		default:
			g.holdForNote(n, "is of a kind that is not known here")
		}
	}
	for _, n := range g.lastReplays() {
		g.addNote(n, recovery.Replay, 1)
	}
}

// lastReplays gives the newest note of each site that replays the log. Sites are
// told apart by what the note says; those without a word are one. Each needs the
// log for itself: that one has worked through an extent lets go of nothing that
// another has not.
func (g *extentGatherer) lastReplays() []noteRow {
	var last []noteRow
	for _, n := range g.notes {
		if n.kind != replayedNote {
			continue
		}
		at := slices.IndexFunc(last, func(other noteRow) bool { return other.text == n.text })
		switch {
		case at < 0:
			last = append(last, n)
		case !n.at.Before(last[at].at):
			last[at] = n
		}
	}
	return last
}

// notedSaved gives, by number, when the site last said of an extent of this log
// that it has saved it. That counts where extents stay until somebody deletes
// them; nothing else tells there what is saved.
func (g *extentGatherer) notedSaved() map[int]time.Time {
	saved := make(map[int]time.Time)
	if g.inventory.Remover != recovery.ByHousekeeper {
		return saved
	}
	for _, n := range g.notes {
		kind, number, err := ParseExtent(n.extent)
		if n.kind == savedNote && err == nil && kind == LogExtent && !g.beforeLife(n.at) && n.at.After(saved[number]) {
			saved[number] = n.at
		}
	}
	return saved
}

// addNote adds the need of a note that begins some extents after its mark. That
// what it needs is neither in the log nor in a store is a loss, and no reason to
// forget the need.
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
	case at > 0:
		g.holdForNote(n, "needs the log from "+ExtentName(number+after)+" on, which is not written yet")
	case at < -farBack:
		g.holdForNote(n, "is on "+n.extent+", of which the number does not tell whether it is older than "+ExtentName(g.zero))
	default:
		g.need(kind, at, n.String(), false)
	}
}

// holdForNote keeps everything for a note that can't be placed: whatever it
// needs, all of it stays.
func (g *extentGatherer) holdForNote(n noteRow, why string) {
	g.open(finding.NoteUnplaced, "%s %s: everything is held", n, why)
	g.needs = append(g.needs, extentNeed{0, recovery.Need{Kind: recovery.Hold, From: 1, Source: n.String()}})
}
