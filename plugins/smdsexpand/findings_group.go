package smdsexpand

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/points"
)

// findings gives all that is to be said: of each data set, of each structure that
// has some, and of the group.
func findings(g *qsg.Group, v view, c config) []finding.Finding {
	n := &notes{group: g.Name}
	for _, s := range v.dataSets {
		n.dataSet(s, v.history, g, c)
		if c.mayExpand(s.DataSet) {
			if why := s.waitsToExpand(); why != "" {
				n.add(finding.ExpansionOff, key(s.DataSet), "the task lets it expand again, and nothing is done: %s", why)
			}
		}
	}
	for _, s := range v.structures {
		n.structure(s, c)
	}
	n.unseen(g, v.dataSets)
	n.unforecast(v.dataSets)
	n.readers(v.empty)
	return n.list
}

// held is a structure with what lies in its data sets.
type held struct {
	*qsg.Structure
	bytes    int64
	outgrown bool // the space map of one of them has more than a block
	look     outlook
}

// reaches says when the structure may be so full that the next rule holds; empty:
// not within the time that is forecast.
func (s held) reaches(o offload) string {
	if o.next == nil || !s.look.made {
		return ""
	}
	earliest, _ := s.look.forecast.Reaches(float64(o.next.threshold))
	if earliest.IsZero() {
		return ""
	}
	return fmt.Sprintf("the forecast reaches that by %s at the earliest (%s)", earliest.Format(time.RFC3339), s.look.forecast.Method)
}

// structures gives those that have data sets, each once, in order.
func structures(all []*state, history series, now time.Time, c config) []held {
	var list []held
	for _, s := range all {
		if s.structure == nil {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Name != s.Structure {
			list = append(list, held{Structure: s.structure, look: history.structure(*s.structure, now, c.horizon)})
		}
		last := &list[len(list)-1]
		last.bytes += s.usedBytes()
		last.outgrown = last.outgrown || outgrown(s.block, s.Usage.Data)
	}
	return list
}

func (n *notes) structure(s held, c config) {
	if block := s.Defined.DSBlock; block.Known && block.Value < leastBlock {
		text := "DSBLOCK(%dK), and %dK is the least that is advised; it can't be changed once a data set has been opened"
		if s.outgrown {
			text += "; a data set of it has outgrown one block of its space map"
		}
		n.add(finding.BlocksSmall, s.Name, text, block.Value>>10, leastBlock>>10)
	}
	o := offloadOf(*s.Structure)
	switch {
	case o.active != nil || o.next != nil && o.next.threshold-o.fill.Value <= c.near:
		n.add(finding.OffloadRules, s.Name, "it is %d%% full; its data sets get %s; next: %s", o.fill.Value, o.activeText(), joined(o.nextText(), s.reaches(o)))
	case o.unruled(s.Defined):
		n.add(finding.OffloadRules, s.Name, "it is %d%% full, and no rule sends messages up to 63 KB to its data sets: ALTER CFSTRUCT(%s) %s", o.fill.Value, s.Name, usualRules)
	case s.reaches(o) != "":
		n.add(finding.OffloadRules, s.Name, "it is %d%% full; next: %s; %s", o.fill.Value, o.nextText(), s.reaches(o))
	}
	if s.bytes >= c.backup && s.Defined.Recover == qsg.Yes {
		n.add(finding.BackupCarries, s.Name, "%s lie in its data sets; %s", points.SizeDown(s.bytes), backupText(s.Backup))
	}
}

func backupText(b qsg.Backup) string {
	switch {
	case !b.Known:
		return "when it was last backed up is not known"
	case !b.Taken():
		return "it was never backed up"
	}
	return "it was last backed up at " + b.EndedAt.String() + ", " + printed(b.SizeMB) + " MB"
}

// unseen notes once of which data sets nobody shows the fill, since their owners do
// not run. Those that run and do not answer are told already.
func (n *notes) unseen(g *qsg.Group, all []*state) {
	var names []string
	for _, s := range all {
		if m, ok := g.Member(s.Owner); !s.Usage.Known && (!ok || m.Status != qsg.MemberActive) {
			names = append(names, key(s.DataSet))
		}
	}
	if len(names) > 0 {
		n.add(finding.NotChecked, listed(names), "how much is in use is not known: only owners that are active show it")
	}
}

// unforecast notes once for how many data sets there is too little history.
func (n *notes) unforecast(all []*state) {
	var names []string
	why := ""
	for _, s := range all {
		if s.look.tooFew {
			names, why = append(names, key(s.DataSet)), s.look.why
		}
	}
	switch len(names) {
	case 0:
	case 1:
		n.add(finding.TooLittleHistory, names[0], "%s", why)
	default:
		n.add(finding.TooLittleHistory, listed(names), "%d data sets, each with fewer values or a shorter time than a forecast needs", len(names))
	}
}

// readers notes once what readers said wrongly (case 49).
func (n *notes) readers(empty []qsg.Event) {
	if len(empty) == 0 {
		return
	}
	first, more := empty[0], ""
	if others := int64(len(empty) - 1); others > 0 {
		more = fmt.Sprintf(", and %d more said the like", others)
	}
	n.add(finding.ExtentsRefreshed, first.Structure+"/"+first.Owner, "%s said %s that %s pages were added%s: that is no expansion",
		first.Member, at(first), first.Values["PAGES"], more)
}
