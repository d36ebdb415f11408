package logsize

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Page is the unit of LogFilePages, in bytes.
const Page = 4096

// ErrLimits is what is wrong with counts or sizes that a release does not
// allow.
var ErrLimits = errors.New("the release does not allow it")

// Limits are what a release allows a log to be, and what it takes where nobody
// says anything (reference, Multiplatforms 1.2).
type Limits struct {
	MinPrimary, MaxPrimary     int
	MinSecondary, MaxSecondary int
	MinSum, MaxSum             int  // of primary and secondary files
	SumOfLinear                bool // MaxSum holds for linear logs too
	MinPages, MaxPages         int
	Primary, Secondary, Pages  int // defaults
}

// LimitsOf gives the limits of a release, "9.4.0" or "5.3", on Windows or not.
// What can't be read as a release counts as the newest.
//
// To 6.0 circular logs have at most 63 files and linear ones any number. The
// least and, to 6.0, the greatest LogFilePages are from memory.
func LimitsOf(release string, windows bool) Limits {
	l := Limits{MinPrimary: 2, MinSecondary: 1, MinSum: 3, Primary: 3, Secondary: 2, MinPages: 64}
	if windows {
		l.MinPages = 32
	}
	switch {
	case major(release) < 7:
		l.MaxPrimary, l.MaxSecondary, l.MaxSum = 62, 61, 63
		l.MaxPages, l.Pages = 16384, 1024
		if windows {
			l.Pages = 256
		}
	case windows:
		l.MaxPrimary, l.MaxSecondary, l.MaxSum, l.SumOfLinear = 254, 253, 255, true
		l.MaxPages, l.Pages = 65535, 4096
	default:
		l.MaxPrimary, l.MaxSecondary, l.MaxSum, l.SumOfLinear = 510, 509, 511, true
		l.MaxPages, l.Pages = 65535, 4096
	}
	return l
}

// major gives the first number of a release.
func major(release string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(release), ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 9
	}
	return n
}

// Check says what a release does not allow: an error that wraps [ErrLimits].
func (l Limits) Check(linear bool, primary, secondary, pages int) error {
	if err := within("LogFilePages", pages, l.MinPages, l.MaxPages); err != nil {
		return err
	}
	sum := primary + secondary
	if linear && !l.SumOfLinear { // "a linear log is not limited" (chapter 7.1.4, note 4)
		switch {
		case primary < l.MinPrimary:
			return fmt.Errorf("%w: LogPrimaryFiles %d is less than %d", ErrLimits, primary, l.MinPrimary)
		case secondary < l.MinSecondary:
			return fmt.Errorf("%w: LogSecondaryFiles %d is less than %d", ErrLimits, secondary, l.MinSecondary)
		}
		return nil
	}
	return errors.Join(
		within("LogPrimaryFiles", primary, l.MinPrimary, l.MaxPrimary),
		within("LogSecondaryFiles", secondary, l.MinSecondary, l.MaxSecondary),
		within("LogPrimaryFiles + LogSecondaryFiles", sum, l.MinSum, l.MaxSum))
}

func within(what string, n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("%w: %s %d is not in %d..%d", ErrLimits, what, n, least, most)
	}
	return nil
}
