package recovery

import (
	"reflect"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"pgregory.net/rapid"
)

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
	if kind == DataBackup || kind == RecoverySet { // a copy will do
		return o.Strategy == NoStrategy
	}
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
func (o oracle) stays(i int) bool { return o.keeps(i, o.kept) }

// demanded tells whether segment i has to be readable on the system. A hold
// keeps what is there and demands nothing.
func (o oracle) demanded(i int) bool {
	return o.keeps(i, func(kind NeedKind) bool { return kind != Hold && o.kept(kind) })
}

func (o oracle) keeps(i int, wanted func(NeedKind) bool) bool {
	for j := range o.Segments[:i+1] {
		if o.Segments[j].State == Current {
			return true
		}
	}
	return o.covered(i, wanted)
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
		if !o.copied(i) || o.demanded(i) {
			return false
		}
	}
	for _, n := range o.Needs {
		if n.Kind != Hold && n.From < o.Segments[0].From || n.Logged && !o.TrustErrorLog {
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

// waits tells whether the queue manager waits for word of segment i.
func (o oracle) waits(i int) bool {
	written := slices.ContainsFunc(o.Segments[i:], func(s Segment) bool { return s.State == Current })
	return o.Remover == OnceReported && o.Segments[i].State == Online && written && o.sound()
}

// reported tells whether the queue manager is to be told of segment i: it waits
// for that, nothing keeps it beyond what is needed, and the limit has room.
func (o oracle) reported(i int) bool {
	older := 0
	for j := range i {
		if o.waits(j) && o.lets(j) {
			older++
		}
	}
	return o.waits(i) && o.lets(i) && (o.MaxDeletes == 0 || older < o.MaxDeletes)
}

// lets tells whether segment i may be given into the hands of a queue manager
// that then removes it as it sees fit.
func (o oracle) lets(i int) bool {
	spare, newer := 0, 0
	for j := i + 1; j < len(o.Segments); j++ {
		if o.here(j) {
			newer++
			if !o.stays(j) {
				spare++
			}
		}
	}
	age := o.Observed.Sub(o.Segments[i].Unneeded)
	return !o.covered(i, func(k NeedKind) bool { return k == Hold || k == Replay }) &&
		(o.Margin == 0 || !o.stays(i) && spare >= o.Margin) && newer >= o.KeepNewest &&
		(o.MinAge == 0 || !o.Segments[i].Unneeded.IsZero() && age >= o.MinAge)
}

// copiedForSite tells whether segment i is to be copied since the site needs it
// for something of which the queue manager, which removes it, knows nothing.
func (o oracle) copiedForSite(i int) bool {
	site := func(k NeedKind) bool { return slices.Contains([]NeedKind{DataBackup, RecoverySet, Replay, Hold}, k) }
	written := slices.ContainsFunc(o.Segments[i+1:], func(s Segment) bool { return s.State == Current })
	whole := o.Segments[i].State == Online || o.Segments[i].State == Saved
	// The error log tells no more than that what lies before the restart point is complete.
	logged := slices.ContainsFunc(o.Needs, func(n Need) bool { return n.Kind == Restart && n.Logged && n.From <= o.Segments[i].To })
	return o.Remover != ByHousekeeper && whole && written && !logged && !o.copied(i) && o.covered(i, site) && o.sound()
}

// plan gives what becomes of all segments.
func (o oracle) plan() []VerdictKind {
	plan := make([]VerdictKind, len(o.Segments))
	if !o.sound() || o.Remover != ByHousekeeper || o.Weakest != NoStrategy && o.Strategy > o.Weakest {
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
	goes := make(map[VerdictKind]int)
	for range 30 {
		rapid.Check(t, func(t *rapid.T) {
			for _, kind := range checkPlan(t, drawInventory(t), drawPromise(t)) {
				goes[kind]++
			}
		})
	}
	if goes[Delete] < 50 || goes[ArchiveDelete] < 10 {
		t.Errorf("the draws test too little: %v", goes)
	}
}

func checkPlan(t *rapid.T, inv Inventory, promise Promise) []VerdictKind {
	before := inv
	before.Segments, before.Needs = slices.Clone(inv.Segments), slices.Clone(inv.Needs)
	before.Copies, before.Open = slices.Clone(inv.Copies), slices.Clone(inv.Open)
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
		o := oracle{inv, promise}
		reported, kept := o.reported(i), o.copiedForSite(i) || o.waits(i) && !o.copied(i)
		allowed := guard.AllowReport(inv.Segments[i].ID, "f") == nil
		if (verdict.Kind == Archive) != (reported || kept) || got.ToReport(i) != reported || allowed != reported {
			t.Fatalf("segment %d: %s (%s), the oracle says that it is to be reported: %t, copied for the site: %t; the guard lets it be reported: %t", i, verdict.Kind, verdict.Why, reported, kept, allowed)
		}
	}
	checkOutlook(t, oracle{inv, promise}, plan, got.Outlook)
	return plan
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
