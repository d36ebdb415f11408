package recovery

import "fmt"

// WentBack says which recovery point of an earlier inventory lies behind the
// one of the same kind in a later inventory of the same incarnation; empty:
// none does. Points only move forward: one that went back is of another
// incarnation, or somebody restored the queue manager.
//
// A point is found again by the segment that it names, in the order of the
// later inventory. One whose segment is not in that inventory any more lies
// before everything that is; one that names none, or of which there is none
// any more, can't be compared and is no reason: what is not known keeps
// everything by itself. Times are not compared: local ones go back every
// autumn, and within one segment nothing depends on them. Of the very same entry
// only the reading can differ: a name that has turned into asterisks leaves its
// time, and with that the older segment counts where two are possible.
func WentBack(earlier, later Inventory) string {
	place := make(map[string]int, len(later.Segments))
	for i, s := range later.Segments {
		place[s.ID.Name] = i + 1
	}
	for _, before := range earlier.Needs {
		if before.Kind != Restart && before.Kind != Media && before.Kind != Published || before.Name == "" {
			continue
		}
		for _, after := range later.Needs {
			if after.Kind != before.Kind || after.Name == "" {
				continue
			}
			// Of one kind several sources may speak: each is compared with
			// its own earlier word.
			if after.origin() != before.origin() || after.Entry != "" && after.Entry == before.Entry {
				continue
			}
			was, is := place[before.Name], place[after.Name]
			if is < was {
				return fmt.Sprintf("the %s point went back from %s %s to %s %s", before.Kind, before.Name, before.Entry, after.Name, after.Entry)
			}
		}
	}
	return ""
}

// origin is the first word of the source: AMQ7460, RECLOG, AMQJRNINF.
func (n Need) origin() string {
	for i, r := range n.Source {
		if r == ' ' {
			return n.Source[:i]
		}
	}
	return n.Source
}
