package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// headFile is the file beside the ledger's own in which the end of the trail
// is noted.
const headFile = "ledger.head"

// headMark is the first line of that file.
const headMark = "mqhk ledger head v1"

// Head is the end of the trail as it was noted at some time: how many rows it
// has, and the sum of the last in hexadecimal. Whoever keeps one elsewhere (a
// ticket, a log server) can hold the trail against it later.
type Head struct {
	Rows int64
	Sum  string
}

// head is where the end of the trail is noted.
type head struct {
	files disk.FS
	name  string
}

// read gives what is noted, and false where nothing is.
func (h head) read() (Head, bool, error) {
	text, err := disk.ReadAll(h.files, h.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Head{}, false, nil
	case err != nil:
		return Head{}, false, fmt.Errorf("reading the head of the trail: %w", err)
	}
	noted, err := parseHead(text)
	return noted, err == nil, err
}

func parseHead(text []byte) (Head, error) {
	lines := strings.Split(string(text), "\n")
	if len(lines) != 3 || lines[0] != headMark || lines[2] != "" {
		return Head{}, &Broken{What: "the head of the trail is no such file"}
	}
	count, sum, _ := strings.Cut(lines[1], " ")
	n, err := strconv.ParseInt(count, 10, 64)
	raw, notHex := hex.DecodeString(sum)
	noted := Head{n, sum}
	if err != nil || notHex != nil || n < 1 || len(raw) != 32 || !bytes.Equal(noted.text(), text) {
		return Head{}, &Broken{What: "the head of the trail can't be read"}
	}
	return noted, nil
}

func (h Head) text() []byte { return fmt.Appendf(nil, "%s\n%d %s\n", headMark, h.Rows, h.Sum) }

func (e end) head() Head { return Head{e.Seq, hex.EncodeToString(e.Sum)} }

// first notes the head of a ledger that was just made. It may be that the
// process that made it did not get so far.
func (h head) first(ctx context.Context, l *Ledger) error {
	_, noted, err := h.read()
	if noted || errors.As(err, new(*Broken)) {
		return nil // Verify says so, and seal; what needs to be done goes on
	}
	if err != nil {
		return err
	}
	return l.atEnd(ctx, func(e end, _ querier) error {
		if e.Seq > 1 {
			return nil
		}
		return disk.Replace(h.files, h.name, e.head().text())
	})
}

// seal notes how far the trail has come. A head that does not fit the trail is
// left as it is, as evidence, and is Broken.
//
// It is noted after the rows are durable and never before, so that a crash
// leaves a head that is behind and none that is ahead; and while nobody else
// can add to the trail, so that it does not go back.
func (l *Ledger) seal(ctx context.Context) error {
	err := l.atEnd(ctx, func(e end, q querier) error {
		if err := l.holds(ctx, e, q); err != nil {
			return err
		}
		return disk.Replace(l.head.files, l.head.name, e.head().text())
	})
	if err != nil {
		return fmt.Errorf("noting the head of the trail: %w", err)
	}
	return nil
}

// CheckHead holds the trail against its noted head: Broken when the ledger was
// put back from an older copy, or its end is not the one that mqhk wrote. It is
// quick; what was changed before the head only [Ledger.Verify] finds.
func (l *Ledger) CheckHead(ctx context.Context) error {
	if err := l.checkHead(ctx); err != nil {
		return fmt.Errorf("checking the head of the trail: %w", err)
	}
	return nil
}

// checkHead only reads, also from a ledger that is opened for reading alone.
func (l *Ledger) checkHead(ctx context.Context) error {
	noted, ok, err := l.head.read() // before the trail, which may grow
	if err != nil {
		return err
	}
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return explain(err)
	}
	defer undo(tx)
	e, err := trailEnd(ctx, tx)
	if err != nil {
		return err
	}
	return fits(ctx, tx, e, noted, ok)
}

// holds tells whether the noted head lies on the trail.
func (l *Ledger) holds(ctx context.Context, e end, q querier) error {
	noted, ok, err := l.head.read()
	if err != nil {
		return err
	}
	return fits(ctx, q, e, noted, ok)
}

// fits tells whether a noted head, if there is one, lies on the trail.
func fits(ctx context.Context, q querier, e end, noted Head, ok bool) error {
	if !ok {
		if e.Seq > 1 {
			return &Broken{Row: e.Seq, What: "the head of the trail is gone: " + acceptIt}
		}
		return nil
	}
	if noted.Rows > e.Seq {
		return &Broken{Row: e.Seq + 1, What: fmt.Sprintf("the rows from here to %d are gone", noted.Rows)}
	}
	var sum []byte
	if err := q.QueryRowContext(ctx, "SELECT sum FROM trail WHERE seq = ?", noted.Rows).Scan(&sum); err != nil {
		return fmt.Errorf("reading row %d of the trail: %w", noted.Rows, explain(err))
	}
	if hex.EncodeToString(sum) != noted.Sum {
		return &Broken{Row: noted.Rows, What: "the trail up to here is not the one that was noted as its head"}
	}
	return nil
}

// atEnd does something while nobody adds to the trail. It changes nothing in
// the database.
func (l *Ledger) atEnd(ctx context.Context, do func(end, querier) error) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer undo(tx)
	e, err := trailEnd(ctx, tx)
	if err != nil {
		return err
	}
	return do(e, tx)
}

const acceptIt = "if a person moved or restored the ledger, it has to be accepted once"

// Accept notes the present end of the trail as its head, whatever was noted
// before, and adds who did so and why: after a ledger was put back from a copy,
// or moved without its head. What is wrong within the trail stays wrong.
func (l *Ledger) Accept(ctx context.Context, by, reason string) error {
	if err := oneLine("by", by, true); err != nil {
		return err
	}
	if err := oneLine("reason", reason, true); err != nil {
		return err
	}
	was, _ := disk.ReadAll(l.head.files, l.head.name)
	err := l.change(ctx, "accepting the head of the trail", func(c *change) error {
		_, err := c.noteValue(row{Kind: kindAccepted}, map[string]string{"by": by, "reason": reason, "was": string(was)})
		return err
	})
	if err != nil {
		return err
	}
	return l.atEnd(ctx, func(e end, _ querier) error {
		return disk.Replace(l.head.files, l.head.name, e.head().text())
	})
}

// Accepted gives when [Ledger.Accept] was called last; the zero time when never.
func (l *Ledger) Accepted(ctx context.Context) (time.Time, error) {
	found, err := rows(ctx, l.db, scanRow, "SELECT "+rowColumns+" FROM trail WHERE kind = '"+kindAccepted+"' ORDER BY seq DESC LIMIT 1")
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, found[0].At)
}
