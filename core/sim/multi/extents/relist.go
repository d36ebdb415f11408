package extents

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
)

// identify looks whether the newest extent that is there is of the log that the
// control file is of. One that is missing or can't be read is for the restart to
// find.
func (l *Log) identify() error {
	for i := len(l.c.list) - 1; i >= 0; i-- {
		e := l.c.list[i]
		if e.start == 0 {
			continue
		}
		if head, err := l.head(e.name()); err == nil && head.Start != 0 && head.ID != l.c.id {
			return fmt.Errorf("%w: extent %s is of log %s, the control file of %s", ErrForeign, e.name(), head.ID, l.c.id)
		}
		return nil
	}
	return nil
}

// relist lists what is in active/ and joins the list by its headers: before its
// oldest extent, where older ones were put back, and behind its newest, where
// the control file is of an earlier day.
func (l *Log) relist() error {
	if l.c.kind == Circular {
		return l.relistRing()
	}
	if err := l.relistOlder(); err != nil {
		return err
	}
	if err := l.relistNewer(); err != nil {
		return err
	}
	return l.nothingAhead()
}

// nothingAhead asserts that no extent was begun behind the newest of the list
// that does not join it: what is in it was acknowledged, so a start without it
// would lose messages and say nothing.
func (l *Log) nothingAhead() error {
	next := l.c.first
	if n := len(l.c.list); n > 0 {
		next = l.c.list[n-1].number
		if last, err := l.look(next); err != nil {
			return err
		} else if last.Start != 0 {
			next = observe.ExtentNumber(next + 1)
		}
	}
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return err
	}
	for _, number := range there {
		if observe.ExtentDistance(next, number) < 0 {
			continue
		}
		head, err := l.look(number)
		if err != nil {
			return err
		}
		if head.Start == 0 || head.ID != l.c.id {
			continue
		}
		if number == next {
			return l.gap("%s was begun since, and does not follow the extent before it", observe.ExtentName(number))
		}
		return l.gap("%s was begun since, and %s is not there", observe.ExtentName(number), observe.ExtentName(next))
	}
	return nil
}

// gap says that the control file is older than the log, and why the log can't be
// followed from there on.
func (l *Log) gap(why string, names ...any) error {
	return &ControlError{Name: l.file.name, Err: fmt.Errorf("%w: the file is older than the log: "+why, append([]any{ErrGap}, names...)...)}
}

func (l *Log) relistOlder() error {
	if len(l.c.list) == 0 {
		return nil
	}
	next, err := l.look(l.c.list[0].number)
	var older []entry
	for err == nil && next.Start != 0 && next.ID == l.c.id {
		number := observe.ExtentNumber(l.c.list[0].number - 1 - len(older))
		head, lookErr := l.look(number)
		if lookErr != nil || !next.Follows(head) {
			err = lookErr
			break
		}
		older = append(older, entry{number: number, start: head.Start, archived: l.wasArchived(number, head.Start)})
		next = head
	}
	slices.Reverse(older)
	l.c.list = append(older, l.c.list...)
	return err
}

func (l *Log) relistNewer() error {
	for {
		n := len(l.c.list)
		if n == 0 {
			return nil
		}
		last, err := l.look(l.c.list[n-1].number)
		if err != nil || last.Start == 0 || last.ID != l.c.id {
			return err
		}
		number := observe.ExtentNumber(l.c.list[n-1].number + 1)
		head, err := l.look(number)
		if err != nil || !head.Follows(last) {
			return err
		}
		if l.c.list[n-1].start == 0 {
			l.c.list[n-1].start = last.Start
		}
		l.c.list = append(l.c.list, entry{number: number, start: head.Start})
	}
}

// look reads the head of an extent for relisting: what is missing or is none is
// an empty one.
func (l *Log) look(number int) (wal.Head, error) {
	head, err := l.head(observe.ExtentName(number))
	var damage *wal.Damage
	if errors.As(err, &damage) {
		return wal.Head{}, nil
	}
	return head, err
}

// wasArchived tells whether an extent was given up by the last checkpoint, and
// archived before.
func (l *Log) wasArchived(number int, start wal.LSN) bool {
	for _, e := range l.c.leaving {
		if e.number == number && e.start == start {
			return e.archived
		}
	}
	return false
}
