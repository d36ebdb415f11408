package ledger

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks the file as a ledger: "MQHK" in its header
// (PRAGMA application_id).
const applicationID = 0x4d51484b

// migrations lead from each schema version to the next; the version of a file
// (PRAGMA user_version) is how many it has been through. A line that was
// released is never changed, only followed by another.
//
// trail is the truth and is only ever added to; run, run_target and
// open_intent are drawn from it, so that questions need not read all of it,
// and Verify draws them again. lease and firing say who may run now; unneeded
// and point, sample and sample_day are what runs saw.
var migrations = []string{`
CREATE TABLE trail (
	seq    INTEGER PRIMARY KEY,
	at     TEXT    NOT NULL, -- RFC 3339, UTC
	kind   TEXT    NOT NULL,
	target TEXT    NOT NULL,
	task   TEXT    NOT NULL,
	run    TEXT    NOT NULL,
	about  INTEGER NOT NULL, -- the row that this one ends or answers; 0: none
	body   BLOB    NOT NULL,
	sum    BLOB    NOT NULL  -- of this row and the sum of the one before
) STRICT;
CREATE INDEX trail_kind ON trail (kind, target, seq);
CREATE UNIQUE INDEX trail_begin ON trail (run) WHERE kind = 'begin';
CREATE UNIQUE INDEX trail_keep ON trail (run) WHERE kind = 'keep';
CREATE UNIQUE INDEX trail_once ON trail (about, kind) WHERE kind IN ('finish', 'lift', 'take');

CREATE TABLE lease (
	target TEXT    NOT NULL,
	task   TEXT    NOT NULL,
	epoch  INTEGER NOT NULL,
	holder TEXT    NOT NULL, -- empty: released
	until  INTEGER NOT NULL, -- nanoseconds since 1970
	PRIMARY KEY (target, task)
) STRICT, WITHOUT ROWID;
CREATE TABLE firing (
	target   TEXT    NOT NULL,
	task     TEXT    NOT NULL,
	key      TEXT    NOT NULL,
	policy   TEXT    NOT NULL,
	at       INTEGER NOT NULL, -- nanoseconds since 1970
	attempts INTEGER NOT NULL,
	state    TEXT    NOT NULL, -- running, missed, done
	outcome  TEXT    NOT NULL,
	PRIMARY KEY (target, task, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
	id       TEXT    PRIMARY KEY,
	begun    INTEGER NOT NULL, -- trail.seq
	ended    INTEGER NOT NULL, -- trail.seq; 0: not finished
	mode     TEXT    NOT NULL,
	dry      INTEGER NOT NULL,
	started  INTEGER NOT NULL, -- nanoseconds since 1970
	finished INTEGER NOT NULL, -- likewise; 0: not finished
	outcome  TEXT    NOT NULL,
	host     TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_begun ON run (begun);
CREATE TABLE run_target (
	run      TEXT    NOT NULL,
	place    INTEGER NOT NULL, -- in the record
	target   TEXT    NOT NULL,
	task     TEXT    NOT NULL,
	policy   TEXT    NOT NULL,
	observed INTEGER NOT NULL, -- nanoseconds since 1970, the target's clock; 0: nothing was observed
	good     INTEGER NOT NULL,
	totals   TEXT    NOT NULL, -- JSON
	PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_target_target ON run_target (target, task, run);

CREATE TABLE open_intent (
	id     INTEGER PRIMARY KEY, -- trail.seq * 256 + place in its body
	target TEXT    NOT NULL,
	task   TEXT    NOT NULL,
	epoch  INTEGER NOT NULL,
	action TEXT    NOT NULL,
	state  TEXT    NOT NULL, -- empty, pending, unknown
	UNIQUE (target, task, epoch, action)
) STRICT;

CREATE TABLE unneeded (
	target  TEXT    NOT NULL,
	library TEXT    NOT NULL,
	segment TEXT    NOT NULL,
	opened  TEXT    NOT NULL, -- tells one from a later one of the same name
	at      INTEGER NOT NULL, -- nanoseconds since 1970, the target's clock
	PRIMARY KEY (target, library, segment)
) STRICT, WITHOUT ROWID;
CREATE TABLE point (
	id       INTEGER PRIMARY KEY,
	target   TEXT    NOT NULL,
	kind     TEXT    NOT NULL,
	at       INTEGER NOT NULL, -- nanoseconds since 1970, the target's clock
	library  TEXT    NOT NULL,
	segment  TEXT    NOT NULL,
	position TEXT    NOT NULL
) STRICT;
CREATE INDEX point_target ON point (target, kind, id);
`, `
CREATE TABLE sample (
	target  TEXT    NOT NULL,
	kind    TEXT    NOT NULL,
	library TEXT    NOT NULL, -- the structure
	segment TEXT    NOT NULL, -- the member that owns the data set
	at      INTEGER NOT NULL, -- nanoseconds since 1970, the target's clock
	value   INTEGER NOT NULL,
	PRIMARY KEY (target, kind, library, segment, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE sample_day (
	target  TEXT    NOT NULL,
	kind    TEXT    NOT NULL,
	library TEXT    NOT NULL,
	segment TEXT    NOT NULL,
	day     INTEGER NOT NULL, -- since 1970, UTC
	at      INTEGER NOT NULL, -- of the day's largest value
	value   INTEGER NOT NULL,
	PRIMARY KEY (target, kind, library, segment, day)
) STRICT, WITHOUT ROWID;
`}

// migrate brings a file to the newest schema version. Of several processes
// that open an older file at once, one does it.
func (l *Ledger) migrate(ctx context.Context) error {
	have, err := schemaVersion(ctx, l.db)
	if err != nil || have == len(migrations) {
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("bringing the schema up to date: %w", explain(err))
	}
	defer undo(tx)
	if have, err = schemaVersion(ctx, tx); err != nil {
		return err
	}
	for version := have; version < len(migrations); version++ {
		if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
			return fmt.Errorf("bringing the schema from version %d to %d: %w", version, version+1, explain(err))
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(migrations))); err != nil {
		return fmt.Errorf("setting the schema version: %w", explain(err))
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("bringing the schema up to date: %w", explain(err))
	}
	return nil
}

// querier is a database, a connection or a transaction, to be asked.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion gives the version of the file. One that is no ledger is
// ErrForeign, one of a later version is Newer.
func schemaVersion(ctx context.Context, q querier) (int, error) {
	var mark, version int
	err := q.QueryRowContext(ctx, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").Scan(&mark, &version)
	switch {
	case err != nil:
		return 0, fmt.Errorf("reading the schema version: %w", explain(err))
	case mark != applicationID:
		return 0, ErrForeign
	case version > len(migrations):
		return 0, &Newer{Have: version, Know: len(migrations)}
	}
	return version, nil
}
