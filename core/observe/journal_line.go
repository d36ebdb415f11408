package observe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// listReceivers lists the receivers and puts them in chain order.
func (g *gatherer) listReceivers() bool {
	j := g.facts.Journal
	question := fmt.Sprintf("QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='%s' JOURNAL_NAME='%s'", j.Library, j.Name)
	t, ok := g.table(question, false)
	if !ok {
		return false
	}
	receivers, err := readReceivers(t, g.target.Name, j.Library, j.Name)
	if err != nil {
		g.openError(Question{SQL, g.target.Name, "", question}, err)
		return false
	}
	g.chain, err = orderChain(receivers)
	if err != nil {
		code := finding.FactsUnreadable
		if errors.As(err, new(*errOrder)) {
			code = finding.ChainOrderUnknown
		}
		g.open(code, "%v", err)
		g.chain = chainOf{receivers: receivers} // to be shown, not to be used
	}
	g.checkComplete(t)
	g.checkAttached()
	for _, r := range receivers {
		if r.Doubt != "" {
			g.open(finding.SaveDoubtful, "%s is %s; it counts as never saved", r.ID, r.Doubt)
		}
	}
	g.facts.Receivers, g.facts.Breaks = g.chain.receivers, g.chain.breaks
	g.listed = make(map[recovery.SegmentID]Receiver, len(receivers))
	for _, r := range receivers {
		g.listed[r.ID] = r
	}
	return true
}

// checkComplete compares the list with what the journal says of itself: a
// user who may see only some receivers gets a list that looks like a short
// chain (reference, IBM i, trap 32), and a list that does not say whose
// receivers it holds may hold those of another journal. Receivers that were
// never attached do not count.
func (g *gatherer) checkComplete(t *Table) {
	j := g.facts.Journal
	listed := len(g.chain.receivers)
	attached := slices.ContainsFunc(g.chain.receivers, func(r Receiver) bool {
		return r.ID.Name == j.Attached.Name && (j.Attached.Library == "" || r.ID.Library == j.Attached.Library)
	})
	switch {
	case listed == 0:
		g.open(finding.ListIncomplete, "no receiver of %s/%s is listed", j.Library, j.Name)
	case listed < j.Receivers:
		g.open(finding.ListIncomplete, "%d receivers are listed, %s/%s says it has %d", listed, j.Library, j.Name, j.Receivers)
	case j.Attached.Name != "" && !attached:
		g.open(finding.ListIncomplete, "%s is attached to %s/%s but not listed", j.Attached, j.Library, j.Name)
	case j.Receivers == 0 && !g.chain.linked():
		g.open(finding.ListIncomplete, "nothing tells whether the list is whole: %s/%s does not say how many receivers it has, and they have no links", j.Library, j.Name)
	case listed > j.Receivers && j.Receivers > 0 && len(t.Missing("JOURNAL_LIBRARY", "JOURNAL_NAME")) > 0:
		g.open(finding.FactsUnreadable, "%d receivers are listed without their journal, %s/%s says it has %d", listed, j.Library, j.Name, j.Receivers)
	}
}

// checkAttached holds the receiver that the journal calls attached against
// the list. The journal was asked first, so the list may be one change ahead.
func (g *gatherer) checkAttached() {
	attached := g.facts.Journal.Attached
	listed := g.chain.receivers
	for i, r := range listed {
		same := r.ID.Name == attached.Name && (attached.Library == "" || r.ID.Library == attached.Library)
		if !same || r.State == recovery.Current {
			continue
		}
		if ahead := i+2 == len(listed) && listed[i+1].State == recovery.Current; !ahead {
			g.open(finding.AttachedUnknown, "%s/%s says that %s is attached, the list says that it is %s", g.facts.Journal.Library, g.facts.Journal.Name, r.ID, r.State)
		}
	}
}

// piece is one place in the line that recoveries read along: a receiver on
// the system, one that is only in a store, or a hole.
type piece struct {
	life
	segment recovery.Segment
	present bool
	kept    *shelved // what stores have of one that is not on the system; nil: nothing
}

// buildLine puts receivers, what the store has of older ones, and holes into
// one line, finds each recovery point in it and drops what lies before all
// of them and is not on the system.
func (g *gatherer) buildLine() {
	g.fillShelf()
	line := g.fillBreaks(g.presentPieces())
	line = append(g.olderPieces(line), line...)
	inv := &g.facts.Inventory
	at, line := g.placeMarks(line)
	inv.Copies = g.provenCopies(line, oldestOf(at))
	drop := 0
	for drop < len(line) && !line[drop].present && !slices.Contains(at, drop) {
		drop++
	}
	for i, p := range line[drop:] {
		p.segment.From, p.segment.To = recovery.Position(i+1), recovery.Position(i+1)
		inv.Segments = append(inv.Segments, p.segment)
	}
	for i, m := range g.marks {
		inv.Needs = append(inv.Needs, recovery.Need{
			Kind: m.kind, From: recovery.Position(at[i] - drop + 1), Entry: m.entry.String(), Source: m.source,
			Name: cmp.Or(m.name, line[at[i]].segment.ID.Name), // where it is read from may be older: a tie
		})
	}
	g.compareWithEarlier()
	g.addHolds()
	g.addEmpty()
	g.addHistory()
}

// oldestOf gives the oldest of some places; 0 when there are none, since then
// nothing tells that anything is not needed.
func oldestOf(at []int) int {
	if len(at) == 0 {
		return 0
	}
	return slices.Min(at)
}

// presentPieces gives the receivers on the system, in chain order.
func (g *gatherer) presentPieces() []piece {
	line := make([]piece, len(g.chain.receivers))
	for i, r := range g.chain.receivers {
		end := r.Detach
		turned := g.clock.unexplained(life{start: r.Attach, end: end})
		if i+1 < len(g.chain.receivers) {
			if next := g.chain.receivers[i+1].Attach; next.After(end.Time) {
				end = next // what disagrees, or is missing between, is read the way that keeps more
			}
		}
		if r.State == recovery.Current {
			end, turned = Stamp{}, false
		}
		line[i] = piece{life{r.Attach, end, turned}, r.segment(), true, nil}
	}
	return line
}

func (r Receiver) segment() recovery.Segment {
	return recovery.Segment{
		ID: r.ID, Bytes: r.Bytes, State: r.State,
		Opened:      r.Attach.String(),
		Fingerprint: "attached " + r.Attach.String() + " detached " + r.Detach.String(),
	}
}
