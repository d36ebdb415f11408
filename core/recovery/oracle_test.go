package recovery

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"pgregory.net/rapid"
)

// drawInventory draws an inventory in which every position lies in a segment.
// Most of them are sound, so that something goes.
func drawInventory(t *rapid.T) Inventory {
	n := rapid.IntRange(0, 12).Draw(t, "segments")
	inv := Inventory{QueueManager: "QM", Ordered: rapid.Bool().Draw(t, "ordered"), Observed: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	states := []State{Saved, Saved, Saved, Saved, Online, Online, Empty, Reuse}
	if rapid.IntRange(0, 2).Draw(t, "odd") == 0 {
		states = append(states, Freed, Partial, Absent, StateUnknown)
	}
	for i := range n {
		s := Segment{ID: SegmentID{"QM", "LIB", string(rune('A' + i))}, From: Position(10 * (i + 1)), To: Position(10*i + 19), Bytes: 1, Fingerprint: "f"}
		s.State = rapid.SampledFrom(states).Draw(t, "state")
		if rapid.IntRange(0, 15).Draw(t, "pinned") == 0 {
			s.Pin = "behind"
		}
		if age := rapid.IntRange(0, 4).Draw(t, "age"); age > 0 {
			s.Unneeded = inv.Observed.Add(-time.Duration(age) * time.Hour)
		}
		if copied := rapid.IntRange(0, 4).Draw(t, "copy"); copied < 2 {
			inv.Copies = append(inv.Copies, Copy{Segment: s.ID, Store: "vault", Verified: copied == 0})
		}
		inv.Segments = append(inv.Segments, s)
	}
	if n > 0 && rapid.IntRange(0, 19).Draw(t, "no current") > 0 {
		inv.Segments[n-1].State = Current
	}
	if n > 0 && rapid.IntRange(0, 19).Draw(t, "one more current") == 0 {
		inv.Segments[rapid.IntRange(0, n-1).Draw(t, "which")].State = Current
	}
	kinds := []NeedKind{Restart, Media, Restart, Media, Published, UnitOfWork, Hold, Structure}
	for _, kind := range kinds {
		if n > 0 && rapid.IntRange(0, 2).Draw(t, "need "+kind.String()) > 0 {
			lowest := 10
			if rapid.IntRange(0, 30).Draw(t, "before all") == 0 {
				lowest = 1
			}
			inv.Needs = append(inv.Needs, Need{Kind: kind, From: Position(rapid.IntRange(lowest, 10*n+9).Draw(t, "from"))})
		}
	}
	if rapid.IntRange(0, 19).Draw(t, "open") == 0 {
		inv.Open = append(inv.Open, finding.New(rapid.SampledFrom([]finding.Code{finding.NotAnswered, finding.MarkTie}).Draw(t, "code"), "x"))
	}
	return inv
}

func drawPromise(t *rapid.T) Promise {
	return Promise{
		Strategy:   Strategy(rapid.IntRange(0, 3).Draw(t, "strategy")),
		Margin:     max(0, rapid.IntRange(-4, 4).Draw(t, "margin")),
		KeepNewest: max(0, rapid.IntRange(-4, 6).Draw(t, "keep newest")),
		MinAge:     time.Duration(max(0, rapid.IntRange(-4, 4).Draw(t, "min age"))) * time.Hour,
		Unsaved:    Unsaved(rapid.IntRange(0, 2).Draw(t, "unsaved")),
		MaxDeletes: max(0, rapid.IntRange(-6, 6).Draw(t, "max deletes")),
		MaxPercent: max(0, rapid.IntRange(-100, 100).Draw(t, "max percent")),
	}
}

// oracle says the rule once more in the words of the design, without regard
// to cost: each question is asked of each segment and each need.
type oracle struct {
	Inventory
	Promise
}

func (o oracle) here(i int) bool {
	return !slices.Contains([]State{Absent, Empty, Reuse}, o.Segments[i].State)
}

func (o oracle) copied(i int) bool {
	return slices.ContainsFunc(o.Copies, func(c Copy) bool { return c.Verified && c.Segment == o.Segments[i].ID })
}

// covered tells whether a need of one of the kinds has entries in segment i.
func (o oracle) covered(i int, wanted func(NeedKind) bool) bool {
	return slices.ContainsFunc(o.Needs, func(n Need) bool { return wanted(n.Kind) && n.From <= o.Segments[i].To })
}

func (o oracle) kept(kind NeedKind) bool {
	switch o.Strategy {
	case FastStartup:
		return kind != Media && kind != Published
	case Aggressive:
		return kind == Hold
	}
	return true
}

func (o oracle) knows(kind NeedKind) bool {
	return slices.ContainsFunc(o.Needs, func(n Need) bool { return n.Kind == kind })
}

// read tells whether any recovery reads segment i.
func (o oracle) read(i int) bool {
	anything := o.Strategy == FastStartup && !o.knows(Media) && !o.knows(Published)
	return anything || o.covered(i, func(kind NeedKind) bool { return kind != Hold })
}

// stays tells whether segment i is kept as it is: something kept covers it, or
// it is not older than what is being written.
func (o oracle) stays(i int) bool {
	for j := range o.Segments[:i+1] {
		if o.Segments[j].State == Current {
			return true
		}
	}
	return o.covered(i, o.kept)
}

// sound tells whether the facts leave a bound and every recovery can be had.
func (o oracle) sound() bool {
	current := 0
	for i, s := range o.Segments {
		if s.State == Current {
			current++
		} else if current > 0 && s.State != Empty && s.State != Reuse {
			return false
		}
		readable := s.State == Current || s.State == Online || s.State == Saved
		if s.State == Empty || s.State == Reuse || readable || !o.read(i) {
			continue
		}
		if !o.copied(i) || o.stays(i) {
			return false
		}
	}
	for _, n := range o.Needs {
		if n.Kind != Hold && n.From < o.Segments[0].From {
			return false
		}
	}
	critical := slices.ContainsFunc(o.Open, func(f finding.Finding) bool { return f.Severity == finding.Critical })
	both := o.knows(Published) || o.knows(Restart) && o.knows(Media)
	bound := both && (o.Strategy == Conservative || o.Strategy == Aggressive) || o.Strategy == FastStartup && o.knows(Restart)
	return current == 1 && !critical && bound
}

// goes gives what becomes of one segment for itself: Delete, ArchiveDelete or,
// for all that stays, Keep.
func (o oracle) goes(i int) VerdictKind {
	s := o.Segments[i]
	spare, newer := 0, 0
	for j := i + 1; j < len(o.Segments); j++ {
		if o.here(j) {
			newer++
			if !o.stays(j) {
				spare++
			}
		}
	}
	old := o.MinAge == 0 || !s.Unneeded.IsZero() && !s.Unneeded.Add(o.MinAge).After(o.Observed)
	switch {
	case !o.here(i) || o.stays(i) || spare < o.Margin || newer < o.KeepNewest:
	case s.State == StateUnknown || s.Pin != "" || !old:
	case o.copied(i):
		return Delete
	case o.read(i):
		return ArchiveDelete
	case s.State == Saved || s.State == Freed || o.Unsaved == DeleteUnsaved:
		return Delete
	case o.Unsaved == SaveUnsaved:
		return ArchiveDelete
	}
	return Keep
}

// plan gives what becomes of all segments.
func (o oracle) plan() []VerdictKind {
	plan := make([]VerdictKind, len(o.Segments))
	if !o.sound() {
		return plan
	}
	going, present, stopped := 0, 0, false
	for i := range plan {
		if !o.here(i) {
			continue
		}
		present++
		if kind := o.goes(i); kind != Keep && !(o.Ordered && stopped) {
			plan[i] = kind
			going++
		} else {
			stopped = true
		}
	}
	most := going
	if o.MaxDeletes > 0 {
		most = min(most, o.MaxDeletes)
	}
	if o.MaxPercent > 0 && going*100 > o.MaxPercent*present {
		most = 0
	}
	for i := range plan {
		if plan[i] != Keep && most == 0 {
			plan[i] = Keep
		} else if plan[i] != Keep {
			most--
		}
	}
	return plan
}

// The rule, its outlook and its guard agree with a second one that shares no
// code with it, and leave their input alone.
func TestDecideAgainstOracle(t *testing.T) {
	something := 0
	rapid.Check(t, func(t *rapid.T) {
		inv, promise := drawInventory(t), drawPromise(t)
		before := Inventory{inv.QueueManager, inv.Incarnation, inv.Observed, inv.Ordered,
			slices.Clone(inv.Segments), slices.Clone(inv.Needs), slices.Clone(inv.Copies), slices.Clone(inv.Open)}
		got := Decide([]Inventory{inv}, promise).Managers[0]
		if !reflect.DeepEqual(inv, before) {
			t.Fatal("the inventory was changed")
		}
		plan := oracle{inv, promise}.plan()
		guard := NewGuard([]Inventory{inv}, []Promise{promise})
		for i, verdict := range got.Verdicts {
			if kind := verdict.Kind; kind.Goes() != plan[i].Goes() || kind.Goes() && kind != plan[i] {
				t.Fatalf("segment %d: %s (%s), the oracle says %s", i, kind, verdict.Why, plan[i])
			}
			if allowed := guard.Allow(inv.Segments[i].ID, "f") == nil; allowed != (plan[i] == Delete) {
				t.Fatalf("segment %d: the guard allows it: %t, the oracle says %s", i, allowed, plan[i])
			}
			if plan[i].Goes() {
				something++
			}
		}
		checkOutlook(t, oracle{inv, promise}, plan, got.Outlook)
	})
	if something == 0 {
		t.Error("nothing ever went: the draws test nothing")
	}
}

// checkOutlook carries the plan out and looks where each recovery finds what
// it reads.
func checkOutlook(t *rapid.T, o oracle, plan []VerdictKind, got Outlook) {
	restart := func(k NeedKind) bool { return k == Restart || k == UnitOfWork }
	media := func(k NeedKind) bool { return k == Media }
	or := func(a, b func(NeedKind) bool) func(NeedKind) bool {
		return func(k NeedKind) bool { return a(k) || b(k) }
	}
	published := func(k NeedKind) bool { return k == Published }
	if !o.knows(Restart) && !o.knows(UnitOfWork) {
		restart = published
	}
	if !o.knows(Media) {
		media = published
	}
	known := func(wanted func(NeedKind) bool) bool {
		return slices.ContainsFunc(o.Needs, func(n Need) bool { return wanted(n.Kind) })
	}
	for _, c := range []struct {
		name   string
		wanted func(NeedKind) bool
		known  bool
		got    Recovery
	}{
		{"restart", restart, known(restart), got.Restart},
		{"rebuild", media, known(media), got.Rebuild},
		{"start-up damage", or(restart, media), known(restart) && known(media), got.StartUpDamage},
	} {
		want := Recovery{}
		if c.known {
			want = o.recovery(plan, c.wanted)
		}
		if c.got != want {
			t.Fatalf("%s: %+v, the oracle says %+v", c.name, c.got, want)
		}
	}
}

func (o oracle) recovery(plan []VerdictKind, wanted func(NeedKind) bool) Recovery {
	var r Recovery
	if slices.ContainsFunc(o.Needs, func(n Need) bool { return wanted(n.Kind) && n.From < o.Segments[0].From }) {
		r.Needs, r.Missing = 1, 1
	}
	for i, s := range o.Segments {
		if s.State == Empty || s.State == Reuse || !o.covered(i, wanted) {
			continue
		}
		r.Needs++
		readable := s.State == Current || s.State == Online || s.State == Saved
		switch {
		case readable && !plan[i].Goes():
			r.OnSystem++
		case o.copied(i) || readable && plan[i] == ArchiveDelete:
			r.InStore++
			r.Last = s.ID.Name
			if r.First == "" {
				r.First = s.ID.Name
			}
		default:
			r.Missing++
		}
	}
	r.Ready = AtOnce
	if r.InStore > 0 {
		r.Ready = RestoreFirst
	}
	if r.Missing > 0 {
		r.Ready = Impossible
	}
	return r
}
