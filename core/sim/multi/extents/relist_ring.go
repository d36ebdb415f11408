package extents

import (
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
)

// relistRing lists what was begun in a ring after the newest extent of the list,
// where the control file is of an earlier day. Since the files are written again
// in their turn, an extent that was begun since takes what its file held before
// from the list, with all that is older. Where the ring has gone round since, the
// list is what joins the newest, and the restart finds out whether that reaches
// back to where it begins. An extent that was begun since and joins nothing of
// that is a gap, or one of a log that was restored to an earlier day.
func (l *Log) relistRing() error {
	chain, err := l.newestInRing()
	if err != nil || len(chain) == 0 {
		return err
	}
	list := l.c.list
	begun := len(list)
	for begun > 0 && list[begun-1].start == 0 {
		begun--
	}
	if begun == 0 {
		l.c.list = chain
		return nil
	}
	last, newest := list[begun-1], chain[len(chain)-1]
	if i := slices.Index(chain, last); i >= 0 {
		if since := chain[i+1:]; len(since) > 0 {
			l.c.list = append(joined(list[:begun], since), since...)
		}
		return nil
	}
	head, err := l.look(last.number)
	switch {
	case err != nil:
		return err
	case newest.start <= last.start, head.Start == 0 || head.ID != l.c.id:
		return nil // the last one is missing or damaged, and the restart finds that
	case head.Start == last.start:
		return l.gap("%s was begun since, and what it follows is not there", newest.name())
	}
	l.c.list = chain
	return nil
}

// joined gives what is left of a list when the files of others behind it were
// written since.
func joined(list, since []entry) []entry {
	for i := len(list) - 1; i >= 0; i-- {
		if slices.ContainsFunc(since, func(e entry) bool { return e.number == list[i].number }) {
			return slices.Clone(list[i+1:])
		}
	}
	return slices.Clone(list)
}

// newestInRing gives the extents of this log that are in active/ and join the
// newest by their headers, oldest first.
func (l *Log) newestInRing() ([]entry, error) {
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return nil, err
	}
	heads := map[uint64]wal.Head{} // by place in the log
	numbers := map[uint64]int{}
	newest := uint64(0)
	for _, number := range there {
		head, err := l.look(number)
		if err != nil {
			return nil, err
		}
		if head.Start == 0 || head.ID != l.c.id {
			continue
		}
		heads[head.Sequence], numbers[head.Sequence] = head, number
		newest = max(newest, head.Sequence)
	}
	var chain []entry
	for at := newest; ; at-- {
		head, ok := heads[at]
		if !ok || at < newest && !heads[at+1].Follows(head) {
			break
		}
		chain = append(chain, entry{number: numbers[at], start: head.Start})
		if at == 0 {
			break
		}
	}
	slices.Reverse(chain)
	return chain, nil
}
