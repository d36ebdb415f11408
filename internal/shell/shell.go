// Package shell writes what a person is told to run: one line for a POSIX shell
// that it reads back as the words that were meant, and that shows all that is in
// it. A name on a system may hold anything: a line end would begin a second
// command, an escape would hide what stands before it, and what has no shape
// would be copied from a screen as something else. Of such a word nothing is
// written.
package shell

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is a word that means itself to a shell.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// acting are the characters that mean something between double quotes, and to
// the history of an interactive shell.
const acting = "\"$`\\!"

// Printable tells whether a text shows all that is in it: no control character,
// no line end, nothing that turns the direction of writing, no byte that is no
// UTF-8. The mark of what could not be decoded is none either: it hides what was
// there.
func Printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r)
	})
}

// Word writes a word, quoted where a shell would not take it as it is; false and
// nothing when it is not [Printable].
func Word(word string) (string, bool) {
	switch {
	case !Printable(word):
		return "", false
	case plain.MatchString(word):
		return word, true
	case strings.Contains(word, "'") && !strings.ContainsAny(word, acting):
		return `"` + word + `"`, true
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'", true
}

// Line writes a command line; false and nothing when one of its words can't be
// written.
func Line(words ...string) (string, bool) {
	line := make([]string, len(words))
	for i, word := range words {
		var ok bool
		if line[i], ok = Word(word); !ok {
			return "", false
		}
	}
	return strings.Join(line, " "), true
}
