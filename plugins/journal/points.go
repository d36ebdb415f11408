package journal

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// pointFindings says which recovery point stays behind, and what holds it.
func (p Plugin) pointFindings(ctx context.Context, facts observe.JournalFacts, manager recovery.ManagerDecision, request plugins.Request, host plugins.Host) []finding.Finding {
	var found []finding.Finding
	var pins []observe.Pin
	for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
		need, behind, ok := points.Oldest(manager.Inventory, kind)
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
		found = append(found, points.PinnedBy(request.Target.Name, word(kind), kind, need, pins)...)
	}
	return found
}

// late tells whether a recovery point lies too far behind, by receivers or
// by the age of its entry.
func late(facts observe.JournalFacts, need recovery.Need, behind int, request plugins.Request) (string, bool) {
	text := fmt.Sprintf("%s point %s behind attached (%s, %s)", word(need.Kind), receivers(behind), need.Name, need.Source)
	limit := request.Config.Int("behind")
	age, known := entryAge(facts, need)
	maxAge := request.Config.Duration("not_moving")
	if known && maxAge > 0 && age > maxAge {
		text += fmt.Sprintf("; its entry is %s old", points.Age(age))
		if since, ok := points.Unmoved(facts.Seen, need); ok {
			text += fmt.Sprintf(", and it has stood there since %s", since.Format(time.RFC3339))
		}
		return text, behind > 0
	}
	return text, limit > 0 && int64(behind) > limit
}

func receivers(n int) string { return points.Pieces(n, "receiver") }

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
