// Package ledger is a resource manager for units of work that a simulated queue
// manager coordinates: accounts with balances in one file, which survives every
// crash. A transaction's changes are in memory until it is prepared, and counted
// when it is committed.
package ledger

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// ErrPrepared says that a transaction is prepared and takes no more changes.
var ErrPrepared = errors.New("the transaction is prepared")

// Ledger is the resource manager. Its methods may be called from any number of
// goroutines.
type Ledger struct {
	disk disk.FS
	file string
	name string

	mu    sync.Mutex
	state state
	open  map[string]changes // of transactions that are not prepared
}

// changes are what is added to accounts.
type changes map[string]int64

// state is the content of the file.
type state struct {
	Format   int
	Balances changes
	Prepared map[string]changes // by XID in hexadecimal
}

const format = 1

// Open gives the ledger in a file of the disk; one that is not there is empty.
func Open(d disk.FS, file, name string) (*Ledger, error) {
	l := &Ledger{disk: d, file: file, name: name, open: map[string]changes{}}
	content, err := disk.ReadAll(d, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.state = state{Format: format, Balances: changes{}, Prepared: map[string]changes{}}
		return l, nil
	case err == nil:
		l.state, err = parse(content)
	}
	if err != nil {
		return nil, fmt.Errorf("opening ledger %s: %w", name, err)
	}
	return l, nil
}

func parse(content []byte) (state, error) {
	s := state{Balances: changes{}, Prepared: map[string]changes{}}
	if err := json.Unmarshal(content, &s); err != nil {
		return state{}, err
	}
	if s.Format != format {
		return state{}, fmt.Errorf("it has format %d; this program reads %d", s.Format, format)
	}
	for xid := range s.Prepared {
		if _, err := hex.DecodeString(xid); err != nil {
			return state{}, fmt.Errorf("transaction %q: %w", xid, err)
		}
	}
	if s.Balances == nil {
		s.Balances = changes{}
	}
	if s.Prepared == nil {
		s.Prepared = map[string]changes{}
	}
	return s, nil
}

// Name gives the name that it was opened with.
func (l *Ledger) Name() string { return l.name }

// Add changes an account in a transaction.
func (l *Ledger) Add(xid []byte, account string, amount int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := hex.EncodeToString(xid)
	if _, prepared := l.state.Prepared[key]; prepared {
		return fmt.Errorf("changing account %s: %w", account, ErrPrepared)
	}
	if l.open[key] == nil {
		l.open[key] = changes{}
	}
	l.open[key][account] += amount
	return nil
}

// Balance gives what is committed on an account.
func (l *Ledger) Balance(account string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.Balances[account]
}

// Prepare makes the changes of a transaction survive.
func (l *Ledger) Prepare(_ context.Context, xid []byte) error {
	key := hex.EncodeToString(xid)
	return l.change("preparing", key, func(s *state) {
		s.Prepared[key] = l.open[key]
	})
}

// Commit counts the changes of a prepared transaction. One that is not known
// has been committed before.
func (l *Ledger) Commit(_ context.Context, xid []byte) error {
	key := hex.EncodeToString(xid)
	return l.change("committing", key, func(s *state) {
		for account, amount := range s.Prepared[key] {
			s.Balances[account] += amount
		}
		delete(s.Prepared, key)
	})
}

// Rollback forgets the changes of a transaction, prepared or not.
func (l *Ledger) Rollback(_ context.Context, xid []byte) error {
	key := hex.EncodeToString(xid)
	return l.change("rolling back", key, func(s *state) { delete(s.Prepared, key) })
}

// Recover gives the transactions that are prepared.
func (l *Ledger) Recover(context.Context) ([][]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all [][]byte
	for _, key := range slices.Sorted(maps.Keys(l.state.Prepared)) {
		xid, err := hex.DecodeString(key)
		if err != nil {
			return nil, fmt.Errorf("recovering ledger %s: %w", l.name, err)
		}
		all = append(all, xid)
	}
	return all, nil
}

// change changes the file, as a whole and durably; what it was stays when that
// fails. The transaction is open no more.
func (l *Ledger) change(what, key string, how func(*state)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := state{Format: format, Balances: maps.Clone(l.state.Balances), Prepared: maps.Clone(l.state.Prepared)}
	how(&next)
	content, err := json.MarshalIndent(&next, "", " ")
	if err == nil {
		err = disk.Replace(l.disk, l.file, append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%s transaction %s in ledger %s: %w", what, key, l.name, err)
	}
	l.state = next
	delete(l.open, key)
	return nil
}
