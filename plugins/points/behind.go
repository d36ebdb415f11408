package points

import (
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

const day = 24 * time.Hour

// holdsEntries tells whether a piece is a part of the log: one that was never
// written, or waits to be used again, is not.
func holdsEntries(s recovery.Segment) bool {
	return s.State != recovery.Empty && s.State != recovery.Reuse
}

// Oldest gives the oldest need of a kind and how many pieces lie between it and
// the one being written. Where the queue manager tells only the older of both
// points, that one is taken for the media point: a restart point is rarely the
// older.
func Oldest(inventory recovery.Inventory, kind recovery.NeedKind) (need recovery.Need, behind int, known bool) {
	for _, n := range inventory.Needs {
		if n.Kind == kind && (!known || n.From < need.From) {
			need, known = n, true
		}
	}
	if !known && kind == recovery.Media {
		for _, n := range inventory.Needs {
			if n.Kind == recovery.Published {
				need, known = n, true
			}
		}
	}
	for _, s := range inventory.Segments {
		if s.From > need.From && holdsEntries(s) {
			behind++
		}
	}
	return need, behind, known
}

// Unmoved gives since when earlier runs have seen a point where it is now.
func Unmoved(seen []observe.Sighting, need recovery.Need) (time.Time, bool) {
	var since time.Time
	for i := len(seen) - 1; i >= 0; i-- {
		if seen[i].Kind != need.Kind {
			continue
		}
		if seen[i].Segment != need.Name {
			break
		}
		since = seen[i].At
	}
	return since, !since.IsZero()
}

// Age writes how old something is: in days from two on.
func Age(d time.Duration) string {
	if d >= 2*day {
		return fmt.Sprintf("%d days", int(d/day))
	}
	if d = d.Round(time.Minute); d == 0 {
		return "less than a minute"
	}
	return strings.TrimSuffix(d.String(), "0s")
}

// Pieces counts pieces of a log: "1 extent", "12 extents".
func Pieces(n int, piece string) string {
	if n == 1 {
		return "1 " + piece
	}
	return fmt.Sprintf("%d %ss", n, piece)
}
