package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
)

// Broken says that the ledger is not as mqhk wrote it.
type Broken struct {
	Row  int64 // first row of the trail that does not fit; 0: it is not about one
	What string
}

func (e *Broken) Error() string {
	if e.Row == 0 {
		return "the ledger was changed from outside: " + e.What
	}
	return fmt.Sprintf("the ledger was changed from outside: row %d of its trail: %s", e.Row, e.What)
}

// Verify reads the whole trail and names, as Broken, the first row that does
// not fit, or what else is not as mqhk wrote it: an end that is missing, runs
// or open intents that are listed otherwise than the trail has them. It gives
// the head of the trail as it is.
//
// Each row carries the SHA-256 of itself with that of the row before, and the
// newest is noted in a file of its own after each run, hold, note and kept
// plan. So a row that was changed, put in or taken out shows, and so do newest
// rows that were taken away, but for those after the last such note.
//
// It is no signature. Who may write both the ledger and its head can make the
// whole trail anew, or throw all of it away, and it will fit. Against that
// helps only a head out of reach: Options.Head on a file system that others
// own, or the head that Verify gives, kept in a ticket or in another system's
// log. Leases, firings and what runs saw are outside the trail: they say what
// is so now, and each claim, missed firing and record stands in it.
func (l *Ledger) Verify(ctx context.Context) (Head, error) {
	noted, ok, err := l.head.read() // before the trail, which may grow
	if err != nil {
		return Head{}, fmt.Errorf("verifying the ledger in %s: %w", l.folder, err)
	}
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // one state for all that is read
	if err != nil {
		return Head{}, fmt.Errorf("verifying the ledger in %s: %w", l.folder, explain(err))
	}
	defer undo(tx)
	e, d, err := walk(ctx, tx)
	if err == nil {
		err = fits(ctx, tx, e, noted, ok)
	}
	if err == nil {
		err = d.compare(ctx, tx)
	}
	if err != nil {
		return Head{}, fmt.Errorf("verifying the ledger in %s: %w", l.folder, err)
	}
	return e.head(), nil
}

// walk goes through the trail, checks each row and draws from it what the
// other tables should hold.
func walk(ctx context.Context, q querier) (end, *drawn, error) {
	found, err := q.QueryContext(ctx, "SELECT "+rowColumns+" FROM trail ORDER BY seq")
	if err != nil {
		return end{}, nil, explain(err)
	}
	defer found.Close()
	var e end
	d := newDrawn()
	for found.Next() {
		r, err := scanRow(found)
		if err != nil {
			return end{}, nil, explain(err)
		}
		switch {
		case r.Seq != e.Seq+1:
			return end{}, nil, &Broken{e.Seq + 1, "it is gone"}
		case !bytes.Equal(r.Sum, r.digest(e.Sum)):
			return end{}, nil, &Broken{r.Seq, fmt.Sprintf("%s of %s is not what was written", r.Kind, r.At)}
		}
		if err := d.add(r); err != nil {
			return end{}, nil, &Broken{r.Seq, err.Error()}
		}
		e = end{r.Seq, r.Sum}
	}
	if e.Seq == 0 && found.Err() == nil {
		return end{}, nil, &Broken{1, "it is gone"}
	}
	return e, d, explain(found.Err())
}
