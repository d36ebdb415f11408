// Package level reads releases of IBM MQ: V.R.M.F, of which V.R.M decides what
// a queue manager can do.
package level

import (
	"fmt"
	"strconv"
	"strings"
)

// Level is a release, such as 9.3.2.0. Levels are ordered: see [Level.AtLeast].
type Level struct{ Version, Release, Modification, Fix int }

// Parse reads 9.4, 9.3.2 or 9.1.0.25; what is left out is 0.
func Parse(text string) (Level, error) {
	parts := strings.Split(text, ".")
	if len(parts) < 2 || len(parts) > 4 {
		return Level{}, fmt.Errorf("%q is no release of IBM MQ: V.R, V.R.M or V.R.M.F", text)
	}
	var numbers [4]int
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 99 || part[0] == '+' {
			return Level{}, fmt.Errorf("%q is no release of IBM MQ: %q is no number of two digits", text, part)
		}
		numbers[i] = n
	}
	return Level{numbers[0], numbers[1], numbers[2], numbers[3]}, nil
}

// String gives V.R.M.F.
func (l Level) String() string {
	return fmt.Sprintf("%d.%d.%d.%d", l.Version, l.Release, l.Modification, l.Fix)
}

// AtLeast tells whether the level is V.R.M or later.
func (l Level) AtLeast(version, release, modification int) bool {
	switch {
	case l.Version != version:
		return l.Version > version
	case l.Release != release:
		return l.Release > release
	}
	return l.Modification >= modification
}

// Command gives the command level, as CMDLEVEL shows it: 932 for 9.3.2.
func (l Level) Command() int { return l.Version*100 + l.Release*10 + min(l.Modification, 9) }

// Digits gives the form of VERSION: 09030200.
func (l Level) Digits() string {
	return fmt.Sprintf("%02d%02d%02d%02d", l.Version, l.Release, l.Modification, l.Fix)
}

// Product gives the name that messages have for it: it was WebSphere MQ up to
// 8.0.
func (l Level) Product() string {
	if l.AtLeast(9, 0, 0) {
		return "IBM MQ"
	}
	return "WebSphere MQ"
}

// Severity tells whether messages carry the letter of their severity:
// AMQ8005I, and AMQ8005 before 9.0.4 (reference, Multiplatforms 2.1).
func (l Level) Severity() bool { return l.AtLeast(9, 0, 4) }
