package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// field is one of the five places of a cron expression.
type field struct {
	name     string
	low      int
	high     int      // the last number that means something of its own
	names    []string // of low, low+1, ...
	question bool     // ? stands for *
}

// The places by number.
const (
	hour       = 1
	dayOfMonth = 2
	month      = 3
	dayOfWeek  = 4
)

var fields = [5]field{
	{name: "minute", low: 0, high: 59},
	{name: "hour", low: 0, high: 23},
	{name: "day of month", low: 1, high: 31, question: true},
	{name: "month", low: 1, high: 12, names: []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
	{name: "day of week", low: 0, high: 6, names: []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}, question: true},
}

// set is the numbers that a field allows.
type set struct {
	bits uint64
	star bool // written as *: the field does not restrict
}

func (s set) has(n int) bool { return s.bits&(1<<n) != 0 }

// String gives the numbers as a list that cron reads: "0,15,30" or "*".
func (s set) String() string {
	if s.star {
		return "*"
	}
	var numbers []string
	for n := range 64 {
		if s.has(n) {
			numbers = append(numbers, strconv.Itoa(n))
		}
	}
	return strings.Join(numbers, ",")
}

// parse reads a list of numbers, ranges and steps. Unlike the library it
// refuses an empty element, which would leave a field that never fits.
func (f field) parse(text string) (set, error) {
	var all set
	for element := range strings.SplitSeq(text, ",") {
		one, err := f.element(element)
		if err != nil {
			return set{}, fmt.Errorf("%s %q: %w", f.name, text, err)
		}
		all.bits |= one.bits
		all.star = all.star || one.star
	}
	return all, nil
}

// element reads "*", "7", "1-5", "*/15", "3/2" or "10-50/20".
func (f field) element(text string) (set, error) {
	span, stepText, stepped := strings.Cut(text, "/")
	low, high, err := f.span(span, stepped)
	if err != nil {
		return set{}, err
	}
	step := 1
	if stepped {
		if step, err = f.step(stepText, low, high); err != nil {
			return set{}, err
		}
	}
	star := (span == "*" || span == "?") && step == 1
	return set{f.bits(low, high, step), star}, nil
}

// span reads what stands before a step: the first and the last number.
func (f field) span(text string, stepped bool) (low, high int, err error) {
	if text == "*" || text == "?" && f.question {
		return f.low, f.high, nil
	}
	from, to, ranged := strings.Cut(text, "-")
	if low, err = f.number(from); err != nil {
		return 0, 0, err
	}
	switch {
	case ranged:
		high, err = f.number(to)
	case stepped: // 3/2 is 3-max/2
		high = max(f.high, low)
	default:
		high = low
	}
	if err != nil {
		return 0, 0, err
	}
	if f.isWeek() && ranged && high == 0 && low > 0 {
		high = 7 // FRI-SUN
	}
	if low > high {
		return 0, 0, fmt.Errorf("%s runs backwards: write two ranges", text)
	}
	return low, high, nil
}

// step refuses a step that leaves nothing to step to: */90 minutes is every
// hour to the library.
func (f field) step(text string, low, high int) (int, error) {
	step, err := digits(text)
	if err != nil {
		return 0, fmt.Errorf("step %q is not a whole number", text)
	}
	if step < 1 || step > high-low {
		return 0, fmt.Errorf("step %d does not fit between %d and %d", step, low, high)
	}
	return step, nil
}

// number reads one number or name. Day 7 is Sunday, as in most crontabs.
func (f field) number(text string) (int, error) {
	for i, name := range f.names {
		if strings.EqualFold(text, name) {
			return f.low + i, nil
		}
	}
	if strings.ContainsAny(text, "LWHlwh#") {
		return 0, fmt.Errorf("%q is not known: L, W, H and # are those of other programs", text)
	}
	n, err := digits(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	high := f.high
	if f.isWeek() {
		high = 7
	}
	if n < f.low || n > high {
		return 0, fmt.Errorf("%d is not between %d and %d", n, f.low, high)
	}
	return n, nil
}

func (f field) isWeek() bool { return f.high == 6 }

// bits folds day 7 onto Sunday.
func (f field) bits(low, high, step int) uint64 {
	var bits uint64
	for n := low; n <= high; n += step {
		if f.isWeek() {
			bits |= 1 << (n % 7)
		} else {
			bits |= 1 << n
		}
	}
	return bits
}

// digits reads a number of one to three digits and nothing else; Atoi would
// take a sign.
func digits(text string) (int, error) {
	for _, r := range text {
		if r < '0' || r > '9' {
			return 0, strconv.ErrSyntax
		}
	}
	if len(text) > 3 {
		return 0, strconv.ErrRange
	}
	return strconv.Atoi(text)
}
