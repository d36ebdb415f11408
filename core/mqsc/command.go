package mqsc

import (
	"fmt"
	"strings"
)

// Command is one command: a verb and its parameters, of which the first names
// the kind of object. DISPLAY CFSTATUS(APPL1) TYPE(BACKUP) has the verb
// DISPLAY and the parameters CFSTATUS and TYPE. The verb stands as it was
// written, in capitals; a synonym such as DIS stays one.
type Command struct {
	Verb   string
	Params []Param
}

// Param is KEYWORD or KEYWORD(values). Values is nil without brackets, and
// empty but not nil for KEYWORD( ).
type Param struct {
	Keyword string
	Values  []string
}

// Error says where a text stops being MQSC. Line and Column count from 1, in
// the physical lines of the text and in characters.
type Error struct {
	Line, Column int
	Text         string
}

// Error gives "line:column: text".
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Object gives the kind of object, the keyword of the first parameter; empty
// when there is none.
func (c Command) Object() string {
	if len(c.Params) == 0 {
		return ""
	}
	return c.Params[0].Keyword
}

// Name gives the name of the object, the first value of the first parameter;
// empty when there is none, as in DISPLAY QMGR.
func (c Command) Name() string {
	if len(c.Params) == 0 || len(c.Params[0].Values) == 0 {
		return ""
	}
	return c.Params[0].Values[0]
}

// Get gives the values of the first parameter with a keyword, in any case, and
// whether there is one.
func (c Command) Get(keyword string) ([]string, bool) {
	for _, param := range c.Params {
		if strings.EqualFold(param.Keyword, keyword) {
			return param.Values, true
		}
	}
	return nil, false
}

// String prints the command on one line. ParseCommand reads it back as the
// same command.
func (c Command) String() string {
	var b strings.Builder
	b.WriteString(c.Verb)
	for _, param := range c.Params {
		b.WriteString(" " + param.String())
	}
	return b.String()
}

// String prints the parameter. The three parts of a WHERE are apart by blanks,
// the values of other lists by commas.
func (p Param) String() string {
	if p.Values == nil {
		return p.Keyword
	}
	values := make([]string, len(p.Values))
	for i, value := range p.Values {
		values[i] = Quote(value)
	}
	separator := ","
	if p.Keyword == "WHERE" {
		separator = " "
	}
	return p.Keyword + "(" + strings.Join(values, separator) + ")"
}

// Quote gives a value as a command holds it: as it is when it is a word in
// capitals, else in quotes, with the quotes in it doubled.
func Quote(value string) string {
	for _, c := range value {
		if !wordChar(c) || 'a' <= c && c <= 'z' {
			return "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
	}
	if value == "" {
		return "''"
	}
	return value
}

// wordChar tells what may stand outside quotes in a value.
func wordChar(c rune) bool { return ' ' < c && c <= '~' && !strings.ContainsRune("'\"(),;\\`", c) }

// capitals folds ASCII letters, as MQSC does outside quotes.
func capitals(c rune) rune {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
