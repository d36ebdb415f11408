package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// change is one transaction: all of it is durable when it is over, or none.
type change struct {
	ctx context.Context
	tx  *sql.Tx
	now time.Time // taken before the wait for the database, so that no lease is longer than it says
	end end       // of the trail, as far as this change has got
}

// change does something to the ledger, alone among all processes. Its error
// says what was being done; after one nothing has changed, unless the system
// failed in the very moment of the commit.
func (l *Ledger) change(ctx context.Context, doing string, do func(*change) error) error {
	if l.readOnly {
		return fmt.Errorf("%s: %w: it was opened for reading", doing, ErrReadOnly)
	}
	if err := l.changing(ctx, do); err != nil {
		return fmt.Errorf("%s: %w", doing, explain(err))
	}
	return nil
}

func (l *Ledger) changing(ctx context.Context, do func(*change) error) error {
	now := l.clock()
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer undo(tx)
	c := &change{ctx: ctx, tx: tx, now: now}
	if c.end, err = trailEnd(ctx, tx); err != nil {
		return err
	}
	if err := do(c); err != nil {
		return err
	}
	return tx.Commit()
}

// undo ends a transaction. One that was committed has ended already, and one
// that can't be rolled back is by the next who opens the file.
func undo(tx *sql.Tx) { _ = tx.Rollback() }

// exec runs one statement and gives how many rows it changed.
func (c *change) exec(query string, args ...any) (int64, error) {
	result, err := c.tx.ExecContext(c.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// rows gives what a query finds, read with scan, in order.
func rows[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	found, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, explain(err)
	}
	defer found.Close()
	var all []T
	for found.Next() {
		one, err := scan(found)
		if err != nil {
			return nil, explain(err)
		}
		all = append(all, one)
	}
	return all, explain(found.Err())
}

// nanos and moment write and read a time in a column; the zero time is 0.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func moment(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
