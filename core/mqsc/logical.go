package mqsc

import (
	"strings"
	"unicode/utf8"
)

// position is where a character stands in the physical text, from 1.
type position struct{ line, column int }

// logical is a line with those that continue it. at[i] is where text[i] came
// from.
type logical struct {
	text []rune
	at   []position
	end  position
	err  *Error // why it can't be read, nil when it can
}

// folder joins physical lines into logical ones.
type folder struct {
	script bool // a file as people keep it, and not a command to be sent
	done   []logical
	now    logical
	quoted bool
	sign   rune // + or - when the last line is continued, else 0
}

// fold gives the logical lines of a text that hold anything. A line that ends
// in + goes on at the first character of the next line that is not blank, one
// that ends in - at its first column. A line whose first character is an
// asterisk is a comment, also between continued lines, as dmpmqcfg writes what
// can't be set. ("Rules for using MQSC commands".)
//
// In a script a blank line between continued lines is passed over too ("MQSC
// input file syntax"), and what a comment holds is no matter. In a command that
// is to be sent a blank line ends it: not every program that reads MQSC goes
// on there.
func fold(text string, script bool) []logical {
	if !utf8.ValidString(text) {
		return []logical{{err: &Error{1, 1, "the text is not UTF-8"}}}
	}
	f := folder{script: script}
	for i, line := range strings.Split(text, "\n") {
		f.add([]rune(strings.TrimSuffix(line, "\r")), i+1)
	}
	if f.sign != 0 {
		f.fail(f.now.end, "the line is continued, but nothing follows")
		f.finish()
	}
	return f.done
}

func (f *folder) add(line []rune, number int) {
	start, end := 0, len(line)
	for start < len(line) && blank(line[start]) {
		start++
	}
	comment := start < len(line) && line[start] == '*' && !f.quoted
	if f.script && (comment || start == len(line) && f.sign != 0) {
		return
	}
	for i, c := range line {
		if c != '\t' && (c < ' ' || 0x7f <= c && c <= 0x9f || c == '\u2028' || c == '\u2029') {
			f.fail(position{number, i + 1}, "a control character")
			break
		}
	}
	if comment {
		if f.now.err != nil && f.sign == 0 { // of the comment itself
			f.finish()
		}
		return
	}
	if f.sign != '+' {
		start = 0
	}
	for end > 0 && blank(line[end-1]) {
		end--
	}
	f.sign = 0
	if end > start && (line[end-1] == '+' || line[end-1] == '-') {
		f.sign = line[end-1]
		end--
	} else {
		end = len(line)
	}
	f.take(line, start, end, number)
}

// take adds a part of a physical line to the logical one.
func (f *folder) take(line []rune, start, end, number int) {
	for i := start; i < end; i++ {
		f.quoted = f.quoted != (line[i] == '\'')
		f.now.text = append(f.now.text, line[i])
		f.now.at = append(f.now.at, position{number, i + 1})
	}
	f.now.end = position{number, len(line) + 1}
	if f.sign == 0 {
		f.finish()
	}
}

// fail keeps the first reason for which the logical line can't be read.
func (f *folder) fail(at position, text string) {
	if f.now.err == nil {
		f.now.err = &Error{at.line, at.column, text}
	}
}

func (f *folder) finish() {
	if f.now.err != nil || strings.Trim(string(f.now.text), " \t") != "" {
		f.done = append(f.done, f.now)
	}
	f.now, f.quoted = logical{}, false
}

func blank(c rune) bool { return c == ' ' || c == '\t' }
