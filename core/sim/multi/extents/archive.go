package extents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// Archived takes the word that an extent was archived: SET LOG ARCHIVED. Any
// extent but the current one may be named, in any order, needed or not
// (reference, Multiplatforms 3.2 item 53); one that was reported before is
// accepted. What nothing needs any more is given up at once, so the copy has to
// be durable before.
func (l *Log) Archived(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, err := l.named(name)
	if err != nil {
		return fmt.Errorf("marking log extent %s as archived: %w", name, err)
	}
	if l.c.list[i].archived {
		return nil
	}
	return l.mark(i, i)
}

// ArchivedUpTo takes the word that an extent and all that are older were
// archived: RESET QMGR TYPE(ARCHLOG).
func (l *Log) ArchivedUpTo(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, err := l.named(name)
	if err != nil {
		return fmt.Errorf("marking log extents up to %s as archived: %w", name, err)
	}
	return l.mark(0, i)
}

// mark notes a range of the list as archived, and gives up what only waited for
// that.
func (l *Log) mark(from, to int) error {
	before := slices.Clone(l.c.list)
	for i := from; i <= to; i++ {
		l.c.list[i].archived = true
	}
	if err := l.save(); err != nil {
		l.c.list = before
		return err
	}
	if !l.known {
		return nil
	}
	return l.release()
}

// named finds the extent that a command may call archived.
func (l *Log) named(name string) (int, error) {
	if l.set.Management != Archive {
		return 0, fmt.Errorf("%w: extents are archived only with management %s", ErrLogType, Archive)
	}
	kind, number, err := observe.ParseExtent(strings.TrimSpace(name))
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrName, err)
	case kind == observe.ReuseExtent:
		return 0, ErrReuse
	}
	for i, e := range l.c.list {
		switch {
		case e.number != number:
		case i >= l.current():
			return 0, ErrCurrent
		default:
			return i, nil
		}
	}
	return 0, ErrNotFound
}

// current gives the place in the list of the extent that is written; -1: there
// is none.
func (l *Log) current() int {
	i := len(l.c.list) - 1
	if i > 0 && l.c.list[i].start == 0 {
		i--
	}
	return i
}
