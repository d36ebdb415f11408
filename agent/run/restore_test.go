package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/plugins"
)

// emptied makes a station on which all but the attached receiver are in the
// store alone, and gives the names that went, oldest first, and the store's
// folder.
func emptied(t *testing.T) (s *station, gone []string, vault string) {
	t.Helper()
	s = newStation(t, 12)
	vault = filepath.Join(t.TempDir(), "vault")
	var err error
	s.keeper, err = store.NewDirectory(store.Settings{Name: "vault", Path: vault, SameFilesystem: true, Form: store.SaveFile})
	s.must(err)
	s.cl(changeReceiver) // by hand it takes no checkpoint: the startup point is in the one before
	s.run(connect.Plan, "aggressive")
	before := s.receivers()
	record := s.run(connect.Apply, "aggressive")
	after := s.receivers()
	if len(after) != 1 || len(before) < 4 {
		t.Fatalf("%d receivers before, %d after: %v", len(before), len(after), record.Targets[0].Findings)
	}
	return s, before[:len(before)-1], vault
}

func (s *station) restore(mode connect.Mode, needed bool, segments ...string) ([]Restored, error) {
	s.t.Helper()
	return Restore(s.t.Context(), RestoreOrder{Order: s.order(mode, "aggressive"), Target: s.target, Needed: needed, Segments: segments})
}

// holds gives what is held.
func (s *station) holds() []ledger.Hold {
	s.t.Helper()
	holds, err := s.ledger.Holds(s.t.Context(), "ORDERS")
	s.must(err)
	return holds
}

// The restart fails for want of what the store has; what is needed comes back,
// the newest first, is held, and the restart works.
func TestRestoreNeeded(t *testing.T) {
	s, gone, _ := emptied(t)
	start := "STRMQM MQMNAME(ORDERS)"
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(t.Context(), "ORDERS", "crash")
		s.must(err)
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), start); err == nil || !strings.Contains(err.Error(), "AMQ7432") {
			t.Fatalf("a start without its receivers: %v", err)
		}
	})

	dry, err := s.restore(connect.Plan, true)
	s.must(err)
	if len(s.receivers()) != 1 || len(s.holds()) != 0 {
		t.Fatal("a dry run changed something")
	}
	list, err := s.restore(connect.Apply, true)
	s.must(err)
	if len(list) != len(dry) || len(list) == 0 {
		t.Fatalf("%d restored, %d planned", len(list), len(dry))
	}
	for i, one := range list {
		if one.State != plugins.Done || one.Segment != dry[i].Segment || dry[i].State != plugins.Planned || len(dry[i].Statements) != 3 {
			t.Errorf("%+v\n%+v", one, dry[i])
		}
		if want := gone[len(gone)-1-i]; one.Segment.Name != want {
			t.Errorf("number %d is %s, want %s: the newest first", i, one.Segment.Name, want)
		}
	}
	holds := s.holds()
	oldest := list[len(list)-1].Segment
	if len(holds) != 1 || holds[0].Segment != oldest.Name || holds[0].Library != oldest.Library || holds[0].Reason != "restored" ||
		!holds[0].UntilStart || holds[0].Until.Sub(holds[0].Since) != DefaultHeld {
		t.Errorf("held: %+v", holds)
	}
	s.cl(start)
	again, err := s.restore(connect.Apply, true)
	if err != nil || len(again) != 0 {
		t.Errorf("nothing is missing any more: %v, %v", again, err)
	}
	runs, err := s.ledger.Runs(t.Context(), ledger.Filter{Task: restoring})
	if err != nil || len(runs) != 1 || runs[0].Outcome != Applied || runs[0].DryRun {
		t.Errorf("recorded: %+v, %v", runs, err)
	}
	known, err := s.ledger.Run(t.Context(), runs[0].ID)
	if err != nil || len(known.Targets[0].Actions) != len(list) || known.Targets[0].Actions[0].Outcome != "done" {
		t.Errorf("record: %+v, %v", known, err)
	}
	if _, err := s.ledger.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Segments by name and by range; what is there already is left alone.
func TestRestoreNamed(t *testing.T) {
	s, gone, _ := emptied(t)
	n := len(gone)
	newest := gone[n-1]
	if list, err := s.restore(connect.Apply, false, newest); err != nil || len(list) != 1 || list[0].State != plugins.Done {
		t.Fatalf("%+v, %v", list, err)
	}
	list, err := s.restore(connect.Apply, false, gone[n-3]+"..QMORDERS/"+newest, newest)
	if err != nil || len(list) != 3 || list[0].State != plugins.Skipped || list[1].State != plugins.Done || list[2].State != plugins.Done {
		t.Fatalf("%+v, %v", list, err)
	}
	if got := s.receivers(); len(got) != 4 || got[0] != gone[n-3] {
		t.Errorf("on the system: %v", got)
	}
	tests := map[string]error{
		"AMQA099999": ErrNoCopy, "OTHER/" + newest: ErrNoCopy, "../" + newest: ErrNoCopy, "": ErrNoCopy,
		newest + ".." + gone[0]: ErrNoRange, gone[0] + "..": ErrNoCopy,
	}
	for segment, want := range tests {
		if list, err := s.restore(connect.Apply, false, segment); !errors.Is(err, want) || len(list) != 0 {
			t.Errorf("%q: %v, %v; want %v", segment, list, err, want)
		}
	}
}

// A copy that is damaged fails and is marked; older ones are not tried, since
// they would not join the chain. What another store has whole is taken there.
func TestRestoreDamaged(t *testing.T) {
	oneAfterTheOther(t)
	s, gone, vault := emptied(t)
	n := len(gone)
	other, err := store.NewDirectory(store.Settings{Name: "attic", Path: filepath.Join(t.TempDir(), "attic"), SameFilesystem: true, Form: store.SaveFile})
	s.must(err)
	copyTo(t, s.keeper.(store.Catalogue), other, gone[n-2])
	spoil(t, filepath.Join(vault, "ORDERS.qm"), gone[n-1], gone[n-2])

	list, err := s.restore(connect.Apply, false, gone[n-2]+".."+gone[n-1])
	if err != nil || len(list) != 2 || list[0].State != plugins.Failed || !strings.Contains(list[0].Evidence, "damaged") || list[1].State != plugins.Skipped {
		t.Fatalf("%+v, %v", list, err)
	}
	if len(s.receivers()) != 1 || len(s.holds()) != 0 {
		t.Error("something was restored or held")
	}
	for e, err := range s.keeper.(store.Catalogue).Entries(t.Context(), "ORDERS") {
		if s.must(err); e.Manifest.Segment == gone[n-1] && e.Problem == nil {
			t.Error("the damage is not written down")
		}
	}

	order := RestoreOrder{Order: s.order(connect.Apply, "aggressive"), Target: s.target, Segments: []string{gone[n-2]}}
	order.Keepers = map[string]store.Store{"vault": s.keeper, "attic": other}
	order.Stores["attic"] = order.Stores["vault"]
	list, err = Restore(t.Context(), order)
	if err != nil || len(list) != 1 || list[0].State != plugins.Done || list[0].Copy.Store != "attic" {
		t.Errorf("%+v, %v", list, err)
	}
}

// copyTo puts a copy of a segment into a second store.
func copyTo(t *testing.T, from store.Catalogue, to store.Store, name string) {
	t.Helper()
	for e, err := range from.Entries(t.Context(), "ORDERS") {
		if err != nil || e.Manifest.Segment != name {
			continue
		}
		content, err := from.Open(t.Context(), e.Copy)
		if err != nil {
			t.Fatal(err)
		}
		m := e.Manifest
		_, err = to.Put(t.Context(), recovery.Segment{ID: m.ID(), State: recovery.Online},
			store.Facts{Opened: m.Opened, Closed: m.Closed, First: m.First, Last: m.Last, Form: m.Form}, content)
		if err = errors.Join(err, content.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// spoil changes a byte of the copies of segments.
func spoil(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, name := range names {
			if strings.Contains(e.Name(), name) && !strings.HasSuffix(e.Name(), ".json") {
				file := filepath.Join(folder, e.Name())
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				content[len(content)/3] ^= 0x40
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// While another has the lease of the target nothing is restored; a gate that
// only plans hands out no writer.
func TestRestoreAlone(t *testing.T) {
	s, gone, _ := emptied(t)
	lease, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: ApplyTask, By: "an apply", For: time.Minute})
	s.must(err)
	var held *ledger.Held
	if _, err := s.restore(connect.Apply, true); !errors.As(err, &held) || held.By != "an apply" {
		t.Errorf("error %v, want that it is held", err)
	}
	if list, err := s.restore(connect.Plan, false, gone[0]); err != nil || list[0].State != plugins.Planned {
		t.Errorf("a dry run needs no lease: %v, %v", list, err)
	}
	s.must(lease.Release(t.Context(), "done"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	order := RestoreOrder{Order: s.order(connect.Apply, "aggressive"), Target: s.target, Needed: true}
	if _, err := Restore(ctx, order); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(s.receivers()) != 1 {
		t.Error("something was restored")
	}
}

// A restore that died leaves its record open, and a save file. The next one
// ends the record and takes the file away. A save file of the site's own that
// has the name of the receiver stays.
func TestRestoreAfterDeath(t *testing.T) {
	s, gone, _ := emptied(t)
	newest := gone[len(gone)-1]
	dead := &restorer{planner: newPlanner(s.order(connect.Plan, "aggressive"))}
	dead.order = RestoreOrder{Order: dead.Order, Target: s.target, Segments: []string{newest}}
	seen, wanted, _, err := dead.choose(t.Context())
	s.must(err)
	intended := dead.intended(seen, wanted[0])
	s.must(s.ledger.Begin(t.Context(), dead.begun(wanted, []Restored{intended})))
	s.cl(intended.Statements[0], "CRTSAVF FILE(MQVAULT/"+newest+")")

	list, err := s.restore(connect.Apply, false, newest)
	if err != nil || len(list) != 1 || list[0].State != plugins.Done {
		t.Fatalf("%+v, %v", list, err)
	}
	record, err := s.ledger.Run(t.Context(), dead.ID)
	if err != nil || record.Run.Outcome != Interrupted || record.Targets[0].Actions[0].Outcome != string(plugins.Unknown) {
		t.Errorf("%+v, %v", record.Run, err)
	}
	files, err := filepath.Glob(filepath.Join(s.dir, "systems", "*", "QSYS.LIB", "MQVAULT.LIB", "*.SAVF"))
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != newest+".SAVF" {
		t.Errorf("save files %v, %v", files, err)
	}
}

// Whatever is asked for by name, only copies of the stores come of it, each
// once, newest first.
func FuzzRestoreNames(f *testing.F) {
	for _, seed := range []string{"AMQA000001", "LIB/AMQA000001..AMQA000003", "..", "../../etc/passwd", "AMQA000003..AMQA000001", "/", "OTHER/AMQA000002..LIB/AMQA000003", "AMQA000001@1970-01-01T00:00:00", "LIB/AMQA000002@.."} {
		f.Add(seed, "AMQA000002")
	}
	var all []stored
	for i, id := range []recovery.SegmentID{
		{QueueManager: "Q", Library: "LIB", Name: "AMQA000001"}, {QueueManager: "Q", Library: "OTHER", Name: "AMQA000002"},
		{QueueManager: "Q", Library: "LIB", Name: "AMQA000002"}, {QueueManager: "Q", Library: "LIB", Name: "AMQA000003"},
	} {
		all = append(all, stored{opened: observe.LocalStamp(time.Unix(int64(i), 0)), copies: []recovery.Copy{{Segment: id, Store: "vault"}}})
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		list, err := named(all, []string{first, second})
		if err != nil && list != nil {
			t.Error("a list beside an error")
		}
		for i := 1; i < len(list); i++ {
			if !list[i].opened.Before(list[i-1].opened.Time) {
				t.Errorf("%s comes after %s", list[i].id(), list[i-1].id())
			}
		}
	})
}
