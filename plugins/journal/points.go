package journal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// pointFindings says which recovery point stays behind, and what holds it.
func (p Plugin) pointFindings(ctx context.Context, facts observe.JournalFacts, manager recovery.ManagerDecision, request plugins.Request, host plugins.Host) []finding.Finding {
	var found []finding.Finding
	var pins []observe.Pin
	for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
		need, behind, ok := oldest(manager.Inventory, kind)
		if !ok {
			continue
		}
		text, late := late(facts, need, behind, request)
		if !late {
			continue
		}
		code := finding.StartupNotMoving
		if kind == recovery.Media {
			code = finding.MediaNotMoving
		}
		found = append(found, finding.New(code, "%s: %s", request.Target.Name, text))
		if pins == nil {
			pins = observe.ReadPins(ctx, host, request.Target)
		}
		found = append(found, pinnedBy(request.Target.Name, kind, need, pins)...)
	}
	return found
}

// oldest gives the oldest need of a kind and how many receivers lie between
// it and the attached one. Where the queue manager tells only the older of
// both points, that one is taken for the media point: a restart point is
// rarely the older.
func oldest(inventory recovery.Inventory, kind recovery.NeedKind) (recovery.Need, int, bool) {
	var found recovery.Need
	known := false
	for _, need := range inventory.Needs {
		if need.Kind == kind && (!known || need.From < found.From) {
			found, known = need, true
		}
	}
	if !known && kind == recovery.Media {
		for _, need := range inventory.Needs {
			if need.Kind == recovery.Published {
				found, known = need, true
			}
		}
	}
	behind := 0
	for _, s := range inventory.Segments {
		if s.From > found.From && s.State != recovery.Empty {
			behind++
		}
	}
	return found, behind, known
}

// late tells whether a recovery point lies too far behind, by receivers or
// by the age of its entry.
func late(facts observe.JournalFacts, need recovery.Need, behind int, request plugins.Request) (string, bool) {
	text := fmt.Sprintf("%s point %s behind attached (%s, %s)", word(need.Kind), receivers(behind), need.Name, need.Source)
	limit := request.Config.Int("behind")
	age, known := entryAge(facts, need)
	maxAge := request.Config.Duration("not_moving")
	if known && maxAge > 0 && age > maxAge {
		text += fmt.Sprintf("; its entry is %s old", days(age))
		if since, ok := unmoved(facts, need); ok {
			text += fmt.Sprintf(", and it has stood there since %s", since.Format(time.RFC3339))
		}
		return text, behind > 0
	}
	return text, limit > 0 && int64(behind) > limit
}

func receivers(n int) string {
	if n == 1 {
		return "1 receiver"
	}
	return fmt.Sprintf("%d receivers", n)
}

func word(kind recovery.NeedKind) string {
	switch kind {
	case recovery.Restart:
		return "startup"
	case recovery.Media:
		return "media"
	default:
		return "recovery"
	}
}

// entryAge gives the age of the entry on the system's own clock. RECLOG and
// MEDIALOG give no time; that of AMQJRNINF will do where it lies in the same
// receiver.
func entryAge(facts observe.JournalFacts, need recovery.Need) (time.Duration, bool) {
	text := need.Entry
	for _, other := range facts.Inventory.Needs {
		if text == "" && other.Kind == recovery.Published && other.From == need.From {
			text = other.Entry
		}
	}
	entry, err := observe.ParseStamp(text)
	observed := facts.Inventory.Observed
	if err != nil || entry.IsZero() || observed.IsZero() {
		return 0, false
	}
	return observe.LocalStamp(observed).Sub(entry.Time), true
}

// unmoved gives since when earlier runs have seen the point where it is now.
func unmoved(facts observe.JournalFacts, need recovery.Need) (time.Time, bool) {
	var since time.Time
	for i := len(facts.Seen) - 1; i >= 0; i-- {
		seen := facts.Seen[i]
		if seen.Kind != need.Kind {
			continue
		}
		if seen.Segment != need.Name {
			break
		}
		since = seen.At
	}
	return since, !since.IsZero()
}

func days(d time.Duration) string {
	if d >= 2*day {
		return fmt.Sprintf("%d days", int(d/day))
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
