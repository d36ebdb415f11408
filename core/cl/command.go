package cl

import (
	"fmt"
	"strings"
)

// Command is one CL command. Label, Library and Name are in capitals unless
// they are names in double quotes; Label and Library may be empty.
type Command struct {
	Label   string
	Library string
	Name    string
	Params  []Param // positional ones first, as CL demands
}

// Param is one parameter: KEYWORD(values), or a positional one, which has no
// keyword. KEYWORD(A B) has two values, KEYWORD((A B)) has one that is a list,
// KEYWORD() has none.
type Param struct {
	Keyword string
	Values  []Value
}

// Error says where a text stops being CL. Line and Column count from 1, in the
// physical lines of the text and in characters.
type Error struct {
	Line, Column int
	Text         string
}

// Error gives "line:column: text".
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Get gives the parameter of a keyword, in any case: its only value, or a list
// of its values when there are none or several. False when the keyword is not
// there; positional parameters have no keyword, see [Command.Positional].
func (c Command) Get(keyword string) (Value, bool) {
	for _, param := range c.Params {
		if param.Keyword != "" && strings.EqualFold(param.Keyword, keyword) {
			return param.Value(), true
		}
	}
	return Value{}, false
}

// Positional gives the values that were given without a keyword, in order.
func (c Command) Positional() []Value {
	var values []Value
	for _, param := range c.Params {
		if param.Keyword == "" {
			values = append(values, param.Value())
		}
	}
	return values
}

// Value gives the parameter's only value, or a list of its values when there
// are none or several.
func (p Param) Value() Value {
	if len(p.Values) == 1 {
		return p.Values[0]
	}
	return Value{Kind: List, Values: p.Values}
}

// String prints the command on one line. Parse reads it back as the same
// command.
func (c Command) String() string {
	var b strings.Builder
	if c.Label != "" {
		b.WriteString(c.Label + ": ")
	}
	if c.Library != "" {
		b.WriteString(c.Library + "/")
	}
	b.WriteString(c.Name)
	for _, param := range c.Params {
		b.WriteByte(' ')
		param.print(&b)
	}
	return b.String()
}

// print puts brackets around a word that ends in a sign: at the end of a line
// the sign would continue it.
func (p Param) print(b *strings.Builder) {
	if p.Keyword == "" && len(p.Values) == 1 && p.Values[0].atom() && !p.Values[0].signed() {
		p.Values[0].print(b)
		return
	}
	b.WriteString(p.Keyword)
	printList(b, p.Values)
}
