package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

// OpenIntent is an action that was intended and of which nobody has recorded
// how it ended.
type OpenIntent struct {
	ID        int64
	Target    string
	Task, Run string
	Epoch     int64
	At        time.Time     // when it was intended
	State     plugins.State // empty: never looked at; pending or unknown: it was
	Live      bool          // the lease it was intended under still stands: its holder may be doing it now
	Action    plugins.Action
}

// OpenIntents gives what was intended on a target and has no outcome, oldest
// first, of all tasks; without a target that of all of them.
func (l *Ledger) OpenIntents(ctx context.Context, target string) ([]OpenIntent, error) {
	list, err := l.openIntents(ctx, target)
	if err != nil {
		return nil, fmt.Errorf("reading the open intents of %s: %w", cmp.Or(target, "all targets"), err)
	}
	return list, nil
}

func (l *Ledger) openIntents(ctx context.Context, target string) ([]OpenIntent, error) {
	scan := func(found *sql.Rows) (OpenIntent, error) {
		var o OpenIntent
		err := found.Scan(&o.ID, &o.Target, &o.Task, &o.Epoch, &o.State, &o.Live, &o.Action.ID)
		return o, err
	}
	list, err := rows(ctx, l.db, scan, `SELECT id, target, task, epoch, state,
			EXISTS (SELECT 1 FROM lease s WHERE s.target = i.target AND s.task = i.task AND s.epoch = i.epoch AND s.holder <> '' AND s.until > ?1),
			action
		FROM open_intent i WHERE target = ?2 OR ?2 = '' ORDER BY id`, l.clock().UnixNano(), target)
	if err != nil {
		return nil, err
	}
	var at int64 // the row that r and intent are of
	var r row
	var intent intentBody
	for i := range list {
		o := &list[i]
		if seq := intentRowOf(o.ID); seq != at {
			if r, intent, err = l.intentAt(ctx, seq); err != nil {
				return nil, err
			}
			at = seq
		}
		place := int(o.ID % MaxBatch)
		if place >= len(intent.Actions) || intent.Actions[place].ID != o.Action.ID {
			return nil, &Broken{at, "it has no intent of action " + o.Action.ID + ", which is listed as open"}
		}
		o.Run, o.At, o.Action = r.Run, r.when(), plugins.Action(intent.Actions[place])
	}
	return list, nil
}

// intentAt reads one row of the trail that is an intent.
func (l *Ledger) intentAt(ctx context.Context, seq int64) (row, intentBody, error) {
	var intent intentBody
	found, err := rows(ctx, l.db, scanRow, "SELECT "+rowColumns+" FROM trail WHERE seq = ? AND kind = ?", seq, kindIntent)
	switch {
	case err != nil:
		return row{}, intent, err
	case len(found) == 0:
		return row{}, intent, &Broken{seq, "it is no intent, but some are listed as open"}
	}
	if err := json.Unmarshal(found[0].Body, &intent); err != nil {
		return row{}, intent, fmt.Errorf("reading the intent in row %d of the trail: %w", seq, err)
	}
	return found[0], intent, nil
}
