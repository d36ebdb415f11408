package run

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
)

// PlanReason says why a kept plan is not carried out. It is found by errors.Is
// in what [Kept.Refuse] gives.
type PlanReason string

// The reasons.
const (
	PlanTooOld         PlanReason = "too-old"             // made more than 24 hours ago, or in the future
	TargetUnknown      PlanReason = "target-unknown"      // it does not speak of the target, or nothing is known of that now
	PolicyDiffers      PlanReason = "policy-differs"      // the policy means something else now
	PluginDiffers      PlanReason = "plugin-differs"      // another plugin, version or file
	IncarnationChanged PlanReason = "incarnation-changed" // it is not the queue manager, or not the journal, that it was
	MarkWentBack       PlanReason = "mark-went-back"      // or nothing tells that it did not
	SegmentVanished    PlanReason = "segment-vanished"    // one that the plan touches is not on the system
	SegmentChanged     PlanReason = "segment-changed"     // one that the plan touches is another of its name
)

// Error gives the reason's slug.
func (r PlanReason) Error() string { return string(r) }

// PlanRefused says why a kept plan is not carried out on a target.
type PlanRefused struct {
	Reason PlanReason
	Task   string // policy/task on target
	Why    string // with the names and times that differ
}

func (e *PlanRefused) Error() string {
	return fmt.Sprintf("the plan is refused (%s): %s: %s", e.Reason, e.Task, e.Why)
}

// Unwrap gives the reason.
func (e *PlanRefused) Unwrap() error { return e.Reason }

// keptFor is how long a plan may wait for its approval, and keptBehind how far
// the clock of the host may be behind that of the one which made it.
const (
	keptFor    = 24 * time.Hour
	keptBehind = time.Minute
)

// Present is what is there when a kept plan is to be carried out.
type Present struct {
	PolicyDigest string
	Plugin       ledger.Plugin
	Inventories  []recovery.Inventory // of the target, fresh
}

// Refuse tells why one task of the plan must not be carried out now: nil, or a
// *PlanRefused with the first reason, in the order in which they are listed
// above. Marks that moved forward are none. What can't be compared counts as
// different.
func (k Kept) Refuse(now time.Time, task KeptTask, present Present) error {
	refuse := func(reason PlanReason, format string, args ...any) error {
		return &PlanRefused{reason, task.String(), fmt.Sprintf(format, args...)}
	}
	own, known := k.Find(task.Policy, task.Task, task.Target)
	age := now.Sub(k.Made)
	switch {
	case age > keptFor:
		return refuse(PlanTooOld, "it was made %s, %s ago; it holds for %s", k.Made.Format(time.RFC3339), age.Round(time.Second), keptFor)
	case age < -keptBehind:
		return refuse(PlanTooOld, "it was made %s, but this host's clock shows %s", k.Made.Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	case !known:
		return refuse(TargetUnknown, "the plan does not speak of it")
	}
	for _, m := range own.Managers {
		if _, ok := inventoryOf(present.Inventories, m.Name); !ok {
			return refuse(TargetUnknown, "nothing is known of queue manager %s now", m.Name)
		}
	}
	switch {
	case own.PolicyDigest != present.PolicyDigest:
		return refuse(PolicyDiffers, "it was planned under the policy with digest %s, which has %s now", own.PolicyDigest, present.PolicyDigest)
	case own.Plugin != present.Plugin:
		return refuse(PluginDiffers, "it was planned by %s, and %s is here now", pluginWords(own.Plugin), pluginWords(present.Plugin))
	}
	for _, m := range own.Managers {
		inv, _ := inventoryOf(present.Inventories, m.Name)
		if m.Incarnation == "" || m.Incarnation != inv.Incarnation {
			return refuse(IncarnationChanged, "%s was %q and is %q", m.Name, m.Incarnation, inv.Incarnation)
		}
		if why := m.wentBack(inv); why != "" {
			return refuse(MarkWentBack, "%s: %s", m.Name, why)
		}
	}
	if reason, why := own.changed(present.Inventories); reason != "" {
		return refuse(reason, "%s", why)
	}
	return nil
}

// inventoryOf finds the inventory of a queue manager. Two of one name are
// none: nothing tells which is right.
func inventoryOf(inventories []recovery.Inventory, name string) (recovery.Inventory, bool) {
	var found recovery.Inventory
	times := 0
	for _, inv := range inventories {
		if inv.QueueManager == name {
			found = inv
			times++
		}
	}
	return found, times == 1
}

func pluginWords(p ledger.Plugin) string {
	return fmt.Sprintf("%s %s (SHA-256 %s)", p.Name, p.Version, p.SHA256)
}

// changed looks for the segments that the task's actions touch: the first
// reason against them, those that vanished before those that changed.
func (t KeptTask) changed(inventories []recovery.Inventory) (PlanReason, string) {
	there := make(map[recovery.SegmentID][]recovery.Segment)
	for _, inv := range inventories {
		for _, s := range inv.Segments {
			if s.State != recovery.Absent {
				there[s.ID] = append(there[s.ID], s)
			}
		}
	}
	var reason PlanReason
	var why string
	for _, a := range t.Actions {
		id := recovery.SegmentID(a.Segment)
		switch found := there[id]; {
		case !a.touches():
		case len(found) == 0:
			return SegmentVanished, fmt.Sprintf("%s is not on the system any more", id)
		case reason != "":
		case len(found) > 1:
			reason, why = SegmentChanged, fmt.Sprintf("%s stands twice in the list", id)
		case a.Fingerprint == "" || found[0].Fingerprint != a.Fingerprint:
			reason, why = SegmentChanged, fmt.Sprintf("%s was %q and is %q", id, a.Fingerprint, found[0].Fingerprint)
		}
	}
	return reason, why
}
