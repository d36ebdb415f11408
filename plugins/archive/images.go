package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// imageCommand records media images.
const imageCommand = "rcdmqimg"

// imagePlan is what a plan says of media images.
type imagePlan struct {
	actions  []plugins.Action
	findings []finding.Finding
}

// planImages plans media images of all objects, in the first round of a run
// only, whatever became of them: who records images again and again fills the
// disk that they should relieve (trap 14). A later round says why they failed.
func (v view) planImages(ctx context.Context, decision recovery.Decision) imagePlan {
	if !v.request.Config.Bool("record_images") {
		return imagePlan{}
	}
	if v.request.Round > 1 {
		return imagePlan{findings: v.imagesFailed()}
	}
	say := func(code finding.Code, format string, args ...any) imagePlan {
		return imagePlan{findings: []finding.Finding{finding.New(code, "%s: no images: "+format, append([]any{v.request.Target.Name}, args...)...)}}
	}
	why := v.waits(decision)
	if why == "" {
		why = v.useless(ctx)
	}
	if why != "" {
		return say(finding.NoImages, "%s", why)
	}
	load, err := points.ReadLoad(ctx, v.host, v.request.Target, v.manager.Inventory, piece)
	if err != nil {
		return say(finding.ImageSizeUnknown, "how much they would write is not known: %v", err)
	}
	if v.facts.Log.Size <= 0 {
		return say(finding.ImageSizeUnknown, "they write %s, and how much is free in the file system of the log is not known", load)
	}
	room := points.RoomIn(observe.PoolSpace{Size: v.facts.Log.Size, Free: v.facts.Log.Free}, v.request.Config.Int("images_leave_free"))
	if !room.Fits(load) {
		return say(finding.ImageWouldNotFit, "they write %s; %s", load, room)
	}
	return imagePlan{[]plugins.Action{v.imageAction(fmt.Sprintf("%s; writes %s; %s", v.behindText(), load, room))}, []finding.Finding{v.afterImages()}}
}

// comesFirst are warnings with which images do harm: a log that is nearly full
// for a restart gets full with them, and units of work are rolled back.
var comesFirst = []finding.Code{finding.LogFilling, finding.ActiveSpanLong}

// waits tells what comes before images; empty: nothing.
func (v view) waits(decision recovery.Decision) string {
	for _, f := range slices.Concat(v.facts.Inventory.Open, decision.Findings) {
		if f.Severity == finding.Critical || slices.Contains(comesFirst, f.Code) {
			return fmt.Sprintf("%s comes first (%s)", f.Code, f.Text)
		}
	}
	if v.facts.Log.Type != observe.Linear {
		return fmt.Sprintf("the log is %s: the queue manager records them itself, or needs none", v.facts.Log.Type)
	}
	return ""
}

// useless tells why images would let no extent go; empty: they may. They move
// the media point. The restart point moves with their checkpoint, but not past
// the oldest unit of work, and holds and replays stay where they are: where one
// of these is as old, images only let the log grow.
func (v view) useless(ctx context.Context) string {
	media, behind, known := points.Oldest(v.manager.Inventory, recovery.Media)
	if !known {
		return "the media point is not known"
	}
	since := min(behind, v.writtenSinceSeen(media))
	if when := v.request.Config.Int("images_when_behind"); int64(since) < when {
		return fmt.Sprintf("the media point is %s behind the one being written, %d of them written since it was first seen there, and they are recorded from %d on", points.Pieces(behind, piece), since, when)
	}
	for _, need := range v.manager.Inventory.Needs {
		switch {
		case need.From > media.From:
		case need.Kind == recovery.Hold || need.Kind == recovery.Replay:
			return fmt.Sprintf("%s is as old as the media point", need.Source)
		case need.Kind != recovery.Restart && need.Kind != recovery.UnitOfWork:
		case need.From < media.From:
			return fmt.Sprintf("the restart point is older than the media point (%s, %s), and they do not move it past a unit of work", need.Name, need.Source)
		default:
			for _, pin := range observe.ReadPins(ctx, v.host, v.request.Target) {
				if pin.Kind == recovery.Restart && pin.Segment == need.Name {
					return fmt.Sprintf("the restart point is as old as the media point, and %s holds it there", pin.What)
				}
			}
		}
	}
	return ""
}

// writtenSinceSeen counts the extents begun after an earlier run first saw the
// media point where it is. Images of deep queues fill several extents, and the
// point lies where they begin: these are no reason to record them again. What
// was written by then is told by the restart point of the same run. Where no run
// saw the point come there all extents count: it may have stood there for ever.
func (v view) writtenSinceSeen(media recovery.Need) int {
	since, known := points.Unmoved(v.facts.Seen, media)
	if !known || !v.seenElsewhere(media) {
		return len(v.facts.Extents)
	}
	at := slices.IndexFunc(v.facts.Seen, func(s observe.Sighting) bool { return s.Kind == recovery.Restart && !s.At.Before(since) })
	if at < 0 {
		return len(v.facts.Extents)
	}
	from, okFrom := extentNumber(v.facts.Seen[at].Segment)
	to, okTo := extentNumber(v.facts.Log.Current)
	if !okFrom || !okTo {
		return len(v.facts.Extents)
	}
	return max(0, observe.ExtentDistance(from, to))
}

// behindText says where the media point lies.
func (v view) behindText() string {
	need, behind, _ := points.Oldest(v.manager.Inventory, recovery.Media)
	return fmt.Sprintf("moves the media point, which is %s behind the one being written (%s)", points.Pieces(behind, piece), need.Name)
}

// imageAction gives the command. It carries where the points were when it was
// planned: whoever confirms it knows nothing else. The asterisk is quoted, since
// a shell would make file names of it.
func (v view) imageAction(reason string) plugins.Action {
	name := v.request.Target.Name
	was := before{media: v.facts.Log.Media, current: v.facts.Log.Current, zone: v.request.Target.Zone}
	return plugins.Action{
		ID: string(plugins.KindCommand) + "-1", QueueManager: name, Kind: plugins.KindCommand,
		Command: plugins.Command{Language: observe.CTL, QueueManager: name, Text: fmt.Sprintf(`%s -m %s -t all "*"`, imageCommand, name)},
		Object:  name, Items: was.items(), Reason: reason, Within: v.request.Config.Duration("images_within"),
	}
}

// afterImages says what could go after the images, and who lets it go.
func (v view) afterImages() finding.Finding {
	if v.manager.Inventory.Remover != recovery.ByHousekeeper {
		return finding.New(finding.AfterImages, "%s: what the images make superfluous the queue manager removes itself", v.request.Target.Name)
	}
	return points.AfterImages(v.manager, v.request, piece)
}

// imagesFailed says in a later round why images of the first were not recorded,
// or why nobody knows.
func (v view) imagesFailed() []finding.Finding {
	for _, result := range v.request.Earlier {
		if !strings.HasPrefix(result.Action, string(plugins.KindCommand)+"-") || result.State == plugins.Done {
			continue
		}
		text := result.Evidence
		if meaning := exitMeaning(text); meaning != "" {
			text += ": " + meaning
		}
		return []finding.Finding{finding.New(finding.ImagesFailed, "%s: rcdmqimg: %s: %s", v.request.Target.Name, result.State, text)}
	}
	return nil
}
