package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The kinds of rows in the trail.
const (
	kindCreated  = "created"  // the first row; its body is like no other ledger's
	kindClaim    = "claim"    // a lease was given
	kindRelease  = "release"  // it was given back, with an outcome
	kindMissed   = "missed"   // nobody was there when a task was due
	kindBegin    = "begin"    // a run began
	kindFinish   = "finish"   // it ended: the record
	kindIntent   = "intent"   // actions that are about to be done
	kindOutcome  = "outcome"  // what became of some
	kindHold     = "hold"     // an operator holds something
	kindLift     = "lift"     // no longer; likewise a note that counts no more
	kindNote     = "note"     // what the site's own jobs did
	kindKeep     = "keep"     // a plan was put away
	kindTake     = "take"     // it was taken, to be run
	kindAccepted = "accepted" // a person accepted a head that did not fit
)

// row is one row of the trail.
type row struct {
	Seq                     int64 // from 1, without a gap
	At                      string
	Kind, Target, Task, Run string // Run is a kept plan's name in keep and take
	About                   int64  // the row that this one ends or answers; 0: none
	Body                    []byte
	Sum                     []byte
}

// digest gives the SHA-256 of the row after one with the sum before. Every
// field stands behind its length, so that nothing can move from one to the
// next.
func (r row) digest(before []byte) []byte {
	hash := sha256.New()
	field := func(value []byte) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(value)))
		hash.Write(length[:])
		hash.Write(value)
	}
	field(before)
	field(binary.BigEndian.AppendUint64(nil, uint64(r.Seq)))
	for _, text := range []string{r.At, r.Kind, r.Target, r.Task, r.Run} {
		field([]byte(text))
	}
	field(binary.BigEndian.AppendUint64(nil, uint64(r.About)))
	field(r.Body)
	return hash.Sum(nil)
}

// end is the last row of the trail.
type end struct {
	Seq int64
	Sum []byte
}

func trailEnd(ctx context.Context, q querier) (end, error) {
	var e end
	err := q.QueryRowContext(ctx, "SELECT seq, sum FROM trail ORDER BY seq DESC LIMIT 1").Scan(&e.Seq, &e.Sum)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return end{}, fmt.Errorf("reading the end of the trail: %w", explain(err))
	}
	return e, nil
}

// note adds a row to the trail and gives its number.
func (c *change) note(r row) (int64, error) {
	r.Seq = c.end.Seq + 1
	r.At = c.now.UTC().Format(time.RFC3339Nano)
	if r.Body == nil {
		r.Body = []byte{}
	}
	r.Sum = r.digest(c.end.Sum)
	_, err := c.exec("INSERT INTO trail (seq, at, kind, target, task, run, about, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.Seq, r.At, r.Kind, r.Target, r.Task, r.Run, r.About, r.Body, r.Sum)
	if err != nil {
		return 0, fmt.Errorf("adding to the trail: %w", err)
	}
	c.end = end{r.Seq, r.Sum}
	return r.Seq, nil
}

// noteValue adds a row whose body is a value as JSON.
func (c *change) noteValue(r row, value any) (int64, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return 0, err
	}
	r.Body = body
	return c.note(r)
}

const rowColumns = "seq, at, kind, target, task, run, about, body, sum"

func scanRow(found *sql.Rows) (row, error) {
	var r row
	err := found.Scan(&r.Seq, &r.At, &r.Kind, &r.Target, &r.Task, &r.Run, &r.About, &r.Body, &r.Sum)
	return r, err
}

// when gives the row's time. One that is no time is of a ledger that somebody
// changed; the zero time then, and Verify says more.
func (r row) when() time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.At)
	if err != nil {
		return time.Time{}
	}
	return t
}
