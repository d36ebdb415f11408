package mqini

import (
	"fmt"
	"strings"
)

// File is a configuration file: its stanzas in order, and what in it could not
// be read or stands there twice.
type File struct {
	Stanzas  []Stanza
	Problems []Problem
}

// Stanza is one stanza. Line is that of its header, End the last before the
// next header; both count from 1. A name may come more than once, as
// ApiExitCommon and Service do.
type Stanza struct {
	Name       string
	Line, End  int
	Attributes []Attribute
}

// Attribute is one line Name=Value, without the blanks around the parts and
// without the quotes around a value.
type Attribute struct {
	Name, Value string
	Line        int
}

// Problem is something in a file that could not be taken as it stands.
type Problem struct {
	Line int // from 1
	Text string
}

// String gives "line N: text".
func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// All gives the stanzas of a name, in any case.
func (f File) All(name string) []Stanza {
	var found []Stanza
	for _, stanza := range f.Stanzas {
		if strings.EqualFold(stanza.Name, name) {
			found = append(found, stanza)
		}
	}
	return found
}

// Get gives the first stanza of a name, in any case, and whether there is one.
func (f File) Get(name string) (Stanza, bool) {
	for _, stanza := range f.Stanzas {
		if strings.EqualFold(stanza.Name, name) {
			return stanza, true
		}
	}
	return Stanza{}, false
}

// within gives the problems of a stanza's lines.
func (f File) within(stanza Stanza) []Problem {
	var found []Problem
	for _, problem := range f.Problems {
		if stanza.Line <= problem.Line && problem.Line <= stanza.End {
			found = append(found, problem)
		}
	}
	return found
}

// Get gives the value of the first attribute of a name, in any case. False when
// there is none, which is not the same as an empty value.
func (s Stanza) Get(name string) (string, bool) {
	for _, attribute := range s.All(name) {
		return attribute.Value, true
	}
	return "", false
}

// All gives the attributes of a name, in any case. More than one is told in the
// file's problems: which of them MQ takes is not documented.
func (s Stanza) All(name string) []Attribute {
	var found []Attribute
	for _, attribute := range s.Attributes {
		if strings.EqualFold(attribute.Name, name) {
			found = append(found, attribute)
		}
	}
	return found
}
