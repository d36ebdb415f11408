package report

import (
	"cmp"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
)

// A time line shows a chain as the manuals draw it: the log pieces side by
// side under the times at which they were opened, the oldest left, the
// recovery points below the piece and at the moment they fall into, and the
// cut before which everything may go.
//
//	10:16:01    11:35:52    12:46:49    14:02:04
//	AMQA0001    AMQA0002    AMQA0003    AMQA0004
//	|...........|...........#===========|=======>
//	                           ^ media 13:09:07

// station is one column of the drawing: a log piece, or a number of them that
// are left out.
type station struct {
	dot    ledger.Dot
	index  int // in the picture's points; of the first one left out
	hidden int // pieces left out; then there is no dot
	next   string
}

// stations gives every point of the picture, and one more where the picture
// itself left some out: how many is read off the target's own segments.
func stations(picture ledger.Picture, segments []ledger.Segment) []station {
	index := make(map[string]int, len(segments))
	for i, segment := range segments {
		index[segment.Name] = i
	}
	var result []station
	for i, dot := range picture.Points {
		if i > 0 {
			before, here := picture.Points[i-1], dot
			a, okA := index[before.Name]
			b, okB := index[here.Name]
			if missing := b - a - 1; okA && okB && missing > 0 && missing <= picture.Hidden {
				left := station{dot: ledger.Dot{Verdict: common(segments[a+1 : b])}, index: i, hidden: missing}
				result = append(result, left)
			} else {
				result[len(result)-1].next = here.At
			}
		}
		result = append(result, station{dot: dot, index: i})
	}
	return result
}

// common gives the verdict that all the segments have, or none.
func common(segments []ledger.Segment) string {
	for _, segment := range segments {
		if segment.Verdict != segments[0].Verdict {
			return ""
		}
	}
	return segments[0].Verdict
}

// collapse leaves out the middles of long runs of one verdict until at most
// room stations are left, or only those that carry something: the ends, the
// cut and the marks.
func collapse(all []station, picture ledger.Picture, room int) []station {
	if len(all) <= room {
		return all
	}
	marked := map[int]bool{0: true, len(picture.Points) - 1: true, picture.Cut: true, picture.Cut - 1: true}
	for _, mark := range picture.Marks {
		marked[mark.Point] = true
	}
	same := func(i, j int) bool {
		return i >= 0 && j < len(all) && all[i].dot.Verdict == all[j].dot.Verdict
	}
	withRunEnds := fold(all, func(i int) bool {
		return marked[all[i].index] && all[i].hidden == 0 || !same(i-1, i) || !same(i, i+1)
	})
	if len(withRunEnds) <= room {
		return withRunEnds
	}
	return fold(all, func(i int) bool { return marked[all[i].index] && all[i].hidden == 0 })
}

// fold replaces each run of stations that need not stay by one that counts
// them; a single one is no shorter as a count, so it stays.
func fold(all []station, stays func(int) bool) []station {
	var result []station
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && !stays(j) {
			j++
		}
		switch {
		case j == i:
			result = append(result, all[i])
			i++
		case j == i+1:
			result = append(result, all[i])
			i = j
		default:
			result = append(result, merge(all[i:j]))
			i = j
		}
	}
	for i := range result {
		if i+1 < len(result) && result[i+1].hidden > 0 {
			result[i].next = ""
		}
	}
	return result
}

func merge(run []station) station {
	merged := station{dot: ledger.Dot{Verdict: run[0].dot.Verdict}, index: run[0].index}
	for _, s := range run {
		merged.hidden += max(s.hidden, 1)
		if s.dot.Verdict != merged.dot.Verdict {
			merged.dot.Verdict = ""
		}
	}
	return merged
}

// stroke is how a verdict is drawn on the line.
type stroke struct {
	char    string
	meaning string
}

// various is drawn for pieces left out that do not all have one verdict.
var various = stroke{"-", "several verdicts"}

func strokeOf(verdict string) stroke {
	switch verdict {
	case recovery.Delete.String():
		return stroke{".", "may go"}
	case recovery.ArchiveDelete.String():
		return stroke{"o", "may go once it is saved"}
	case recovery.Archive.String():
		return stroke{"+", "is saved and stays"}
	case recovery.HoldBack.String():
		return stroke{"~", "held"}
	case recovery.Archived.String():
		return stroke{":", "needed, only in a store"}
	case recovery.Lost.String():
		return stroke{"!", "needed, nowhere"}
	case recovery.Keep.String():
		return stroke{"=", "stays"}
	default:
		return various
	}
}

// legend explains the strokes that were used.
func legend(drawn []station) string {
	var parts []string
	seen := map[string]bool{}
	current := false
	for _, s := range drawn {
		st := strokeOf(s.dot.Verdict)
		if !seen[st.char] {
			seen[st.char] = true
			parts = append(parts, st.char+" "+st.meaning)
		}
		current = current || isCurrent(s)
	}
	if current {
		parts = append(parts, "> being written")
	}
	return strings.Join(parts, ";  ")
}

func isCurrent(s station) bool { return s.dot.State == recovery.Current.String() }

// stamp splits the time of a point into a date and a time of day, as far as
// it has that shape; the separators differ between platforms (2026-05-27-
// 13.59.00.000000 in Db2 for i, a blank or a T elsewhere).
func stamp(at string) (date, clock string) {
	at = ascii(at)
	if len(at) >= 19 && at[4] == '-' && at[7] == '-' && strings.ContainsRune(" T-", rune(at[10])) {
		return at[:10], at[11:19]
	}
	return "", cmp.Or(tail(at, 19), "-")
}
