package transcript

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a transcript is not one. Line counts from 1 in File;
// File is the transcript's own name or, for a line of a body that stands in a
// file of its own, that file's. What and Err may show words of the file as
// they are; Error writes them so that a terminal only shows them.
type SyntaxError struct {
	File string
	Line int
	What string
	Err  error // what caused it; may be nil
}

func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return visible(text)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// visible writes what a terminal would obey, control characters and signs of
// writing direction among it, as escapes: words of a stranger's file must not
// forge a line or colour one.
func visible(text string) string {
	var out strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && text[i] != "\uFFFD"[0]:
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case strconv.IsPrint(r):
			out.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String()
}
