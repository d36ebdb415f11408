package errlog

import "fmt"

// Kind says what is wrong with a place in a log.
type Kind uint8

// The kinds of damage.
const (
	Torn        Kind = iota + 1 // a record that stops before its end
	Unfinished                  // a record that stops where the log ends; it may still be being written
	Stray                       // text that belongs to no record
	Hole                        // zero bytes: a block that was lost, or never written
	TooLong                     // a record or a line beyond all measure
	Contradicts                 // a record that says two things of itself
)

var kindNames = [...]string{"", "a torn record", "an unfinished record", "text that belongs to no record",
	"zero bytes", "a record that is too long", "a record that contradicts itself"}

// String says it for people.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return ""
	}
	return kindNames[k]
}

// Damage is a place in a log that can't be read. It contributes nothing.
type Damage struct {
	Kind   Kind
	ID     string // of the record, without severity, when it got that far
	Line   int    // of the first line, from 1
	Offset int64  // of the first byte
}

func (d *Damage) Error() string {
	text := fmt.Sprintf("line %d, byte %d: %s", d.Line, d.Offset, d.Kind)
	if d.ID != "" {
		text += " (" + d.ID + ")"
	}
	return text
}
