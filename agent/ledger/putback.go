package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// SeePutBack remembers of a sighting only that the log was put back, and that no
// run that applies has stopped for it yet. Where the points stood before stays
// what later runs compare with.
func (l *Ledger) SeePutBack(ctx context.Context, s Sighting) error {
	return l.remember(ctx, s, func(c *change) error {
		_, err := c.seePutBack(s, observe.PutBackSeenKind)
		return err
	})
}

// seePutBack notes that the log was put back, after all else that was seen: a
// clock may have been put back with it. It gives the moment of the note. What a
// run that changes nothing saw is noted once, until one stops for it that
// applies; and that one once for each observation.
func (c *change) seePutBack(s Sighting, kind string) (time.Time, error) {
	var newest, at int64
	var last string
	err := c.tx.QueryRowContext(c.ctx, "SELECT coalesce(max(at), 0) FROM point WHERE target = ?", s.Target).Scan(&newest)
	if err != nil {
		return time.Time{}, err
	}
	err = c.tx.QueryRowContext(c.ctx, "SELECT kind, at FROM point WHERE target = ? AND kind IN (?, ?) ORDER BY id DESC LIMIT 1",
		s.Target, observe.PutBackKind, observe.PutBackSeenKind).Scan(&last, &at)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return time.Time{}, err
	case last == kind && (kind == observe.PutBackSeenKind || at == nanos(s.At)):
		return moment(at), nil
	case last != "":
		newest = max(newest, at+1)
	}
	at = max(nanos(s.At), newest)
	_, err = c.exec("INSERT INTO point (target, kind, at, library, segment, position) VALUES (?, ?, ?, '', ?, '')", s.Target, kind, at, s.Current)
	return moment(at), err
}
