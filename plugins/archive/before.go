package archive

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins/points"
)

// before is what the log was like when images were planned. It travels in the
// items of the action.
type before struct {
	media   string // MEDIALOG
	current string // CURRLOG
	zone    string // of the target; empty: not known
}

// The words that the items begin with.
const (
	itemMedia   = "media"
	itemCurrent = "current"
	itemZone    = "zone"
)

// items writes it, a word and its value each.
func (b before) items() []string {
	return points.Items(itemMedia, b.media, itemCurrent, b.current, itemZone, b.zone)
}

// readBefore reads what items has written. Words that it does not know are
// passed over; one that is missing is an error.
func readBefore(items []string) (before, error) {
	values := points.ReadItems(items)
	b := before{media: values[itemMedia], current: values[itemCurrent], zone: values[itemZone]}
	for word, name := range map[string]string{itemMedia: b.media, itemCurrent: b.current} {
		if _, ok := extentNumber(name); !ok {
			return before{}, fmt.Errorf("reading where the points were when it was planned: %s: %q is no log extent", word, name)
		}
	}
	return b, nil
}

// extentNumber gives the number of a log extent, of which the name may be empty.
func extentNumber(name string) (int, bool) {
	kind, number, err := observe.ParseExtent(name)
	return number, err == nil && kind == observe.LogExtent
}

// later tells whether extent b was begun after a; false when either is none.
func later(a, b string) bool {
	from, okFrom := extentNumber(a)
	to, okTo := extentNumber(b)
	return okFrom && okTo && observe.ExtentDistance(from, to) > 0
}

// target gives the queue manager to be looked at again.
func (b before) target(queueManager string) observe.Target {
	return observe.Target{Name: queueManager, Platform: observe.Multiplatforms, Zone: b.zone}
}
