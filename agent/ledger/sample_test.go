package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// measuredRecord is a run on a group that saw how full a data set was.
func measuredRecord(id string, at time.Time, used int) Record {
	r := testRecord(id, at)
	r.Targets = r.Targets[:1]
	t := &r.Targets[0]
	t.Name, t.Platform, t.Observed, t.Segments = "QSG1", "zos", at.Format(time.RFC3339), nil
	t.Objects = []Object{
		{Kind: "data-set", Name: "APPSTR1", Owner: "QMA1", Facts: map[string]string{"used_blocks": fmt.Sprint(used), "extents": "3", "name": "MQP.QMA1.APPSTR1.SMDS"}},
		{Kind: "structure", Name: "APPSTR1", Facts: map[string]string{"size_used": "43"}},
		{Kind: "member", Name: "QMA1", Facts: map[string]string{"log_switches": "7"}},
		{Kind: "data-set", Name: "APPSTR1", Owner: "QMA2", Facts: map[string]string{"used_blocks": "not known", "buffers": "100"}},
	}
	return r
}

func historyOf(t *testing.T, l *Ledger, target string) []string {
	t.Helper()
	answer, err := l.Ask(t.Context(), observe.Question{Language: observe.History, QueueManager: target, Text: observe.SegmentsQuestion})
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(answer.Body)), "\n")
	return lines[1:]
}

// All that was measured in the last two days is kept, of each day before that
// the largest.
func TestSamples(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	begin := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for hour := range 10 * 24 {
		at := begin.Add(time.Duration(hour) * time.Hour)
		record(t, l, measuredRecord(fmt.Sprint("run-", hour), at, 1000+hour%24)) // the largest at 23:00
	}
	var used []string
	for _, line := range historyOf(t, l, "QSG1") {
		if strings.Contains(line, ",smds-used,") {
			used = append(used, line)
		}
	}
	if len(used) != 8+48 { // the day in which the two days begin is there by its largest too
		t.Errorf("%d samples: %v", len(used), used[:min(9, len(used))])
	}
	if used[0] != "2026-05-01T23:00:00Z,smds-used,APPSTR1,QMA1,1023" {
		t.Errorf("the first day: %s", used[0])
	}
	if last := used[len(used)-1]; last != "2026-05-10T23:00:00Z,smds-used,APPSTR1,QMA1,1023" {
		t.Errorf("the last hour: %s", last)
	}
}

func TestSamplesAreWhatIsMeasured(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	record(t, l, measuredRecord("1", at, 12))
	want := `2026-05-28T02:00:00Z,log-switches,,QMA1,7
2026-05-28T02:00:00Z,smds-extents,APPSTR1,QMA1,3
2026-05-28T02:00:00Z,smds-used,APPSTR1,QMA1,12
2026-05-28T02:00:00Z,structure-used,APPSTR1,,43`
	if got := strings.Join(historyOf(t, l, "QSG1"), "\n"); got != want {
		t.Errorf("got\n%s", got)
	}
	for name, change := range map[string]func(*Target){
		"nobody says when":   func(t *Target) { t.Observed = "" },
		"it was not planned": func(t *Target) { t.Error = "killed" },
		"another platform":   func(t *Target) { t.Platform = "ibmi" },
	} {
		r := measuredRecord(name, at.Add(time.Hour), 99)
		change(&r.Targets[0])
		record(t, l, r)
	}
	if got := strings.Join(historyOf(t, l, "QSG1"), "\n"); got != want {
		t.Errorf("then\n%s", got)
	}
}

// A ledger from before there were samples can be looked at as it is; it keeps
// none until it is opened to be written.
func TestOlderLedgerIsReadAsItIs(t *testing.T) {
	dir := folder(t)
	l := openAt(t, dir, Options{})
	if _, err := l.db.ExecContext(t.Context(), "DROP TABLE sample; DROP TABLE sample_day; PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	old, err := OpenReadOnly(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	answer, err := old.Ask(t.Context(), observe.Question{Language: observe.History, QueueManager: "QSG1", Text: observe.SegmentsQuestion})
	if err != nil || len(answer.Body) == 0 {
		t.Errorf("%q, %v", answer.Body, err)
	}
}
