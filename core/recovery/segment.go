package recovery

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

// SegmentID names one log piece: a journal receiver, a log extent or a log
// data set. Library is empty where the platform has none.
type SegmentID struct{ QueueManager, Library, Name string }

// String gives LIBRARY/NAME, or NAME where there is no library.
func (id SegmentID) String() string {
	if id.Library == "" {
		return id.Name
	}
	return id.Library + "/" + id.Name
}

// Position orders what a queue manager logged. It is comparable within one
// incarnation of one inventory and means nothing outside it.
type Position uint64

// State says what the system knows of a segment.
type State uint8

// The states of a segment. The zero value is StateUnknown: such a segment is
// never let go.
const (
	StateUnknown State = iota
	Current            // being written: attached receiver, current extent
	Online             // complete, never saved since it was completed
	Saved              // complete and saved by the site since it was completed
	Freed              // saved, its storage freed: the entries are not here
	Partial            // restored from a save taken while it was written, or lacking entries
	Empty              // never written
	Reuse              // kept by the queue manager for reuse, without log data
	Absent             // not on the system: a hole in the line, or something older than all that is there
)

var stateWords = [...]string{"unknown", "current", "online", "saved", "freed", "partial", "empty", "reuse", "absent"}

// String gives the state's word in lower case.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return stateWords[StateUnknown]
}

// ParseState reads the word that [State.String] gives; any other word is
// StateUnknown.
func ParseState(word string) State {
	for i, w := range stateWords {
		if w == word {
			return State(i)
		}
	}
	return StateUnknown
}

// Readable tells whether a recovery can read every entry of the segment on
// the system. Only such a segment can fulfil a promise to keep.
func (s State) Readable() bool { return s == Current || s == Online || s == Saved }

// Segment is one piece of a queue manager's log.
type Segment struct {
	ID          SegmentID
	From, To    Position  // first and last entry
	Bytes       int64     // size on the system; 0 when unknown or absent
	State       State     //
	Opened      string    // when its first entry was written, as the system's clock showed it; for people and pictures
	Fingerprint string    // what must be unchanged when it is deleted: attach time, size, inode
	Pin         string    // why the platform itself still wants it (a remote journal that lags); empty: it does not
	Unneeded    time.Time // first observation in which no need covered it; zero: not known, and a MinAge keeps it
}

// NeedKind says what a range of the log is needed for.
type NeedKind uint8

// The kinds of need. Published is the older of restart and media point where
// the queue manager publishes only that (AMQJRNINF).
const (
	NeedUnknown NeedKind = iota
	Restart
	Media
	Published
	UnitOfWork
	PageSet
	Structure
	DataBackup
	RecoverySet
	Replay
	Hold
)

var needWords = [...]string{"unknown", "restart", "media", "published", "unit-of-work", "page-set", "structure", "data-backup", "recovery-set", "replay", "hold"}

// String gives the kind's word.
func (k NeedKind) String() string {
	if int(k) < len(needWords) {
		return needWords[k]
	}
	return needWords[NeedUnknown]
}

// ParseNeedKind reads the word that [NeedKind.String] gives; any other word
// is NeedUnknown.
func ParseNeedKind(word string) NeedKind {
	for i, w := range needWords {
		if w == word {
			return NeedKind(i)
		}
	}
	return NeedUnknown
}

// Need is a range of the log that must stay: from From to the newest entry.
type Need struct {
	Kind   NeedKind
	From   Position // where the range begins; 0: before everything that is known
	Name   string   // the segment, where MQ named one
	Entry  string   // the time of the oldest entry, as MQ gave it
	Source string   // where a person can check it: "AMQ7462 2026-05-27 14.05.35", "RECLOG", "note 17"
	Logged bool     // only an error log tells it: counts where Promise.TrustErrorLog says so
}

// Copy is a segment in a store, as a verified manifest describes it.
type Copy struct {
	Segment        SegmentID
	Store          string
	Opened, Closed string // attach and detach time, as the system's clock showed them
	From, To       string // first and last entry as the platform numbers them; empty: not known
	Bytes          int64
	SHA256         string
	Incarnation    string // what the log belonged to when it was copied; empty: not known
	Verified       bool   // read back and compared; a copy that is not verified counts as none
}

// Remover says who lets the pieces of a log go.
type Remover uint8

// The removers. The zero value is ByHousekeeper: pieces stay until somebody
// deletes them.
const (
	ByHousekeeper Remover = iota
	ByManager             // the queue manager removes or reuses them itself, and nobody else may (LogManagement=Automatic, REPLICATED)
	OnceReported          // likewise, and only what was reported to it as archived (LogManagement=Archive)
)

// Inventory is all that is known of one queue manager's log at one moment.
// core/observe fills it; the segments are in the order in which they were
// written, oldest first, holes included as Absent ones.
type Inventory struct {
	QueueManager string
	Incarnation  string    // what the marks belong to: they only move forward within one
	Observed     time.Time // when; ages are counted back from here
	Ordered      bool      // pieces go oldest first: none may go before an older one (journal receivers)
	Remover      Remover   // who lets pieces go
	Weakest      Strategy  // the weakest promise that the platform lets be carried out; weaker ones are only reported. None: any is carried out
	Segments     []Segment
	Needs        []Need
	Copies       []Copy
	Open         []finding.Finding // what could not be learned; a critical one keeps everything
}

// Promise is what a policy's task promises to keep.
type Promise struct {
	Strategy   Strategy
	Margin     int           // segments kept beyond the oldest needed one; at least 0
	KeepNewest int           // newest segments kept whatever the needs say, the current one included
	MinAge     time.Duration // how long a segment must have been unneeded
	Unsaved    Unsaved       // what happens to an unneeded segment that was never saved
	MaxDeletes int           // most segments that may go in one run; 0: no limit
	MaxPercent int           // most of the segments on the system, in per cent, that may go in one run; 0: no limit
	// TrustErrorLog lets a recovery point count that only an error log tells.
	TrustErrorLog bool
}

// Strategy says which recoveries must work without a restore.
type Strategy uint8

// The strategies. The zero value is none and keeps everything.
const (
	NoStrategy   Strategy = iota
	Conservative          // restart and rebuild at once: keep from the oldest need
	FastStartup           // restart at once: keep from the restart point, save the rest first
	Aggressive            // keep only what is being written, save the rest first
)

var strategyWords = [...]string{"", "conservative", "fast-startup", "aggressive"}

// String gives the word used in policies.
func (s Strategy) String() string {
	if int(s) < len(strategyWords) {
		return strategyWords[s]
	}
	return ""
}

// ParseStrategy reads the word used in policies.
func ParseStrategy(word string) (Strategy, error) {
	for i, w := range strategyWords {
		if i > 0 && w == word {
			return Strategy(i), nil
		}
	}
	return NoStrategy, fmt.Errorf("strategy %q is none of conservative, fast-startup, aggressive", word)
}

// Unsaved says what happens to an unneeded segment that was never saved.
type Unsaved uint8

// HoldUnsaved waits until the site saved it, SaveUnsaved archives it first,
// DeleteUnsaved lets it go without a copy.
const (
	HoldUnsaved Unsaved = iota
	SaveUnsaved
	DeleteUnsaved
)

var unsavedWords = [...]string{"hold", "save", "delete"}

// String gives the word used in policies.
func (u Unsaved) String() string {
	if int(u) < len(unsavedWords) {
		return unsavedWords[u]
	}
	return unsavedWords[HoldUnsaved]
}

// ParseUnsaved reads the word used in policies.
func ParseUnsaved(word string) (Unsaved, error) {
	for i, w := range unsavedWords {
		if w == word {
			return Unsaved(i), nil
		}
	}
	return HoldUnsaved, fmt.Errorf("unsaved %q is none of hold, save, delete", word)
}
