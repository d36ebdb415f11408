package run

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// noting is a store that notes what it is told of a segment, before it keeps
// it; or says that it kept it and does not.
type noting struct {
	store.Store
	forgets bool
	told    map[recovery.SegmentID]store.Facts
	length  map[recovery.SegmentID]int64
}

func (s *station) noting() *noting {
	n := &noting{Store: s.keeper, told: map[recovery.SegmentID]store.Facts{}, length: map[recovery.SegmentID]int64{}}
	s.keeper = n
	return n
}

func (n *noting) Put(ctx context.Context, segment recovery.Segment, facts store.Facts, content io.Reader) (recovery.Copy, error) {
	n.told[segment.ID] = facts
	if n.forgets {
		_, err := io.Copy(io.Discard, content)
		return recovery.Copy{Segment: segment.ID, Store: n.Name(), Bytes: facts.Bytes, Verified: true}, err
	}
	counted := &counting{Reader: content}
	kept, err := n.Store.Put(ctx, segment, facts, counted)
	n.length[segment.ID] = counted.bytes
	return kept, err
}

type counting struct {
	io.Reader
	bytes int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes += int64(n)
	return n, err
}

// facts gives what the journal shows of its receivers.
func (s *station) facts() observe.JournalFacts {
	s.t.Helper()
	r := newPlanner(s.order(connect.Plan, "conservative"))
	var facts observe.JournalFacts
	s.must(r.observing(s.t.Context(), s.target, func(o *observation) {
		var err error
		facts, err = observe.ReadJournal(s.t.Context(), o.view(), s.target)
		s.must(err)
	}))
	return facts
}

// A manifest says all that the system showed of a receiver and of its recovery
// points, which run saved it, and from where it was read. Asterisks in a later
// message leave only a time to look it up by.
func TestManifestSaysWhatWasSeen(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "conservative")
	n := s.noting()
	seen := s.facts()
	record := s.run(connect.Apply, "conservative")
	if record.Run.Outcome != Applied || len(n.told) == 0 || len(n.told) != record.Targets[0].ReadBack.Deleted {
		t.Fatalf("%s, %d saved of %+v", record.Run.Outcome, len(n.told), record.Targets[0].ReadBack)
	}
	marks := store.MarksOf(seen.Inventory.Needs)
	if len(marks) < 2 {
		t.Fatalf("marks %v", marks)
	}
	for _, r := range seen.Receivers {
		got, saved := n.told[r.ID]
		if !saved {
			continue
		}
		want := store.Facts{
			Run: record.Run.ID, Opened: r.Attach.String(), Closed: r.Detach.String(), First: numberText(r.First), Last: numberText(r.Last),
			Bytes: n.length[r.ID], Form: store.SaveFile, Log: s.dir, Marks: marks, Origin: got.Origin,
		}
		if diff := cmp.Diff(want, got); diff != "" || got.Bytes == 0 || got.Opened == "" || got.Closed == "" || got.First == "" || got.Last == "" {
			t.Errorf("%s (-want +got):\n%s", r.ID, diff)
		}
		if !strings.HasPrefix(got.Origin, "MQVAULT/") {
			t.Errorf("%s was read from %q", r.ID, got.Origin)
		}
	}
}

// A store that says that it kept a segment and did not: the second key looks
// for the copy itself, and nothing goes.
func TestStoreThatForgets(t *testing.T) {
	oneAfterTheOther(t)
	for _, policy := range []string{"conservative", "aggressive"} {
		s := ready(t)
		s.run(connect.Plan, policy)
		n := s.noting()
		n.forgets = true
		before := s.receivers()
		record := s.run(connect.Apply, policy)
		target := record.Targets[0]
		if len(n.told) == 0 || !hasFinding(target, finding.GuardRefused) || record.Run.Outcome != InPart {
			t.Errorf("%s: %d saved, %s, %v", policy, len(n.told), record.Run.Outcome, target.Findings)
		}
		if after := s.receivers(); !slices.Equal(before, after) {
			t.Errorf("%s: %v are left of %v", policy, after, before)
		}
	}
}

// A segment that is not the one that was planned is not saved under its name.
func TestAnotherOfItsNameIsNotSaved(t *testing.T) {
	s := ready(t)
	h := s.watch()
	n := s.noting()
	r := newPlanner(s.order(connect.Apply, "conservative"))
	a := r.newApplier(job{target: s.target})
	seen, err := a.look(t.Context())
	s.must(err)
	a.key = &secondKey{seen: seen}
	first := seen.inventories[0].Segments[0]
	for _, other := range []plugins.Action{
		{Segment: first.ID, Fingerprint: first.Fingerprint + " and again", Store: "vault"},
		{Segment: receiverID(999), Fingerprint: first.Fingerprint, Store: "vault"},
	} {
		result := a.archive(t.Context(), other)
		if result.State != plugins.Failed || !strings.Contains(result.Evidence, "not the segment that was planned") {
			t.Errorf("%s: %s", result.State, result.Evidence)
		}
	}
	if len(h.saved) > 0 || len(n.told) > 0 {
		t.Errorf("%v was saved", h.saved)
	}
}

// What the site has saved goes without the answer to CPA7025 in its statement,
// so that the system itself still objects where it knows better; only what was
// never saved needs it (case 6).
func TestSavedIsNotForced(t *testing.T) {
	s := ready(t)
	receivers := s.receivers()
	s.cl("CRTSAVF FILE(MQVAULT/SITE)", "SAVOBJ OBJ("+receivers[0]+") LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/SITE)")
	h := s.watch()
	unsaved := map[string]bool{}
	h.remove = func(_ context.Context, id recovery.SegmentID, never bool) { unsaved[id.Name] = never }
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied {
		t.Errorf("%s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
	if len(unsaved) < 2 {
		t.Fatalf("%v were deleted", unsaved)
	}
	for name, never := range unsaved {
		if never != (name != receivers[0]) {
			t.Errorf("%s: never saved: %v", name, never)
		}
	}
}
