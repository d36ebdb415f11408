package mqsc

import (
	"regexp"
	"strings"
)

// ending says how a run of attributes ended.
type ending uint8

const (
	none   ending = iota // it is no run of attributes
	closed               // at the end of the text, or before the next message
	open                 // within a value: the line was wrapped, or the answer torn
)

// run is a row of attributes, NAME(value) and NAME, apart by blanks.
type run struct {
	attributes []Attribute
	rest       string // from the next message on
	ending     ending
	at         int // where the attribute starts whose value is open
}

var nextMessage = regexp.MustCompile(`^(AMQ[0-9]{4}[A-Z]?:|CSQ[A-Z0-9][0-9]{3}[A-Z] )`)

func isNextMessage(text string) bool {
	return (strings.HasPrefix(text, "AMQ") || strings.HasPrefix(text, "CSQ")) && nextMessage.MatchString(text)
}

// attributeName gives the name at the start of a text: a letter, then letters
// and digits; empty when there is none.
func attributeName(text string) string {
	end := 0
	for end < len(text) && ('A' <= text[end] && text[end] <= 'Z' || end > 0 && '0' <= text[end] && text[end] <= '9') {
		end++
	}
	return text[:end]
}

// scanRun reads a run from the start of the text. Prose is no run: a word that
// is not an attribute's name in capitals ends it with none.
func scanRun(text string) run {
	var found run
	for i := 0; ; {
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
		if i == len(text) || isNextMessage(text[i:]) {
			found.rest, found.ending = text[i:], closed
			return found
		}
		name := attributeName(text[i:])
		after := i + len(name)
		if len(name) < 2 {
			return run{}
		}
		if after == len(text) || text[after] != '(' {
			if after < len(text) && text[after] != ' ' && text[after] != '\t' {
				return run{}
			}
			found.attributes = append(found.attributes, Attribute{Name: name, Bare: true})
			i = after
			continue
		}
		value, end, ok := scanValue(text[after:])
		switch {
		case !ok:
			return run{}
		case end == 0:
			found.ending, found.at = open, i
			return found
		}
		found.attributes = append(found.attributes, Attribute{Name: name, Value: value})
		i = after + end
	}
}

// valued tells whether the run holds at least one NAME(value).
func (r run) valued() bool {
	for _, attribute := range r.attributes {
		if !attribute.Bare {
			return true
		}
	}
	return r.ending == open
}

// scanValue reads (value) and gives where it ends, 0 when it does not; not ok
// when something stands right behind it. A value in quotes is taken whole,
// whatever brackets are in it; but runmqsc prints text without quotes, so an
// apostrophe in front may also be the value's own.
func scanValue(text string) (value string, end int, ok bool) {
	if inner := strings.TrimLeft(text[1:], " \t"); strings.HasPrefix(inner, "'") {
		if value, end := scanQuoted(inner); end > 0 {
			return value, len(text) - len(inner) + end, true
		}
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return strings.Trim(text[1:i], " \t"), i + 1, ends(text[i+1:])
		}
	}
	return "", 0, true
}

// scanQuoted reads 'value' and the bracket behind it.
func scanQuoted(text string) (string, int) {
	for i := 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if strings.HasPrefix(text[i+1:], "'") {
			i++
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " \t")
		if !strings.HasPrefix(rest, ")") || !ends(rest[1:]) {
			return "", 0
		}
		return strings.ReplaceAll(text[1:i], "''", "'"), len(text) - len(rest) + 1
	}
	return "", 0
}

// ends tells whether an attribute may end in front of the text.
func ends(text string) bool { return text == "" || text[0] == ' ' || text[0] == '\t' }
