package run

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// wentBack says which mark is behind where it was when the plan was made, or
// can't be compared with it; empty: none.
//
// recovery.WentBack compares the segments that each source named then and
// names now, and passes over what is not there any more. That is right between
// two looks of one run. Hours lie between a plan and its approval, so here
// every kind of mark must be known again, and its oldest must provably not be
// older.
func (m KeptManager) wentBack(now recovery.Inventory) string {
	if why := recovery.WentBack(m.inventory(), now); why != "" {
		return why
	}
	line := writtenOf(now.Segments)
	for _, was := range m.oldest() {
		is, ok := oldestOf(line, now.Needs, was.Kind)
		switch {
		case !ok:
			return fmt.Sprintf("the %s point was %s and is not known now", was.Kind, markWords(was))
		case is.earlier(was):
			return fmt.Sprintf("the %s point was %s and is %s", was.Kind, markWords(was), markWords(is))
		case !m.follows(was, line, is):
			return fmt.Sprintf("the %s point was %s and is %s: nothing tells that it did not go back", was.Kind, markWords(was), markWords(is))
		}
	}
	return ""
}

// inventory gives the marks as core/recovery knows them.
func (m KeptManager) inventory() recovery.Inventory {
	inv := recovery.Inventory{QueueManager: m.Name, Incarnation: m.Incarnation}
	for _, mark := range m.Marks {
		inv.Needs = append(inv.Needs, recovery.Need{Kind: recovery.ParseNeedKind(mark.Kind), Name: mark.Segment, Entry: mark.Entry, Source: mark.Source})
	}
	return inv
}

// oldest gives the oldest mark of each kind.
func (m KeptManager) oldest() []KeptMark {
	var list []KeptMark
	at := make(map[string]int)
	for _, mark := range m.Marks {
		i, seen := at[mark.Kind]
		switch {
		case !seen:
			at[mark.Kind] = len(list)
			list = append(list, mark)
		case mark.Position < list[i].Position:
			list[i] = mark
		}
	}
	return list
}

// oldestOf gives the oldest mark of a kind in a fresh line, with its position
// there.
func oldestOf(line []recovery.Segment, needs []recovery.Need, kind string) (KeptMark, bool) {
	var oldest KeptMark
	found := false
	for _, n := range needs {
		if n.Kind.String() != kind {
			continue
		}
		if at := placeOf(line, n); !found || at < oldest.Position {
			oldest, found = KeptMark{kind, n.Name, n.Entry, n.Source, at}, true
		}
	}
	return oldest, found
}

// earlier tells whether a mark lies before another in the same segment, by the
// times that one source gave. A clock that went back in between passes for
// that: such a plan is made again.
func (m KeptMark) earlier(than KeptMark) bool {
	source, _, _ := strings.Cut(m.Source, " ")
	other, _, _ := strings.Cut(than.Source, " ")
	now, errNow := observe.ParseStamp(m.Entry)
	then, errThen := observe.ParseStamp(than.Entry)
	return m.Segment == than.Segment && source == other && errNow == nil && errThen == nil &&
		!now.IsZero() && now.Second().Before(then.Second().Time)
}

// follows tells whether a fresh mark lies in the segment of a kept one or in a
// newer one.
//
// The order is that of the fresh line where the kept mark's segment is still
// in it. Where that is gone, which is as it should be once nothing needs it,
// it is the order of the kept line. A segment that was not in that line, and
// comes behind one that was, is newer than all of them.
func (m KeptManager) follows(was KeptMark, line []recovery.Segment, is KeptMark) bool {
	if is.Position < 0 || was.Position < 0 {
		return false
	}
	place := make(map[string]int, len(line)) // twice: -1, so that it decides nothing
	for i, s := range line {
		name := lineName(s.ID)
		if _, twice := place[name]; twice || name == "" {
			place[name] = -1
			continue
		}
		place[name] = i
	}
	if at, there := place[m.nameAt(was.Position)]; there && at >= 0 {
		return is.Position >= at
	}
	now := lineName(line[is.Position].ID)
	if place[now] < 0 {
		return false
	}
	behind := false // a segment of the kept line comes before the fresh mark
	for i, name := range m.Line {
		if name == now {
			return i > was.Position
		}
		if at, there := place[name]; there && at >= 0 && at < is.Position {
			behind = true
		}
	}
	return behind
}

// nameAt gives the segment at a place in the line; empty: it has no name.
func (m KeptManager) nameAt(position int) string {
	if position < 0 || position >= len(m.Line) {
		return ""
	}
	return m.Line[position]
}

func markWords(m KeptMark) string {
	switch {
	case m.Segment == "" && m.Entry == "":
		return "before everything that is known"
	case m.Segment == "":
		return "in no segment that is named, at " + m.Entry
	case m.Entry == "":
		return "in " + m.Segment
	}
	return "in " + m.Segment + " at " + m.Entry
}
