package archive

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins/points"
)

// notMoving are the codes of the two points.
var notMoving = map[recovery.NeedKind]finding.Code{recovery.Restart: finding.RestartNotMoving, recovery.Media: finding.MediaNotMoving}

// pointFindings says which recovery point stays behind and since when, what
// holds it, and which queues were never imaged.
func (v view) pointFindings(ctx context.Context) []finding.Finding {
	var found []finding.Finding
	var pins []observe.Pin
	mediaLate := false
	name := v.request.Target.Name
	for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
		need, behind, known := points.Oldest(v.manager.Inventory, kind)
		if !known || !v.written() {
			continue
		}
		text, late := v.late(ctx, need, behind)
		if late {
			mediaLate = mediaLate || kind == recovery.Media
			found = append(found, finding.New(notMoving[kind], "%s: %s", name, text))
		} else if kind != recovery.Restart || !v.restartOlder() {
			continue
		}
		if pins == nil {
			pins = observe.ReadPins(ctx, v.host, v.request.Target)
		}
		found = append(found, points.PinnedBy(name, kind.String(), kind, need, pins)...)
	}
	if queues := v.neverImaged(ctx, mediaLate); len(queues) > 0 {
		found = append(found, finding.New(finding.NeverImaged, "%s: no media image since the oldest extent: %s", name, strings.Join(queues, ", ")))
	}
	return found
}

// written tells whether it is known which extent is being written: distances
// are told from there.
func (v view) written() bool {
	return slices.ContainsFunc(v.manager.Inventory.Segments, func(s recovery.Segment) bool { return s.State == recovery.Current })
}

// late tells whether a recovery point lies too far behind, or has stood in one
// extent for too long while others were begun. The time is that of earlier
// runs: an extent's own time says nothing (case 21).
func (v view) late(ctx context.Context, need recovery.Need, behind int) (string, bool) {
	text := fmt.Sprintf("the %s point is %s behind the one being written (%s, %s)", need.Kind, points.Pieces(behind, piece), need.Name, need.Source)
	since, told := points.Unmoved(v.facts.Seen, need)
	first := need.Kind == recovery.Media && behind > 0 && !v.seenElsewhere(need)
	var begun time.Time
	if first {
		// It may stand where the log was begun: no image was due yet (case 12). Its
		// name does not tell that: numbers come again (case 17).
		begun, first = observe.ReadLogBegun(ctx, v.host, v.request.Target)
		if first && v.age(begun) < v.request.Config.Duration("not_moving") {
			return text, false
		}
	}
	old := false
	switch {
	case told:
		text += fmt.Sprintf("; it has stood there since %s (%s)", since.Format(time.RFC3339), points.Age(v.age(since)))
		old = v.age(since) > v.request.Config.Duration("not_moving")
	case first:
		text += fmt.Sprintf("; no run has seen it elsewhere, and the log was begun at %s (%s)", v.begunText(begun), points.Age(v.age(begun)))
	}
	return text, behind > 0 && old || int64(behind) > v.request.Config.Int("behind")
}

// begunText says when the log was begun, as far as that is known: where the zone
// of the target is not, [observe.ReadLogBegun] has taken an hour off.
func (v view) begunText(begun time.Time) string {
	text := begun.Format(time.RFC3339)
	if v.request.Target.Zone == "" {
		text += " or up to an hour later, the zone of the target not being known"
	}
	return text
}

// restartOlder tells whether the restart point lies before the media point: then
// a unit of work holds it, and images would not help (case 18).
func (v view) restartOlder() bool {
	restart, _, knownRestart := points.Oldest(v.manager.Inventory, recovery.Restart)
	media, _, knownMedia := points.Oldest(v.manager.Inventory, recovery.Media)
	return knownRestart && knownMedia && restart.From < media.From
}

// seenElsewhere tells whether an earlier run saw the point in another extent.
func (v view) seenElsewhere(need recovery.Need) bool {
	return slices.ContainsFunc(v.facts.Seen, func(s observe.Sighting) bool { return s.Kind == need.Kind && s.Segment != need.Name })
}

// age is how long before the observation a moment was; 0 where no clock is known.
func (v view) age(moment time.Time) time.Duration {
	if v.manager.Inventory.Observed.IsZero() {
		return 0
	}
	return v.manager.Inventory.Observed.Sub(moment)
}

// dynamic fits the names that a queue manager makes for temporary dynamic
// queues; of these no image can be recorded.
var dynamic = regexp.MustCompile(`[0-9A-F]{16}$`)

// neverImaged names queues without a media image since the oldest extent on the
// system: none at all, or one so old. The latter is only told where the media
// point is late: after a night's work some queue's image always lies in the
// oldest extent. A queue that is not rebuilt from an image, IMGRCOVQ(NO), pins
// nothing.
func (v view) neverImaged(ctx context.Context, late bool) []string {
	if v.facts.Log.Type != observe.Linear && v.facts.Log.Type != observe.Replicated || len(v.facts.Extents) == 0 {
		return nil
	}
	loads, err := observe.ReadQueueLoads(ctx, v.host, v.request.Target)
	if err != nil {
		return nil
	}
	var names []string
	more := 0
	for _, q := range loads {
		if !q.ImageTold || q.Recoverable == "NO" || !v.unimaged(q, late) {
			continue
		}
		if len(names) == mostNamed {
			more++
			continue
		}
		names = append(names, fmt.Sprintf("%s (depth %d)", q.Name, q.Depth))
	}
	if more > 0 {
		names = append(names, points.Pieces(more, "more queue"))
	}
	return names
}

// mostNamed is how many queues are named.
const mostNamed = 5

func (v view) unimaged(q observe.QueueLoad, late bool) bool {
	if q.Image == "" {
		return q.Recoverable != "" && !dynamic.MatchString(q.Name)
	}
	_, number, err := observe.ParseExtent(q.Image)
	return err == nil && late && observe.ExtentDistance(v.facts.Extents[0].Number, number) <= 0
}
