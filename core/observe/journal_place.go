package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// nowhere is the place of a recovery point that lies before everything that
// is known.
const nowhere = -1

// placeMarks finds the piece in which each recovery point lies. Those that
// lie before everything known get a hole of their own in front of the line,
// which is returned with it.
func (g *gatherer) placeMarks(line []piece) ([]int, []piece) {
	lives := make([]life, len(line))
	for i, p := range line {
		lives[i] = p.life
	}
	at := make([]int, len(g.marks))
	var before []mark
	for i, m := range g.marks {
		at[i] = g.place(line, lives, m)
		if at[i] == nowhere {
			before = append(before, m)
		}
	}
	slices.SortStableFunc(before, func(a, b mark) int { return a.entry.Compare(b.entry.Time) })
	before = slices.CompactFunc(before, func(a, b mark) bool { return a.name == b.name })
	holes := make([]piece, len(before))
	for i, m := range before {
		holes[i] = g.hole(recovery.SegmentID{QueueManager: g.target.Name, Library: cmp.Or(m.library, g.facts.Journal.Library), Name: m.name}, life{m.entry, m.entry})
	}
	for i, m := range g.marks {
		if at[i] != nowhere {
			at[i] += len(holes)
			continue
		}
		at[i] = slices.IndexFunc(before, func(b mark) bool { return b.name == m.name })
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
	named := slices.IndexFunc(line, func(p piece) bool {
		return p.segment.ID.Name == m.name && (m.library == "" || p.segment.ID.Library == m.library)
	})
	switch {
	case named < 0:
		g.open(finding.ReceiverNotListed, "%s names %s, which is neither listed nor in a store", m.source, m.name)
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
	g.open(finding.MarkTie, "%s: %s was attached in the second of the entry, %s", m.source, line[at].segment.ID, m.entry)
	return at - 1
}

// placeTime finds the oldest piece in which the time allows the entry to lie.
func (g *gatherer) placeTime(line []piece, lives []life, m mark) int {
	at, doubted := g.oldestReading(lives, m)
	if doubted || at < 0 {
		return at
	}
	if next := at + 1; next < len(lives) && m.entry.Second().Equal(lives[next].start.Second().Time) {
		g.open(finding.MarkTie, "%s: %s was attached in the second of the entry, %s", m.source, line[next].segment.ID, m.entry)
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

// openGone says that the entry of a receiver that is gone may by its time lie
// in an older one that is there, which is kept too.
func (g *gatherer) openGone(m mark, present, absent piece) {
	if absent.start.Second().Equal(m.entry.Second().Time) {
		g.open(finding.MarkTie, "%s: %s was attached in the second of the entry, %s", m.source, absent.segment.ID, m.entry)
		return
	}
	g.open(finding.ClockWentBack, "%s: by its time, %s, the entry may lie in %s or in %s; the older reading counts", m.source, m.entry, present.segment.ID, absent.segment.ID)
}

func (g *gatherer) held(id recovery.SegmentID) bool {
	return slices.ContainsFunc(g.holds, func(h holdRow) bool {
		return h.name == id.Name && (h.library == "" || h.library == id.Library)
	})
}

// compareWithEarlier holds the recovery points against those that the last
// run saw: they only move forward, and one that went back is of another
// incarnation: a failover, a restore.
func (g *gatherer) compareWithEarlier() {
	inv := &g.facts.Inventory
	for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
		var last Sighting
		for _, s := range g.facts.Seen {
			if s.Kind == kind {
				last = s
			}
		}
		seen := slices.IndexFunc(inv.Segments, func(s recovery.Segment) bool { return s.ID.Name == last.Segment })
		if last.Segment == "" || seen < 0 {
			continue
		}
		for _, need := range inv.Needs {
			if need.Kind == kind && need.From < inv.Segments[seen].From {
				g.open(finding.MarkWentBack, "the %s point was in %s at %s and is now in %s (%s)", kind, last.Segment, last.At.Format(time.RFC3339), need.Name, need.Source)
				break
			}
		}
	}
}

// addHolds adds a need for each hold of an operator: on the whole target, or
// from the oldest segment that it names.
func (g *gatherer) addHolds() {
	inv := &g.facts.Inventory
	for _, h := range g.holds {
		need := recovery.Need{Kind: recovery.Hold, From: 1, Source: strings.TrimSpace("hold " + h.id + " " + h.reason)}
		if h.name != "" {
			at := slices.IndexFunc(inv.Segments, func(s recovery.Segment) bool {
				return s.ID.Name == h.name && (h.library == "" || s.ID.Library == h.library)
			})
			if at < 0 {
				// What is held does not go, so a name that is not there is a
				// mistake: whatever was meant, all of it stays.
				g.open(finding.OnHold, "hold %s is on %s, which is not listed: everything is held", h.id, h.name)
			} else {
				need.From, need.Name = inv.Segments[at].From, h.name
			}
		}
		inv.Needs = append(inv.Needs, need)
	}
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
