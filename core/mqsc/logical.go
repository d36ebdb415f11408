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
}

// folder joins physical lines into logical ones.
type folder struct {
	done   []logical
	now    logical
	quoted bool
	sign   rune // + or - when the last line is continued, else 0
}

// fold gives the logical lines of a text that hold anything. A line that ends
// in + goes on at the first character of the next line that is not blank, one
// that ends in - at its first column. A line whose first character is an
// asterisk is a comment, also between continued lines. ("Rules for using MQSC
// commands".) An empty line behind a continued one ends the command.
func fold(text string) ([]logical, error) {
	if !utf8.ValidString(text) {
		return nil, &Error{1, 1, "the text is not UTF-8"}
	}
	var f folder
	for i, line := range strings.Split(text, "\n") {
		if err := f.add([]rune(strings.TrimSuffix(line, "\r")), i+1); err != nil {
			return nil, err
		}
	}
	if f.sign != 0 {
		return nil, &Error{f.now.end.line, f.now.end.column, "the line is continued, but nothing follows"}
	}
	return f.done, nil
}

func (f *folder) add(line []rune, number int) error {
	for i, c := range line {
		if c != '\t' && (c < ' ' || 0x7f <= c && c <= 0x9f || c == '\u2028' || c == '\u2029') {
			return &Error{number, i + 1, "a control character"}
		}
	}
	start := 0
	for start < len(line) && blank(line[start]) {
		start++
	}
	if start < len(line) && line[start] == '*' && !f.quoted {
		return nil
	}
	if f.sign != '+' {
		start = 0
	}
	end := len(line)
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
	for i := start; i < end; i++ {
		f.quoted = f.quoted != (line[i] == '\'')
		f.now.text = append(f.now.text, line[i])
		f.now.at = append(f.now.at, position{number, i + 1})
	}
	f.now.end = position{number, len(line) + 1}
	if f.sign == 0 {
		f.finish()
	}
	return nil
}

func (f *folder) finish() {
	if strings.Trim(string(f.now.text), " \t") != "" {
		f.done = append(f.done, f.now)
	}
	f.now, f.quoted = logical{}, false
}

func blank(c rune) bool { return c == ' ' || c == '\t' }
