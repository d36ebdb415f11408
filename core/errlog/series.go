package errlog

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A series is a log over its rotations: AMQERR01.LOG to AMQERR03.LOG, or the
// three .json beside them. Within it a place is older or newer than another;
// between two series time alone tells. When 01 is full 02 becomes 03 and 01
// becomes 02 (reference, Multiplatforms 2.2).
type series struct {
	name       fileName         // with the number 0
	numbers    map[int]string   // the files that were given
	filled     map[int]bool     // those with something in them
	unfinished map[int]position // where those that end within a record do so
	damages    map[int]position // the last damage in each, but for such an end
	newest     [meanings]track
	rejected   [meanings]track
	notices    map[noticeKey]*notice
	twins      map[uint64]bool         // records that matter, to know them again
	orders     map[string][orders]bool // that a date ruled out, by what stands between its numbers
	lastDate   string
}

// lastNumber is that of the oldest file.
const lastNumber = 3

// fileName is the name of a log, taken apart around its number. A file that is
// not one of three is a series of its own, with the number 0.
type fileName struct {
	before, after string
	number        int
}

var rotated = regexp.MustCompile(`^(?i:(.*)0([1-3])(\.(?:log|json)))$`)

func splitName(name string) fileName {
	parts := rotated.FindStringSubmatch(strings.ReplaceAll(name, `\`, "/"))
	if parts == nil {
		return fileName{before: name}
	}
	number, _ := strconv.Atoi(parts[2]) // one digit
	return fileName{parts[1], parts[3], number}
}

// with gives the name of another file of the series.
func (n fileName) with(number int) string {
	return n.before + "0" + strconv.Itoa(number) + n.after
}

// in gives the series of a file, a new one for the first.
func (c *collector) in(name fileName) *series {
	name.number = 0
	for _, in := range c.series {
		if in.name == name {
			return in
		}
	}
	in := &series{
		name: name, numbers: make(map[int]string), filled: make(map[int]bool),
		unfinished: make(map[int]position), damages: make(map[int]position),
		notices: make(map[noticeKey]*notice), twins: make(map[uint64]bool), orders: make(map[string][orders]bool),
	}
	c.series = append(c.series, in)
	return in
}

// first gives the number of the newest file.
func (in *series) first() int {
	for number := range lastNumber + 1 {
		if _, given := in.numbers[number]; given {
			return number
		}
	}
	return 0
}

// gaps names the files that must exist since an older one does.
func (in *series) gaps() []string {
	if _, alone := in.numbers[0]; alone {
		return nil
	}
	var names []string
	oldest := lastNumber
	for in.numbers[oldest] == "" {
		oldest--
	}
	for number := 1; number < oldest; number++ {
		if in.numbers[number] == "" {
			names = append(names, in.name.with(number))
		}
	}
	return names
}

// rotatedAway tells whether older records may have been thrown away: the last
// file is in use, or nothing is known of it.
func (in *series) rotatedAway() bool {
	if _, alone := in.numbers[0]; alone {
		return true
	}
	return in.filled[lastNumber]
}

// position is a place in a series.
type position struct {
	file   int // minus the number of the file: a larger one is newer
	offset int64
}

func (p position) after(q position) bool {
	return p.file > q.file || p.file == q.file && p.offset > q.offset
}

// damagedBehind tells whether there is damage behind a place. The record that
// the newest file ends in is none: it may still be being written.
func (in *series) damagedBehind(at position) bool {
	for _, damage := range in.damages {
		if damage.after(at) {
			return true
		}
	}
	for number, end := range in.unfinished {
		if number != in.first() && end.after(at) {
			return true
		}
	}
	return false
}

// maxShapes bounds how many shapes of dates are told apart in a series.
const maxShapes = 16

// mostOff is the most by which a local time differs from UTC, and a little.
const mostOff = 15 * time.Hour

// learn rules out the orders of day, month and year in which a date of the
// series is none, or none that fits the UTC time beside it.
func (in *series) learn(r Record) {
	day, _, _ := strings.Cut(r.Date, " ")
	if r.Date == "" || day == in.lastDate {
		return
	}
	in.lastDate = day
	readings := readDate(r.Date)
	if readings == (dateReadings{}) {
		return
	}
	shape := dateShape(r.Date)
	out, known := in.orders[shape]
	if !known && len(in.orders) == maxShapes {
		return
	}
	for o, at := range readings {
		out[o] = out[o] || at.IsZero() || r.Clock == UTC && at.Sub(r.Time).Abs() > mostOff
	}
	in.orders[shape] = out
}

// dateShape is what stands between the first two numbers of a date.
func dateShape(date string) string {
	_, gaps, _ := sixNumbers(date)
	return gaps[1]
}

// resolve reads a local date as the other dates of its series allow.
func (in *series) resolve(date string) (time.Time, Clock) {
	readings := readDate(date)
	for o, out := range in.orders[dateShape(date)] {
		if out {
			readings[o] = time.Time{}
		}
	}
	at, clock := readings.alone()
	if clock == NoClock && readDate(date) != (dateReadings{}) {
		clock = Ambiguous // each order was ruled out by some date: the locale changed
	}
	return at, clock
}
