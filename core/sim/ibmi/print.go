package ibmi

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// The forms of dates in prints: those of a job with DATFMT(*MDY) (reference,
// IBM i 7.1, 7.7).
const (
	day        = "01/02/06"
	dayAndTime = "01/02/06  15:04:05"
)

// dayOf gives a date as prints show it; zeros for none.
func dayOf(t time.Time) string {
	if t.IsZero() {
		return "00/00/00"
	}
	return t.Format(day)
}

// momentOf gives date and time; zeros for none.
func momentOf(t time.Time) string {
	if t.IsZero() {
		return "00/00/00  00:00:00"
	}
	return t.Format(dayAndTime)
}

// field is a line of a print: a name, dots and a value.
type field struct {
	name  string
	value any
}

// fieldWidth is how wide name and dots are.
const fieldWidth = 28

func (f field) String() string {
	name := f.name + " "
	for width := utf8.RuneCountInString(name); width < fieldWidth; width++ {
		name += string(". "[width%2]) // the dots of all lines stand below each other
	}
	return strings.TrimRight(fmt.Sprintf("%s:   %v", name, f.value), " ")
}

// print adds a title and fields to what the command prints.
func (c *call) print(title string, fields ...field) {
	var b strings.Builder
	if title != "" {
		b.WriteString(center(title) + "\n")
	}
	for _, f := range fields {
		b.WriteString(f.String() + "\n")
	}
	c.result.Output += b.String()
}

// pageWidth is how wide a print is.
const pageWidth = 76

// center puts a title in the middle of the page.
func center(title string) string {
	return strings.Repeat(" ", max(0, pageWidth-utf8.RuneCountInString(title))/2) + title
}

// columns prints rows under their headings, each column as wide as its widest
// cell, two blanks between them. Where there are headings alone it says that
// there are no things of that name instead.
func (c *call) columns(title, things string, rows [][]string) {
	if len(rows) == 1 {
		c.result.Output += center(title) + "\n(no " + things + ")\n"
		return
	}
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	b.WriteString(center(title) + "\n")
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	c.result.Output += b.String()
}
