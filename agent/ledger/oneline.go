package ledger

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine bounds what people and programs put into one field, in bytes.
const maxLine = 1000

// oneLine tells whether a text can stand in a field: UTF-8, on one line,
// without control characters, since it is shown on terminals and written into
// transcripts.
func oneLine(name, text string, needed bool) error {
	switch {
	case needed && strings.TrimSpace(text) == "":
		return fmt.Errorf("%s is missing", name)
	case len(text) > maxLine:
		return fmt.Errorf("%s has %d bytes, more than %d", name, len(text), maxLine)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s is not UTF-8", name)
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%s: %q has more than one line, or signs that can't be printed", name, text)
	}
	return nil
}

// pieceName tells whether library and segment can name a log piece. What the
// reader of an answer takes for an empty cell (a lone dash, NULL) is no name:
// a hold on it would be read as one on the whole target.
func pieceName(library, segment string) error {
	for what, name := range map[string]string{"library": library, "segment": segment} {
		if err := oneLine(what, name, false); err != nil {
			return err
		}
		if name != strings.TrimSpace(name) || name == "-" || strings.EqualFold(name, "NULL") {
			return fmt.Errorf("%s: %q is no name", what, name)
		}
	}
	if library != "" && segment == "" {
		return errors.New("a library without a segment")
	}
	return nil
}

// qualified takes LIBRARY/SEGMENT apart, where it was given as one.
func qualified(library, segment string) (string, string) {
	library, segment = strings.TrimSpace(library), strings.TrimSpace(segment)
	if before, after, ok := strings.Cut(segment, "/"); ok && library == "" {
		return before, after
	}
	return library, segment
}
