package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// detail shows one task of one policy on one target: what was seen, what is
// promised, what would happen, and why.
func detail(d *document, target ledger.Target, options Options) {
	d.heading(1, fmt.Sprintf("%s (%s): policy %s", target.Name, target.Platform, target.Policy))
	d.table(table{rows: [][]cell{
		row("task", fmt.Sprintf("%s, plugin %s", target.Task, target.Plugin)),
		row("strategy", cmp.Or(target.Strategy, "(none)")),
		row("observed", observed(target)),
		row("policy digest", target.PolicyDigest),
	}})
	if len(target.Allow) > 0 {
		d.line(say("This task has a list of its own of what its plugin may plan: " + strings.Join(target.Allow, ", ") + "."))
	}
	if target.Error != "" {
		d.line(tell(bad, failure(target)+": "+target.Error))
	}
	if target.Error != "" && len(target.Actions) == 0 {
		d.line(say("Nothing was planned for this target, and nothing of it was touched."))
		findingsPart(d, target)
		unansweredPart(d, target)
		return
	}
	if critical(target) > 0 {
		d.line(tell(bad, "CRITICAL: as long as the critical findings below stand, everything is kept on this target."))
	}
	if besideLogs(target) {
		objectsPart(d, target)
		picturesPart(d, target, options)
	} else {
		pointsPart(d, target)
		outlookPart(d, target)
		picturesPart(d, target, options)
		segmentsPart(d, target, options)
		objectsPart(d, target)
	}
	actionsPart(d, target, options)
	readBackPart(d, target)
	needPart(d, target)
	findingsPart(d, target)
	unansweredPart(d, target)
	if besideLogs(target) {
		return
	}
	d.heading(2, "Totals")
	lastPlanLine(d, []ledger.Target{target})
	d.table(totalsTable(target.Totals, noun(target.Platform), storeless(target)))
	d.line(tell(faint, sizesNote))
}

// besideLogs tells whether a plan speaks of other things than log pieces, such as
// structures of a sharing group: of recovery points and pieces it has nothing to
// say, and what it found of those things is the head of its report.
func besideLogs(target ledger.Target) bool {
	known := target.Recovery
	return target.NoLog || len(target.Objects) > 0 && len(target.Segments) == 0 && len(known.Needs) == 0 && known.Restart == nil && known.Media == nil
}

// allBesideLogs tells whether all plans that there are speak of other things.
func allBesideLogs(plans []ledger.Target) bool {
	return slices.ContainsFunc(plans, besideLogs) &&
		!slices.ContainsFunc(plans, func(p ledger.Target) bool { return p.Error == "" && !besideLogs(p) })
}

// storeless tells whether no store takes what is to be saved.
func storeless(target ledger.Target) bool {
	return slices.ContainsFunc(target.Findings, func(f finding.Finding) bool {
		return f.Code == finding.StoreNotConfigured || f.Code == finding.StoreUnfit
	})
}

func observed(target ledger.Target) string {
	if target.Observed == "" {
		return "at a time not known"
	}
	return target.Observed + ", on the target's own clock"
}

// pointsPart lists from where a recovery reads, and where that was learned.
// Whose log it is stands there only where it could be another one's.
func pointsPart(d *document, target ledger.Target) {
	d.heading(2, "Recovery points")
	points := pointsOf(target)
	several := slices.ContainsFunc(points, func(p namedPoint) bool {
		return p.at != nil && p.at.QueueManager != "" && p.at.QueueManager != target.Name
	})
	t := table{head: []string{"point", noun(target.Platform), "oldest entry", "learned from"}}
	if several {
		t.head = slices.Insert(t.head, 1, "queue manager")
	}
	for _, point := range points {
		t.rows = append(t.rows, point.row(several))
	}
	d.table(t)
	if check := byHand(target); check != "" {
		d.line(tell(faint, check))
	}
}

// namedPoint is a recovery point under the name that a report gives it; at is
// nil when it is not known.
type namedPoint struct {
	name string
	at   *ledger.Point
}

// pointsOf gives the restart and the media recovery point, known or not, and
// every need that is not one of them.
func pointsOf(target ledger.Target) []namedPoint {
	known := target.Recovery
	points := []namedPoint{{"restart", known.Restart}, {"media", known.Media}}
	for _, need := range known.Needs {
		if (known.Restart == nil || *known.Restart != need) && (known.Media == nil || *known.Media != need) {
			points = append(points, namedPoint{need.Kind, &need})
		}
	}
	return points
}

func (p namedPoint) row(several bool) []cell {
	manager := "-"
	cells := []cell{say(p.name), tell(warn, "not known"), say("-"), say("-")}
	if p.at != nil {
		manager = cmp.Or(p.at.QueueManager, "-")
		cells = row(p.name, cmp.Or(p.at.Segment, "not named"), cmp.Or(p.at.Position, "not given"), cmp.Or(p.at.Source, "not said"))
	}
	if several {
		cells = slices.Insert(cells, 1, say(manager))
	}
	return cells
}

// outlookPart sets the promise beside what a recovery would really find.
func outlookPart(d *document, target ledger.Target) {
	d.heading(2, "What a recovery would find once this plan is carried out")
	var rows, items [][]cell
	for _, o := range outlooks(target) {
		rows = append(rows, []cell{say(o.name), say(cmp.Or(o.promised, "-")), readyCell(o.found.Ready), o.kept()})
		items = append(items, row(o.reads(noun(target.Platform))))
	}
	d.table(table{head: []string{"recovery", "promised", "would be", "promise"}, rows: rows})
	d.list(items)
	if n := target.Totals.Waiting; n > 0 {
		d.line(tell(warn, fmt.Sprintf("It is not carried out as long as no store takes what is to be saved first: %s stay, and a recovery finds them on the system.", count(n, noun(target.Platform)))))
	}
	d.line(tell(faint, recoveries))
}
