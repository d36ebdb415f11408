package run

import (
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Thirty nights of a policy that is applied, in the middle of which the numbers
// begin anew (case 17). Each night the queue manager has written some extents,
// and its points have moved as they like, never back. What is unlinked was not
// needed at that very moment, by the queue manager's own state; after every
// night each extent that the policy promises to have is there byte for byte, and
// the rest that a recovery reads is in the store, byte for byte.
func TestThirtyNightsOfExtents(t *testing.T) {
	manyProcesses(t)
	const nights = 30
	for _, policy := range []string{"conservative", "fast-startup"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			seed := uint64(time.Now().UnixNano())
			random := rand.New(rand.NewPCG(seed, 1))
			last := 10_000_000 - nights // there the first night begins
			n := &extentNights{
				extentSite: newExtents(t, standin.Manager{Name: "QM1", First: last - 12, Current: last, Restart: last - 2, Media: last - 7}),
				policy:     policy, all: map[int]string{},
			}
			n.note(last - 12)
			n.hook.before = n.unlinking
			n.run(connect.Plan, policy)
			for night := range nights {
				n.live(random)
				n.night()
				if t.Failed() {
					t.Fatalf("seed %d, night %d: %+v", seed, night, n.manager())
				}
			}
			if n.deleted < nights/2 || policy == "fast-startup" && n.archived < n.deleted {
				t.Errorf("seed %d: %d deleted, %d archived: this shows little", seed, n.deleted, n.archived)
			}
			if m := n.manager(); m.Current <= 10_000_000 || m.Restart <= 10_000_000 {
				t.Errorf("seed %d: the numbers did not begin anew: %d", seed, m.Current)
			}
			t.Logf("%d deleted, %d archived", n.deleted, n.archived)
		})
	}
}

// extentNights is a queue manager whose nights are lived. Its numbers go on
// beyond the last one.
type extentNights struct {
	*extentSite
	policy            string
	all               map[int]string // digest of each complete extent that ever was, by number
	deleted, archived int
}

// note remembers the contents of what has been completed, from a number on.
func (n *extentNights) note(from int) {
	n.t.Helper()
	for number, digest := range n.contents(from, n.manager().Current-1) {
		if before, known := n.all[number]; known && before != digest {
			n.t.Errorf("%s has another content", observe.ExtentName(number))
		}
		n.all[number] = digest
	}
}

// live has the queue manager write on, its points moving forward or not at all.
func (n *extentNights) live(random *rand.Rand) {
	n.t.Helper()
	before := n.manager()
	n.must(n.host.Advance(n.target.Name, 1+random.IntN(4)))
	n.change(func(m *standin.Manager) {
		m.Restart = max(before.Restart, m.Current-random.IntN(6)) // a long unit of work
		if random.IntN(3) > 0 {
			m.Media = max(before.Media, m.Current-random.IntN(10)) // images of some objects
		}
	})
	n.note(before.Current - 12)
}

// promised gives the oldest extent that is on the system at all times.
func (n *extentNights) promised(m standin.Manager) int {
	if n.policy == "conservative" {
		return min(m.Restart, m.Media)
	}
	return m.Restart
}

// unlinking is the oracle: it knows what the queue manager itself does, at the
// moment at which a file goes.
func (n *extentNights) unlinking(what string, id recovery.SegmentID) {
	if what != removes {
		return
	}
	m := n.manager()
	_, number, err := observe.ParseExtent(id.Name)
	if err != nil || observe.ExtentDistance(number, n.promised(m)) <= 0 {
		n.t.Errorf("%s is unlinked (%v), with RECLOG %d, MEDIALOG %d", id, err, m.Restart, m.Media)
	}
}

// night applies the policy and looks at what is there.
func (n *extentNights) night() {
	n.t.Helper()
	m := n.manager()
	promised, needed := n.promised(m), min(m.Restart, m.Media)
	before := n.contents(promised, m.Current)
	target := n.apply(n.policy)
	if target.Error != "" || critical(target) {
		n.t.Errorf("a false alarm: %q, %v", target.Error, target.Findings)
	}
	for _, a := range target.Actions {
		if a.Outcome != "done" {
			n.t.Errorf("%s %s is %s: %s", a.Kind, a.Object, a.Outcome, a.Evidence)
		}
		switch a.Kind {
		case "delete":
			n.deleted++
		case "archive":
			n.archived++
		}
	}
	if now := n.contents(promised, m.Current); len(now) != m.Current-promised+1 || !maps.Equal(now, before) {
		n.t.Errorf("%d extents from %d to %d are there as they were", len(now), promised, m.Current)
	}
	there, copies := n.contents(needed, m.Current), n.copies()
	for number := needed; number < promised; number++ {
		if _, ok := there[number]; !ok && copies[observe.ExtentName(number)] != n.all[number] {
			n.t.Errorf("%s is needed, and neither on the system nor, as it was, in the store", observe.ExtentName(number))
		}
	}
	if oldest := n.contents(promised-20, promised-1); len(oldest) > 0 {
		n.t.Errorf("%d extents before the promised one are left", len(oldest))
	}
}

// copies gives the digests of the verified copies by name, read back.
func (s *extentSite) copies() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for c, err := range s.keeper.List(s.t.Context(), s.target.Name) {
		s.must(err)
		if c.Verified {
			s.must(s.keeper.Verify(s.t.Context(), c))
			all[c.Segment.Name] = c.SHA256
		}
	}
	return all
}
