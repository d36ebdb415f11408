package ledger

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
)

func ask(tb interface {
	Helper()
	Fatal(args ...any)
}, l *Ledger, language observe.Language, text string) string {
	tb.Helper()
	answer, err := l.Ask(context.Background(), observe.Question{Language: language, QueueManager: "ORDERS", Text: text})
	must(tb, err)
	return string(answer.Body)
}

func segmentID(name string) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: name}
}

// The answers are those of docs/transcript.md.
func TestAnswers(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{Clock: newClock().Now})
	_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Since: night, Reason: `case 4711, "urgent"`})
	must(t, err)
	_, err = l.AddHold(ctx, Hold{Target: "ORDERS", Segment: "QMORDERS/AMQA000006", Since: night, Until: night.Add(time.Hour), Reason: "restored"})
	must(t, err)
	_, err = l.AddNote(ctx, Note{Target: "ORDERS", At: night, Kind: Saved, Library: "QMORDERS", Segment: "AMQA000008", Text: "BRMS nightly"})
	must(t, err)
	_, err = l.AddNote(ctx, Note{Target: "PAYROLL", At: night, Kind: DataBackup, Position: "4711"})
	must(t, err)
	must(t, l.See(ctx, Sighting{
		Target: "ORDERS", At: night,
		Segments: []SeenSegment{{segmentID("AMQA000006"), "1", false}, {segmentID("AMQA000007"), "2", true}},
		Points:   []SeenPoint{{recovery.Restart, "QMORDERS", "AMQA000010", "2026-05-27 17.20.11"}, {Kind: recovery.UnitOfWork, Segment: "AMQA000009"}},
	}))
	for _, test := range []struct {
		language   observe.Language
		text, want string
	}{
		{observe.HoldOn, "holds", "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n" +
			"2,2026-05-01T02:00:00Z,,,,\"case 4711, \"\"urgent\"\"\"\n3,2026-05-01T02:00:00Z,2026-05-01T03:00:00Z,QMORDERS,AMQA000006,restored\n"},
		{observe.Note, "notes", "ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n4,2026-05-01T02:00:00Z,saved,QMORDERS,AMQA000008,,BRMS nightly\n"},
		{observe.History, "segments", "AT,KIND,LIBRARY,SEGMENT,POSITION\n" +
			"2026-05-01T02:00:00Z,unneeded,QMORDERS,AMQA000006,\n2026-05-01T02:00:00Z,restart,QMORDERS,AMQA000010,2026-05-27 17.20.11\n"},
	} {
		if got := ask(t, l, test.language, test.text); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.language, got, test.want)
		}
	}
	for _, q := range []observe.Question{
		{Language: observe.Store, QueueManager: "ORDERS", Text: "manifests"},
		{Language: observe.HoldOn, QueueManager: "ORDERS", Text: "hold"},
		{Language: observe.MQSC, QueueManager: "ORDERS", Text: "DISPLAY QMSTATUS"},
	} {
		if _, err := l.Ask(ctx, q); !errors.As(err, new(*observe.NotAnswered)) {
			t.Errorf("%s: %v", q, err)
		}
	}
}

// unneeded gives the segments of HISTORY that have no need, with their days.
func unneeded(t *testing.T, l *Ledger) string {
	t.Helper()
	table, err := observe.ReadTable([]byte(ask(t, l, observe.History, observe.SegmentsQuestion)))
	must(t, err)
	var all []string
	for _, row := range table.Rows() {
		if row.Text("KIND") == "unneeded" {
			all = append(all, row.Text("SEGMENT")+"@"+row.Text("AT")[8:10])
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// The first sighting without a need counts, until the segment is needed again,
// is gone, or another of its name is there.
func TestUnneededSince(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	see := func(day int, segments ...SeenSegment) {
		t.Helper()
		must(t, l.See(context.Background(), Sighting{Target: "ORDERS", At: night.AddDate(0, 0, day-1), Segments: segments}))
	}
	a := func(opened string, needed bool) SeenSegment { return SeenSegment{segmentID("A"), opened, needed} }
	b := SeenSegment{segmentID("B"), "1", false}
	for _, step := range []struct {
		day      int
		segments []SeenSegment
		want     string
	}{
		{1, []SeenSegment{a("1", true)}, ""},
		{2, []SeenSegment{a("1", false), b}, "A@02 B@02"},
		{3, []SeenSegment{a("1", false), b}, "A@02 B@02"},
		{4, nil, "A@02 B@02"}, // nothing was learned
		{5, []SeenSegment{a("1", true), b}, "B@02"},
		{6, []SeenSegment{a("1", false), b}, "A@06 B@02"},
		{7, []SeenSegment{a("7", false), b}, "A@07 B@02"},
		{8, []SeenSegment{a("7", false)}, "A@07"},
		{9, []SeenSegment{}, ""},
	} {
		see(step.day, step.segments...)
		if step.segments == nil {
			must(t, l.See(context.Background(), Sighting{Target: "ORDERS", At: night.AddDate(0, 0, step.day-1)}))
		}
		if got := unneeded(t, l); got != step.want {
			t.Errorf("day %d: %q, want %q", step.day, got, step.want)
		}
	}
	if err := l.See(context.Background(), Sighting{Target: "ORDERS"}); err == nil {
		t.Error("seen at no time")
	}
}

// A point that stands still is noted once; each move is, also back.
func TestPointsMove(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	for i, segment := range []string{"A", "A", "B", "B", "A"} {
		must(t, l.See(context.Background(), Sighting{
			Target: "ORDERS", At: night.AddDate(0, 0, i), Points: []SeenPoint{{Kind: recovery.Media, Segment: segment}},
		}))
	}
	var got []string
	table, err := observe.ReadTable([]byte(ask(t, l, observe.History, observe.SegmentsQuestion)))
	must(t, err)
	for _, row := range table.Rows() {
		got = append(got, row.Text("SEGMENT")+row.Text("AT")[8:10])
	}
	if want := "A01 B03 A05"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestSightingOf(t *testing.T) {
	inv := recovery.Inventory{
		QueueManager: "ORDERS", Observed: night,
		Segments: []recovery.Segment{
			{ID: segmentID("GONE"), From: 1, To: 1, State: recovery.Absent},
			{ID: segmentID("A"), From: 2, To: 2, State: recovery.Saved, Opened: "x"},
			{ID: segmentID("B"), From: 3, To: 3, State: recovery.Current},
		},
		Needs: []recovery.Need{{Kind: recovery.Restart, From: 3, Name: "B", Entry: "e"}, {Kind: recovery.Hold, From: 3, Name: "B"}},
	}
	s := SightingOf(inv)
	if len(s.Segments) != 2 || s.Segments[0].Needed || s.Segments[0].Opened != "x" || !s.Segments[1].Needed ||
		len(s.Points) != 1 || s.Points[0] != (SeenPoint{recovery.Restart, "", "B", "e"}) {
		t.Errorf("%+v", s)
	}
	inv.Open = []finding.Finding{{Severity: finding.Critical}}
	if s := SightingOf(inv); s.Segments != nil || len(s.Points) != 1 {
		t.Errorf("with a critical finding: %+v", s)
	}
	inv.Open, inv.Needs = nil, nil
	if s := SightingOf(inv); s.Segments != nil {
		t.Errorf("without a need: %+v", s)
	}
}

// withLedger asks the ledger what it answers and a transcript the rest.
type withLedger struct {
	ledger *Ledger
	rest   observe.Asker
}

func (w withLedger) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	answer, err := w.ledger.Ask(ctx, q)
	if errors.As(err, new(*observe.NotAnswered)) {
		return w.rest.Ask(ctx, q)
	}
	return answer, err
}

// What the ledger answers, the reader of a journal understands: holds become
// needs, ages and points come back.
func TestObserveReadsIt(t *testing.T) {
	ctx := context.Background()
	text, err := transcript.Open("../../core/transcript/testdata/orders.mqt")
	must(t, err)
	target := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	read := func(asker observe.Asker) observe.JournalFacts {
		t.Helper()
		facts, err := observe.ReadJournal(ctx, asker, target)
		must(t, err)
		return facts
	}
	before := read(text.Player())
	oldest := before.Inventory.Segments[0]
	l := openAt(t, folder(t), Options{})
	at := before.Inventory.Observed.Add(-time.Minute)
	must(t, l.See(ctx, Sighting{
		Target: "ORDERS", At: at,
		Segments: []SeenSegment{{oldest.ID, oldest.Opened, false}},
		Points:   []SeenPoint{{recovery.Restart, oldest.ID.Library, oldest.ID.Name, "2026-05-27 17.20.11"}},
	}))
	for _, h := range []Hold{
		{Target: "ORDERS", Since: at, Library: oldest.ID.Library, Segment: oldest.ID.Name, Reason: "case 1"},
		{Target: "ORDERS", Since: at.Add(-time.Hour), Until: at, Reason: "over"},
	} {
		_, err := l.AddHold(ctx, h)
		must(t, err)
	}
	facts := read(withLedger{l, text.Player()})
	if got := facts.Inventory.Segments[0].Unneeded; !got.Equal(at) {
		t.Errorf("unneeded since %s, want %s", got, at)
	}
	if len(facts.Seen) != 1 || facts.Seen[0].Kind != recovery.Restart || facts.Seen[0].Segment != oldest.ID.Name || !facts.Seen[0].At.Equal(at) {
		t.Errorf("seen: %+v", facts.Seen)
	}
	var holds []recovery.Need
	for _, n := range facts.Inventory.Needs {
		if n.Kind == recovery.Hold {
			holds = append(holds, n)
		}
	}
	if len(holds) != 1 || holds[0].Name != oldest.ID.Name || !strings.Contains(holds[0].Source, "case 1") {
		t.Errorf("holds: %+v", holds)
	}
}

// Whatever reason is accepted comes back through the answer as it was.
func TestReasonsComeBack(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	rapid.Check(t, func(t *rapid.T) {
		reason := rapid.String().Draw(t, "reason")
		h, err := l.AddHold(context.Background(), Hold{Target: "ORDERS", Since: night, Reason: reason})
		if err != nil {
			return
		}
		table, err := observe.ReadTable([]byte(ask(t, l, observe.HoldOn, observe.HoldsQuestion)))
		must(t, err)
		rows := table.Rows()
		last := rows[len(rows)-1]
		want := h.Reason
		if want == "-" || strings.EqualFold(want, "NULL") {
			want = "" // as empty cells are read
		}
		if got := last.Text("REASON"); got != want {
			t.Fatalf("%q came back as %q", want, got)
		}
	})
}
