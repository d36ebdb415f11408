package mqsc

import "strings"

// maxDepth bounds brackets within an unquoted value, such as
// 10.0.0.42(1414).
const maxDepth = 16

// ParseCommand reads a text that holds one command. Comment lines and empty
// lines may stand around it; anything else, a second command above all, is an
// error. The error is an [*Error].
func ParseCommand(text string) (Command, error) {
	var found Command
	count := 0
	err := each(text, func(r *reader, command Command, at int) error {
		if count++; count > 1 {
			r.i = at
			return r.fail("a second command")
		}
		found = command
		return nil
	})
	if err == nil && count == 0 {
		err = &Error{1, 1, "there is no command"}
	}
	if err != nil {
		return Command{}, err
	}
	return found, nil
}

// each calls take for every command, with where it starts.
func each(text string, take func(*reader, Command, int) error) error {
	for _, line := range fold(text, false) {
		if line.err != nil {
			return line.err
		}
		r := &reader{logical: line}
		for r.next() {
			at := r.i
			command, err := r.command()
			if err == nil {
				err = take(r, command, at)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// reader goes through one logical line.
type reader struct {
	logical
	i      int
	script bool // commas are blanks, and letters beyond ASCII need no quotes
}

// next passes blanks and semicolons, and tells whether a command follows.
func (r *reader) next() bool {
	for r.blanks(); r.peek() == ';'; r.blanks() {
		r.i++
	}
	return r.i < len(r.text)
}

func (r *reader) command() (Command, error) {
	verb, err := r.keyword()
	if err != nil {
		return Command{}, err
	}
	command := Command{Verb: verb}
	for {
		apart := r.blanks()
		if c := r.peek(); c == 0 || c == ';' {
			return command, nil
		}
		if !apart && len(command.Params) == 0 {
			return Command{}, r.fail("a blank is missing behind the verb")
		}
		param, err := r.param()
		if err != nil {
			return Command{}, err
		}
		command.Params = append(command.Params, param)
	}
}

// param reads KEYWORD or KEYWORD(values), with blanks in between or none.
func (r *reader) param() (Param, error) {
	keyword, err := r.keyword()
	if err != nil {
		return Param{}, err
	}
	here := r.i
	if r.blanks(); r.peek() != '(' {
		r.i = here
		return Param{Keyword: keyword}, nil
	}
	values, err := r.values()
	return Param{keyword, values}, err
}

// keyword reads a letter with letters and digits behind it.
func (r *reader) keyword() (string, error) {
	start := r.i
	var b strings.Builder
	for c := capitals(r.peek()); 'A' <= c && c <= 'Z' || r.i > start && '0' <= c && c <= '9'; c = capitals(r.peek()) {
		b.WriteRune(c)
		r.i++
	}
	if b.Len() == 0 {
		return "", r.fail("a keyword was expected")
	}
	return b.String(), nil
}

// values reads ( value ... ), the values apart by blanks or by one comma.
func (r *reader) values() ([]string, error) {
	open := r.i
	r.i++
	values := []string{}
	apart := true
	for {
		apart = r.blanks() || apart
		switch c := r.peek(); {
		case c == 0:
			r.i = open
			return nil, r.fail("a bracket is not closed")
		case c == ')':
			r.i++
			return values, nil
		case c == ',' && len(values) > 0:
			r.i++
			if r.blanks(); r.peek() == ',' || r.peek() == ')' {
				return nil, r.fail("a value was expected")
			}
			apart = true
			continue
		case !apart:
			return nil, r.fail("a comma or a blank is missing between two values")
		}
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		values, apart = append(values, value), false
	}
}

func (r *reader) value() (string, error) {
	if r.peek() == '\'' {
		return r.quoted()
	}
	var b strings.Builder
	depth := 0
	for c := r.peek(); wordChar(c) || r.script && c >= '\u00a0' || c == '(' || c == ')' && depth > 0; c = r.peek() {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > maxDepth {
			return "", r.fail("too many brackets")
		}
		b.WriteRune(capitals(c))
		r.i++
	}
	switch {
	case b.Len() == 0:
		return "", r.fail("a value was expected")
	case depth > 0:
		return "", r.fail("a bracket is not closed")
	}
	return b.String(), nil
}

// quoted reads text in quotes; a doubled quote within stands for one.
func (r *reader) quoted() (string, error) {
	open := r.i
	var b strings.Builder
	for r.i++; r.i < len(r.text); r.i++ {
		if r.text[r.i] != '\'' {
			b.WriteRune(r.text[r.i])
			continue
		}
		if r.i++; r.peek() != '\'' {
			return b.String(), nil
		}
		b.WriteByte('\'')
	}
	r.i = open
	return "", r.fail("string not closed")
}

// peek gives the next character, 0 at the end.
func (r *reader) peek() rune {
	if r.i < len(r.text) {
		return r.text[r.i]
	}
	return 0
}

// blanks passes blanks and tells whether there were any. In a script a comma
// outside quotes is a blank wherever one may stand ("Rules for using MQSC
// commands"); in a command to be sent it parts two values and nothing else.
func (r *reader) blanks() bool {
	start := r.i
	for r.i < len(r.text) && (blank(r.text[r.i]) || r.script && r.text[r.i] == ',') {
		r.i++
	}
	return r.i > start
}

// fail makes an error at the next character.
func (r *reader) fail(text string) *Error {
	at := r.end
	if r.i < len(r.at) {
		at = r.at[r.i]
	}
	return &Error{at.line, at.column, text}
}
