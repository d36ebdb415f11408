package run

import (
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

// Eligible asks the second key about one segment: a fresh observation, and
// every promise of the policies that binds the target. No plugin is asked.
//
// Segment is NAME or LIBRARY/NAME. A doubt is a no with its reason; the error
// is that of the connection or of the context.
func Eligible(ctx context.Context, gate connect.Gate, target observe.Target, promises []recovery.Promise, segment string) (Eligibility, error) {
	answer := Eligibility{Target: target.Name, Segment: segment}
	if target.Platform != observe.IBMi {
		answer.Why = fmt.Sprintf("on %s nothing is known of single segments", target.Platform)
		return answer, nil
	}
	reader, err := gate.Reader(ctx, target)
	if err != nil {
		return answer, err
	}
	defer func() { _ = reader.Close() }() // nothing was written
	facts, err := observe.ReadJournal(ctx, reader, target)
	if err != nil {
		return answer, err
	}
	answer.Observed = facts.Inventory.Observed
	answer.Eligible, answer.Why = judge(facts, promises, segment)
	return answer, nil
}

func judge(facts observe.JournalFacts, promises []recovery.Promise, segment string) (bool, string) {
	library, name, qualified := strings.Cut(segment, "/")
	if !qualified {
		library, name = "", segment
	}
	var found []recovery.Segment
	for _, s := range facts.Inventory.Segments {
		if s.ID.Name == name && (library == "" || s.ID.Library == library) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) > 1:
		return false, fmt.Sprintf("%s stands in several libraries: say LIBRARY/%s", name, name)
	case len(found) == 0:
		return false, "it is not in the list of segments" + openReason(facts)
	}
	inventories := []recovery.Inventory{facts.Inventory}
	var refusal *recovery.Refusal
	if errors.As(recovery.Allow(inventories, promises, found[0].ID, found[0].Fingerprint), &refusal) {
		return false, refusal.Why
	}
	for _, manager := range recovery.Decide(inventories, promises[0]).Managers {
		for i, s := range manager.Inventory.Segments {
			if s.ID == found[0].ID {
				return true, manager.Verdicts[i].Why
			}
		}
	}
	return false, "no verdict was given"
}

// openReason adds why the list itself may be of no use.
func openReason(facts observe.JournalFacts) string {
	for _, f := range facts.Inventory.Open {
		if f.Severity == finding.Critical {
			return "; " + f.Text
		}
	}
	return ""
}
