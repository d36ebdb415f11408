package observe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// missingReceiver is a receiver that recovery points name or mean and that
// has no place in the line: it is not listed, and the store does not show
// where it was. Each is one hole before everything that is known, however
// many sources speak of it.
type missingReceiver struct {
	library, name string // name empty: no source names it
	entry, last   Stamp  // the oldest and the newest that sources give for it; zero: none does
	marks         []int  // indexes of the recovery points that lie in it
}

// missingReceivers gives the receivers in which the lost recovery points lie,
// oldest first, each once. How many others are missing between them nothing
// tells.
func (g *gatherer) missingReceivers(line []piece, lost []int) []missingReceiver {
	var named, unnamed []missingReceiver
	for _, i := range lost {
		if m := g.marks[i]; m.name != "" && pieceNamed(line, m) < 0 {
			named = addNamed(named, m, i)
		} else {
			unnamed = addUnnamed(unnamed, m, i)
		}
	}
	for _, r := range named {
		if len(line) > 0 { // that nothing at all is listed is a finding already
			g.openNotListed(r)
		}
	}
	unnamed = slices.DeleteFunc(unnamed, func(u missingReceiver) bool { return g.joinNamed(named, u) })
	return g.joinPublished(g.orderMissing(named, unnamed))
}

// pieceNamed gives the piece that a recovery point names; -1 when there is
// none.
func pieceNamed(line []piece, m mark) int {
	return slices.IndexFunc(line, func(p piece) bool {
		return p.segment.ID.Name == m.name && (m.library == "" || p.segment.ID.Library == m.library)
	})
}

// addNamed adds a recovery point to the receiver that it names. DISPLAY
// QMSTATUS gives no library: there the name alone counts.
func addNamed(named []missingReceiver, m mark, i int) []missingReceiver {
	at := slices.IndexFunc(named, func(r missingReceiver) bool {
		return r.name == m.name && (r.library == "" || m.library == "" || r.library == m.library)
	})
	if at < 0 {
		return append(named, missingReceiver{m.library, m.name, m.entry, m.entry, []int{i}})
	}
	r := &named[at]
	r.library = cmp.Or(r.library, m.library)
	r.add(m.entry, i)
	return named
}

// addUnnamed adds a recovery point without a name to those of the same entry.
func addUnnamed(unnamed []missingReceiver, m mark, i int) []missingReceiver {
	at := slices.IndexFunc(unnamed, func(r missingReceiver) bool { return r.holds(m.entry) })
	if at < 0 {
		return append(unnamed, missingReceiver{entry: m.entry, last: m.entry, marks: []int{i}})
	}
	unnamed[at].add(m.entry, i)
	return unnamed
}

// holds tells whether an entry was written in the second of one that the
// receiver holds, or between two of them.
func (r missingReceiver) holds(entry Stamp) bool {
	entry = entry.Second()
	return !r.entry.IsZero() && !entry.Before(r.entry.Second().Time) && !entry.After(r.last.Second().Time)
}

// add adds recovery points of one entry, which may not be given.
func (r *missingReceiver) add(entry Stamp, marks ...int) {
	if r.entry.IsZero() || !entry.IsZero() && entry.Before(r.entry.Time) {
		r.entry = entry
	}
	if entry.After(r.last.Time) {
		r.last = entry
	}
	r.marks = append(r.marks, marks...)
}

// openNotListed says, once for a receiver, who names it.
func (g *gatherer) openNotListed(r missingReceiver) {
	sources, verb := make([]string, len(r.marks)), "name"
	for n, i := range r.marks {
		sources[n] = g.marks[i].source
	}
	if len(sources) == 1 {
		verb = "names"
	}
	where := "which is neither listed nor in a store"
	if len(g.shelf.lives[g.missingID(r)]) > 0 {
		where = "which is not listed, and no copy of that name in a store joins the chain"
	}
	g.open(finding.ReceiverNotListed, "%s %s %s, %s", strings.Join(sources, "; "), verb, r.name, where)
}

// joinNamed adds recovery points without a name to the receiver that another
// source names for the same entry, or for the same point without a time. MQ
// writes ten asterisks for what has gone since it wrote the name (reference,
// IBM i 2.1).
func (g *gatherer) joinNamed(named []missingReceiver, u missingReceiver) bool {
	at := slices.IndexFunc(named, func(r missingReceiver) bool { return r.holds(u.entry) })
	if at < 0 {
		at = slices.IndexFunc(named, func(r missingReceiver) bool { return r.entry.IsZero() && g.samePoint(r, u) })
	}
	if at < 0 {
		return false
	}
	named[at].add(u.entry, u.marks...)
	return true
}

// samePoint tells whether sources give two receivers for one point.
func (g *gatherer) samePoint(a, b missingReceiver) bool {
	return slices.ContainsFunc(a.marks, func(i int) bool {
		return slices.ContainsFunc(b.marks, func(j int) bool { return g.marks[i].kind == g.marks[j].kind })
	})
}

// orderMissing puts missing receivers in the order of their entries. Two that
// nobody names and between which nothing is known lies may be one: they
// become one hole. A name without a time goes by its number, and the receiver
// that the oldest one on the system calls its previous one is the newest.
func (g *gatherer) orderMissing(named, unnamed []missingReceiver) []missingReceiver {
	timed, untimed := unnamed, []missingReceiver(nil)
	for _, r := range named {
		if r.entry.IsZero() {
			untimed = append(untimed, r)
		} else {
			timed = append(timed, r)
		}
	}
	slices.SortStableFunc(timed, func(a, b missingReceiver) int { return a.entry.Compare(b.entry.Time) })
	var order []missingReceiver
	for _, r := range timed {
		if last := len(order) - 1; last >= 0 && order[last].name == "" && r.name == "" {
			order[last].add(r.entry, r.marks...)
		} else {
			order = append(order, r)
		}
	}
	for _, r := range untimed {
		at := slices.IndexFunc(order, func(o missingReceiver) bool { return o.name != "" && g.age(o.name) < g.age(r.name) })
		if at < 0 {
			at = len(order)
		}
		order = slices.Insert(order, at, r)
	}
	slices.SortStableFunc(order, func(a, b missingReceiver) int { return cmp.Compare(g.isPrevious(a), g.isPrevious(b)) })
	return order
}

// age gives how many numbers before the oldest receiver of the chain a name
// lies, by the six digits, which wrap. It is a guess, since a restore raises a
// digit, and used where nothing else tells (case 5).
func (g *gatherer) age(name string) int {
	const wrap = 1_000_000
	oldest := 0
	if len(g.chain.receivers) > 0 {
		oldest = trailingNumber(g.chain.receivers[0].ID.Name)
	}
	return ((oldest-trailingNumber(name))%wrap + wrap) % wrap
}

func trailingNumber(name string) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(name, stem(name))) // no digits: 0
	return number
}

// isPrevious is 1 for the receiver that the oldest one of the chain names as
// its previous one, 0 for any other.
func (g *gatherer) isPrevious(r missingReceiver) int {
	if len(g.chain.receivers) > 0 && r.name != "" && g.chain.receivers[0].Previous == g.missingID(r) {
		return 1
	}
	return 0
}

// joinPublished adds AMQJRNINF's point to the oldest missing receiver when
// that is named without a time: where both points are known it is one of them,
// the older one.
func (g *gatherer) joinPublished(order []missingReceiver) []missingReceiver {
	known := func(kind recovery.NeedKind) bool {
		return slices.ContainsFunc(g.marks, func(m mark) bool { return m.kind == kind })
	}
	if len(order) < 2 || order[0].name != "" || !order[1].entry.IsZero() || !known(recovery.Restart) || !known(recovery.Media) {
		return order
	}
	for _, i := range order[0].marks {
		if g.marks[i].kind != recovery.Published {
			return order
		}
	}
	order[1].add(order[0].entry, order[0].marks...)
	return order[1:]
}

func (g *gatherer) missingID(r missingReceiver) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: g.target.Name, Library: cmp.Or(r.library, g.facts.Journal.Library), Name: r.name}
}
