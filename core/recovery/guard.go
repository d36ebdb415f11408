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
	goes        int    // promises that let it go as it is
	refusal     string // of the first that does not
}

// NewGuard judges fresh inventories under every promise that binds the
// target. Without a promise nothing is allowed.
func NewGuard(now []Inventory, all []Promise) Guard {
	g := Guard{promises: len(all), allowed: make(map[SegmentID]*judged)}
	for _, promise := range all {
		for _, manager := range Decide(now, promise).Managers {
			for i, verdict := range manager.Verdicts {
				g.add(manager.Inventory.Segments[i], verdict, promise.Strategy)
			}
		}
	}
	return g
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
		seen.refusal = standsTwice
	case verdict.Kind == Delete:
		seen.goes++
	case seen.refusal != "":
	case verdict.Kind == ArchiveDelete:
		seen.refusal = fmt.Sprintf("%s: not in the store yet: %s", strategy, verdict.Why)
	default:
		seen.refusal = fmt.Sprintf("%s: %s", strategy, verdict.Why)
	}
}

// Allow tells whether the segment may be deleted now: nil, or why not. The
// fingerprint is that of the segment when it was planned; a segment that has
// changed since is not the one that was judged.
func (g Guard) Allow(id SegmentID, fingerprint string) error {
	seen, ok := g.allowed[id]
	switch {
	case g.promises == 0:
		return &Refusal{id, "no policy speaks of it"}
	case !ok:
		return &Refusal{id, "it is not in the list of segments"}
	case seen.refusal != "":
		return &Refusal{id, seen.refusal}
	case seen.goes != g.promises:
		return &Refusal{id, standsTwice} // each promise let it go more than once
	case fingerprint == "" || fingerprint != seen.fingerprint:
		return &Refusal{id, "it is not the segment that was planned: its fingerprint differs"}
	}
	return nil
}

// Allow asks a fresh [Guard] about one segment.
func Allow(now []Inventory, all []Promise, id SegmentID, fingerprint string) error {
	return NewGuard(now, all).Allow(id, fingerprint)
}

// Refusal says why a segment may not go.
type Refusal struct {
	Segment SegmentID
	Why     string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s may not go: %s", r.Segment, r.Why) }
