package policies

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

// errMissingUnit is what a bare number gets (case 79: a number alone was read
// as nanoseconds by one program and as seconds by the next).
var errMissingUnit = errors.New("missing unit")

// unit is a suffix and what it stands for.
type unit struct {
	suffix string
	worth  int64
}

var durationUnits = []unit{
	{"w", int64(7 * 24 * time.Hour)}, {"d", int64(24 * time.Hour)}, {"h", int64(time.Hour)},
	{"m", int64(time.Minute)}, {"s", int64(time.Second)}, {"ms", int64(time.Millisecond)},
}

var sizeUnits = []unit{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1},
}

// ParseDuration reads "30s", "90m", "7d", "1w" or a combination, the largest
// unit first: "1d12h". Units are w, d, h, m, s and ms; a day is 24 hours. A
// number without a unit, a negative, empty or too large one is an error.
func ParseDuration(text string) (time.Duration, error) {
	var total int64
	rest, first := text, 0
	for more := true; more; more = rest != "" {
		n, suffix, after, err := leading(rest, `write "30s", "30m", "30h" or "30d"`)
		if err != nil {
			return 0, fmt.Errorf("duration %q: %w", text, err)
		}
		i := find(durationUnits[first:], suffix)
		if i < 0 {
			return 0, fmt.Errorf("duration %q: %w", text, wrongUnit(suffix, durationUnits, first))
		}
		i += first
		if worth := durationUnits[i].worth; n > (math.MaxInt64-total)/worth {
			return 0, fmt.Errorf("duration %q is too large", text)
		}
		total += n * durationUnits[i].worth
		rest, first = after, i+1
	}
	return time.Duration(total), nil
}

// ParseSize reads a number of bytes with its unit: "16MiB", "100MB", "10GiB".
// KiB, MiB, GiB and TiB count in 1024, KB, MB, GB and TB in 1000; B is bytes.
// A number without a unit, a negative, empty or too large one is an error.
func ParseSize(text string) (int64, error) {
	n, suffix, rest, err := leading(text, `write "16MiB" or "16MB"`)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", text, err)
	}
	i := find(sizeUnits, suffix)
	if i < 0 || rest != "" {
		return 0, fmt.Errorf("size %q: %w", text, wrongUnit(suffix+rest, sizeUnits, 0))
	}
	if n > math.MaxInt64/sizeUnits[i].worth {
		return 0, fmt.Errorf("size %q is too large", text)
	}
	return n * sizeUnits[i].worth, nil
}

// leading takes a whole number and the letters after it off the front.
func leading(text, example string) (n int64, suffix, rest string, err error) {
	switch {
	case text == "":
		return 0, "", "", fmt.Errorf("empty: %s", example)
	case strings.HasPrefix(text, "-"):
		return 0, "", "", errors.New("must not be negative")
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	letters := strings.IndexAny(text[digits:]+"0", "0123456789")
	suffix, rest = text[digits:digits+letters], text[digits+letters:]
	switch {
	case digits == 0:
		return 0, "", "", fmt.Errorf("not a number with a unit: %s", example)
	case suffix == "":
		return 0, "", "", fmt.Errorf("%w: %s", errMissingUnit, example)
	}
	if n, err = strconv.ParseInt(text[:digits], 10, 64); err != nil {
		return 0, "", "", errors.New("too large")
	}
	return n, suffix, rest, nil
}

func find(units []unit, suffix string) int {
	for i, u := range units {
		if u.suffix == suffix {
			return i
		}
	}
	return -1
}

// wrongUnit explains a suffix that is none of the units, or that comes after
// a smaller one (first units are used up).
func wrongUnit(suffix string, units []unit, first int) error {
	if find(units[:first], suffix) >= 0 {
		return fmt.Errorf("unit %q comes twice or after a smaller one", suffix)
	}
	if strings.HasPrefix(suffix, ".") {
		return errors.New("numbers are whole: write the next smaller unit")
	}
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.suffix
		if strings.EqualFold(u.suffix, suffix) {
			return fmt.Errorf("unit %q is not known: write %q", suffix, u.suffix)
		}
	}
	return fmt.Errorf("unit %q is not known: use %s", suffix, strings.Join(names, ", "))
}

// Written gives the value of a setting as the language writes it: "30d", "16MiB",
// ["a", "b"].
func Written(kind schema.Kind, value any) string {
	switch v := value.(type) {
	case time.Duration:
		return strconv.Quote(formatDuration(v))
	case string:
		return strconv.Quote(v)
	case []string:
		return quoteAll(v)
	case int64:
		if kind == schema.Size {
			return strconv.Quote(formatSize(v))
		}
	}
	return fmt.Sprint(value)
}

// formatDuration writes a duration as [ParseDuration] reads it.
func formatDuration(d time.Duration) string {
	if d == 0 {
		return "0s"
	}
	var b strings.Builder
	rest := int64(d)
	for _, u := range durationUnits[1:] { // weeks are written as days
		if n := rest / u.worth; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.suffix)
			rest -= n * u.worth
		}
	}
	return b.String()
}

// formatSize writes a number of bytes as [ParseSize] reads it, in the largest
// unit of 1024 that leaves none over.
func formatSize(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.worth && n%u.worth == 0 && strings.HasSuffix(u.suffix, "iB") {
			return fmt.Sprintf("%d%s", n/u.worth, u.suffix)
		}
	}
	return fmt.Sprintf("%dB", n)
}
