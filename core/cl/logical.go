package cl

import (
	"strings"
	"unicode/utf8"
)

// position is where a character stands in the physical text, from 1.
type position struct{ line, column int }

// logical is one command's text: continued lines joined, comments made one
// blank. at[i] is where text[i] came from.
type logical struct {
	text []rune
	at   []position
	end  position
}

// folder joins physical lines into logical ones.
type folder struct {
	done    []logical
	now     logical
	quoted  bool // within '...'
	comment bool // within /* ... */
	star    bool // the comment's last character was an asterisk
	opened  position
	plus    bool // the last line ended in +: leading blanks of the next go
	joined  bool // the last line was continued
}

// fold gives the logical lines of a text. A line that ends in + goes on at the
// first character of the next line that is not blank, one that ends in - at
// its first column; within quotes too. (CL Programming, "Continuing commands".)
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
	if f.joined {
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
	for f.plus && start < len(line) && blank(line[start]) {
		start++
	}
	body, sign := continuation(line)
	f.plus, f.joined = sign == '+', sign != 0
	tail := f.scan(body, min(start, len(body)), number)
	if sign == 0 {
		if rest, found := trailing(body, tail); found && !f.quoted && !f.comment {
			f.plus, f.joined = body[rest] == '+', true
			f.drop(position{number, rest + 1})
		}
	}
	f.now.end = position{number, len(line) + 1}
	if f.joined {
		return nil
	}
	return f.finish()
}

// finish ends a logical line. CL closes neither quotes nor comments at the end
// of a line that is not continued: they are errors.
func (f *folder) finish() error {
	switch {
	case f.quoted:
		return &Error{f.opened.line, f.opened.column, "quoted text is not closed"}
	case f.comment:
		return &Error{f.opened.line, f.opened.column, "a comment is not closed"}
	}
	f.done = append(f.done, f.now)
	f.now = logical{}
	return nil
}

// continuation cuts the + or - off that ends a line, and trailing blanks
// behind it.
func continuation(line []rune) (body []rune, sign rune) {
	end := len(line)
	for end > 0 && blank(line[end-1]) {
		end--
	}
	if end > 0 && (line[end-1] == '+' || line[end-1] == '-') {
		return line[:end-1], line[end-1]
	}
	return line, 0
}

// trailing finds the + or - that stands before a comment which ends the line;
// tail is where that comment starts, -1 when there is none.
func trailing(line []rune, tail int) (int, bool) {
	if tail < 0 {
		return 0, false
	}
	end := tail
	for end > 0 && blank(line[end-1]) {
		end--
	}
	if end == 0 || line[end-1] != '+' && line[end-1] != '-' {
		return 0, false
	}
	return end - 1, true
}

// drop takes back what was added from the position on.
func (f *folder) drop(from position) {
	for n := len(f.now.at); n > 0; n-- {
		if at := f.now.at[n-1]; at.line != from.line || at.column < from.column {
			f.now.text, f.now.at = f.now.text[:n], f.now.at[:n]
			return
		}
	}
	f.now.text, f.now.at = nil, nil
}

// scan adds the characters of a line and makes a comment one blank. It gives
// where the comments start that end the line, else -1.
func (f *folder) scan(line []rune, start, number int) (tail int) {
	tail = -1
	for i := start; i < len(line); i++ {
		here := position{number, i + 1}
		switch {
		case f.comment:
			f.comment, f.star = !f.star || line[i] != '/', line[i] == '*'
			continue
		case !f.quoted && f.opensComment(line, i):
			f.comment, f.star, f.opened = true, false, here
			f.put(' ', here)
			if tail < 0 {
				tail = i
			}
			i++
			continue
		case line[i] == '\'':
			f.quoted, f.opened = !f.quoted, here
		}
		if f.quoted || !blank(line[i]) {
			tail = -1
		}
		f.put(line[i], here)
	}
	return tail
}

// opensComment tells /* from the library qualifier of LIB/*ALL: behind a name
// it opens a comment only when a blank or a second asterisk follows.
// (CL Programming, "Writing comments in CL procedures".)
func (f *folder) opensComment(line []rune, i int) bool {
	if line[i] != '/' || i+1 >= len(line) || line[i+1] != '*' {
		return false
	}
	if n := len(f.now.text); n > 0 && (nameChar(f.now.text[n-1]) || f.now.text[n-1] == '"') {
		return i+2 >= len(line) || blank(line[i+2]) || line[i+2] == '*'
	}
	return true
}

func (f *folder) put(c rune, at position) {
	f.now.text = append(f.now.text, c)
	f.now.at = append(f.now.at, at)
}

func blank(c rune) bool { return c == ' ' || c == '\t' }
