package policies

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The colours of a terminal that Write uses.
const (
	red, yellow, bold, plain = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[0m"
)

// widest is how many characters of a source line are shown.
const widest = 160

// Write shows every diagnostic with its source line and a caret. Colour is
// used only where it is asked for.
func (ds Diagnostics) Write(w io.Writer, colour bool) error {
	for i, d := range ds.sorted() {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return fmt.Errorf("write diagnostics: %w", err)
			}
		}
		if _, err := io.WriteString(w, d.render(colour)); err != nil {
			return fmt.Errorf("write diagnostics: %w", err)
		}
	}
	return nil
}

// render lays one diagnostic out:
//
//	error: missing unit
//	  orders.hcl:12:15
//	   12 |     min_age = 30
//	      |               ^^
//	  a duration is a string with a unit
func (d Diagnostic) render(colour bool) string {
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return code + text + plain
	}
	var b strings.Builder
	word, code := "error", red
	if d.Warning {
		word, code = "warning", yellow
	}
	fmt.Fprintf(&b, "%s %s\n", paint(code, word+":"), paint(bold, printable(d.Summary)))
	fmt.Fprintf(&b, "  %s\n", Place{File: printable(d.File), Line: d.Line, Column: d.Column})
	if d.Source != "" {
		fmt.Fprintf(&b, "%5d | %s\n", d.Line, clip(printable(d.Source)))
		if pad, caret := d.caret(); len(pad)+len(caret) <= widest {
			fmt.Fprintf(&b, "      | %s%s\n", pad, paint(code, caret))
		}
	}
	if d.Detail != "" {
		fmt.Fprintf(&b, "  %s\n", printable(d.Detail))
	}
	return b.String()
}

// caret gives the blanks before the marks, tabs kept so that both lines keep
// step, and at least one mark.
func (d Diagnostic) caret() (pad, marks string) {
	pad = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return '\t'
		case unicode.Is(unicode.Mn, r): // a combining mark takes no room
			return -1
		default:
			return ' '
		}
	}, d.before)
	width := 0
	for _, r := range d.marked {
		if !unicode.Is(unicode.Mn, r) {
			width++
		}
	}
	return pad, strings.Repeat("^", max(width, 1))
}

// printable keeps what a file holds from steering the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

func clip(line string) string {
	if runes := []rune(line); len(runes) > widest {
		return string(runes[:widest]) + "..."
	}
	return line
}
