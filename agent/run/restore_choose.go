package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// The errors of what is to be restored, to be told by errors.Is.
var (
	ErrNoCopy    = errors.New("no store has a verified copy of it")
	ErrNoRange   = errors.New("not a range of copies")
	ErrAmbiguous = errors.New("the stores have several segments of that name, and none that joins the chain")
)

// stored is a segment with its copies, one in each store that has it.
type stored struct {
	opened, closed observe.Stamp
	copies         []recovery.Copy // in the order of the stores' names; never empty
	place          int             // its place among those that join the chain, oldest first, from 1; 0: it is none of them
}

func (k stored) id() recovery.SegmentID { return k.copies[0].Segment }
func (k stored) key() observe.CopyKey   { return observe.KeyOf(k.copies[0]) }

// copiesIn gives what the stores have of a queue manager. Names come again
// (case 5), so that there may be several segments of one name. A manifest that
// can't be read does not keep the others from being restored.
func copiesIn(ctx context.Context, stores map[string]store.Store, only, queueManager string, log *slog.Logger) []stored {
	found := make(map[observe.CopyKey][]recovery.Copy)
	for name, s := range stores {
		if only != "" && only != name {
			continue
		}
		for c, err := range s.List(ctx, queueManager) {
			switch {
			case err != nil:
				log.Warn("a copy can't be read", "store", name, "err", err)
			case c.Verified && c.Segment.QueueManager == queueManager:
				found[observe.KeyOf(c)] = append(found[observe.KeyOf(c)], c)
			}
		}
	}
	all := make([]stored, 0, len(found))
	for _, copies := range found {
		slices.SortFunc(copies, func(a, b recovery.Copy) int { return strings.Compare(a.Store, b.Store) })
		opened, errOpened := observe.ParseStamp(copies[0].Opened)
		closed, errClosed := observe.ParseStamp(copies[0].Closed)
		if errOpened == nil && errClosed == nil { // else nothing tells which segment of that name it is
			all = append(all, stored{opened: opened, closed: closed, copies: copies})
		}
	}
	return all
}

// ordered puts what the stores have in the order in which it was written: what
// an observation found to join the chain as it lies there, whatever the clock
// did, and before it the rest by its times.
func ordered(all []stored, seen look) []stored {
	places := make(map[observe.CopyKey]int)
	for _, inv := range seen.inventories {
		for _, c := range inv.Copies {
			places[observe.KeyOf(c)] = len(places) + 1
		}
	}
	for i := range all {
		all[i].place = places[all[i].key()]
	}
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(cmp.Compare(a.place, b.place), a.opened.Compare(b.opened.Time), inNumber(a, b),
			strings.Compare(a.id().String(), b.id().String()), a.closed.Compare(b.closed.Time))
	})
	return all
}

// inNumber compares segments of which no time tells the order: extents by
// their numbers, of which the first follows the last, receivers by their first
// sequence number.
func inNumber(a, b stored) int {
	_, from, errFrom := observe.ParseExtent(a.id().Name)
	_, to, errTo := observe.ParseExtent(b.id().Name)
	if errFrom == nil && errTo == nil {
		return cmp.Compare(0, observe.ExtentDistance(from, to))
	}
	return cmp.Compare(a.key().First, b.key().First)
}

// which tells the segment from others of its name, for people.
func (k stored) which() string {
	if k.opened.IsZero() {
		return "that of " + cmp.Or(k.copies[0].Incarnation, "a log that is not known")
	}
	return fmt.Sprintf("the one of %s to %s", k.opened, k.closed)
}

// since says when a segment was opened, where that is known.
func since(opened string) string {
	if opened == "" {
		return ""
	}
	return ", attached " + opened
}

// named finds the copies that names and ranges ask for, each once, newest
// first: a restored receiver joins the chain in front of a newer one
// (reference, IBM i 5).
func named(all []stored, wanted []string) ([]stored, error) {
	chosen := make(map[int]bool)
	for _, want := range wanted {
		first, last, isRange := strings.Cut(want, "..")
		from, err := find(all, first)
		to := from
		if err == nil && isRange {
			to, err = find(all, last)
		}
		switch {
		case err != nil:
			return nil, err
		case to < from:
			return nil, fmt.Errorf("%s: %w: %s is older than %s", want, ErrNoRange, last, first)
		}
		for i := from; i <= to; i++ {
			if all[i].id().Library == all[from].id().Library {
				chosen[i] = true
			}
		}
	}
	var list []stored
	names := make(map[recovery.SegmentID]bool)
	for i := len(all) - 1; i >= 0; i-- {
		if !chosen[i] {
			continue
		}
		if id := all[i].id(); names[id] {
			return nil, ambiguous(all, id)
		}
		names[all[i].id()] = true
		list = append(list, all[i])
	}
	return list, nil
}

// find gives the place of a copy by NAME or LIBRARY/NAME, where there are
// several of that name the one that joins the chain, or by its attach or detach
// time too: NAME@2026-05-27T13:59:00.
func find(all []stored, segment string) (int, error) {
	name, isMeant := segment, func(stored) bool { return true }
	if at := strings.LastIndexByte(segment, '@'); at >= 0 {
		// A name may have an @ in it: only a time says that this is none of it.
		if moment, err := observe.ParseStamp(segment[at+1:]); err == nil && !moment.IsZero() {
			name = segment[:at]
			isMeant = func(k stored) bool {
				return k.opened.Second().Equal(moment.Second().Time) || k.closed.Second().Equal(moment.Second().Time)
			}
		}
	}
	var found, joined []int
	for i, k := range all {
		id := k.id()
		if id.Name != name && id.String() != name || !isMeant(k) {
			continue
		}
		if len(found) > 0 && all[found[0]].id() != id {
			return 0, fmt.Errorf("%s: copies are of several libraries: say LIBRARY/%s", segment, segment)
		}
		found = append(found, i)
		if k.place > 0 {
			joined = append(joined, i)
		}
	}
	switch {
	case len(found) == 0:
		return 0, fmt.Errorf("%s: %w", segment, ErrNoCopy)
	case len(found) == 1:
		return found[0], nil
	case len(joined) == 1:
		return joined[0], nil
	}
	return 0, ambiguous(all, all[found[0]].id())
}

// ambiguous names the segments of one name, so that a person can say which is
// meant.
func ambiguous(all []stored, id recovery.SegmentID) error {
	var list []string
	for _, k := range all {
		if k.id() == id {
			list = append(list, k.named())
		}
	}
	return fmt.Errorf("%s: %w: say which by its attach or detach time, of %s", id, ErrAmbiguous, strings.Join(list, "; "))
}

// named writes it so that find knows it again.
func (k stored) named() string {
	if k.opened.IsZero() {
		return k.id().Name + " of " + k.which()
	}
	return fmt.Sprintf("%s@%s to %s", k.id().Name, k.opened.Format("2006-01-02T15:04:05"), k.closed.Format("2006-01-02T15:04:05"))
}

// needed gives the copies of all that some recovery reads and that is not on
// the system, newest first, and what is in no store either.
//
// kind is the recovery that is meant: recovery.Restart or recovery.Media; none:
// whatever is needed for anything.
func needed(all []stored, seen look, kind recovery.NeedKind) (list []stored, nowhere []missing) {
	placed := make(map[recovery.SegmentID]stored)
	for _, k := range all {
		if k.place > 0 {
			placed[k.id()] = k // of each name one joins the chain
		}
	}
	everything := recovery.Promise{Strategy: recovery.Conservative}
	for _, manager := range recovery.Decide(onlyFor(seen.inventories, kind), everything).Managers {
		for i := len(manager.Verdicts) - 1; i >= 0; i-- {
			id := manager.Inventory.Segments[i].ID
			k, known := placed[id]
			switch kind := manager.Verdicts[i].Kind; {
			case kind == recovery.Archived && known:
				list = append(list, k)
			case kind == recovery.Archived, kind == recovery.Lost:
				nowhere = appendMissing(nowhere, manager.Inventory.Segments[i])
			}
		}
	}
	return list, nowhere
}

// onlyFor leaves of the needs those of one recovery, where one is meant. The
// older of both points, where nothing else is known, stands for either.
func onlyFor(inventories []recovery.Inventory, kind recovery.NeedKind) []recovery.Inventory {
	if kind == recovery.NeedUnknown {
		return inventories
	}
	list := slices.Clone(inventories)
	for i := range list {
		other := func(n recovery.Need) bool {
			return n.Kind != kind && (kind != recovery.Restart || n.Kind != recovery.UnitOfWork)
		}
		needs := slices.DeleteFunc(slices.Clone(list[i].Needs), other)
		if len(needs) == 0 {
			needs = slices.DeleteFunc(slices.Clone(list[i].Needs), func(n recovery.Need) bool { return n.Kind != recovery.Published })
		}
		list[i].Needs = needs
	}
	return list
}

// merged gives what is in either list, newest first, each once.
func merged(all, a, b []stored) []stored {
	chosen := make(map[observe.CopyKey]bool)
	for _, k := range append(append([]stored{}, a...), b...) {
		chosen[k.key()] = true
	}
	var list []stored
	for i := len(all) - 1; i >= 0; i-- {
		if chosen[all[i].key()] {
			list = append(list, all[i])
		}
	}
	return list
}
