package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Eligibility says whether one segment may go.
type Eligibility struct {
	Target   string    `json:"target"`
	Segment  string    `json:"segment"`
	Eligible bool      `json:"eligible"`
	Why      string    `json:"why"`
	Observed time.Time `json:"observed"` // on the target's own clock; zero: not known
}

// Binding is what one task of a policy promises a target.
type Binding struct {
	Policy  string
	Promise recovery.Promise
}

// Eligible asks the second key about one segment: a fresh observation, and
// every promise that binds the target; a no names the policy that says it. No
// plugin is asked.
//
// Segment is NAME or LIBRARY/NAME. A doubt is a no with its reason; the error
// is that of the connection or of the context.
func Eligible(ctx context.Context, gate connect.Gate, target observe.Target, bindings []Binding, segment string) (Eligibility, error) {
	answer := Eligibility{Target: target.Name, Segment: segment}
	if !observe.Observable(target) {
		answer.Why = fmt.Sprintf("on %s nothing is known of single segments", target.Platform)
		return answer, nil
	}
	reader, err := gate.Reader(ctx, target)
	if err != nil {
		return answer, err
	}
	defer func() { _ = reader.Close() }() // nothing was written
	inventory, err := observe.Read(ctx, reader, target)
	if err != nil {
		return answer, err
	}
	answer.Observed = inventory.Observed
	answer.Eligible, answer.Why = judge(inventory, bindings, segment)
	return answer, nil
}

func judge(inventory recovery.Inventory, bindings []Binding, segment string) (bool, string) {
	library, name, qualified := strings.Cut(segment, "/")
	if !qualified {
		library, name = "", segment
	}
	var found []recovery.Segment
	for _, s := range inventory.Segments {
		if s.ID.Name == name && (library == "" || s.ID.Library == library) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) > 1 && found[0].ID == found[1].ID:
		return false, "it stands twice in the list of segments"
	case len(found) > 1:
		return false, fmt.Sprintf("%s stands in several libraries: say LIBRARY/%s", name, name)
	case len(found) == 0:
		return false, "it is not in the list of segments" + openReason(inventory)
	}
	return allowed([]recovery.Inventory{inventory}, bindings, found[0])
}

// allowed asks about one segment under each promise; the first no ends it, and
// names the policy where it is the policy's. A yes has the reason of the first
// promise.
func allowed(inventories []recovery.Inventory, bindings []Binding, segment recovery.Segment) (bool, string) {
	why := ""
	for _, b := range bindings {
		var refusal *recovery.Refusal
		if errors.As(recovery.Allow(inventories, []recovery.Promise{b.Promise}, segment.ID, segment.Fingerprint), &refusal) {
			if refusal.Strategy == recovery.NoStrategy {
				return false, refusal.Why
			}
			return false, fmt.Sprintf("policy %s: %s", b.Policy, refusal.Why)
		}
		why = cmp.Or(why, verdictOn(inventories, b.Promise, segment.ID))
	}
	if why == "" {
		return false, "no policy speaks of it"
	}
	return true, why
}

// verdictOn gives why a promise lets a segment go.
func verdictOn(inventories []recovery.Inventory, promise recovery.Promise, id recovery.SegmentID) string {
	for _, manager := range recovery.Decide(inventories, promise).Managers {
		for i, s := range manager.Inventory.Segments {
			if s.ID == id {
				return manager.Verdicts[i].Why
			}
		}
	}
	return ""
}

// openReason adds why the list itself may be of no use.
func openReason(inventory recovery.Inventory) string {
	for _, f := range inventory.Open {
		if f.Severity == finding.Critical {
			return "; " + f.Text
		}
	}
	return ""
}
