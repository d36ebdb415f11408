package recovery

import "fmt"

// Guard is the second key: a fresh look at all that promises bind, asked
// before each segment goes. Plugins plan with [Decide]; the host holds this
// against what they planned.
type Guard struct {
	promises int
	allowed  map[SegmentID]*judged
}

// judged is what all promises together say of one segment.
type judged struct {
	fingerprint string
	goes        int      // promises that let it go, as it is or once it is saved
	marks       int      // promises by which it is to be reported as archived
	unmarked    *Refusal // of the first that keeps it from being reported, where the queue manager waits for that; nil: none
	refusal     *Refusal // of the first that does not; nil: none
	unsaved     *Refusal // of the first that wants it saved first; nil: none
}

// NewGuard judges fresh inventories under every promise that binds the
// target. Without a promise nothing is allowed.
func NewGuard(now []Inventory, all []Promise) Guard {
	g := Guard{promises: len(all), allowed: make(map[SegmentID]*judged)}
	for _, promise := range all {
		for _, manager := range Decide(now, promise).Managers {
			for i, verdict := range manager.Verdicts {
				g.add(manager.Inventory.Segments[i], verdict, promise.Strategy)
				g.addReport(manager, i, promise.Strategy)
			}
		}
	}
	return g
}

// addReport adds what a promise says of reporting a segment as archived.
func (g Guard) addReport(m ManagerDecision, i int, strategy Strategy) {
	s := m.Inventory.Segments[i]
	seen := g.allowed[s.ID]
	switch {
	case m.ToReport(i):
		seen.marks++
	case seen.unmarked == nil && m.Inventory.Remover == OnceReported && s.State == Online:
		seen.unmarked = &Refusal{s.ID, strategy, m.Verdicts[i].Why}
	}
}

const standsTwice = "it stands twice in the list"

func (g Guard) add(s Segment, verdict Verdict, strategy Strategy) {
	seen := g.allowed[s.ID]
	if seen == nil {
		seen = &judged{fingerprint: s.Fingerprint}
		g.allowed[s.ID] = seen
	}
	switch {
	case seen.fingerprint != s.Fingerprint:
		seen.refusal = &Refusal{Segment: s.ID, Why: standsTwice}
	case verdict.Kind == Delete:
		seen.goes++
	case verdict.Kind == ArchiveDelete:
		seen.goes++
		if seen.unsaved == nil {
			seen.unsaved = &Refusal{s.ID, strategy, "not in the store yet: " + verdict.Why}
		}
	case seen.refusal == nil:
		seen.refusal = &Refusal{s.ID, strategy, verdict.Why}
	}
}

// Allow tells whether the segment may be deleted now: nil, or why not. The
// fingerprint is that of the segment when it was planned; a segment that has
// changed since is not the one that was judged.
func (g Guard) Allow(id SegmentID, fingerprint string) error {
	if err := g.AllowOnceSaved(id, fingerprint); err != nil {
		return err
	}
	if refusal := g.allowed[id].unsaved; refusal != nil {
		return refusal
	}
	return nil
}

// AllowOnceSaved tells whether the segment may be deleted once a verified copy
// of it is in a store: what is asked before the copy is made.
func (g Guard) AllowOnceSaved(id SegmentID, fingerprint string) error {
	seen, err := g.find(id)
	switch {
	case err != nil:
		return err
	case seen.refusal != nil:
		return seen.refusal
	case seen.goes != g.promises:
		return &Refusal{Segment: id, Why: standsTwice} // each promise let it go more than once
	}
	return seen.is(id, fingerprint)
}

// AllowReport tells whether the queue manager may be told that the segment is
// archived, once a verified copy of it is in a store: from then on it removes
// or reuses it as it sees fit.
func (g Guard) AllowReport(id SegmentID, fingerprint string) error {
	seen, err := g.find(id)
	switch {
	case err != nil:
		return err
	case seen.unmarked != nil:
		return seen.unmarked
	case seen.marks != g.promises:
		return &Refusal{Segment: id, Why: "the queue manager does not wait for word of it"}
	}
	return seen.is(id, fingerprint)
}

// find gives what the promises say of a segment.
func (g Guard) find(id SegmentID) (*judged, error) {
	seen, ok := g.allowed[id]
	switch {
	case g.promises == 0:
		return nil, &Refusal{Segment: id, Why: "no policy speaks of it"}
	case !ok:
		return nil, &Refusal{Segment: id, Why: "it is not in the list of segments"}
	}
	return seen, nil
}

// is tells whether a segment is the one that was planned with.
func (j *judged) is(id SegmentID, fingerprint string) error {
	if fingerprint == "" || fingerprint != j.fingerprint {
		return &Refusal{Segment: id, Why: "it is not the segment that was planned: its fingerprint differs"}
	}
	return nil
}

// Allow asks a fresh [Guard] about one segment.
func Allow(now []Inventory, all []Promise, id SegmentID, fingerprint string) error {
	return NewGuard(now, all).Allow(id, fingerprint)
}

// Refusal says why a segment may not go.
type Refusal struct {
	Segment  SegmentID
	Strategy Strategy // of the promise that keeps it; none: it is refused under any
	Why      string
}

func (r *Refusal) Error() string {
	if r.Strategy == NoStrategy {
		return fmt.Sprintf("%s may not go: %s", r.Segment, r.Why)
	}
	return fmt.Sprintf("%s may not go: %s: %s", r.Segment, r.Strategy, r.Why)
}
