package observe

import (
	"fmt"
	"strconv"
	"strings"
)

// Extents are numbered 0 to 9,999,999, and after the last comes the first again
// ("Determining superfluous log files"). So no extent is older than another as
// such: only their distance says so, and the way around is long.
const (
	extentNumbers = 10_000_000
	halfWay       = extentNumbers / 2
)

// ExtentKind tells what the first letter of an extent's name says.
type ExtentKind byte

// The kinds of extents.
const (
	LogExtent   ExtentKind = 'S' // holds log data, or is formatted to
	ReuseExtent ExtentKind = 'R' // emptied, waits to be renamed to an S
)

// ParseExtent reads the name of an extent, S0000123.LOG or R0000123.LOG.
// Windows does not tell capitals apart, and neither is it done here; the name
// counts as it is listed. Anything else is an error.
func ParseExtent(name string) (ExtentKind, int, error) {
	if len(name) != len("S0000000.LOG") || Fold(name[8:]) != ".LOG" {
		return 0, 0, fmt.Errorf("%q is no name of a log extent", name)
	}
	kind := ExtentKind(name[0] &^ 0x20)
	number := 0
	for _, digit := range []byte(name[1:8]) {
		if digit < '0' || digit > '9' {
			kind = 0
		}
		number = number*10 + int(digit-'0')
	}
	if kind != LogExtent && kind != ReuseExtent {
		return 0, 0, fmt.Errorf("%q is no name of a log extent", name)
	}
	return kind, number, nil
}

// ExtentName gives the name of the log extent with a number, which may lie
// beyond either end of the numbers.
func ExtentName(number int) string {
	digits := strconv.Itoa(ExtentNumber(number))
	return "S0000000"[:8-len(digits)] + digits + ".LOG"
}

// ExtentNumber brings a number that lies beyond either end back among those that
// extents have.
func ExtentNumber(number int) int {
	return (number%extentNumbers + extentNumbers) % extentNumbers
}

// ExtentDistance says how many extents b was begun after a: negative when
// before. It goes the shorter way around.
func ExtentDistance(a, b int) int {
	d := ((b-a)%extentNumbers + extentNumbers) % extentNumbers
	if d >= halfWay {
		d -= extentNumbers
	}
	return d
}

// ExtentPath gives the path of an extent in a directory, in the manner of the
// directory's own path.
func ExtentPath(directory, name string) string {
	if strings.Contains(directory, `\`) && !strings.Contains(directory, "/") {
		return strings.TrimSuffix(directory, `\`) + `\` + name
	}
	return strings.TrimSuffix(directory, "/") + "/" + name
}
