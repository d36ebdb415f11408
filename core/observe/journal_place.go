package observe

import (
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// nowhere is the place of a recovery point that lies before everything that
// is known.
const nowhere = -1

// placeMarks finds the piece in which each recovery point lies. The receivers
// of those that lie before everything known get holes of their own in front
// of the line, which is returned with them.
func (g *gatherer) placeMarks(line []piece) ([]int, []piece) {
	lives := make([]life, len(line))
	for i, p := range line {
		lives[i] = p.life
	}
	at := make([]int, len(g.marks))
	var lost []int
	for i, m := range g.marks {
		if at[i] = g.place(line, lives, m); at[i] == nowhere {
			lost = append(lost, i)
		}
	}
	missing := g.missingReceivers(line, lost)
	for i := range at {
		at[i] += len(missing)
	}
	holes := make([]piece, len(missing))
	for h, r := range missing {
		holes[h] = g.hole(g.missingID(r), life{start: r.entry, end: r.entry})
		for _, i := range r.marks {
			at[i] = h
		}
	}
	return at, append(holes, line...)
}

// place finds the piece of one recovery point: by the receiver it names and
// by the time of its entry, and where they disagree the older of both
// (reference, IBM i 4.4 step 4).
func (g *gatherer) place(line []piece, lives []life, m mark) int {
	switch {
	case len(line) == 0:
		return nowhere
	case m.gone:
		return g.placeGone(line, lives, m)
	case m.name == "":
		return g.placeTime(line, lives, m)
	}
	named := pieceNamed(line, m)
	switch {
	case named < 0:
		return nowhere
	case m.entry.IsZero():
		return named
	case g.clock.may(lives[named], m.entry):
		g.noteReadings(line, lives, named, m)
		return g.untie(line, lives, named, m)
	}
	timed := g.clock.lowest(lives, m.entry)
	g.open(finding.MarksDisagree, "%s names %s and gives %s, when that receiver was not attached; the older reading counts", m.source, m.name, m.entry)
	return min(named, timed)
}

// noteReadings says that a name decided between places that the time leaves
// open, because the clock went back (case 3).
func (g *gatherer) noteReadings(line []piece, lives []life, named int, m mark) {
	timed := g.clock.lowest(lives, m.entry)
	if timed >= 0 && timed < named && slices.ContainsFunc(lives[timed:named], life.wentBack) {
		g.open(finding.ClockWentBack, "%s: by its time, %s, the entry may lie in %s too; it names %s, and the name decides",
			m.source, m.entry, line[timed].segment.ID, line[named].segment.ID)
	}
}

// untie keeps one receiver more when the entry was written in the second in
// which the named one was attached: the stamps can't tell which of the two
// holds it (case 2).
func (g *gatherer) untie(line []piece, lives []life, at int, m mark) int {
	if at == 0 || !m.entry.Second().Equal(lives[at].start.Second().Time) {
		return at
	}
	g.openTie(m, line[at], line[at-1])
	return at - 1
}

// openTie says that an entry was written in the second in which a receiver
// was attached, and which older one counts therefore.
func (g *gatherer) openTie(m mark, attached, older piece) {
	g.open(finding.MarkTie, "%s: %s was attached in the second of the entry, %s, so the entry may lie in %s, and that one counts", m.source, attached.segment.ID, m.entry, older.segment.ID)
}

// placeTime finds the oldest piece in which the time allows the entry to lie.
func (g *gatherer) placeTime(line []piece, lives []life, m mark) int {
	at, doubted := g.oldestReading(lives, m)
	if doubted || at < 0 {
		return at
	}
	if at == 0 && g.followsGone(line[0]) && m.entry.Second().Equal(lives[0].start.Second().Time) {
		g.open(finding.MarkTie, "%s: %s was attached in the second of the entry, %s, so the entry may lie in %s, which is not on the system, and that one counts",
			m.source, line[0].segment.ID, m.entry, g.chain.receivers[0].Previous)
		return nowhere
	}
	if next := at + 1; next < len(lives) && m.entry.Second().Equal(lives[next].start.Second().Time) {
		g.openTie(m, line[next], line[at])
	}
	for i := at + 1; i < len(lives); i++ {
		if g.clock.may(lives[i], m.entry) && !lives[i].start.Second().Equal(m.entry.Second().Time) {
			g.open(finding.ClockWentBack, "%s: by its time, %s, the entry may lie in %s or in %s; the older reading counts",
				m.source, m.entry, line[at].segment.ID, line[i].segment.ID)
			break
		}
	}
	return at
}

// followsGone tells whether the piece is the oldest receiver on the system, and
// names one before it that is not.
func (g *gatherer) followsGone(p piece) bool {
	return len(g.chain.receivers) > 0 && g.chain.receivers[0].ID == p.segment.ID && g.chain.receivers[0].Previous.Name != ""
}

// oldestReading gives the oldest place at which the time of an entry can be
// read, nowhere included, and whether an hour that may have come twice made
// the difference.
func (g *gatherer) oldestReading(lives []life, m mark) (int, bool) {
	at := g.clock.lowest(lives, m.entry)
	earlier, doubtful := g.clock.doubtful(lives, m.entry)
	if !doubtful {
		return at, false
	}
	other := g.clock.lowest(lives, earlier)
	if other == at {
		return at, false
	}
	g.open(finding.ClockWentBack, "%s: %s may belong to an hour that came twice, since the time zone is not known; the older reading counts", m.source, m.entry)
	return other, true
}

// placeGone finds the place of a receiver that MQ says is not on the system:
// in the store, by time. When the time points to one that is on the system,
// either it was restored since MQ last looked, and then it is on hold, or the
// clock lies: that is an alarm like any other receiver that is gone (case 4).
func (g *gatherer) placeGone(line []piece, lives []life, m mark) int {
	if at := g.placeSeen(line, lives, m); at >= 0 {
		return at
	}
	at, _ := g.oldestReading(lives, m)
	if at < 0 || !line[at].present || g.held(line[at].segment.ID) {
		return at
	}
	for _, p := range line[at+1:] {
		if !p.present && g.clock.may(p.life, m.entry) {
			g.openGone(m, line[at], p)
			return at
		}
	}
	g.open(finding.MarkNotInChain, "%s says that the receiver of the entry of %s is not on the system, but by its time that is %s, which is; if it was restored by hand, let the queue manager publish again", m.source, m.entry, line[at].segment.ID)
	return nowhere
}

// placeSeen finds the place of a receiver that MQ does not name any more by the
// name that an earlier run saw for the very same entry: a clock that was put
// back since makes its time worthless. It is -1 when none did, or when that
// receiver is not one that only a store has.
func (g *gatherer) placeSeen(line []piece, lives []life, m mark) int {
	for i := len(g.facts.Seen) - 1; i >= 0 && !m.entry.IsZero(); i-- {
		s := g.facts.Seen[i]
		if s.Position != m.entry.String() {
			continue
		}
		at := pieceNamed(line, mark{name: s.Segment})
		if at < 0 || line[at].kept == nil || !g.clock.may(lives[at], m.entry) {
			continue
		}
		if at > 0 && m.entry.Second().Equal(lives[at].start.Second().Time) {
			return at - 1 // a tie, as in untie
		}
		return at
	}
	return -1
}

// openGone says that the entry of a receiver that is gone may by its time lie
// in an older one that is there, which is kept too.
func (g *gatherer) openGone(m mark, present, absent piece) {
	if absent.start.Second().Equal(m.entry.Second().Time) {
		g.openTie(m, absent, present)
		return
	}
	g.open(finding.ClockWentBack, "%s: by its time, %s, the entry may lie in %s or in %s; the older reading counts", m.source, m.entry, present.segment.ID, absent.segment.ID)
}

func (g *gatherer) held(id recovery.SegmentID) bool {
	return slices.ContainsFunc(g.holds, func(h holdRow) bool {
		return h.name == id.Name && (h.library == "" || h.library == id.Library)
	})
}

// addEmpty adds receivers that were never attached: they hold nothing and
// are left alone.
func (g *gatherer) addEmpty() {
	inv := &g.facts.Inventory
	for _, r := range g.chain.empty {
		s := r.segment()
		s.From = recovery.Position(len(inv.Segments) + 1)
		s.To = s.From
		inv.Segments = append(inv.Segments, s)
	}
}

// addHistory notes since when each segment has been known to be unneeded. A
// row from before the receiver was attached belongs to another of its name.
func (g *gatherer) addHistory() {
	first := make(map[[2]string]historyRow)
	for _, h := range g.history {
		key := [2]string{h.library, h.name}
		if other, ok := first[key]; h.kind == "unneeded" && g.since(h) && (!ok || h.at.Before(other.at)) {
			first[key] = h
		}
	}
	segments := g.facts.Inventory.Segments
	for i := range segments {
		if h, ok := first[[2]string{segments[i].ID.Library, segments[i].ID.Name}]; ok {
			segments[i].Unneeded = h.at
		}
	}
}

func (g *gatherer) since(h historyRow) bool {
	id := recovery.SegmentID{QueueManager: g.target.Name, Library: h.library, Name: h.name}
	return g.wall(h.at).After(g.listed[id].Attach.Time)
}
