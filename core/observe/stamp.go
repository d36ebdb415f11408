package observe

import (
	"fmt"
	"strings"
	"time"
)

// Stamp is a local time as a system wrote it, without zone or offset. The
// time is held as if it were UTC; two stamps of one system compare as that
// system's wall clock showed them, which is not always the order in which
// things happened.
type Stamp struct{ time.Time }

// stampLayouts are the forms in which IBM i and Db2 write a local time, by
// their length in characters.
var stampLayouts = map[int][]string{
	19: {"2006-01-02-15.04.05", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15.04.05"},
	14: {"20060102150405"},
}

// ParseStamp reads a local time: Db2's 2026-05-27-13.59.00.000000, the same
// with blanks and colons, AMQJRNINF's YYYYMMDDHHMMSSmmm, or the journal API's
// CYYMMDDHHMMSS with C 0 for 19xx and 1 for 20xx (case 1), the last two with
// milliseconds or without. Blank, zeros and the null date are the zero Stamp
// without an error; anything else, a day that no calendar has and the hour 24
// among it, is one.
func ParseStamp(text string) (Stamp, error) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0-:./ T") == "" {
		return Stamp{}, nil
	}
	digits := strings.Trim(text, "0123456789") == ""
	switch {
	case digits && (len(text) == 13 || len(text) == 16) && text[0] <= '1':
		text = [...]string{"19", "20"}[text[0]-'0'] + text[1:]
		fallthrough
	case digits && (len(text) == 14 || len(text) == 17):
		return parseParts(text[:14], text[14:])
	case !digits && len(text) == 19:
		return parseParts(text, "")
	case !digits && len(text) > 20 && (text[19] == '.' || text[19] == ','):
		return parseParts(text[:19], text[20:])
	}
	return Stamp{}, fmt.Errorf("%q is no time in a form that is known", text)
}

// parseParts reads the seconds by layout and the fraction as digits.
func parseParts(seconds, fraction string) (Stamp, error) {
	if len(fraction) > 9 || strings.Trim(fraction, "0123456789") != "" {
		return Stamp{}, fmt.Errorf("%q is no fraction of a second", fraction)
	}
	for _, layout := range stampLayouts[len(seconds)] {
		if t, err := time.Parse(layout, seconds); err == nil {
			var nanos time.Duration
			for i, unit := 0, 100*time.Millisecond; i < len(fraction); i, unit = i+1, unit/10 {
				nanos += time.Duration(fraction[i]-'0') * unit
			}
			return Stamp{t.Add(nanos)}, nil
		}
	}
	return Stamp{}, fmt.Errorf("%q is no time in a form that is known", seconds)
}

// LocalStamp gives the wall clock of a time as its own location shows it.
func LocalStamp(t time.Time) Stamp {
	if t.IsZero() {
		return Stamp{}
	}
	_, offset := t.Zone()
	return Stamp{t.UTC().Add(time.Duration(offset) * time.Second)}
}

// Second gives the stamp without its fraction: attach times have none, so
// nothing finer can be compared (case 2).
func (s Stamp) Second() Stamp { return Stamp{s.Truncate(time.Second)} }

// String gives the stamp for people; with milliseconds when it has any.
func (s Stamp) String() string {
	if s.IsZero() {
		return ""
	}
	if s.Nanosecond() != 0 {
		return s.Format("2006-01-02 15:04:05.000")
	}
	return s.Format("2006-01-02 15:04:05")
}
