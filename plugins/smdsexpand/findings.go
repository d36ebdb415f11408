package smdsexpand

import (
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/points"
)

// notes are the findings of one plan.
type notes struct {
	group string
	list  []finding.Finding
}

// add notes something about a data set or a structure of the group.
func (n *notes) add(code finding.Code, what, format string, args ...any) {
	n.list = append(n.list, finding.New(code, "%s: %s: %s", n.group, what, fmt.Sprintf(format, args...)))
}

// dataSet notes what is to be said of one data set, and how bad it is.
func (n *notes) dataSet(s *state, history series, g *qsg.Group, c config) {
	before := len(n.list)
	n.access(s)
	n.expansions(s, history, g)
	n.fill(s, c)
	n.extents(s, c)
	n.demand(s, c)
	s.worst, s.noted = finding.Worst(n.list[before:])
	n.buffers(s, c) // nothing that a picture shows
}

// expansions notes each expansion, and each that failed.
func (n *notes) expansions(s *state, history series, g *qsg.Group) {
	for _, e := range s.grown.expansions {
		n.add(finding.DataSetExpanded, key(s.DataSet), "it expanded %s by %s pages to %s in all; %s", at(e), printed(e.Number("PAGES")), printed(e.Number("TOTAL")), s.extentsText())
	}
	if before, ok := history.before(qsg.ExtentCount, s.DataSet, g.Observed); ok && s.room.known && len(s.grown.expansions) == 0 && s.room.extents > before.Value.Value {
		n.add(finding.DataSetExpanded, key(s.DataSet), "it had %d extents at %s and has %d now, and no message tells of that",
			before.Value.Value, before.At.Format("2006-01-02 15:04"), s.room.extents)
	}
	for _, e := range s.grown.failures {
		what := expandAgain(s.DataSet)
		if e.ID == exhausted {
			what = moveLarger(s.DataSet)
		}
		n.add(finding.ExpansionFailed, key(s.DataSet), "an expansion failed %s (%s); %s", at(e), e.ID, what)
	}
	switch said := s.expansion(); {
	case len(s.grown.failures) > 0: // said with the message
	case said == "FAILED":
		n.add(finding.ExpansionFailed, key(s.DataSet), "EXPANDST(FAILED); %s", expandAgain(s.DataSet))
	case said == "MAXIMUM":
		n.add(finding.ExpansionFailed, key(s.DataSet), "EXPANDST(MAXIMUM); %s", moveLarger(s.DataSet))
	}
}

// extentsText says how many extents it has.
func (s *state) extentsText() string {
	if !s.room.known {
		return "how many extents it has is not known"
	}
	return fmt.Sprintf("it has %d extents of %d", s.room.extents, s.room.most)
}

// fill notes a data set that is, or soon will be, full.
func (n *notes) fill(s *state, c config) {
	wider := ""
	if s.structure != nil {
		wider = offloadOf(*s.structure).widerRule(s.Structure)
	}
	for _, e := range s.grown.full {
		n.add(finding.DataSetFull, key(s.DataSet), "%s", joined("it became full "+at(e)+" (CSQE239I)", wider))
	}
	stuck := s.stuck()
	switch {
	case !s.part.Known:
	case s.part.Value >= expandsAt && stuck != "":
		n.add(finding.DataSetFull, key(s.DataSet), "%s", joined(fmt.Sprintf("%d%% is in use, and it can't expand: %s", s.part.Value, stuck), wider))
		return
	case s.part.Value >= c.full:
		n.add(finding.DataSetFilling, key(s.DataSet), "%s", joined(fmt.Sprintf("%d%% is in use", s.part.Value), s.nextText()))
	}
	if s.expands == qsg.No && s.expansion() != "FAILED" && s.expansion() != "MAXIMUM" {
		n.add(finding.ExpansionOff, key(s.DataSet), "DSEXPAND(NO); %s", alterSMDS(s.DataSet, "DSEXPAND(YES)"))
	}
}

// nextText says what the next expansion adds.
func (s *state) nextText() string {
	if stuck := s.stuck(); stuck != "" {
		return "it can't expand: " + stuck
	}
	if !s.steps || !s.size.Known {
		return ""
	}
	step := s.growth.step(s.size.Value)
	text := fmt.Sprintf("the next expansion, at %d%%, adds %s", expandsAt, points.SizeDown(step))
	if s.growth.secondary == 0 {
		text += ", a tenth of its size, since it has no secondary quantity"
	}
	return text
}

// extents notes that few are left, or that they are not known.
func (n *notes) extents(s *state, c config) {
	switch {
	case s.NotCatalogued:
		n.add(finding.ExtentsUnknown, key(s.DataSet), "%s is not in the catalog that was asked", s.Name)
	case s.Catalog != nil && !s.room.known:
		n.add(finding.ExtentsUnknown, key(s.DataSet), "the catalog entry of %s does not show how many it has", s.Name)
	case s.room.known && s.room.left <= c.few:
		n.add(finding.ExtentsShort, key(s.DataSet), "%d left: %s; %s", s.room.left, s.leftText(c.limits), moveLarger(s.DataSet))
	}
}

// leftText says how many expansions are left, and what bounds them.
func (s *state) leftText(l limits) string {
	return fmt.Sprintf("it has %d extents and may have %d (%s), for %s", s.room.extents, s.room.most, s.room.why, s.expansionsLeft(l))
}

// expansionsLeft says how many expansions the extents are enough for.
func (s *state) expansionsLeft(l limits) string {
	sure, best := s.room.sure(l), s.room.best(l)
	if sure == best {
		return plural(best, "expansion")
	}
	return fmt.Sprintf("%d to %d expansions", sure, best)
}

// demand notes what is to come.
func (n *notes) demand(s *state, c config) {
	d, ok := s.demandOf(c)
	switch {
	case !ok || !s.room.known:
	case d.enough:
		n.add(finding.ExpansionAhead, key(s.DataSet), "%s; %s", d, growBefore)
	default:
		why := s.stuck()
		if why == "" {
			why = s.room.bound(c.limits, s.growth, s.size.Value)
		}
		n.add(finding.RoomShort, key(s.DataSet), "%s: it has room for %s (%s); %s", d, s.expansionsLeft(c.limits), why, moveLarger(s.DataSet))
	}
}

// buffers notes that there were too few, or that they are too many.
func (n *notes) buffers(s *state, c config) {
	if e, ok := s.pool.enlarge(c.storage); ok {
		n.add(finding.BuffersShort, key(s.DataSet), "%s", s.enlarging(e))
	}
	if took := s.pool.storage(); took.Known && took.Value > c.storage {
		n.add(finding.BuffersLarge, key(s.DataSet), "DSBUFS(%d) of %s each are %s, and the task allows %s",
			s.pool.now.Value, points.SizeUp(s.pool.block.Value), points.SizeUp(took.Value), points.SizeUp(c.storage))
	}
}

// access notes who can't use the data set.
func (n *notes) access(s *state) {
	if s.failed() {
		n.add(finding.DataSetFailed, key(s.DataSet), "STATUS(%s) ACCESS(%s)", s.Status, s.Access)
	} else if s.Access == "DISABLED" {
		n.add(finding.DataSetUnavailable, key(s.DataSet), "ACCESS(DISABLED)")
	}
	how := map[string][]string{}
	var order []string
	for _, c := range s.Connections {
		if !useless(c) {
			continue
		}
		what := fmt.Sprintf("STATUS(%s) AVAIL(%s)", c.Status, c.Available)
		if how[what] == nil {
			order = append(order, what)
		}
		how[what] = append(how[what], c.Viewer)
	}
	for _, what := range order {
		n.add(finding.DataSetUnavailable, key(s.DataSet), "%s on %s; when the cause is removed, on each of them: START SMDSCONN(%s) CFSTRUCT(%s)",
			what, listed(how[what]), s.Owner, s.Structure)
	}
}
