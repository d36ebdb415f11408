package archive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// told answers some questions, by the beginning of their text.
type told map[string]string

func (a told) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	for text, body := range a {
		if strings.HasPrefix(q.Text, text) {
			return observe.Answer{Body: []byte(body)}, nil
		}
	}
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

// The hour that is taken off a moment where the zone of the target is not known
// is no fact: it is told.
func TestBegunWithoutAZone(t *testing.T) {
	begun := time.Date(2026, 1, 5, 5, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"UTC": "2026-01-05T05:00:00Z", "": "2026-01-05T05:00:00Z or up to an hour later, the zone of the target not being known",
	} {
		var v view
		v.request.Target.Zone = zone
		if got := v.begunText(begun); got != want {
			t.Errorf("zone %q: %s", zone, got)
		}
	}
}

// A point is late by the extents between it and the one being written, or by how
// long earlier runs have seen it in one extent; a log in which no image was due
// yet has no late media point (case 12).
func TestLate(t *testing.T) {
	now := time.Date(2026, 5, 28, 0, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	seen := func(kind recovery.NeedKind, extent int, days int) observe.Sighting {
		return observe.Sighting{At: ago(days), Kind: kind, Segment: observe.ExtentName(extent)}
	}
	const media, restart = recovery.Media, recovery.Restart
	young, old := "QMNAME(QM1) LOGSTRDA(2026-05-22) LOGSTRTI(08.00.00)", "QMNAME(QM1) LOGSTRDA(2026-05-02) LOGSTRTI(08.00.00)"
	tests := []struct {
		name   string
		kind   recovery.NeedKind
		behind int
		seen   []observe.Sighting
		status string
		late   bool
		says   string
	}{
		{"near", media, 20, nil, "", false, "the media point is 20 extents behind the one being written (S0000100.LOG, MEDIALOG)"},
		{"far", media, 21, nil, "", true, "the media point is 21 extents behind"},
		{"far, restart", restart, 21, nil, "", true, "the restart point is 21 extents behind"},
		{"far, in a young log", media, 21, nil, young, false, ""},
		{"far, in a young log, of the restart point", restart, 21, nil, young, true, ""},
		{"far, in a young log, where it has moved before", media, 21, []observe.Sighting{seen(media, 99, 1), seen(media, 100, 0)}, young, true, ""},
		{"far, in an old log", media, 21, nil, old, true, "no run has seen it elsewhere, and the log was begun at 2026-05-02T08:00:00Z (25 days)"},
		{"near, in an old log", media, 1, nil, old, false, "the log was begun at 2026-05-02T08:00:00Z (25 days)"},
		{"for long, in an old log", media, 1, []observe.Sighting{seen(media, 100, 8)}, old, true, "; it has stood there since 2026-05-20T00:00:00Z (8 days)"},
		{"for long", media, 1, []observe.Sighting{seen(media, 99, 9), seen(media, 100, 8)}, "", true, "1 extent behind the one being written (S0000100.LOG, MEDIALOG); it has stood there since 2026-05-20T00:00:00Z (8 days)"},
		{"for long, restart", restart, 1, []observe.Sighting{seen(restart, 100, 8)}, "", true, "since 2026-05-20T00:00:00Z"},
		{"not for long", media, 1, []observe.Sighting{seen(media, 99, 9), seen(media, 100, 7)}, "", false, "(7 days)"},
		{"for long, then elsewhere, then back", media, 1, []observe.Sighting{seen(media, 100, 9), seen(media, 99, 8), seen(media, 100, 2)}, "", false, "(2 days)"},
		{"for long, of the other point", media, 1, []observe.Sighting{seen(restart, 100, 8)}, "", false, ""},
		{"for long, and nothing was written since", media, 0, []observe.Sighting{seen(media, 99, 9), seen(media, 100, 8)}, "", false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			facts := logOf(100, recovery.Online, recovery.Online, recovery.Current)
			facts.Seen, facts.Inventory.Observed = test.seen, now
			v := decide(facts, configured(t, nil))
			v.request.Target.Zone = "UTC"
			v.host = played{told{"DISPLAY QMSTATUS": test.status}}
			text, late := v.late(t.Context(), recovery.Need{Kind: test.kind, Name: "S0000100.LOG", Source: "MEDIALOG"}, test.behind)
			if late != test.late || !strings.Contains(text, test.says) {
				t.Errorf("%v: %s\nwant %v: %s", late, text, test.late, test.says)
			}
		})
	}
}

// Queues without an image since the oldest extent; what no image can be made of,
// or need not be, is none.
func TestNeverImaged(t *testing.T) {
	const status = "QUEUE(DEEP) CURDEPTH(9) MEDIALOG(S0000100.LOG)\n" +
		"QUEUE(OLDER) CURDEPTH(1) MEDIALOG(S0000099.LOG)\n" +
		"QUEUE(NEWER) CURDEPTH(1) MEDIALOG(S0000101.LOG)\n" +
		"QUEUE(NEVER) CURDEPTH(2) MEDIALOG( )\n" +
		"QUEUE(NOT.ASKED) CURDEPTH(3) MEDIALOG( )\n" +
		"QUEUE(AMQ.65A0B1C221034801) CURDEPTH(0) MEDIALOG( )\n" +
		"QUEUE(NOT.TOLD) CURDEPTH(0)\n" +
		"QUEUE(PLAIN) CURDEPTH(4) MEDIALOG(S0000100.LOG)\n"
	const local = "QUEUE(DEEP) IMGRCOVQ(QMGR)\nQUEUE(OLDER) IMGRCOVQ(YES)\nQUEUE(NEVER) IMGRCOVQ(YES)\nQUEUE(AMQ.65A0B1C221034801) IMGRCOVQ(QMGR)\nQUEUE(NOT.TOLD) IMGRCOVQ(YES)\nQUEUE(PLAIN) IMGRCOVQ(NO)\n"
	facts := logOf(101, recovery.Online, recovery.Online, recovery.Online, recovery.Current)
	v := decide(facts, configured(t, nil))
	v.host = played{told{"DISPLAY QSTATUS": status, "DISPLAY QLOCAL": local}}
	for late, want := range map[bool]string{false: "NEVER (depth 2)", true: "DEEP (depth 9), OLDER (depth 1), NEVER (depth 2)"} {
		if got := strings.Join(v.neverImaged(t.Context(), late), ", "); got != want {
			t.Errorf("late %v: %s, want %s", late, got, want)
		}
	}
	v.facts.Log.Type = observe.Circular
	if got := v.neverImaged(t.Context(), true); len(got) > 0 {
		t.Errorf("on a circular log: %v", got)
	}
	v.facts.Log.Type, v.host = observe.Linear, played{nobody{}}
	if got := v.neverImaged(t.Context(), true); len(got) > 0 {
		t.Errorf("where nobody answers: %v", got)
	}
	var many strings.Builder
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		many.WriteString("QUEUE(" + name + ") CURDEPTH(0) MEDIALOG(S0000100.LOG)\n")
	}
	v.host = played{told{"DISPLAY QSTATUS": many.String()}}
	if got := v.neverImaged(t.Context(), true); len(got) != 6 || got[5] != "2 more queues" {
		t.Errorf("%v", got)
	}
}

// What pins the restart point is told where it is older than the media point,
// late or not: images would not help (case 18).
func TestRestartOlderThanMedia(t *testing.T) {
	facts := logOf(103, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Online, recovery.Current)
	facts.Inventory.Needs[0].From, facts.Inventory.Needs[0].Name = 2, "S0000101.LOG"
	v := decide(facts, configured(t, nil))
	v.host = played{told{"DISPLAY CONN": "CONN(A1) APPLTAG(batch) UOWLOG(S0000101.LOG) UOWLOGDA(2026-05-27) UOWLOGTI(21.14.03)\n"}}
	found := v.pointFindings(t.Context())
	want := finding.New(finding.PinnedByUnit, "QM1: the restart point stays at S0000101.LOG for unit of work of connection A1 (batch, started 2026-05-27 21.14.03)")
	if !slices.Equal(found, []finding.Finding{want}) {
		t.Errorf("%v", found)
	}
}
