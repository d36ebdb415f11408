package observe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// The questions that the host answers, and the columns of their answers
// (docs/transcript.md). An empty answer is no rows.
const (
	ManifestsQuestion = "manifests" // STORE
	HoldsQuestion     = "holds"     // HOLD
	NotesQuestion     = "notes"     // NOTE
	SegmentsQuestion  = "segments"  // HISTORY
)

type holdRow struct {
	id, reason    string
	library, name string // empty: the whole target
	until         time.Time
}

type historyRow struct {
	at       time.Time
	kind     string // unneeded, restart, media
	library  string
	name     string
	position string
}

// hostTable asks the host one of its own questions. No block, or an empty
// one, is no rows; anything else that can't be read keeps everything.
func (g *gathering) hostTable(language Language, text string, columns ...string) *Table {
	body, ok := g.ask(language, text)
	if !ok || strings.TrimSpace(string(body)) == "" {
		return &Table{}
	}
	t, err := ReadTable(body)
	if err == nil {
		if missing := t.Missing(columns...); len(missing) > 0 {
			err = &columnsMissing{missing}
		}
	}
	if err != nil {
		g.open(finding.FactsUnreadable, "%s: %v", Question{language, g.target.Name, "", text}, err)
		return &Table{}
	}
	return t
}

// readHost reads manifests, holds and the history of earlier runs.
func (g *gathering) readHost(copies copyRules) {
	observed, now := g.observed, g.now
	g.readManifests(copies)
	g.readHolds()
	g.readHistory()
	g.observed, g.now = observed, now
}

// copyRules say how the copies of a platform are told apart in manifests.
type copyRules struct {
	named func(recovery.SegmentID) bool // a name of a piece of such a log
	piece string                        // what such a piece is called
}

var receiverCopies = copyRules{func(id recovery.SegmentID) bool { return objectName(id.Library) && objectName(id.Name) }, "a receiver"}

func (g *gathering) readManifests(rules copyRules) {
	t := g.hostTable(Store, ManifestsQuestion, "STORE", "LIBRARY", "SEGMENT", "OPENED", "CLOSED", "VERIFIED")
	for _, row := range t.Rows() {
		manager := row.Text("QUEUE_MANAGER")
		if manager != "" && manager != g.target.Name {
			continue
		}
		size, err := readNumber(row, "BYTES")
		for _, column := range []string{"OPENED", "CLOSED"} {
			if _, e := ParseStamp(row.Text(column)); e != nil {
				err = e
			}
		}
		id := recovery.SegmentID{QueueManager: g.target.Name, Library: row.Text("LIBRARY"), Name: row.Text("SEGMENT")}
		switch {
		case !rules.named(id):
			err = fmt.Errorf("%q in %q is no name of %s", id.Name, id.Library, rules.piece)
		case manager == "" && t.Has("QUEUE_MANAGER"):
			err = fmt.Errorf("%s is of no queue manager", id)
		case row.Text("STORE") == "":
			err = fmt.Errorf("%s is in no store", id)
		}
		if err != nil {
			g.open(finding.FactsUnreadable, "manifest in line %d: %v", row.Line, err)
			continue
		}
		if !yes(row.Text("VERIFIED")) {
			g.open(finding.CopyDamaged, "the copy of %s in store %s is damaged or gone, and counts as none", id, row.Text("STORE"))
		}
		g.copies = append(g.copies, recovery.Copy{
			Segment:  id,
			Store:    row.Text("STORE"),
			Opened:   row.Text("OPENED"),
			Closed:   row.Text("CLOSED"),
			From:     row.Text("FIRST"),
			To:       row.Text("LAST"),
			Bytes:    int64(min(size, 1<<62)),
			SHA256:   row.Text("SHA256"),
			Verified: yes(row.Text("VERIFIED")),

			Incarnation: row.Text("INCARNATION"), // empty where there is no such column
		})
	}
}

func (g *gathering) readHolds() {
	t := g.hostTable(HoldOn, HoldsQuestion, "ID", "UNTIL", "SEGMENT", "REASON")
	for _, row := range t.Rows() {
		h := newHold(row)
		if text, ok := row.Get("UNTIL"); ok {
			until, err := parseMoment(text)
			if err != nil {
				g.open(finding.FactsUnreadable, "hold %s: until: %v", h.id, err) // kept, without an end
			}
			h.until = until
		}
		if h.until.IsZero() || g.observed.IsZero() || g.observed.Before(h.until) {
			g.holds = append(g.holds, h)
		}
	}
}

// newHold reads what is held: a segment, by name or as LIBRARY/NAME in any
// case, or the whole target.
func newHold(row Row) holdRow {
	library, name := strings.ToUpper(row.Text("LIBRARY")), strings.ToUpper(row.Text("SEGMENT"))
	if before, after, qualified := strings.Cut(name, "/"); qualified {
		library, name = before, after
	}
	return holdRow{id: row.Text("ID"), reason: row.Text("REASON"), library: library, name: name}
}

// addHolds adds a need for each hold of an operator: on the whole target, or
// from the oldest segment that it names.
func (g *gathering) addHolds() {
	inv := g.inventory
	for _, h := range g.holds {
		need := recovery.Need{Kind: recovery.Hold, From: 1, Source: strings.TrimSpace("hold " + h.id + " " + h.reason)}
		if h.name != "" {
			at := slices.IndexFunc(inv.Segments, func(s recovery.Segment) bool {
				return s.ID.Name == h.name && (h.library == "" || s.ID.Library == h.library)
			})
			if at < 0 {
				// What is held does not go, so a name that is not there is a
				// mistake: whatever was meant, all of it stays.
				g.open(finding.OnHold, "hold %s is on %s, which is not listed: everything is held", h.id, h.name)
			} else {
				need.From, need.Name = inv.Segments[at].From, h.name
			}
		}
		inv.Needs = append(inv.Needs, need)
	}
}

func (g *gathering) readHistory() {
	t := g.hostTable(History, SegmentsQuestion, "AT", "KIND", "SEGMENT")
	for _, row := range t.Rows() {
		at, err := parseMoment(row.Text("AT"))
		if err != nil {
			g.open(finding.FactsUnreadable, "history in line %d: %v", row.Line, err)
			continue
		}
		h := historyRow{at, strings.ToLower(row.Text("KIND")), row.Text("LIBRARY"), row.Text("SEGMENT"), row.Text("POSITION")}
		g.history = append(g.history, h)
		if (h.kind == PutBackKind || h.kind == PutBackSeenKind) && h.at.After(g.putBack.at) {
			g.putBack = h
		}
		if kind := recovery.ParseNeedKind(h.kind); kind != recovery.NeedUnknown {
			g.seen = append(g.seen, Sighting{at, kind, h.name, h.position})
		}
	}
	slices.SortStableFunc(g.seen, func(a, b Sighting) int { return a.At.Compare(b.At) })
}

// parseMoment reads a time with its offset.
func parseMoment(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s is no time with an offset (2026-05-28T02:00:00+02:00)", strconv.Quote(text))
	}
	return t, nil
}

func yes(text string) bool { return strings.EqualFold(text, "YES") || text == "1" }
