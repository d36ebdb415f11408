package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names, messages and evidence come from systems, files and plugins. A report
// shows them and lets none of them act: no terminal escape, no carriage
// return that overwrites a line, no bidirectional control that shows a name
// backwards. What can't be shown is written as its number, so that a person
// sees that it was there.

// printable makes foreign text one line of printable characters: white space
// becomes a blank, everything else that has no shape is written as \x1b,
// \u202e or \U000e0001, and a byte that is no UTF-8 as \xff.
func printable(text string) string {
	return rewrite(text, unicode.IsPrint)
}

// ascii is [printable] for places that take plain ASCII only: text output and
// comments in statements, which end up on 5250 and 3270 screens.
func ascii(text string) string {
	return rewrite(text, func(r rune) bool { return r >= ' ' && r <= '~' })
}

func rewrite(text string, shown func(rune) bool) string {
	if strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || !shown(r) }) < 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case r == '\n' || r == '\r' || r == '\t':
			out.WriteByte(' ')
		case shown(r):
			out.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&out, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\U%08x`, r)
		}
		i += size
	}
	return out.String()
}

// tail shortens a name to width columns and keeps its end, which is what
// tells one receiver, extent or log data set from its neighbours.
func tail(name string, width int) string {
	if len(name) <= width {
		return name
	}
	return ".." + name[len(name)-width+2:]
}

// Printable gives foreign text as one line of plain ASCII, as the text report
// shows it.
func Printable(text string) string { return ascii(text) }

// Harmless gives a text of several lines in which nothing but the line ends
// acts on a terminal: everything else that has no shape is written as its
// number.
func Harmless(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body, end := strings.TrimSuffix(line, "\n"), line[len(strings.TrimSuffix(line, "\n")):]
		lines[i] = printable(strings.ReplaceAll(body, "\t", "    ")) + end
	}
	return strings.Join(lines, "")
}
