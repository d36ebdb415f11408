package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// The columns of the answers (docs/transcript.md, "What the host answers").
var (
	holdColumns    = []string{"ID", "SINCE", "UNTIL", "LIBRARY", "SEGMENT", "REASON"}
	noteColumns    = []string{"ID", "AT", "KIND", "LIBRARY", "SEGMENT", "POSITION", "TEXT"}
	historyColumns = []string{"AT", "KIND", "LIBRARY", "SEGMENT", "POSITION"}
)

// maxPoints bounds how many sightings of each recovery point are answered: the
// newest, more than a year of nights.
const maxPoints = 500

// Ask answers HOLD, NOTE and HISTORY about a target, as CSV with a header, and
// so makes the ledger an observe.Asker. Any other question is
// observe.NotAnswered.
func (l *Ledger) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	var columns []string
	var lines [][]string
	var err error
	switch text := observe.Fold(q.Text); {
	case q.Language == observe.HoldOn && text == observe.Fold(observe.HoldsQuestion):
		columns = holdColumns
		lines, err = l.holdLines(ctx, q.QueueManager)
	case q.Language == observe.Note && text == observe.Fold(observe.NotesQuestion):
		columns = noteColumns
		lines, err = l.noteLines(ctx, q.QueueManager)
	case q.Language == observe.History && text == observe.Fold(observe.SegmentsQuestion):
		columns = historyColumns
		if lines, err = l.historyLines(ctx, q.QueueManager); err == nil {
			var samples [][]string
			samples, err = l.sampleLines(ctx, q.QueueManager)
			lines = append(lines, samples...)
		}
	default:
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	if err != nil {
		return observe.Answer{}, fmt.Errorf("answering %s: %w", q, err)
	}
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	if err := w.WriteAll(append([][]string{columns}, lines...)); err != nil {
		return observe.Answer{}, fmt.Errorf("answering %s: %w", q, err)
	}
	return observe.Answer{Body: body.Bytes()}, nil
}

func (l *Ledger) holdLines(ctx context.Context, target string) ([][]string, error) {
	holds, err := l.Holds(ctx, target)
	lines := make([][]string, len(holds))
	for i, h := range holds {
		lines[i] = []string{strconv.FormatInt(h.ID, 10), stamp(h.Since), stamp(h.Until), h.Library, h.Segment, h.Reason}
	}
	return lines, err
}

func (l *Ledger) noteLines(ctx context.Context, target string) ([][]string, error) {
	notes, err := l.Notes(ctx, target)
	lines := make([][]string, len(notes))
	for i, n := range notes {
		lines[i] = []string{strconv.FormatInt(n.ID, 10), stamp(n.At), string(n.Kind), n.Library, n.Segment, n.Position, n.Text}
	}
	return lines, err
}

func (l *Ledger) historyLines(ctx context.Context, target string) ([][]string, error) {
	scan := func(found *sql.Rows) ([]string, error) {
		var at int64
		line := make([]string, len(historyColumns))
		err := found.Scan(&at, &line[1], &line[2], &line[3], &line[4])
		line[0] = stamp(moment(at))
		return line, err
	}
	return rows(ctx, l.db, scan, `SELECT at, kind, library, segment, position FROM (
			SELECT at, 'unneeded' AS kind, library, segment, '' AS position, 0 AS id FROM unneeded WHERE target = ?1
			UNION ALL
			SELECT at, kind, library, segment, position, id FROM (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS newest FROM point WHERE target = ?1)
			WHERE newest <= ?2
		) ORDER BY at, id, library, segment`, target, maxPoints)
}

// stamp writes a moment as the answers have it; the zero time is an empty cell.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
