package observe

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/recovery"
)

// Pin is what holds a recovery point back: a unit of work the restart point,
// a queue without a newer image the media point.
type Pin struct {
	Kind    recovery.NeedKind // Restart or Media
	Segment string            // the receiver or extent that it needs
	What    string            // the connection or the queue, for people
	Depth   int               // messages on the queue; -1: not known; 0 for a unit of work
}

// ReadPins asks the queue manager which units of work and which queues need the
// oldest pieces of the log. A queue manager that can't be asked has none to
// show.
func ReadPins(ctx context.Context, asker Asker, target Target) []Pin {
	ask := func(text string) []mqsc.Object {
		objects, err := askObjects(ctx, asker, target, text)
		if err != nil {
			return nil
		}
		return objects
	}
	var pins []Pin
	for _, o := range ask("DISPLAY CONN(*) ALL") {
		if piece := attribute(o, "UOWLOG"); target.logs(piece) {
			what := fmt.Sprintf("unit of work of connection %s (%s, started %s %s)", attribute(o, "CONN"), attribute(o, "APPLTAG"), attribute(o, "UOWLOGDA"), attribute(o, "UOWLOGTI"))
			pins = append(pins, Pin{Kind: recovery.Restart, Segment: piece, What: what})
		}
	}
	queues := "DISPLAY QSTATUS(*) TYPE(QUEUE) MEDIALOG CURDEPTH"
	if target.Platform == Multiplatforms {
		queues = "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL" // asked in this form for their loads too
	}
	for _, o := range ask(queues) {
		if piece := attribute(o, "MEDIALOG"); target.logs(piece) {
			pins = append(pins, pinOf(o, piece))
		}
	}
	return pins
}

// logs tells whether a name is that of a piece of such a target's log.
func (t Target) logs(name string) bool {
	if t.Platform == IBMi {
		return receiverPattern.MatchString(name)
	}
	kind, _, err := ParseExtent(name)
	return err == nil && kind == LogExtent
}

// pinOf describes a queue of which the last image lies in a piece of the log.
func pinOf(queue mqsc.Object, piece string) Pin {
	what, depth := "queue "+attribute(queue, "QUEUE"), -1
	if number, err := strconv.Atoi(attribute(queue, "CURDEPTH")); err == nil && number >= 0 {
		what, depth = fmt.Sprintf("%s (depth %d)", what, number), number
	}
	return Pin{recovery.Media, piece, what, depth}
}

func attribute(o mqsc.Object, name string) string {
	value, _ := o.Get(name)
	return strings.TrimSpace(value)
}
