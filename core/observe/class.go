package observe

// Class says what a text would do if it were sent.
type Class uint8

// The classes. The zero value is Unknown: what nobody can read is refused.
const (
	Unknown Class = iota
	Display       // changes nothing
	Change        // changes something a recovery does not depend on; needs the task's capability
	Release       // lets a log piece go; exists only as an action of a named segment
	Never         // never done automatically, only printed for a person
)

// String gives the class's word.
func (c Class) String() string {
	return [...]string{"unknown", "display", "change", "release", "never"}[min(c, Never)]
}

// Verb is what a text asks for: its leading words in capitals, such as
// "DISPLAY QMSTATUS", "DLTJRNRCV" or "QSYS2.JOURNAL_INFO".
type Verb string
