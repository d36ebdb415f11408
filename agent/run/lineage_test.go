package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/plugins"
)

// keep copies the estate as a site does that saves all of it, and gives where
// the copy is.
func (s *station) keep() string {
	s.t.Helper()
	kept := filepath.Join(s.t.TempDir(), "kept")
	s.must(os.CopyFS(kept, os.DirFS(s.dir)))
	return kept
}

// putBack gives the estate the state that was kept.
func (s *station) putBack(kept string) {
	s.t.Helper()
	s.must(os.RemoveAll(s.dir))
	s.must(os.CopyFS(s.dir, os.DirFS(kept)))
}

// minutes has the estate live on for less than an hour.
func (s *station) minutes(n int) {
	s.t.Helper()
	s.open(func(e *sim.Estate) {
		_, err := e.Advance(s.t.Context(), time.Duration(n)*time.Minute, nil)
		s.must(err)
	})
}

// messages gives the persistent messages of each queue that are committed.
func (s *station) messages() map[string][]string {
	s.t.Helper()
	all := map[string][]string{}
	s.open(func(e *sim.Estate) {
		for _, q := range e.Manager("ORDERS").Queues() {
			s.must(e.Manager("ORDERS").Browse(q.Name, func(m engine.Message) bool {
				if m.Persistent {
					all[q.Name] = append(all[q.Name], string(m.Body))
				}
				return true
			}))
		}
	})
	return all
}

// damageAndRebuild has every queue damaged and rebuilt, and the queue manager
// crashed and started before, once what is needed came back.
func (s *station) damageAndRebuild() {
	s.t.Helper()
	before := s.messages()
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(s.t.Context(), "ORDERS", "crash")
		s.must(err)
	})
	list, err := s.restore(connect.Apply, true)
	s.must(err)
	for _, one := range list {
		if one.State != plugins.Done {
			s.t.Fatalf("not restored: %+v", one)
		}
	}
	s.cl("STRMQM MQMNAME(ORDERS)")
	s.open(func(e *sim.Estate) {
		for _, q := range e.Manager("ORDERS").Queues() {
			_, err := e.Fault(s.t.Context(), "ORDERS", "damage", q.Name)
			s.must(err)
		}
	})
	s.cl("RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)")
	if diff := gocmp.Diff(before, s.messages()); diff != "" {
		s.t.Fatalf("messages before (-) and after (+):\n%s", diff)
	}
}

// A queue manager is put back to an older state, works on in another way and
// gives its receivers the names, and one of them the attach time, of those
// that the store has already. Where its points lie behind those that were seen
// that is noticed. Where they do not, each of its own receivers is saved before
// it goes, and comes back; so it is with another queue manager of the name.
func TestPutBack(t *testing.T) {
	oneAfterTheOther(t)
	tests := []struct {
		name    string
		anew    bool
		before  []string // commands after which the points were seen
		after   []string // commands since it was put back
		noticed bool
	}{
		{"behind", false, []string{changeReceiver, recordImages, changeReceiver, changeReceiver, recordImages}, []string{changeReceiver}, true},
		{"ahead", false, []string{changeReceiver}, []string{changeReceiver, recordImages}, false},
		{"made anew", true, []string{changeReceiver, recordImages, changeReceiver}, []string{changeReceiver}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStation(t, 12)
			kept := s.keep()
			s.advance(14)
			s.cl(test.before...)
			s.run(connect.Plan, "aggressive")
			if r := s.run(connect.Apply, "aggressive"); r.Run.Outcome != Applied || len(s.receivers()) != 1 {
				t.Fatalf("%s: %v", r.Run.Outcome, r.Targets[0].Findings)
			}
			first := s.storedNames()
			if test.anew {
				kept = newStation(t, 11).keep()
			}
			s.putBack(kept)
			s.minutes(25)
			s.cl(test.after...)
			if test.noticed {
				s.noticesItWentBack()
			}
			s.livesOnAndRecovers(first)
		})
	}
}

func (s *station) noticesItWentBack() {
	s.t.Helper()
	before := s.receivers()
	r := s.run(connect.Apply, "aggressive")
	if !hasFinding(r.Targets[0], finding.MarkWentBack) || !slices.Equal(s.receivers(), before) {
		s.t.Fatalf("it went back unnoticed: %v, on the system %v of %v", r.Targets[0].Findings, s.receivers(), before)
	}
}

// livesOnAndRecovers has the queue manager come further than the one whose
// receivers are in the store already.
func (s *station) livesOnAndRecovers(first []string) {
	s.t.Helper()
	for range 3 {
		s.advance(11)
		s.cl(changeReceiver, recordImages)
	}
	s.cl(changeReceiver)
	before := s.receivers()
	r := s.run(connect.Apply, "aggressive")
	if r.Run.Outcome != Applied || len(s.receivers()) != 1 {
		s.t.Fatalf("%s: %v\n%s", r.Run.Outcome, r.Targets[0].Findings, outcomes(r.Targets[0]))
	}
	now, twice := s.storedNames(), 0
	for _, name := range before {
		if slices.Contains(first, name) && strings.Count(strings.Join(now, " "), name) > 1 {
			twice++
		}
	}
	if twice == 0 {
		s.t.Error("no receiver was saved beside another of its name")
	}
	s.damageAndRebuild()
	s.advance(11)
	s.cl("ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)", "STRMQM MQMNAME(ORDERS)", changeReceiver, changeReceiver)
	if r := s.run(connect.Apply, "aggressive"); r.Run.Outcome != Applied || len(s.receivers()) != 1 {
		s.t.Fatalf("the night after: %s: %v\n%s", r.Run.Outcome, r.Targets[0].Findings, outcomes(r.Targets[0]))
	}
	s.damageAndRebuild()
}

// storedNames gives the names of all copies, each as often as it is there.
func (s *station) storedNames() []string {
	s.t.Helper()
	var names []string
	for c, err := range s.keeper.List(s.t.Context(), "ORDERS") {
		s.must(err)
		names = append(names, c.Segment.Name)
	}
	return names
}

// A clock that is put back by half a day, after receivers were saved and before
// others are, loses none of them: what the store has joins by its numbers.
func TestClockBackAfterSaving(t *testing.T) {
	oneAfterTheOther(t)
	s := newStation(t, 30)
	s.cl(changeReceiver)
	s.run(connect.Plan, "aggressive")
	if r := s.run(connect.Apply, "aggressive"); r.Run.Outcome != Applied {
		t.Fatalf("%v", r.Targets[0].Findings)
	}
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(t.Context(), "ORDERS", "clock-back", "12h")
		s.must(err)
	})
	for range 3 {
		s.advance(13) // the first: until what was written before is of the past
		s.cl(changeReceiver)
		r := s.run(connect.Apply, "aggressive")
		if hasFinding(r.Targets[0], finding.ReceiverLost) || hasFinding(r.Targets[0], finding.MarkWentBack) || len(s.receivers()) != 1 {
			t.Fatalf("%s, on the system %v: %v", r.Run.Outcome, s.receivers(), r.Targets[0].Findings)
		}
	}
	s.damageAndRebuild()
}

// So it is where the clock was put back to before anything that is known was
// written: a recovery point that MQ no longer names is found by what an earlier
// run saw of it.
func TestClockBackBeforeAllThatIsKnown(t *testing.T) {
	s := newStation(t, 6)
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(t.Context(), "ORDERS", "clock-back", "12h")
		s.must(err)
	})
	s.advance(2)
	s.cl(changeReceiver, recordImages)
	s.advance(12) // until what was written before is of the past
	s.run(connect.Plan, "aggressive")
	for range 4 {
		s.advance(4)
		s.cl(changeReceiver)
		r := s.run(connect.Apply, "aggressive")
		if hasFinding(r.Targets[0], finding.ReceiverLost) || hasFinding(r.Targets[0], finding.MarkWentBack) {
			t.Fatalf("%s, on the system %v: %v", r.Run.Outcome, s.receivers(), r.Targets[0].Findings)
		}
	}
	s.damageAndRebuild()
}
