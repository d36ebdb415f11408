package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// That a log was put back is remembered: by a dry run once, without touching
// where the points were seen, and then by the run that stops for it.
func TestPutBack(t *testing.T) {
	l := openAt(t, folder(t), Options{Clock: newClock().Now})
	ctx := t.Context()
	night := func(day int) time.Time { return time.Date(2026, 5, day, 2, 0, 0, 0, time.UTC) }
	at := func(day int, restart string) Sighting {
		return Sighting{Target: "QM1", At: night(day), Current: "S0000115.LOG", Points: []SeenPoint{{Kind: recovery.Restart, Segment: restart}}}
	}
	must(t, l.See(ctx, at(1, "S0000110.LOG")))
	must(t, l.SeePutBack(ctx, at(2, "S0000100.LOG")))
	must(t, l.SeePutBack(ctx, at(3, "S0000101.LOG")))
	stops := at(4, "S0000102.LOG")
	stops.PutBack = true
	must(t, l.See(ctx, stops))
	must(t, l.See(ctx, stops)) // another task on the same observation
	must(t, l.SeePutBack(ctx, at(2, "S0000090.LOG")))
	answer, err := l.Ask(ctx, observe.Question{Language: observe.History, QueueManager: "QM1", Text: observe.SegmentsQuestion})
	must(t, err)
	want := `AT,KIND,LIBRARY,SEGMENT,POSITION
2026-05-01T02:00:00Z,restart,,S0000110.LOG,
2026-05-02T02:00:00Z,put-back-seen,,S0000115.LOG,
2026-05-04T02:00:00Z,put-back,,S0000115.LOG,
2026-05-04T02:00:00Z,restart,,S0000102.LOG,
2026-05-04T02:00:00.000000001Z,put-back-seen,,S0000115.LOG,
`
	if got := string(answer.Body); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(string(answer.Body), "S0000090") {
		t.Error("a dry run took the alarm away")
	}
}
