package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// The errors of what is to be restored, to be told by errors.Is.
var (
	ErrNoCopy  = errors.New("no store has a verified copy of it")
	ErrNoRange = errors.New("not a range of copies")
)

// stored is a segment with its copies, one in each store that has it.
type stored struct {
	opened observe.Stamp
	copies []recovery.Copy // in the order of the stores' names; never empty
}

func (k stored) id() recovery.SegmentID { return k.copies[0].Segment }

// copiesIn gives what the stores have of a queue manager, oldest first: of each
// name the newest segment, since names come again (case 5). A manifest that
// can't be read does not keep the others from being restored.
func copiesIn(ctx context.Context, stores map[string]store.Store, only, queueManager string, log *slog.Logger) []stored {
	newest := make(map[recovery.SegmentID]stored)
	for name, s := range stores {
		if only != "" && only != name {
			continue
		}
		for c, err := range s.List(ctx, queueManager) {
			switch {
			case err != nil:
				log.Warn("a copy can't be read", "store", name, "err", err)
			case c.Verified && c.Segment.QueueManager == queueManager:
				addCopy(newest, c)
			}
		}
	}
	all := make([]stored, 0, len(newest))
	for _, k := range newest {
		slices.SortFunc(k.copies, func(a, b recovery.Copy) int { return strings.Compare(a.Store, b.Store) })
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(a.opened.Compare(b.opened.Time), cmp.Compare(a.first(), b.first()), strings.Compare(a.id().String(), b.id().String()))
	})
	return all
}

// first gives its first sequence number; 0: not known. Media images fill several
// receivers in one second.
func (k stored) first() uint64 {
	n, _ := strconv.ParseUint(k.copies[0].From, 10, 64) // what is none tells nothing
	return n
}

// addCopy adds a copy of the newest segment of its name, and forgets those of
// an older one.
func addCopy(newest map[recovery.SegmentID]stored, c recovery.Copy) {
	opened, err := observe.ParseStamp(c.Opened)
	if err != nil {
		return // nothing tells which segment of that name it is
	}
	k, known := newest[c.Segment]
	switch {
	case !known || k.opened.Before(opened.Time):
		k = stored{opened, []recovery.Copy{c}}
	case k.opened.Equal(opened.Time):
		k.copies = append(k.copies, c)
	}
	newest[c.Segment] = k
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
	for i := len(all) - 1; i >= 0; i-- {
		if chosen[i] {
			list = append(list, all[i])
		}
	}
	return list, nil
}

// find gives the place of a copy by NAME or LIBRARY/NAME.
func find(all []stored, segment string) (int, error) {
	at := -1
	for i, k := range all {
		id := k.id()
		if id.Name != segment && id.String() != segment {
			continue
		}
		if at >= 0 {
			return 0, fmt.Errorf("%s: copies are of several libraries: say LIBRARY/%s", segment, segment)
		}
		at = i
	}
	if at < 0 {
		return 0, fmt.Errorf("%s: %w", segment, ErrNoCopy)
	}
	return at, nil
}

// needed gives the copies of all that some recovery reads and that is not on
// the system, newest first, and the names of what is in no store either.
func needed(all []stored, seen look) (list []stored, nowhere []recovery.SegmentID) {
	everything := recovery.Promise{Strategy: recovery.Conservative}
	for _, manager := range recovery.Decide(seen.inventories, everything).Managers {
		for i := len(manager.Verdicts) - 1; i >= 0; i-- {
			id := manager.Inventory.Segments[i].ID
			switch manager.Verdicts[i].Kind {
			case recovery.Archived:
				at := slices.IndexFunc(all, func(k stored) bool { return k.stands(id, manager.Inventory.Copies) })
				if at < 0 {
					nowhere = append(nowhere, id)
					continue
				}
				list = append(list, all[at])
			case recovery.Lost:
				nowhere = append(nowhere, id)
			}
		}
	}
	return list, nowhere
}

// stands tells whether it is the very segment that an inventory found in a
// store, and not another of its name.
func (k stored) stands(id recovery.SegmentID, placed []recovery.Copy) bool {
	return k.id() == id && slices.ContainsFunc(placed, func(c recovery.Copy) bool {
		opened, err := observe.ParseStamp(c.Opened)
		return err == nil && c.Segment == id && opened.Equal(k.opened.Time)
	})
}
