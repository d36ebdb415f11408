package points

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// What a recording of images writes beside the bodies of messages is in no
// source. These are estimates, and meant to be too high.
const (
	perMessage  = 1 << 10 // message descriptor, transmission header
	perQueue    = 8 << 10 // the definition, and the entries around its image
	perFile     = 1 << 20 // what a queue holds in memory and not yet in its file
	otherwise   = 1 << 20 // channels, processes, the object catalogue, the checkpoint
	marginParts = 4       // a fourth is added: headers of journal entries, what is put meanwhile
	endless     = 1 << 60 // more than any pool has; sums stop here
	notKnown    = int64(-1)
)

// Load is how much a recording of all images may write to the log.
type Load struct {
	Bytes  int64               // at most, by what is known
	filled []observe.QueueLoad // queues that hold messages, the deepest first
}

// ReadLoad works out an upper bound. Message bodies are not shown by any
// question, so that no sum of them can be had; two bounds can, and the smaller
// counts:
//
//   - by queue, the smaller of its file and of its depth times MAXMSGL;
//   - what lies in the log from the media point on: a rebuild makes every
//     message from there, so all of them are in there, uncompressed.
//
// The piece is what the platform calls a piece of the log: receiver, extent.
func ReadLoad(ctx context.Context, asker observe.Asker, target observe.Target, inventory recovery.Inventory, piece string) (Load, error) {
	loads, err := observe.ReadQueueLoads(ctx, asker, target)
	if err != nil {
		return Load{}, err
	}
	bytes := atMost(queuesHold(loads), logHolds(inventory))
	if bytes == notKnown {
		return Load{}, fmt.Errorf("neither the files of the queues (CURFSIZE) nor the longest messages (MAXMSGL) are told, and the %ss from the media point on are not all there with their size", piece)
	}
	bytes = sum(bytes, otherwise, times(int64(len(loads)), perQueue))
	load := Load{Bytes: sum(bytes, bytes/marginParts)}
	for _, q := range loads {
		if q.Depth > 0 {
			load.filled = append(load.filled, q)
		}
	}
	slices.SortStableFunc(load.filled, func(a, b observe.QueueLoad) int { return cmp.Compare(b.Depth, a.Depth) })
	return load, nil
}

// queuesHold gives how many bytes of messages the queues hold at most; notKnown
// when of one that holds some nothing tells.
func queuesHold(loads []observe.QueueLoad) int64 {
	total := int64(0)
	for _, q := range loads {
		if q.Depth == 0 {
			continue
		}
		held := notKnown
		if q.File >= 0 {
			held = sum(q.File, perFile)
		}
		if q.Longest >= 0 {
			held = atMost(held, times(q.Depth, sum(q.Longest, perMessage)))
		}
		if held == notKnown {
			return notKnown
		}
		total = sum(total, held)
	}
	return total
}

// logHolds gives the bytes of the pieces from the media point on;
// notKnown when one of them is not on the system as a whole.
func logHolds(inventory recovery.Inventory) int64 {
	media, _, known := Oldest(inventory, recovery.Media)
	if !known {
		return notKnown
	}
	total := int64(0)
	for _, s := range inventory.Segments {
		if s.From < media.From || !holdsEntries(s) {
			continue
		}
		if !s.State.Readable() || s.Bytes <= 0 {
			return notKnown
		}
		total = sum(total, s.Bytes)
	}
	return total
}

// atMost gives the smaller of two bounds, of which either may be notKnown.
func atMost(a, b int64) int64 {
	switch {
	case a == notKnown:
		return b
	case b == notKnown:
		return a
	}
	return min(a, b)
}

// sum and times stop at endless, so that no figure of a foreign system makes
// them run over.
func sum(parts ...int64) int64 {
	total := int64(0)
	for _, part := range parts {
		total = min(total+min(part, endless), endless)
	}
	return total
}

func times(count, bytes int64) int64 {
	if count == 0 || bytes == 0 {
		return 0
	}
	if bytes > endless/count {
		return endless
	}
	return count * bytes
}

// String says it for people: "up to 35.1 MiB uncompressed (estimate); 2 queues
// hold messages: ORDERS.PARKED (depth 418290), ORDERS.IN (depth 3)".
func (l Load) String() string {
	text := fmt.Sprintf("up to %s uncompressed (estimate); ", SizeUp(l.Bytes))
	switch len(l.filled) {
	case 0:
		return text + "no queue holds messages"
	case 1:
		text += "1 queue holds messages: "
	default:
		text += fmt.Sprintf("%d queues hold messages: ", len(l.filled))
	}
	var names []string
	for _, q := range l.filled[:min(len(l.filled), mostPins)] {
		names = append(names, fmt.Sprintf("%s (depth %d)", q.Name, q.Depth))
	}
	return text + strings.Join(append(names, counted(len(l.filled)-len(names), "more queue", "")...), ", ")
}
