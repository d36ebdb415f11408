package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The places that an argument of a command may name, before and after the
// content is known.
var (
	placesBefore = []string{"queue_manager", "library", "segment", "opened", "closed", "key"}
	placesAfter  = append(slices.Clone(placesBefore), "bytes", "sha256")
)

var place = regexp.MustCompile(`\{[^{}]*\}`)

// checkArguments refuses a command that would not run, or would not run as it
// is written. The program has an absolute path: what PATH holds when mqhk
// starts must not decide who gets message bodies.
func checkArguments(what string, arguments, known []string) error {
	if len(arguments) == 0 || !filepath.IsAbs(arguments[0]) {
		return fmt.Errorf("command %s: it begins with the absolute path of a program", what)
	}
	var problems []error
	for _, argument := range arguments {
		for _, p := range place.FindAllString(argument, -1) {
			if !slices.Contains(known, strings.Trim(p, "{}")) {
				problems = append(problems, fmt.Errorf("command %s: %s is none of {%s}", what, p, strings.Join(known, "}, {")))
			}
		}
		if strings.ContainsRune(argument, 0) {
			problems = append(problems, fmt.Errorf("command %s: an argument holds a zero byte", what))
		}
	}
	return errors.Join(problems...)
}

// fill puts the facts of a manifest into the arguments. A name that would turn
// an argument into an option is refused.
func fill(arguments []string, m Manifest) ([]string, error) {
	facts := map[string]string{
		"queue_manager": m.QueueManager, "library": m.Library, "segment": m.Segment, "opened": m.Opened, "closed": m.Closed,
		"key": encode(m.QueueManager) + "." + m.identity().stem(), "bytes": strconv.FormatInt(m.Bytes, 10), "sha256": m.SHA256,
	}
	filled := make([]string, len(arguments))
	for i, argument := range arguments {
		filled[i] = place.ReplaceAllStringFunc(argument, func(p string) string { return facts[strings.Trim(p, "{}")] })
		if strings.HasPrefix(filled[i], "-") && !strings.HasPrefix(argument, "-") {
			return nil, fmt.Errorf("%w: argument %q would be the option %q", ErrSegment, argument, filled[i])
		}
	}
	return filled, nil
}
