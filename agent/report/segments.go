package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
)

// segmentsPart has one line for each range, or for each segment.
func segmentsPart(d *document, target ledger.Target, options Options) {
	if len(target.Segments) == 0 {
		return
	}
	title := strings.ToUpper(noun(target.Platform)[:1]) + plural(noun(target.Platform))[1:]
	library := libraryOf(target)
	if library != "" {
		title += " in library " + library
	}
	d.heading(2, title+", oldest first")
	managers := severalManagers(target)
	name := func(manager, library2, text string) string {
		if library == "" && library2 != "" {
			text = library2 + "/" + text
		}
		if managers {
			text = manager + ": " + text
		}
		return text
	}
	if options.Verbose {
		d.table(eachSegment(target, name))
		return
	}
	t := table{head: []string{noun(target.Platform), "number", "size", "state", "verdict", "why"}, right: []int{1, 2}}
	for _, r := range Ranges(target.Segments) {
		t.rows = append(t.rows, []cell{
			say(name(r.QueueManager, r.Library, r.Name())), say(numberOf(r)), say(segmentSize(r.Bytes)),
			say(r.States), tell(verdictTone(r.Verdict), r.Verdict), say(reasoned(r.Reason, r.Why)),
		})
	}
	d.table(t)
}

// numberOf gives how many segments a range has. Between two that are nowhere
// there may be others of which nothing is known.
func numberOf(r Range) string {
	if r.Verdict == recovery.Lost.String() && r.Count > 1 {
		return "at least " + strconv.Itoa(r.Count)
	}
	return strconv.Itoa(r.Count)
}

func eachSegment(target ledger.Target, name func(manager, library, text string) string) table {
	t := table{head: []string{noun(target.Platform), "opened", "size", "state", "verdict", "why"}, right: []int{2}}
	for _, s := range target.Segments {
		t.rows = append(t.rows, []cell{
			say(name(s.QueueManager, s.Library, s.Name)), say(cmp.Or(s.Opened, "-")), say(segmentSize(s.Bytes)),
			say(s.State), tell(verdictTone(s.Verdict), s.Verdict), say(reasoned(s.Reason, s.Why)),
		})
	}
	return t
}

func severalManagers(target ledger.Target) bool {
	for _, segment := range target.Segments {
		if segment.QueueManager != target.Segments[0].QueueManager {
			return true
		}
	}
	return false
}

// reasoned puts the slug, which can be searched for, before the sentence.
func reasoned(reason, why string) string {
	if reason == "" || why == "" {
		return reason + why
	}
	return reason + ": " + why
}

func objectsPart(d *document, target ledger.Target) {
	t := table{head: []string{"kind", "name", "owner", "verdict", "facts and reason"}}
	for _, o := range target.Objects {
		facts := make([]string, 0, len(o.Facts)+1)
		for _, key := range slices.Sorted(maps.Keys(o.Facts)) {
			facts = append(facts, key+" "+o.Facts[key])
		}
		if o.Reason != "" {
			facts = append(facts, o.Reason)
		}
		t.rows = append(t.rows, row(o.Kind, o.Name, o.Owner, o.Verdict, strings.Join(facts, "; ")))
	}
	if len(t.rows) > 0 {
		d.heading(2, "Objects")
		d.table(t)
	}
}
