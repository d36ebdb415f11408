package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/observe"
)

// archiveCopy is a copy as it is listed.
type archiveCopy struct {
	Store        string `json:"store"`
	QueueManager string `json:"queue_manager"`
	Library      string `json:"library,omitempty"`
	Segment      string `json:"segment"`
	Opened       string `json:"opened,omitempty"` // on the system's own clock
	Closed       string `json:"closed,omitempty"`
	Incarnation  string `json:"incarnation,omitempty"` // of the log that it is of
	Made         string `json:"made"`                  // on the clock of the machine that made it
	First        string `json:"first,omitempty"`
	Last         string `json:"last,omitempty"`
	Bytes        int64  `json:"bytes"`
	SHA256       string `json:"sha256"`
	Verified     bool   `json:"verified"`
	Problem      string `json:"problem,omitempty"`
}

// archiveListing is the result.
type archiveListing struct {
	Copies   []archiveCopy `json:"copies"`
	Problems []string      `json:"problems"` // manifests that can't be read, stores that hold none
}

// oldestFirst puts copies in the order in which what they are of was written:
// receivers by the times at which they were opened, extents within one log by
// their numbers, of which the first follows the last (case 17). Of two logs that
// one comes first of which there is the older copy.
func oldestFirst(list []entry) {
	type log struct{ manager, incarnation string }
	of := func(e entry) log { return log{e.Manifest.QueueManager, e.Manifest.Incarnation} }
	first := make(map[log]entry)
	for _, e := range list {
		if one, known := first[of(e)]; !known || e.Manifest.Made.Before(one.Manifest.Made) {
			first[of(e)] = e
		}
	}
	place := func(e entry) int {
		_, from, errFirst := observe.ParseExtent(first[of(e)].Manifest.Segment)
		_, number, err := observe.ParseExtent(e.Manifest.Segment)
		if errFirst != nil || err != nil {
			return 0
		}
		return observe.ExtentDistance(from, number)
	}
	slices.SortStableFunc(list, func(x, y entry) int {
		order := strings.Compare(x.Manifest.Opened, y.Manifest.Opened)
		if order != 0 || x.Manifest.Opened != "" {
			return order
		}
		return cmp.Or(first[of(x)].Manifest.Made.Compare(first[of(y)].Manifest.Made),
			strings.Compare(x.Manifest.QueueManager, y.Manifest.QueueManager), strings.Compare(x.Manifest.Incarnation, y.Manifest.Incarnation),
			cmp.Compare(place(x), place(y)), x.Manifest.Made.Compare(y.Manifest.Made))
	})
}

// copyOf shows a copy, with what is wrong with it.
func copyOf(e entry, problem error) archiveCopy {
	m := e.Manifest
	c := archiveCopy{
		Store: e.in.Name(), QueueManager: m.QueueManager, Library: m.Library, Segment: m.Segment, Opened: m.Opened, Closed: m.Closed,
		Incarnation: m.Incarnation, Made: m.Made.Format(time.RFC3339), First: m.First, Last: m.Last, Bytes: m.Bytes, SHA256: m.SHA256, Verified: problem == nil,
	}
	if problem != nil {
		c.Problem = problem.Error()
	}
	return c
}

// archiveText gives a line for each copy between a header and a sum. What is
// wrong stands first: of a thousand copies nobody reads every line.
func archiveText(result archiveListing) string {
	if len(result.Copies)+len(result.Problems) == 0 {
		return "no store has a copy\n"
	}
	var b strings.Builder
	for _, p := range result.Problems {
		fmt.Fprintf(&b, "PROBLEM: %s\n", report.Printable(p))
	}
	for _, c := range result.Copies {
		if !c.Verified {
			fmt.Fprintf(&b, "NOT VERIFIED: %s of %s in store %s: %s\n", report.Printable(segmentName(c.Library, c.Segment)),
				report.Printable(c.QueueManager), report.Printable(c.Store), report.Printable(c.Problem))
		}
	}
	if len(result.Copies) == 0 {
		return b.String()
	}
	timed := slices.ContainsFunc(result.Copies, func(c archiveCopy) bool { return c.Opened != "" })
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STORE\tQUEUE MANAGER\tSEGMENT\t"+times(timed, "OPENED", "CLOSED")+"MADE\tSIZE\tSTATE")
	var bytes int64
	whole := 0
	for _, c := range result.Copies {
		state := "NOT VERIFIED"
		if c.Verified {
			state = "verified"
			whole++
		}
		bytes += c.Bytes
		fmt.Fprintf(w, "%s\t%s\t%s\t%s%s\t%s\t%s\n", report.Printable(c.Store), report.Printable(c.QueueManager),
			report.Printable(segmentName(c.Library, c.Segment)), times(timed, cmp.Or(report.Printable(c.Opened), "-"), cmp.Or(report.Printable(c.Closed), "-")),
			report.Printable(c.Made), report.Size(c.Bytes), state)
	}
	_ = w.Flush() // into memory
	fmt.Fprintf(&b, "%s, %s, %d of them verified\n", some(len(result.Copies), "copy", "copies"), report.Size(bytes), whole)
	return b.String()
}

// times gives the columns of when segments were opened and closed. Extents have
// neither: their files are made before they are used.
func times(timed bool, opened, closed string) string {
	if !timed {
		return ""
	}
	return opened + "\t" + closed + "\t"
}
