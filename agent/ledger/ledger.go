package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// FileName is the ledger's file in its folder. Beside it stand, while it is
// open, what SQLite keeps with it.
const FileName = "ledger.db"

// DefaultPatience is how long the lock of another process is waited for. Its
// changes take milliseconds.
const DefaultPatience = 10 * time.Second

// Options say how a ledger is opened. The zero value is right but in tests and
// in the simulator.
type Options struct {
	// Clock gives the time; nil is time.Now. Where it gives times with a
	// monotonic reading, as time.Now does, a lease ends by that one too.
	Clock func() time.Time
	// Head is the file in which the end of the trail is noted; empty is
	// ledger.head in the ledger's folder. See [Ledger.Verify] for what a
	// place out of reach of those who write the ledger gives.
	Head string
	// Patience is how long the lock of another process is waited for; 0 is
	// DefaultPatience.
	Patience time.Duration

	pragmas []string // more of them, in tests
}

// Ledger is what was intended, done and seen, durably. It is safe for
// concurrent use, and several processes of one system may have it open; a file
// system of another system is no place for it, as SQLite's locks and shared
// memory end at the system's border.
type Ledger struct {
	db       *sql.DB
	folder   string
	clock    func() time.Time
	head     head
	readOnly bool
	version  int           // of the schema, where readOnly
	turn     chan struct{} // who changes something holds it: writers of one process need not wait in SQLite
}

// Open opens the ledger in a folder and makes both where there are none: the
// folder with mode 0700, its files with 0600. A file of an older version is
// brought up to date.
//
// Errors are ErrForeign, Newer, ErrReadOnly, ErrBusy, ErrFull, ErrDamaged, and
// those of the file system. A folder in which others than its owner may write
// is refused.
func Open(ctx context.Context, folder string, options Options) (*Ledger, error) {
	l, err := open(ctx, folder, options)
	if err != nil {
		return nil, fmt.Errorf("opening the ledger in %s: %w", folder, err)
	}
	return l, nil
}

func open(ctx context.Context, folder string, options Options) (*Ledger, error) {
	if err := prepareFolder(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, FileName)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if err := create(ctx, folder, options); err != nil {
			return nil, err
		}
	}
	l, err := connect(path, "rw", options)
	if err != nil {
		return nil, err
	}
	err = l.migrate(ctx)
	if err == nil {
		err = l.head.first(ctx, l)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// OpenReadOnly opens a ledger to look at it, also while others write it. What
// changes it is ErrReadOnly then. A folder without one is ErrNone. A file of an
// older version is read as it is, and knows nothing of what came later.
func OpenReadOnly(ctx context.Context, folder string, options Options) (*Ledger, error) {
	l, err := openReadOnly(ctx, folder, options)
	if err != nil {
		return nil, fmt.Errorf("opening the ledger in %s for reading: %w", folder, err)
	}
	return l, nil
}

func openReadOnly(ctx context.Context, folder string, options Options) (*Ledger, error) {
	path := filepath.Join(folder, FileName)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return nil, ErrNone
	}
	options.pragmas = append(options.pragmas, "query_only(1)")
	// Not mode=ro: who may only read leaves SQLite's own files beside the
	// ledger when it closes the last connection (sqlite.org/wal.html#readonly).
	// A file that can't be written is opened for reading all the same.
	l, err := connect(path, "rw", options)
	if err != nil {
		return nil, err
	}
	l.readOnly = true
	if l.version, err = schemaVersion(ctx, l.db); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close closes the ledger. A lease that was not released runs out.
func (l *Ledger) Close() error {
	if err := l.db.Close(); err != nil {
		return fmt.Errorf("closing the ledger in %s: %w", l.folder, explain(err))
	}
	return nil
}

// connect gives a ledger on a file, of which nothing is known yet.
func connect(path, mode string, options Options) (*Ledger, error) {
	db, err := sql.Open(driverName, dataSource(path, mode, options))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	l := &Ledger{
		db: db, folder: filepath.Dir(path), clock: options.Clock,
		head: headAt(options.Head, filepath.Dir(path)), turn: make(chan struct{}, 1),
	}
	if l.clock == nil {
		l.clock = time.Now
	}
	return l, nil
}

// connections bounds how many a process has to its ledger: one writer and a
// few who read.
const connections = 4

// dataSource names the file as both drivers read it. synchronous=FULL is what
// makes a committed change durable; immediate transactions wait for their turn
// at their beginning, where waiting is possible (sqlite.org/isolation.html).
func dataSource(path, mode string, options Options) string {
	patience := options.Patience
	if patience == 0 {
		patience = DefaultPatience
	}
	query := url.Values{"mode": {mode}, "_txlock": {"immediate"}}
	query.Add("_pragma", "busy_timeout("+strconv.FormatInt(patience.Milliseconds(), 10)+")")
	query.Add("_pragma", "synchronous(FULL)")
	query.Add("_pragma", "foreign_keys(1)")
	query.Add("_pragma", "trusted_schema(0)")
	for _, pragma := range options.pragmas {
		query.Add("_pragma", pragma)
	}
	location := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	return location.String()
}

func headAt(path, folder string) head {
	if path == "" {
		return head{disk.At(folder), headFile}
	}
	return head{disk.At(filepath.Dir(path)), filepath.Base(path)}
}
