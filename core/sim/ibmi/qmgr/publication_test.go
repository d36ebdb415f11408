package qmgr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// seen is what can be counted from outside and inside.
type seen struct {
	checkpoint engine.Mark
	published  int
}

func (s *station) seen() seen {
	return seen{s.marks().Checkpoint, len(s.messages("AMQ7460"))}
}

// expect asserts what an occasion did.
func (s *station) expect(what string, before seen, checkpoint, publication bool) {
	s.t.Helper()
	after := s.seen()
	if got := after.checkpoint != before.checkpoint; got != checkpoint {
		s.t.Errorf("%s: checkpoint %v, want %v", what, got, checkpoint)
	}
	want := before.published
	if publication {
		want++
	}
	if media := len(s.messages("AMQ7462")); after.published != want || media != want {
		s.t.Errorf("%s: %d AMQ7460 and %d AMQ7462, want %d", what, after.published, media, want)
	}
}

// records puts messages until the log has so many records since the last
// checkpoint.
func (s *station) records(n uint64) {
	s.t.Helper()
	for s.m.Engine().Status().Records < n {
		s.put("A", text("x"))
	}
}

// Reference, IBM i 3.2 and 2.1: each occasion, and no other.
func TestOccasionsOfTime(t *testing.T) {
	s := newStation(t, t, Spec{Threshold: thresholdDefault})
	s.images()
	before := s.seen()
	s.clock.advance(31 * time.Minute)
	s.records(100 - 1)
	s.must(s.m.Tick(t.Context()))
	s.expect("31 minutes and 99 records", before, false, false)
	s.put("A", text("x"))
	s.expect("31 minutes and 100 records", before, true, false)

	before = s.seen()
	s.records(100 + 50)
	s.clock.advance(29 * time.Minute)
	s.must(s.m.Tick(t.Context()))
	s.expect("29 minutes and 150 records", before, false, false)
	s.clock.advance(2 * time.Minute)
	s.must(s.m.Tick(t.Context()))
	s.expect("31 minutes and 150 records", before, true, false)

	before = s.seen()
	u := s.begin("BATCH")
	for range 10_000 - 1 {
		s.unitPut(u, "A", "x")
	}
	s.expect("9999 records", before, false, false)
	s.unitPut(u, "A", "x")
	s.expect("10000 records", before, true, false)
}

func TestOccasionsOfCommands(t *testing.T) {
	s := newStation(t, t, Spec{Threshold: thresholdDefault})
	ctx := t.Context()
	for _, c := range []struct {
		Selection
		yes bool
	}{
		{Selection{"*ALL", "*ALL", true}, true},
		{Selection{"*ALL", "*ALL", false}, false},
		{Selection{"*ALL", "*Q", true}, false},
		{Selection{"A", "*ALL", true}, false},
		{Selection{"S*", "*LCLQ", true}, false},
		{Selection{"*ALL", "*CTLG", true}, false},
		{Selection{"*ALL", "*CHL", true}, false},
	} {
		before := s.seen()
		_, err := s.m.RecordImages(ctx, c.Selection)
		s.must(err)
		s.expect(fmt.Sprintf("RCDMQMIMG %+v", c.Selection), before, c.yes, c.yes)
	}
	before := s.seen()
	s.must(s.sys.ChangeJournal(ctx, s.m.Journal(), os400.Change{Receiver: "*GEN"}))
	s.must(s.m.Tick(ctx))
	s.put("A", text("x"))
	s.expect("CHGJRN by hand", before, false, false)

	before = s.seen()
	s.must(s.m.Damage(ctx, "B"))
	_, err := s.m.Recreate(ctx, Selection{Name: "*ALL", Type: "*ALL"})
	s.must(err)
	s.must(s.m.AlterQueue(ctx, "A", nil))
	s.must(s.m.DeleteQueue(ctx, "B", true))
	s.expect("RCRMQMOBJ and others", before, false, false)

	published := s.seen().published
	s.must(s.m.End(ctx, EndOptions{Images: true}))
	if n := len(s.messages("AMQ7460")); n != published {
		t.Errorf("the end published %d times", n-published)
	}
	s.start()
	if n := len(s.messages("AMQ7460")); n != published+1 {
		t.Errorf("the start published %d times", n-published)
	}
}

func TestAutomaticChangePublishes(t *testing.T) {
	s := station1(t)
	s.images()
	before, receivers := s.seen(), len(s.receivers())
	s.fill("A", 1)
	if n := len(s.receivers()); n != receivers+1 {
		t.Fatalf("%d receivers were begun", n-receivers)
	}
	s.expect("automatic change of receivers", before, true, true)
}

// Nothing is there before the first start.
func TestSpaceComesWithTheFirstStart(t *testing.T) {
	s := station1(t)
	m, err := Create(t.Context(), s.sys, Spec{Name: "pluto.queue.manager"})
	s.must(err)
	if m.Library() != "QMPLUTO.QU" || m.Status().State != string(Ended) || m.Points() != (Points{}) {
		t.Errorf("%s, %+v", m.Library(), m.Status())
	}
	if _, err := s.sys.Space(m.Space()); err == nil {
		t.Error("AMQJRNINF is there before the first start")
	}
	_, err = m.Start(t.Context())
	s.must(err)
	content, err := s.sys.Space(m.Space())
	if err != nil || len(content) != spaceLength {
		t.Errorf("AMQJRNINF holds %d bytes: %v", len(content), err)
	}
	names, err := List(s.sys)
	if err != nil || fmt.Sprint(names) != "[TEST pluto.queue.manager]" {
		t.Errorf("mqs.ini knows %q, %v", names, err)
	}
}

// What is published is the truth of that moment, and the space is the older
// of both marks.
func TestPublishedMarks(t *testing.T) {
	s := station1(t)
	check := func(what string, mediaIsOlder bool) {
		t.Helper()
		p, marks := s.m.Points(), s.marks()
		if p.Startup.Receiver != s.holding(marks.Restart) || p.Media.Receiver != s.holding(marks.Media) {
			t.Errorf("%s: published %+v, the marks are in %s and %s", what, p, s.holding(marks.Restart), s.holding(marks.Media))
		}
		older := p.Startup
		if mediaIsOlder {
			older = p.Media
		}
		if (marks.Media.LSN < marks.Restart.LSN) != mediaIsOlder {
			t.Errorf("%s: media mark %v, startup mark %v", what, marks.Media, marks.Restart)
		}
		content, err := s.sys.Space(s.m.Space())
		if err != nil || !bytes.Equal(content, information(older)) {
			t.Errorf("%s: AMQJRNINF %X, want %+v: %v", what, content, older, err)
		}
		status := s.m.Status()
		if status.RecLog != p.Startup.Receiver || status.MediaLog != p.Media.Receiver || status.CurrLog != s.receivers()[len(s.receivers())-1] {
			t.Errorf("%s: status %+v", what, status)
		}
		for id, point := range map[string]Point{"AMQ7460": p.Startup, "AMQ7462": p.Media} {
			sent := s.messages(id)
			newest := sent[len(sent)-1]
			if newest.Tokens != char10(point.Receiver)+char10(point.Library)+point.Time.Format("20060102150405")+milliseconds(point.Time) {
				t.Errorf("%s: %s carries %q", what, id, newest.Tokens)
			}
			if newest.Program != "AMQALMPX" || !strings.HasSuffix(newest.Job, "/QMQM/AMQALMPX") || newest.Severity != 0 {
				t.Errorf("%s: %s is %+v", what, id, newest)
			}
		}
	}
	s.fill("A", 2)
	check("automatic change", true)
	u := s.begin("LONG")
	s.unitPut(u, "B", "holds the startup mark")
	s.fill("A", 2)
	s.images()
	check("images with a long unit of work", false)
	if seen := s.m.Points().Startup; len(s.before(seen.Receiver)) == 0 || s.m.Transactions()[0].Receiver != seen.Receiver {
		t.Errorf("%+v does not hold %+v", s.m.Transactions(), seen)
	}
}

// Outside nothing moves between publications.
func TestPointsStay(t *testing.T) {
	s := newStation(t, t, Spec{Threshold: thresholdDefault})
	s.images()
	before, space := s.m.Points(), must2(s.sys.Space(s.m.Space()))
	s.clock.advance(31 * time.Minute)
	s.records(100)
	_, err := s.m.RecordImages(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.must(err)
	if s.m.Points() != before || !bytes.Equal(space, must2(s.sys.Space(s.m.Space()))) {
		t.Errorf("%+v became %+v", before, s.m.Points())
	}
	if inside := s.marks().Restart.Time; !inside.After(before.Startup.Time) {
		t.Errorf("the startup mark itself stayed at %v", inside)
	}
}

func must2(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// Asterisks in messages and space when the receiver is gone.
func TestAsterisks(t *testing.T) {
	s := aged(t)
	s.must(s.sys.Remove(s.id(s.holding(s.marks().Media))))
	s.fill("B", 1)
	p := s.m.Points()
	if p.Media.Receiver != Gone || p.Media.Library != s.m.Library() {
		t.Errorf("%+v", p)
	}
	sent := s.messages("AMQ7462")
	if !strings.HasPrefix(sent[len(sent)-1].Tokens, Gone) || !strings.Contains(sent[len(sent)-1].Text, Gone) {
		t.Errorf("%+v", sent[len(sent)-1])
	}
	if content := must2(s.sys.Space(s.m.Space())); !bytes.Equal(content[:10], bytes.Repeat([]byte{0x5C}, 10)) {
		t.Errorf("AMQJRNINF: %X", content)
	}
}

func TestOldFormOnTheQueue(t *testing.T) {
	s := newStation(t, t, Spec{OldMessages: true, Letter: 'B'})
	if s.m.Journal().Name != "AMQBJRN" || s.receivers()[0] != "AMQB000000" {
		t.Errorf("journal %s, receivers %q", s.m.Journal(), s.receivers())
	}
	for _, id := range []string{"AMQ7460", "AMQ7462"} {
		for _, m := range s.messages(id) {
			if strings.Contains(m.Text+m.Help+m.Tokens, "AMQB") || len(m.Tokens) != 17 {
				t.Errorf("%+v", m)
			}
		}
	}
}

// Case 3: the clock goes back. The older of both marks is the one that comes
// first in the journal, whatever its time says.
func TestClockGoesBack(t *testing.T) {
	s := station1(t)
	s.images()
	media := s.marks().Media
	s.clock.advance(-time.Hour)
	s.fill("A", 2)
	marks, p := s.marks(), s.m.Points()
	if marks.Media != media || !marks.Restart.Time.Before(media.Time) {
		t.Fatalf("%+v", marks)
	}
	if content := must2(s.sys.Space(s.m.Space())); !bytes.Equal(content, information(p.Media)) {
		t.Errorf("AMQJRNINF: %X, want %+v", content, p.Media)
	}
}
