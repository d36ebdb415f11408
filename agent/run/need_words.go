package run

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// costWhy says what a step gives up.
func costWhy(cost recovery.Cost) string {
	switch cost {
	case recovery.CostNothing:
		return "the policy lets them go as it is"
	case recovery.CostStrategy:
		return "the strategy of the policy is only reported on this platform; conservative is carried out"
	case recovery.CostLimits:
		return "only the limits of the policy keep them; look first whether the recovery points are right, for the limits are there for the night on which they are not"
	case recovery.CostMinAge:
		return "the promise does without them; only min_age keeps them"
	case recovery.CostKeepNewest:
		return "the promise does without them; only keep_newest keeps them"
	case recovery.CostMargin:
		return "the promise does without them; only margin keeps them"
	case recovery.CostUnsaved:
		return "no recovery needs them, but they were never saved, or they wait behind such: saved first. " +
			"Without a copy (unsaved = \"delete\") the loss is greater: what they hold is gone, and a backup of the data that nobody noted can't be brought up to date any more"
	case recovery.CostRebuild:
		return "a restart does not need them, the rebuild of a damaged object does: saved first, and restored before it"
	case recovery.CostRestart:
		return "a restart needs them: saved first, and restored before the queue manager can start again"
	default:
		return ""
	}
}

// carryOut names the change of the policy that makes the step one of its own,
// and the command that then does it.
func carryOut(j job, promise recovery.Promise) string {
	changes := strings.Join(loosened(j.request.Promise, promise), ", ")
	switch {
	case changes == "":
		return fmt.Sprintf("mqhk run --policy %s --target %s --apply", j.policy.Name, j.target)
	case j.policy.Bundled:
		return fmt.Sprintf("write %s in task %q of a copy of the bundled policy (mqhk policy show --source %s); then mqhk run --policy ./COPY.hcl --target %s --apply",
			changes, j.task.Name, j.policy.Name, j.target)
	default:
		return fmt.Sprintf("write %s in task %q of policy %s; then mqhk run --policy %s --target %s --apply",
			changes, j.task.Name, j.policy.Name, j.policy.Name, j.target)
	}
}

// loosened lists as a policy writes it what a promise gives up of another.
func loosened(from, to recovery.Promise) []string {
	var changes []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			changes = append(changes, fmt.Sprintf(format, args...))
		}
	}
	add(from.Strategy != to.Strategy, "strategy = %q", to.Strategy)
	add(from.MaxDeletes != to.MaxDeletes, "no max_deletes in limits")
	add(from.MaxPercent != to.MaxPercent, "no max_percent in limits")
	add(from.MinAge != to.MinAge, "min_age = \"0s\"")
	add(from.KeepNewest != to.KeepNewest, "keep_newest = %d", to.KeepNewest)
	add(from.Margin != to.Margin, "margin = %d", to.Margin)
	add(from.Unsaved != to.Unsaved, "unsaved = %q", to.Unsaved)
	return changes
}

// hint says what a person can do about what no step frees; empty: nothing, or
// nothing that is worth the words.
func hint(platform observe.Platform, rest recovery.Rest) string {
	multiplatforms := platform == observe.Multiplatforms
	switch reason := rest.Verdict.Reason; {
	case reason == string(finding.OnHold):
		return "mqhk hold list shows the hold, mqhk hold lift ID ends it"
	case reason == "not-archived" && rest.Needed:
		return "archive them and report them (mqhk run --apply with a store); a recovery needs them, so that they stay for now"
	case reason == "not-archived":
		return "archive them and report them (SET LOG ARCHIVED; mqhk run --apply with a store does both): the queue manager then removes or reuses them"
	case reason == "needed-restart" && multiplatforms, reason == "needed-unit-of-work" && multiplatforms:
		return "see what pins the restart point (DISPLAY CONN(*) TYPE(CONN) UOWLOG UOWLOGDA UOWLOGTI, dspmqtrn -a), and end that unit of work"
	case reason == "needed-media" && multiplatforms, reason == "needed-published" && multiplatforms:
		return "see what pins the media recovery point (DISPLAY QSTATUS(*) MEDIALOG), and record an image of that (rcdmqimg), which first needs room in the log itself"
	case reason == "needed-restart", reason == "needed-unit-of-work":
		return "see what pins the restart point (WRKMQMTRN), and end that unit of work"
	case reason == "needed-media", reason == "needed-published":
		return "record images (RCDMQMIMG), which first need room in the journal itself: they move the media recovery point"
	case reason == "needed-replay":
		return "have the backup queue manager replay them, then say so: mqhk note replayed"
	case reason == string(finding.RemoteBehind):
		return "bring the remote journal up to date"
	default:
		return ""
	}
}
