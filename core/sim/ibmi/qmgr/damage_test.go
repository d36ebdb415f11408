package qmgr

import (
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// The third promise of the strategies: a start that needs a damaged object
// needs the receiver of its image too. The queue manager object and the
// catalogue are such objects, always.
func TestStartNeedsItsOwnObjects(t *testing.T) {
	for _, object := range []string{"*MQM", "*CTLG"} {
		for _, end := range []string{"crash", "end"} {
			t.Run(object+" "+end, func(t *testing.T) {
				s := station1(t)
				all, err := s.m.Engine().Object(ownRef(object))
				s.must(err)
				receiver, media := s.holding(all.Media), all.Media.Time
				s.fill("A", 2)
				_, err = s.m.RecordImages(t.Context(), Selection{Name: "*ALL", Type: "*LCLQ"})
				s.must(err)
				s.fill("B", 1)
				s.must(s.m.Tick(t.Context()))
				s.must(s.m.Damage(t.Context(), object))
				if end == "crash" {
					s.power()
				} else {
					s.must(s.m.End(t.Context(), EndOptions{Immediate: true}))
				}
				back := s.take(receiver)
				_, err = s.m.Start(t.Context())
				lost := s.unavailable(err, receiver, media)
				if lost.Object != ownRef(object) || lost.Purpose != engine.ForRebuild {
					t.Errorf("%+v", lost)
				}
				back()
				done := s.start()
				if !slices.Equal(done.Rebuilt, []engine.Ref{ownRef(object)}) || len(done.Damaged) != 0 || len(s.messages("AMQ7461")) != 1 {
					t.Errorf("%+v", done)
				}
				s.rebuildAll()
			})
		}
	}
}

func ownRef(object string) engine.Ref {
	if object == "*MQM" {
		return engine.Ref{Kind: kindManager, Name: "TEST"}
	}
	return engine.Ref{Kind: kindCatalogue, Name: catalogueName}
}

// RCRMQMOBJ re-creates them too, without a restart.
func TestRecreateOwnObjects(t *testing.T) {
	s := station1(t)
	for _, object := range []string{"*MQM", "*ctlg"} {
		s.must(s.m.Damage(t.Context(), object))
	}
	if sent := s.messages("AMQ7472"); len(sent) != 2 || sent[0].Text != Damaged(ownRef("*MQM")).Text {
		t.Errorf("%+v", sent)
	}
	if n, err := s.m.Recreate(t.Context(), Selection{Name: "*ALL", Type: "*MQM"}); n != 1 || err != nil {
		t.Errorf("re-created %d, %v", n, err)
	}
	if n, err := s.m.Recreate(t.Context(), Selection{Name: "*ALL", Type: "*ALL"}); n != 1 || err != nil {
		t.Errorf("re-created %d, %v", n, err)
	}
	if sent := s.messages("AMQ7461"); len(sent) != 2 || sent[1].Text != Recreated(ownRef("*CTLG")).Text {
		t.Errorf("%+v", sent)
	}
}

// What a crash will lose can be known before it, and not after.
func TestMemoryOnly(t *testing.T) {
	s := station1(t)
	s.put("A", text("kept"))
	s.put("A", engine.Message{Body: []byte("1")})
	s.put("B", engine.Message{Body: []byte("2")})
	if n := s.m.MemoryOnly(); n != 2 {
		t.Errorf("%d messages", n)
	}
	s.must(s.m.Damage(t.Context(), "B"))
	if n := s.m.MemoryOnly(); n != 1 {
		t.Errorf("%d messages, one queue damaged", n)
	}
	s.crash()
	if n := s.m.MemoryOnly(); n != 0 {
		t.Errorf("%d messages after the crash", n)
	}
	s.start()
	if got := s.bodies("A"); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("%q", got)
	}
}
