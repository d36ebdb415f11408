package mqini

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	header = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)\s*:\s*(.*)$`)
	key    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
)

// Parse reads a configuration file, or what dspmqinf printed. It takes any line
// end, blanks and tabs anywhere around a part, headers that are indented, and
// text that is UTF-8, UTF-16 with its mark, or ISO 8859-1. A line whose first
// character is # or ; is a comment.
func Parse(body []byte) File {
	p := parser{}
	for i, line := range lines(body) {
		p.number = i + 1
		p.line(strings.TrimSpace(line))
	}
	if p.now != nil {
		p.now.End = p.number
	}
	return p.file
}

// parser goes through the lines of a file.
type parser struct {
	file   File
	now    *Stanza // the open stanza, the last of file.Stanzas
	number int
}

func (p *parser) line(text string) {
	switch {
	case text == "", text[0] == '#', text[0] == ';':
		return
	case strings.ContainsFunc(text, control):
		p.problem("a control character")
		return
	case isCommand(text):
		p.command(text)
		return
	}
	name, value, found := strings.Cut(text, "=")
	if !found {
		p.header(text)
		return
	}
	p.attribute(strings.TrimSpace(name), strings.TrimSpace(value))
}

// header begins a stanza. IBM's own example has a note behind one of the
// names: the stanza begins all the same, and the note is told.
func (p *parser) header(text string) {
	match := header.FindStringSubmatch(text)
	if match == nil {
		p.problem("neither a stanza nor an attribute")
		return
	}
	p.begin(match[1])
	if match[2] != "" {
		p.problem("text behind the name of the stanza " + match[1])
	}
}

func (p *parser) begin(name string) {
	if p.now != nil {
		p.now.End = p.number - 1
	}
	p.file.Stanzas = append(p.file.Stanzas, Stanza{Name: name, Line: p.number, End: p.number})
	p.now = &p.file.Stanzas[len(p.file.Stanzas)-1]
}

func (p *parser) attribute(name, value string) {
	switch {
	case !key.MatchString(name):
		p.problem("no attribute's name stands before the =")
		return
	case p.now == nil:
		p.problem("the attribute " + name + " stands before the first stanza")
		return
	}
	if earlier := p.now.All(name); len(earlier) > 0 {
		p.problem(fmt.Sprintf("%s twice in the stanza %s, first in line %d", name, p.now.Name, earlier[0].Line))
	}
	p.now.Attributes = append(p.now.Attributes, Attribute{name, unquoted(value), p.number})
}

func (p *parser) problem(text string) {
	p.file.Problems = append(p.file.Problems, Problem{p.number, text})
}

// unquoted takes the quotes off that stand around a whole value.
func unquoted(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] && strings.Count(value, value[:1]) == 2 {
		return value[1 : n-1]
	}
	return value
}

func control(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }
