package journal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// attachWithin is how long CHGJRN may take; it waits for locks at most.
const attachWithin = 10 * time.Minute

// imagePlan is what a plan says of media images.
type imagePlan struct {
	actions  []plugins.Action
	findings []finding.Finding
}

// planImages plans a new receiver and media images of all objects, in this
// order, so that the images lie in the new one (reference, IBM i, trap 22). It
// does so in the first round of a run only, whatever became of it: who records
// images again and again fills the disk (trap 20).
func planImages(ctx context.Context, facts observe.JournalFacts, decision recovery.Decision, request plugins.Request, host plugins.Host) imagePlan {
	if !request.Config.Bool("record_images") || request.Round > 1 {
		return imagePlan{}
	}
	say := func(code finding.Code, text string) imagePlan {
		return imagePlan{findings: []finding.Finding{finding.New(code, "%s: %s", request.Target.Name, text)}}
	}
	why := waits(facts, decision)
	if why == "" {
		why = useless(ctx, facts, request, host)
	}
	if why != "" {
		return say(finding.NoImages, "no images: "+why)
	}
	load, err := points.ReadLoad(ctx, host, request.Target, facts.Inventory, "receiver")
	if err != nil {
		return say(finding.ImageSizeUnknown, fmt.Sprintf("no images: how much they would write is not known: %v", err))
	}
	attached := facts.Receivers[len(facts.Receivers)-1]
	space, err := observe.ReadSpace(ctx, host, request.Target, attached.ASP)
	if err != nil {
		return say(finding.ImageSizeUnknown, fmt.Sprintf("no images: they write %s, and how much is free is not known: %v", load, err))
	}
	room := points.RoomIn(space, request.Config.Int("images_leave_free"))
	if !room.Fits(load) {
		return say(finding.ImageWouldNotFit, fmt.Sprintf("no images: they write %s; %s", load, room))
	}
	actions, err := imageActions(facts, request, fmt.Sprintf("%s; writes %s; %s", behindText(facts), load, room))
	if err != nil {
		return say(finding.NoImages, fmt.Sprintf("no images: %v", err))
	}
	return imagePlan{actions, []finding.Finding{points.AfterImages(decision.Managers[0], request, "receiver")}}
}

// comesFirst are warnings with which images fail, or leave the point where it
// is: those of a damaged object keep it back.
var comesFirst = []finding.Code{finding.ObjectDamaged, finding.JournalingStopped, finding.SequenceNearEnd}

// waits tells what comes before images; empty: nothing.
func waits(facts observe.JournalFacts, decision recovery.Decision) string {
	for _, f := range slices.Concat(facts.Inventory.Open, decision.Findings) {
		if f.Severity == finding.Critical || slices.Contains(comesFirst, f.Code) {
			return fmt.Sprintf("%s comes first (%s)", f.Code, f.Text)
		}
	}
	return ""
}

// useless tells why images would let no receiver go; empty: they may. They move
// the media point. The startup point moves with their checkpoint, but not past
// the oldest unit of work, and a hold stays where it is: where one of these is
// as old, images only let the log grow (reference, IBM i, trap 21).
func useless(ctx context.Context, facts observe.JournalFacts, request plugins.Request, host plugins.Host) string {
	media, behind, known := points.Oldest(facts.Inventory, recovery.Media)
	if !known {
		return "the media point is not known"
	}
	since := min(behind, attachedSinceSeen(facts, media))
	if when := request.Config.Int("images_when_behind"); int64(since) < when {
		return fmt.Sprintf("the media point is %s behind the attached one, %d of them attached since it was first seen there, and they are recorded from %d on", receivers(behind), since, when)
	}
	for _, need := range facts.Inventory.Needs {
		switch {
		case need.Kind == recovery.Media || need.Kind == recovery.Published || need.From > media.From:
		case need.Kind == recovery.Hold:
			return need.Source + " is as old as the media point"
		case need.From < media.From:
			return fmt.Sprintf("the startup point is older than the media point (%s, %s), and they do not move it past a unit of work", need.Name, need.Source)
		default:
			for _, pin := range observe.ReadPins(ctx, host, request.Target) {
				if pin.Kind == need.Kind && pin.Segment == need.Name {
					return fmt.Sprintf("the startup point is as old as the media point, and %s holds it there", pin.What)
				}
			}
		}
	}
	return ""
}

// attachedSinceSeen counts the receivers that were attached after an earlier run
// first saw the point where it is. Images of deep queues fill several
// receivers, and the point lies where they begin: these are no reason to record
// them again. Where no run saw the point come there, all receivers count: it may
// have stood there for ever.
func attachedSinceSeen(facts observe.JournalFacts, need recovery.Need) int {
	seen, known := points.Unmoved(facts.Seen, need)
	elsewhere := slices.ContainsFunc(facts.Seen, func(s observe.Sighting) bool { return s.Kind == recovery.Media && s.Segment != need.Name })
	if !known || !elsewhere {
		return len(facts.Receivers)
	}
	at := observe.LocalStamp(seen.In(facts.Inventory.Observed.Location()))
	count := 0
	for _, r := range facts.Receivers {
		if r.Attach.After(at.Time) {
			count++
		}
	}
	return count
}

// behindText says where the media point lies.
func behindText(facts observe.JournalFacts) string {
	need, behind, _ := points.Oldest(facts.Inventory, recovery.Media)
	return fmt.Sprintf("moves the media point, which is %s behind the attached one (%s)", receivers(behind), need.Name)
}

// imageActions gives the two commands. Both carry what was attached when they
// were planned: whoever confirms them knows nothing else.
func imageActions(facts observe.JournalFacts, request plugins.Request, reason string) ([]plugins.Action, error) {
	attach, err := cl.GenerateReceiver(facts.Journal.Library, facts.Journal.Name)
	if err != nil {
		return nil, err
	}
	record, err := cl.RecordImages(request.Target.Name)
	if err != nil {
		return nil, err
	}
	command := func(n int, command cl.Command, object, reason string, within time.Duration) plugins.Action {
		return plugins.Action{
			ID: fmt.Sprintf("%s-%d", plugins.KindCommand, n), QueueManager: request.Target.Name, Kind: plugins.KindCommand,
			Command: plugins.Command{Language: observe.CL, QueueManager: request.Target.Name, Text: command.String()},
			Object:  object, Items: stateBefore(facts, request.Target).items(), Reason: reason, Within: within,
		}
	}
	first := command(1, attach, facts.Journal.Library+"/"+facts.Journal.Name, "the images are to lie in a new receiver, so that all earlier ones come free", attachWithin)
	second := command(2, record, request.Target.Name, reason, request.Config.Duration("images_within"))
	second.After = []string{first.ID}
	return []plugins.Action{first, second}, nil
}
