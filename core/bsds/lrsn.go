package bsds

import (
	"fmt"
	"time"
)

// LRSN is a log record sequence number: a place in the time that the members of
// a queue-sharing group have in common, so it holds for the logs of all of them.
// The zero value is not known. LRSNs can be compared with ==.
type LRSN struct{ address }

// unit is what an LRSN of six bytes counts: it is the high part of a store clock
// value, whose bit 51 is a microsecond (manual topic q116620_).
const unit = 16 * time.Microsecond

// ParseLRSN reads 12 or 16 hexadecimal digits; blanks between them are allowed
// (case 54). The error is an [*AddressError].
func ParseLRSN(text string) (LRSN, error) {
	a, err := parseAddress("LRSN", text)
	return LRSN{a}, err
}

// NewLRSN gives an LRSN of a width.
func NewLRSN(value uint64, width Width) (LRSN, error) {
	a, err := makeAddress("LRSN", value, width)
	return LRSN{a}, err
}

// LRSNAt gives the LRSN of six bytes of a time; false for one that the clock
// does not have, before 1900 or after it wraps in 2042.
func LRSNAt(t time.Time) (LRSN, bool) {
	since := t.UnixMicro() - epoch.UnixMicro()
	value := uint64(max(since, 0)) / uint64(unit.Microseconds())
	if since < 0 || value > Six.highest() {
		return LRSN{}, false
	}
	return LRSN{address{value, Six}}, true
}

// epoch is where the clock of the machine begins.
var epoch = time.Date(1900, time.January, 1, 0, 0, 0, 0, time.UTC)

// Time gives what the clock showed. Leap seconds are in it: where the machine's
// clock counts them it is as many seconds ahead of UTC. False when the LRSN is
// not known, stands for none or for an open end, or has eight bytes, of which it
// is not confirmed where the clock's value stands in them.
func (l LRSN) Time() (time.Time, bool) {
	if l.width != Six || l.Zero() || l.Open() {
		return time.Time{}, false
	}
	return epoch.Add(time.Duration(l.value) * unit), true
}

// Add gives the LRSN n units on. Beyond the highest one is an error.
func (l LRSN) Add(n uint64) (LRSN, error) {
	a, err := l.add("LRSN", n)
	return LRSN{a}, err
}

// Sub gives the LRSN n units before. Below zero is an error.
func (l LRSN) Sub(n uint64) (LRSN, error) {
	a, err := l.sub("LRSN", n)
	return LRSN{a}, err
}

// Compare gives -1, 0 or 1, and false when one of them is not known or their
// widths differ.
func (l LRSN) Compare(other LRSN) (order int, ok bool) { return l.compare(other.address) }

// Before tells whether l is known to be lower than other.
func (l LRSN) Before(other LRSN) bool {
	order, ok := l.Compare(other)
	return ok && order < 0
}

// UnmarshalText reads what MarshalText gives; an empty text is not known.
func (l *LRSN) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*l = LRSN{}
		return nil
	}
	read, err := ParseLRSN(string(text))
	if err == nil {
		*l = read
	}
	return err
}

// EndError says why the ends of the members' logs give no point to which the
// group can be recovered.
type EndError struct {
	Member int // which of the ends is wrong, from 0; -1: all of them
	Why    string
}

// Error gives "end n: why".
func (e *EndError) Error() string {
	if e.Member < 0 {
		return "the group's recovery LRSN: " + e.Why
	}
	return fmt.Sprintf("the group's recovery LRSN: end %d: %s", e.Member+1, e.Why)
}

// RecoveryLRSN gives the LRSN to which a group is recovered at another site: the
// lowest of the ends of all members' newest logs, minus 1. The same goes into
// the CRESTART of every member ("Alternative site recovery", case 54). What no
// log can end with, ends of two widths and a result of zero are refused with an
// [*EndError].
func RecoveryLRSN(ends []LRSN) (LRSN, error) {
	if len(ends) == 0 {
		return LRSN{}, &EndError{-1, "there is no end of a log"}
	}
	lowest := ends[0]
	for i, end := range ends {
		switch {
		case !end.Known():
			return LRSN{}, &EndError{i, "it is not known"}
		case end.Zero():
			return LRSN{}, &EndError{i, "it is zero"}
		case end.Open():
			return LRSN{}, &EndError{i, "it is F only: the log is still written"}
		case end.width != ends[0].width:
			return LRSN{}, &EndError{i, fmt.Sprintf("it has %d bytes, the first has %d", end.width, ends[0].width)}
		case end.Before(lowest):
			lowest = end
		}
	}
	if lowest.value == 1 {
		return LRSN{}, &EndError{-1, "one less than the lowest end is zero"}
	}
	return lowest.Sub(1)
}

// Lost gives how much of the log of the member that is furthest on is behind the
// end of the one that is furthest back, and is lost by recovering to it; false
// when the ends give no time.
func Lost(ends []LRSN) (time.Duration, bool) {
	if _, err := RecoveryLRSN(ends); err != nil || ends[0].width != Six {
		return 0, false
	}
	low, high := ends[0].value, ends[0].value
	for _, end := range ends {
		low, high = min(low, end.value), max(high, end.value)
	}
	return time.Duration(high-low) * unit, true
}

// CheckRecovery tells why a group can't be recovered to an LRSN, although its
// logs reach there: every backup of a structure or a page set must have ended
// before it, and it lies within the newest log of every member. Nil when it can.
func CheckRecovery(to LRSN, backupEnds, newestStarts []LRSN) error {
	for i, end := range backupEnds {
		if order, ok := to.Compare(end); !ok || order <= 0 {
			return &EndError{-1, fmt.Sprintf("%s is not after the end of backup %d, %s", to, i+1, known(end))}
		}
	}
	for i, start := range newestStarts {
		if order, ok := to.Compare(start); !ok || order < 0 {
			return &EndError{i, fmt.Sprintf("its newest log begins at %s, behind %s", known(start), to)}
		}
	}
	return nil
}

func known(l LRSN) string {
	if !l.Known() {
		return "which is not known"
	}
	return l.String()
}
