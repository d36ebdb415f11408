package points

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// mostPins is how many pins are named.
const mostPins = 5

// PinnedBy names what needs the piece of a point that stays behind: units of
// work need that of the restart point, queues that of the media point. The
// point is what the platform calls it: startup, restart, media.
func PinnedBy(target, point string, kind recovery.NeedKind, need recovery.Need, pins []observe.Pin) []finding.Finding {
	mine := slices.DeleteFunc(slices.Clone(pins), func(p observe.Pin) bool { return p.Kind != kind || p.Segment != need.Name })
	if len(mine) == 0 {
		return nil
	}
	code, who := finding.PinnedByUnit, namePins(mine, "more unit", " of work")
	if kind == recovery.Media {
		code, who = finding.PinnedByQueue, nameQueues(mine)
	}
	return []finding.Finding{finding.New(code, "%s: the %s point stays at %s for %s", target, point, need.Name, strings.Join(who, ", "))}
}

// nameQueues names queues, the deepest first. Where there are many, those
// without a message are only counted: an image of them costs nothing.
func nameQueues(pins []observe.Pin) []string {
	slices.SortStableFunc(pins, func(a, b observe.Pin) int { return cmp.Compare(b.Depth, a.Depth) })
	if len(pins) <= mostPins {
		return namePins(pins, "more queue", "")
	}
	empty := func(p observe.Pin) bool { return p.Depth == 0 }
	filled := slices.DeleteFunc(slices.Clone(pins), empty)
	who := namePins(filled, "more queue", " with messages")
	noun := "more queue"
	if len(filled) == 0 {
		noun = "queue"
	}
	return append(who, counted(len(pins)-len(filled), noun, " without messages")...)
}

// namePins names pins, and counts those for which there is no room by the two
// parts of their noun.
func namePins(pins []observe.Pin, noun, rest string) []string {
	var who []string
	for _, p := range pins[:min(len(pins), mostPins)] {
		who = append(who, p.What)
	}
	return append(who, counted(len(pins)-len(who), noun, rest)...)
}

func counted(n int, noun, rest string) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 " + noun + rest}
	}
	return []string{fmt.Sprintf("%d %ss%s", n, noun, rest)}
}
