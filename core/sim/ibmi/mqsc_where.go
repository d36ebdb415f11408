package ibmi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
)

// filter reads WHERE(attribute operator value). Without one everything fits.
func (d display) filter(command mqsc.Command) (func(values []string) bool, error) {
	where, given := command.Get("WHERE")
	if !given {
		return func([]string) bool { return true }, nil
	}
	if len(where) != 3 {
		return nil, errSyntax
	}
	at := slices.Index(d.attributes, where[0])
	holds, known := operators[where[1]]
	if at < 0 || !known {
		return nil, errSyntax
	}
	return func(values []string) bool { return holds(values[at], where[2]) }, nil
}

// operators are those of WHERE for attributes with one value.
var operators = map[string]func(value, wanted string) bool{
	"EQ": func(a, b string) bool { return compare(a, b) == 0 },
	"NE": func(a, b string) bool { return compare(a, b) != 0 },
	"LT": func(a, b string) bool { return compare(a, b) < 0 },
	"GT": func(a, b string) bool { return compare(a, b) > 0 },
	"LE": func(a, b string) bool { return compare(a, b) <= 0 },
	"GE": func(a, b string) bool { return compare(a, b) >= 0 },
	"LK": func(a, b string) bool { return fits(b, a) },
	"NL": func(a, b string) bool { return !fits(b, a) },
}

// compare compares numbers as numbers and everything else as text.
func compare(a, b string) int {
	n, err := strconv.ParseInt(a, 10, 64)
	other, err2 := strconv.ParseInt(b, 10, 64)
	if err == nil && err2 == nil {
		return cmp.Compare(n, other)
	}
	return strings.Compare(a, strings.TrimSpace(b))
}
