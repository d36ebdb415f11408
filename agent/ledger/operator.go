package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// enter adds what an operator says to the trail, and gives the number of its
// row: 0 when it was not added. The head of the trail is noted anew.
func (l *Ledger) enter(ctx context.Context, doing string, r row, value any) (int64, error) {
	var id int64
	err := l.change(ctx, doing, func(c *change) error {
		var err error
		id, err = c.noteValue(r, value)
		return err
	})
	if err != nil {
		return 0, err
	}
	return id, l.seal(ctx)
}

// entries reads what operators said of a target, oldest first. Rows are those
// of the trail for which a condition holds; identify gives a value the number
// of its row and its target, which don't stand in the body.
func entries[T any](ctx context.Context, q querier, target, condition string, identify func(*T, row)) ([]T, error) {
	found, err := rows(ctx, q, scanRow, "SELECT "+rowColumns+" FROM trail WHERE target = ? AND "+condition+" ORDER BY seq", target)
	if err != nil {
		return nil, err
	}
	list := make([]T, len(found))
	for i, r := range found {
		if err := json.Unmarshal(r.Body, &list[i]); err != nil {
			return nil, fmt.Errorf("row %d of the trail: %w", r.Seq, err)
		}
		identify(&list[i], r)
	}
	return list, nil
}

// wall gives a time as it is stored: UTC, without a monotonic reading.
func wall(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Round(0)
}
