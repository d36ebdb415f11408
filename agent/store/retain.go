package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/recovery"
)

// End tells where the last entry of a copy stands in its queue manager's log, on
// the scale of recovery.Need.From; false: it is not known. The caller knows
// that line: extents are numbered modulo ten millions (case 17), receivers stand
// in a chain, and a copy of another incarnation is in neither.
type End func(recovery.Copy) (recovery.Position, bool)

// Fate is what becomes of a copy under the retention of its store.
type Fate struct {
	Entry Entry
	End   recovery.Position // 0: not known
	Goes  bool
	Why   string // it goes or stays, for people
	Gone  bool   // [Directory.Prune] removed it
}

// Prunable decides which copies of one queue manager may go, the oldest first;
// those of which the place is not known come last. It is pure.
//
// A copy goes when it ends before every range of need begins: restart and media
// recovery, a data backup that would be rolled forward, a backup queue manager
// that has not replayed, a hold. Retention counts from the oldest of these and
// not from today (Managing log files; taking a backup of queue manager data).
// What lies in a range stays, however many copies there are of it. Without a
// need, or with one that begins before all that is known, nothing goes. Nor does
// a copy that is damaged or has no known place: somebody has to look at it.
func Prunable(entries []Entry, end End, needs ...recovery.Need) []Fate {
	fates := make([]Fate, len(entries))
	for i, entry := range entries {
		fates[i] = fate(entry, end, needs)
	}
	slices.SortStableFunc(fates, func(a, b Fate) int {
		if (a.End == 0) != (b.End == 0) {
			return cmp.Compare(b.End, a.End)
		}
		return cmp.Compare(a.End, b.End)
	})
	return fates
}

func fate(entry Entry, end End, needs []recovery.Need) Fate {
	at, known := end(entry.Copy)
	if !known {
		at = 0
	}
	f := Fate{Entry: entry, End: at}
	oldest := -1
	for i, need := range needs {
		if oldest < 0 || need.From < needs[oldest].From {
			oldest = i
		}
	}
	switch {
	case entry.Problem != nil:
		f.Why = fmt.Sprintf("it is not a whole copy, and stays until somebody looks at it: %v", entry.Problem)
	case !entry.Copy.Verified:
		f.Why = "it is not a whole copy, and stays until somebody looks at it"
	case at == 0:
		f.Why = "its place in the log is not known"
	case oldest < 0:
		f.Why = "it is not known what a recovery needs"
	case at >= needs[oldest].From:
		f.Why = "it lies in what is needed for " + describe(needs[oldest])
	default:
		f.Goes, f.Why = true, "it is older than all that is needed, the oldest for "+describe(needs[oldest])
	}
	return f
}

func describe(need recovery.Need) string {
	text := need.Kind.String()
	if need.Name != "" {
		text += " from " + need.Name
	}
	if need.Source != "" {
		text += " (" + need.Source + ")"
	}
	return text
}

// Prune removes what [Prunable] lets go of one queue manager, the oldest first,
// and stops where a removal fails: what stays is an unbroken end of the log. The
// needs have to be those of now, for they only hold as long as nobody makes an
// older backup count again.
//
// A manifest that can't be read is an error, and then nothing goes: it may
// stand for a copy of anything.
func (d *Directory) Prune(ctx context.Context, queueManager string, end End, needs ...recovery.Need) ([]Fate, error) {
	if queueManager == "" {
		return nil, fmt.Errorf("store %s: pruning: of no queue manager", d.name)
	}
	var entries []Entry
	var problems []error
	for entry, err := range d.Entries(ctx, queueManager) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, entry)
	}
	fates := Prunable(entries, end, needs...)
	if err := errors.Join(problems...); err != nil {
		return fates, fmt.Errorf("store %s: pruning %s: nothing goes: %w", d.name, queueManager, err)
	}
	for i := range fates {
		if !fates[i].Goes {
			continue
		}
		if err := d.Remove(ctx, fates[i].Entry.Copy); err != nil {
			return fates, err
		}
		fates[i].Gone = true
	}
	return fates, nil
}
