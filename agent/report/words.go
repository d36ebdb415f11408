package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// noun is what the platform's people call a log piece.
func noun(platform string) string { return observe.Platform(platform).Piece() }

// Noun gives what a platform's people call a log piece: "receiver", "extent",
// "log data set"; of a platform that is not known "segment".
func Noun(platform string) string { return noun(platform) }

// byHand says where a person finds the recovery points without this program.
func byHand(target ledger.Target) string {
	switch observe.Platform(target.Platform) {
	case observe.IBMi: // "Journal management on IBM i", topic q021850_
		library := cmp.Or(libraryOf(target), "the queue manager's library")
		return fmt.Sprintf("To check by hand: the newest AMQ7460 (restart) and AMQ7462 (media recovery) on message queue QMQMMSG in %s; the user space AMQJRNINF there holds the older of the two. In order of trust: %s. Of all that they say of a point the oldest receiver counts.",
			library, strings.Join(observe.SourcesOfMarks(), "; "))
	case observe.Multiplatforms: // "Determining superfluous log files", topic q018510_
		return "To check by hand: RECLOG (restart) and MEDIALOG (media recovery) of DISPLAY QMSTATUS LOG; all before the older of the two is superfluous, by number and never by file time. Where the queue manager can't be asked: the newest AMQ7467 (restart) and AMQ7468 (media recovery) in AMQERR01.LOG, of which neither may be missing (IBM MQ documentation, \"Determining superfluous log files\")."
	case observe.ZOS:
		return "To check by hand: DISPLAY USAGE TYPE(DATASET) and DISPLAY CFSTATUS(*) TYPE(BACKUP) on every member, and the ranges of the logs in the print of CSQJU004."
	default:
		return ""
	}
}

// libraryOf gives the library of the segments when they agree on one.
func libraryOf(target ledger.Target) string {
	library := ""
	for i, segment := range target.Segments {
		if i > 0 && segment.Library != library {
			return ""
		}
		library = segment.Library
	}
	return library
}

// The three recoveries that a policy makes a promise about.
const (
	restartName = "restart"
	rebuildName = "rebuild"
	startUpName = "restart with a start-up object damaged"
	recoveries  = "A rebuild re-creates any damaged object. A start-up object is one that the start itself needs: the queue manager object, a queue with uncommitted persistent work."
)

// outlook is one of the three recoveries: what was promised, and what it
// would meet.
type outlook struct {
	name     string
	promised string
	found    ledger.Readiness
	waits    bool // no store takes what is to be saved
}

func outlooks(t ledger.Target) []outlook {
	promise, found, waits := t.Recovery.Promise, t.Recovery.Outlook, t.Totals.Waiting > 0
	return []outlook{
		{restartName, promise.Restart, found.Restart, waits},
		{rebuildName, promise.Rebuild, found.Rebuild, waits},
		{startUpName, promise.StartUpDamage, found.StartUpDamage, waits},
	}
}

// kept compares the promise with what the recovery would meet.
func (o outlook) kept() cell {
	promised, found := recovery.ParseReadiness(o.promised), recovery.ParseReadiness(o.found.Ready)
	switch {
	case promised == recovery.ReadinessUnknown:
		return tell(faint, "nothing promised")
	case found == recovery.ReadinessUnknown:
		return tell(warn, "cannot be told")
	case found > promised:
		return tell(bad, "NOT KEPT")
	default:
		return tell(good, "kept")
	}
}

// broken tells whether the recovery would be worse than promised.
func (o outlook) broken() bool { return o.kept().tone == bad }

func readyCell(words string) cell {
	switch recovery.ParseReadiness(words) {
	case recovery.AtOnce:
		return tell(good, words)
	case recovery.RestoreFirst:
		return tell(warn, words)
	case recovery.Impossible:
		return tell(bad, words)
	default:
		return tell(warn, "unknown")
	}
}

// reads says how many log pieces the recovery reads and where it would find
// them: "rebuild reads 12 receivers: 4 on the system, 8 in the store, to
// restore first AMQA000044 .. AMQA000051". Of what is nowhere no list tells how
// many they are: between two that are known to be missing there may be others.
func (o outlook) reads(noun string) string {
	found := o.found
	if recovery.ParseReadiness(found.Ready) == recovery.ReadinessUnknown {
		return o.name + ": not known, because the recovery point is not known"
	}
	atLeast := ""
	if found.Missing > 0 {
		atLeast = "at least "
	}
	text := fmt.Sprintf("%s reads %s%s: %s", o.name, atLeast, count(found.Needs, noun), o.places())
	if found.InStore > 0 && found.First != "" {
		text += ", to restore first " + span(found.First, cmp.Or(found.Last, found.First))
	}
	return text
}

// places writes "4 on the system, 8 in the store".
func (o outlook) places() string {
	found := o.found
	parts := []string{fmt.Sprintf("%d on the system", found.OnSystem)}
	switch {
	case found.InStore > 0 && o.waits:
		parts = append(parts, fmt.Sprintf("%d in the store once one takes them", found.InStore))
	case found.InStore > 0:
		parts = append(parts, fmt.Sprintf("%d in the store", found.InStore))
	}
	if found.Missing > 0 {
		parts = append(parts, fmt.Sprintf("at least %d nowhere", found.Missing))
	}
	return strings.Join(parts, ", ")
}

func verdictTone(word string) tone {
	switch recovery.ParseVerdictKind(word) {
	case recovery.Delete, recovery.ArchiveDelete, recovery.HoldBack:
		return warn
	case recovery.Lost:
		return bad
	case recovery.Archived, recovery.Archive:
		return faint
	default:
		return good
	}
}

// outcome gives the action's state; an action of which nothing was written
// was planned and no more.
func outcome(action ledger.Action) plugins.State {
	return cmp.Or(plugins.State(action.Outcome), plugins.Planned)
}

func outcomeTone(state plugins.State) tone {
	switch state {
	case plugins.Done:
		return good
	case plugins.Failed, plugins.Unknown:
		return bad
	case plugins.Planned:
		return plain
	default:
		return warn
	}
}
