package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
)

// Range is a run of neighbouring segments of one queue manager and library
// that have the same verdict for the same reason.
type Range struct {
	QueueManager string
	Library      string
	First, Last  string // names of its oldest and newest segment
	From, To     int    // their indexes in the list the range was made from, both included
	Count        int    // To - From + 1
	Bytes        int64  // sum over the segments
	Verdict      string
	Reason       string
	Why          string // the same for all of them
	States       string // "saved", or "3 online, 5 saved" in order of first appearance
}

// Ranges cuts the segments, in their order, into the fewest ranges. Each
// segment is in exactly one of them.
func Ranges(segments []ledger.Segment) []Range {
	var ranges []Range
	from := 0
	for i := range segments {
		if i+1 == len(segments) || !alike(segments[i], segments[i+1]) {
			ranges = append(ranges, makeRange(segments, from, i))
			from = i + 1
		}
	}
	return ranges
}

func alike(a, b ledger.Segment) bool {
	return a.QueueManager == b.QueueManager && a.Library == b.Library &&
		a.Verdict == b.Verdict && a.Reason == b.Reason && a.Why == b.Why
}

func makeRange(segments []ledger.Segment, from, to int) Range {
	oldest := segments[from]
	r := Range{
		QueueManager: oldest.QueueManager, Library: oldest.Library,
		First: oldest.Name, Last: segments[to].Name, From: from, To: to, Count: to - from + 1,
		Verdict: oldest.Verdict, Reason: oldest.Reason, Why: oldest.Why,
		States: states(segments[from : to+1]),
	}
	for _, segment := range segments[from : to+1] {
		r.Bytes += segment.Bytes
	}
	return r
}

func states(segments []ledger.Segment) string {
	var words []string
	counts := map[string]int{}
	for _, segment := range segments {
		if counts[segment.State]++; !slices.Contains(words, segment.State) {
			words = append(words, segment.State)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	for i, word := range words {
		words[i] = fmt.Sprintf("%d %s", counts[word], word)
	}
	return strings.Join(words, ", ")
}

// Name gives "FIRST .. LAST", or one name.
func (r Range) Name() string { return span(r.First, r.Last) }

func span(first, last string) string {
	if first == last {
		return first
	}
	return first + " .. " + last
}
