package recovery

import "github.com/mqhk/mqhk/core/finding"

// VerdictKind says what becomes of a segment.
type VerdictKind uint8

// The verdicts. The zero value is Keep.
const (
	Keep          VerdictKind = iota // a recovery, or a count of the policy, keeps it on the system
	Archive                          // is to be copied to the store; stays
	Delete                           // may go
	ArchiveDelete                    // may go once it is in the store
	HoldBack                         // no recovery needs it here, but something else keeps it for now
	Archived                         // needed, not on the system, in a verified manifest
	Lost                             // needed, not on the system, in no manifest
)

var verdictWords = [...]string{"keep", "archive", "delete", "archive+delete", "hold", "archived", "lost"}

// String gives the word used in reports.
func (k VerdictKind) String() string {
	if int(k) < len(verdictWords) {
		return verdictWords[k]
	}
	return verdictWords[Keep]
}

// ParseVerdictKind reads the word used in reports; any other word is Keep.
func ParseVerdictKind(word string) VerdictKind {
	for i, w := range verdictWords {
		if w == word {
			return VerdictKind(i)
		}
	}
	return Keep
}

// Goes tells whether the segment leaves the system.
func (k VerdictKind) Goes() bool { return k == Delete || k == ArchiveDelete }

// Verdict is what the rule says of one segment, and why.
type Verdict struct {
	Kind   VerdictKind
	Reason string // a stable slug: needed-restart, not-saved, behind, ...
	Why    string // the same as a sentence, with names
}

// Decision is what the rule says of a target: of each of its queue managers.
type Decision struct {
	Promise  Promise
	Managers []ManagerDecision
	Findings []finding.Finding
}

// ManagerDecision is what the rule says of one queue manager's log.
type ManagerDecision struct {
	Inventory Inventory // what it was decided from; shared with the caller, not copied
	Verdicts  []Verdict // one for each of Inventory.Segments
	Cut       int       // index of the oldest segment that the strategy keeps; 0: everything, also when nothing may go
	Outlook   Outlook
}

// Outlook says what a recovery would meet after the plan was carried out.
type Outlook struct {
	Restart       Recovery // start of the queue manager after a failure
	Rebuild       Recovery // re-creation of any damaged object
	StartUpDamage Recovery // restart while an object that start-up itself needs is damaged
}

// Readiness says whether a recovery can begin.
type Readiness uint8

// ReadinessUnknown is the zero value: the recovery point is not known.
const (
	ReadinessUnknown Readiness = iota
	AtOnce                     // all it reads is on the system
	RestoreFirst               // some of it must come back from a store first
	Impossible                 // some of it is nowhere
)

var readinessWords = [...]string{"unknown", "at once", "restore first", "impossible"}

// String gives the words used in reports.
func (r Readiness) String() string {
	if int(r) < len(readinessWords) {
		return readinessWords[r]
	}
	return readinessWords[ReadinessUnknown]
}

// ParseReadiness reads the words used in reports; any others are unknown.
func ParseReadiness(words string) Readiness {
	for i, w := range readinessWords {
		if w == words {
			return Readiness(i)
		}
	}
	return ReadinessUnknown
}

// Recovery counts the segments that one kind of recovery reads and where
// they would be.
type Recovery struct {
	Ready    Readiness
	Needs    int    // segments it reads
	OnSystem int    // of these, readable on the system
	InStore  int    // of these, to be restored first
	Missing  int    // of these, nowhere
	First    string // the oldest segment to be restored, when InStore > 0
	Last     string // the newest one
}
