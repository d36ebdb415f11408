package runmqsc

import (
	"strings"
	"unicode/utf8"
)

// cell is one attribute as it is shown: NAME(value), or a bare word.
type cell struct {
	name, value string
	bare        bool // the value alone
	list        bool // its parts each in a line
}

func (c cell) text() string {
	switch {
	case c.bare:
		return c.value
	case c.value == "":
		return c.name + "( )"
	case c.list:
		return c.name + "(" + strings.ReplaceAll(c.value, ",", "\n        ,") + ")"
	}
	return c.name + "(" + c.value + ")"
}

// How runmqsc sets its two columns: three blanks, up to 37 characters, three
// blanks, and the second from column 44 on. What does not fit into a column has
// a line to itself, and so has what it would stand beside (reference,
// Multiplatforms 3.1 item 51, and answers of 7.1 to 9.4).
const columnWidth = 37

// layout prints attributes in two columns.
func layout(cells []cell) string {
	var b strings.Builder
	left := ""
	flush := func() {
		if left != "" {
			b.WriteString(line(left))
			left = ""
		}
	}
	for _, c := range cells {
		text := c.text()
		wide := c.list && strings.Contains(text, "\n") || utf8.RuneCountInString(text) > columnWidth
		switch {
		case wide:
			flush()
			b.WriteString(line(text))
		case left == "":
			left = text
		default:
			b.WriteString("   " + padded(left) + "   " + text + "\n")
			left = ""
		}
	}
	flush()
	return b.String()
}

// line is an attribute that stands alone. It is filled up to its column.
func line(text string) string { return "   " + padded(text) + "\n" }

func padded(text string) string {
	return text + strings.Repeat(" ", max(0, columnWidth-utf8.RuneCountInString(text)))
}
