package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"
)

// Sample is how much log a target had when a run saw it.
type Sample struct {
	At       time.Time // by the target's own clock
	Run      string
	Segments int   // on the system
	Bytes    int64 // of all of them
	May      int64 // bytes of those that could go
}

// Series gives the samples of a target from the records of all runs that
// finished, those observed at since or later, in the order of the runs. A run
// with several policies saw the target once and gives one sample, by its first
// policy. Breaking off the loop ends the reading; an error is the last that
// comes.
func (l *Ledger) Series(ctx context.Context, target string, since time.Time) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		fail := func(err error) {
			yield(Sample{}, fmt.Errorf("reading the sizes of %s: %w", target, explain(err)))
		}
		found, err := l.db.QueryContext(ctx, `SELECT t.run, t.observed, t.totals FROM run_target t JOIN run r ON r.id = t.run
			WHERE t.target = ? AND t.observed >= max(?, 1) AND r.ended <> 0
			AND t.place = (SELECT min(f.place) FROM run_target f WHERE f.run = t.run AND f.target = t.target AND f.observed <> 0)
			ORDER BY r.begun`, target, nanos(since))
		if err != nil {
			fail(err)
			return
		}
		defer found.Close()
		for found.Next() {
			var s Sample
			var at int64
			var totals string
			var t Totals
			err := found.Scan(&s.Run, &at, &totals)
			if err == nil {
				err = json.Unmarshal([]byte(totals), &t)
			}
			if err != nil {
				fail(err)
				return
			}
			s.At, s.Segments, s.Bytes, s.May = moment(at), t.Segments, t.BytesFreed+t.BytesKept, t.BytesFreed
			if !yield(s, nil) {
				return
			}
		}
		if err := found.Err(); err != nil {
			fail(err)
		}
	}
}
