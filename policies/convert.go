package policies

import (
	"errors"
	"time"
)

// durationForm says how a duration is written.
const durationForm = `a duration is a string with a unit: write "30s", "30m", "30h" or "30d"`

// sizeForm says how a size is written.
const sizeForm = `a size is a string with a unit: write "16MiB" or "16MB"`

// asDuration reads a value as a duration; what is wrong comes back as a
// summary and a detail. A value that was complained of gives neither.
func (v value) asDuration() (d time.Duration, problem, detail string) {
	d, err := quantity(v, "duration", ParseDuration, durationForm)
	return d, err.problem, err.detail
}

// asSize reads a value as a number of bytes, as asDuration does.
func (v value) asSize() (n int64, problem, detail string) {
	n, err := quantity(v, "size", ParseSize, sizeForm)
	return n, err.problem, err.detail
}

// complaint is what is wrong with a value.
type complaint struct{ problem, detail string }

// quantity reads a string with a unit. A number is told from any other kind:
// it is the mistake that everybody makes (case 79).
func quantity[T time.Duration | int64](v value, what string, parse func(string) (T, error), example string) (T, complaint) {
	switch v.kind {
	case wrongValue:
		return 0, complaint{}
	case numberValue:
		return 0, complaint{"missing unit", example}
	case textValue:
		read, err := parse(v.text)
		switch {
		case errors.Is(err, errMissingUnit):
			return 0, complaint{"missing unit", example}
		case err != nil:
			return 0, complaint{"not a " + what, err.Error()}
		}
		return read, complaint{}
	default:
		return 0, complaint{"wrong kind of value", example}
	}
}
