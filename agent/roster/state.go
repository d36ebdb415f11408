package roster

import "fmt"

// State says how a plugin stands with the lock.
type State string

// The states. All but the first two are not started.
const (
	BuiltIn       State = "built-in"
	Locked        State = "locked"
	NotLocked     State = "not-locked"         // its file is there, and nothing allows it
	Differs       State = "differs"            // from what was locked
	Missing       State = "missing"            // it is locked, and its file is not there
	Shadows       State = "shadows-built-in"   // its name is that of a built-in one
	NotExecutable State = "not-executable"     //
	Writable      State = "writable-by-others" // its file, or a directory on the way to it
	Foreign       State = "foreign-owner"      // the same: one belongs to neither root nor this user
	Broken        State = "broken"             // anything else; the reason says what
)

// RefusedError says why a plugin is not started.
type RefusedError struct {
	Plugin string
	State  State
	Why    string
	Fix    string // the command that would allow it; empty: none would
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("%s: %s", e.State, e.Why)
	if e.Fix != "" {
		text += "; if it is to be trusted: " + e.Fix
	}
	return text
}
