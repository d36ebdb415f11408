package transcript

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
)

const played = `>>> QMGR QM1 multiplatforms
>>> MQSC QM1: DISPLAY QMSTATUS
any form
>>> MQSC QM1: DISPLAY QMSTATUS LOG
log 1
>>> CLOCK 2026-05-28T02:00:00Z
>>> MQSC QM1: DISPLAY QMSTATUS LOG
log 2
>>> CLOCK QM1 2026-05-28T03:00:00Z
>>> CLOCK 2026-05-28T04:00:00Z
>>> ERROR MQSC QM1: DISPLAY LOG
AMQ8405I: syntax
>>> SQL QM1: QSYS2.JOURNAL_INFO
first
>>> SQL QM1: qsys2.journal_info
second
>>> HOLD QM1
held
>>> NOTE QM1: notes
noted
`

func TestPlayer(t *testing.T) {
	transcript, err := read(played, nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		language observe.Language
		text     string
		want     []string
	}{
		{observe.MQSC, "DISPLAY QMSTATUS LOG", []string{"log 1\n", "log 2\n", "log 2\n"}},
		{observe.MQSC, " display  qmstatus\tlog ", []string{"log 1\n", "log 2\n"}},
		{observe.MQSC, "DISPLAY QMSTATUS ALL", []string{"any form\n", "any form\n"}},
		{observe.MQSC, "DIS QMSTATUS TYPE(QMGR) ALL", []string{"any form\n"}},
		{observe.SQL, "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='A'", []string{"first\n", "second\n", "second\n"}},
		{observe.HoldOn, "holds", []string{"held\n"}},
		{observe.Note, "notes", []string{"noted\n"}},
		{observe.Note, "others", []string{""}},
		{observe.Store, "manifests", []string{""}},
		{observe.History, "segments", []string{""}},
	}
	for _, test := range tests {
		p := transcript.Player()
		for i, want := range test.want {
			if got := ask(t, p, test.language, "QM1", test.text); got != want {
				t.Errorf("%s %q time %d: %q, want %q", test.language, test.text, i+1, got, want)
			}
		}
	}
}

// TestFormsCountForThemselves: two forms of a question that one general block
// answers both begin with the first such block.
func TestFormsCountForThemselves(t *testing.T) {
	transcript, err := read(played, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := transcript.Player()
	for _, text := range []string{"QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='A'", "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='B'"} {
		if got := ask(t, p, observe.SQL, "QM1", text); got != "first\n" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestPlayerErrors(t *testing.T) {
	transcript, err := read(played, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := transcript.Player()
	ask := func(language observe.Language, manager, text string) error {
		_, err := p.Ask(context.Background(), observe.Question{Language: language, QueueManager: manager, Text: text})
		return err
	}
	var failed *observe.Failed
	if err := ask(observe.MQSC, "QM1", "DISPLAY LOG"); !errors.As(err, &failed) || string(failed.Body) != "AMQ8405I: syntax\n" {
		t.Errorf("ERROR block: %v", err)
	}
	var unanswered *observe.NotAnswered
	for _, manager := range []string{"QM2", "qm1"} {
		if err := ask(observe.MQSC, manager, "DISPLAY QMSTATUS"); !errors.As(err, &unanswered) {
			t.Errorf("of %s: %v, want NotAnswered", manager, err)
		}
	}
	if err := ask(observe.CL, "QM1", "DSPOBJD OBJ(A/B) OBJTYPE(*JRNRCV)"); !errors.As(err, &unanswered) {
		t.Errorf("no block: %v, want NotAnswered", err)
	}
	var refused *observe.Refused
	if err := ask(observe.CL, "QM1", "DLTJRNRCV JRNRCV(QMQM1/AMQA000001)"); !errors.As(err, &refused) {
		t.Errorf("a release: %v, want Refused", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestAnswerTimes(t *testing.T) {
	transcript, err := read(played+">>> MQSC QM2: DISPLAY QMSTATUS\nx\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := transcript.Player()
	for _, test := range []struct{ manager, text, want string }{
		{"QM1", "DISPLAY QMSTATUS LOG", "0001-01-01T00:00:00Z"}, // before any CLOCK
		{"QM1", "DISPLAY QMSTATUS LOG", "2026-05-28T02:00:00Z"}, // the general one
		{"QM1", "DISPLAY LOG", ""},
		{"QM2", "DISPLAY QMSTATUS", "2026-05-28T04:00:00Z"},
	} {
		got, err := p.Ask(context.Background(), observe.Question{Language: observe.MQSC, QueueManager: test.manager, Text: test.text})
		if test.want != "" && (err != nil || got.At.Format(time.RFC3339) != test.want) {
			t.Errorf("%v: at %s, %v", test, got.At, err)
		}
	}
	if got, err := p.Ask(context.Background(), observe.Question{Language: observe.HoldOn, QueueManager: "QM1", Text: "holds"}); err != nil || got.At.Hour() != 3 {
		t.Errorf("QM1's own clock: %s, %v", got.At, err)
	}
}

func TestAnswersAreCopies(t *testing.T) {
	transcript, _ := read(played, nil)
	q := observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS"}
	got, _ := transcript.Player().Ask(context.Background(), q)
	got.Body[0] = 'X'
	if again, _ := transcript.Player().Ask(context.Background(), q); again.Body[0] == 'X' {
		t.Error("an answer changed the transcript")
	}
}

func TestPlayerIsSafeForConcurrentUse(t *testing.T) {
	transcript, _ := read(played, nil)
	p := transcript.Player()
	var wait sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	for range 20 {
		wait.Go(func() {
			got, err := p.Ask(context.Background(), observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS LOG"})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				seen[string(got.Body)]++
			}
		})
	}
	wait.Wait()
	if seen["log 1\n"] != 1 || seen["log 2\n"] != 19 {
		t.Errorf("answers %v", seen)
	}
}

// script answers with the next of a list, whatever is asked.
type script struct {
	replies []reply
	next    int
}

type reply struct {
	q    observe.Question
	body []byte
	at   time.Time
	err  error
}

func (s *script) Ask(context.Context, observe.Question) (observe.Answer, error) {
	r := s.replies[s.next]
	s.next++
	return observe.Answer{Body: r.body, At: r.at}, r.err
}

// drawReply makes a question with an answer or an error that the format has.
func drawReply(t *rapid.T) reply {
	q := observe.Question{
		Language:     rapid.SampledFrom([]observe.Language{observe.MQSC, observe.SQL, observe.File, observe.HoldOn}).Draw(t, "language"),
		QueueManager: rapid.SampledFrom([]string{"QM1", "QM2"}).Draw(t, "manager"),
	}
	q.Text = map[observe.Language]*rapid.Generator[string]{
		observe.MQSC:   rapid.SampledFrom([]string{"DISPLAY QMSTATUS", "display  QMSTATUS LOG", "DISPLAY QUEUE('A # B')"}),
		observe.SQL:    rapid.SampledFrom([]string{"QSYS2.ASP_INFO", "QSYS2.ASP_INFO ASP_NUMBER='1'"}),
		observe.File:   rapid.SampledFrom([]string{"/a", "/b c"}),
		observe.HoldOn: rapid.Just("holds"),
	}[q.Language].Draw(t, "text")
	r := reply{q: q, at: time.Date(2026, 5, 28, 2, 0, rapid.IntRange(0, 3).Draw(t, "second"), 0, time.FixedZone("", 7200))}
	body := rapid.OneOf(
		rapid.SliceOf(rapid.Byte()),
		rapid.Map(rapid.StringMatching(`(>>>|\\|a| )*\n`), func(s string) []byte { return []byte(s) }),
	).Draw(t, "body")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		r.err = &observe.Failed{Question: q, Body: body}
	case 1:
		if !q.Language.OfHost() {
			r.err = &observe.NotAnswered{Question: q}
		}
	default:
		r.body = body
	}
	return r
}

// TestRecordedPlaysTheSame: the same questions in the same order get the same
// bodies, and what was not answered looks answered to nobody.
func TestRecordedPlaysTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		replies := sameHost(rapid.SliceOfN(rapid.Custom(drawReply), 1, 12).Draw(t, "replies"))
		r := NewRecorder(&script{replies: replies}, []observe.Target{{Name: "QM1", Platform: observe.IBMi, Zone: "Europe/Berlin"}})
		for _, reply := range replies {
			_, _ = r.Ask(context.Background(), reply.q)
		}
		recorded := r.Transcript()
		if !strings.Contains(strings.Join(dump(recorded), "\n"), " # ") {
			again, err := Parse("again", strings.NewReader(written(t, recorded)), nil)
			if err != nil {
				t.Fatal(err)
			}
			recorded = again
		}
		p := recorded.Player()
		for _, want := range replies {
			got, err := p.Ask(context.Background(), want.q)
			checkReply(t, want, got, err)
		}
	})
}

// sameHost makes the host answer for the declared queue manager, and always
// the same.
func sameHost(replies []reply) []reply {
	var first *reply
	for i := range replies {
		r := &replies[i]
		if !r.q.Language.OfHost() {
			continue
		}
		if first == nil {
			first = r
		}
		r.body, r.err, r.q.QueueManager = first.body, first.err, "QM1"
	}
	return replies
}

func checkReply(t *rapid.T, want reply, got observe.Answer, err error) {
	var failed, wanted *observe.Failed
	switch {
	case want.err == nil:
		if err != nil || !bytes.Equal(got.Body, want.body) || !got.At.Equal(want.at) {
			t.Fatalf("%s: %q at %s, %v; want %q at %s", want.q, got.Body, got.At, err, want.body, want.at)
		}
	case errors.As(want.err, &wanted):
		if !errors.As(err, &failed) || !bytes.Equal(failed.Body, wanted.Body) {
			t.Fatalf("%s: %v, want %v", want.q, err, want.err)
		}
	case err == nil:
		t.Fatalf("%s: %q, but it was not answered", want.q, got.Body)
	}
}

func TestRecorderPassesThrough(t *testing.T) {
	lost := errors.New("connection lost")
	q := observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS"}
	s := &script{replies: []reply{{body: []byte("x\n")}, {err: lost}, {err: context.Canceled}, {err: &observe.TimedOut{Question: q, After: time.Second}}}}
	r := NewRecorder(s, []observe.Target{{Name: "G", Platform: observe.ZOS, Group: true, Members: []string{"QM1"}}})
	if got, err := r.Ask(context.Background(), q); err != nil || string(got.Body) != "x\n" {
		t.Errorf("%q, %v", got.Body, err)
	}
	for _, want := range []error{lost, context.Canceled} {
		if _, err := r.Ask(context.Background(), q); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	_, _ = r.Ask(context.Background(), q)
	want := `# mqhk transcript
>>> QSG G zos
>>> MEMBER QM1 G active
>>> MQSC QM1: DISPLAY QMSTATUS
x
>>> ERROR MQSC QM1: DISPLAY QMSTATUS
connection lost
>>> ERROR MQSC QM1: DISPLAY QMSTATUS
no answer within 1s: MQSC QM1: DISPLAY QMSTATUS
`
	if diff := cmp.Diff(want, written(t, r.Transcript())); diff != "" {
		t.Error(diff)
	}
}

func TestUnwritableQuestion(t *testing.T) {
	for _, text := range []string{"DISPLAY QUEUE(A) # B", "DISPLAY QMGR = X", "DISPLAY QMGR BASE64", "A\xff"} {
		transcript := &Transcript{entries: []entry{&block{language: observe.MQSC, manager: "Q", text: text}}}
		var out bytes.Buffer
		if n, err := transcript.WriteTo(&out); err == nil || n != 0 || out.Len() != 0 {
			t.Errorf("%q was written: %s", text, out.String())
		}
	}
}
