package mqini

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// State says how well a file answers for an attribute.
type State uint8

// The states. The zero value is NotGiven.
const (
	NotGiven State = iota // the attribute is not there
	Unclear               // it is there, and can't be read or says two things
	Known
)

// String gives the state's words.
func (s State) String() string { return [...]string{"not given", "unclear", "known"}[min(s, Known)] }

// Setting is what a file says of one attribute. Value is only set when the
// state is [Known].
type Setting[T any] struct {
	Value T
	State State
	Line  int // of the first attribute of that name, 0 when there is none
}

// Known tells whether the file says one thing that can be read.
func (s Setting[T]) Known() bool { return s.State == Known }

// source is the stanzas of one kind in a file, with the problems met in them.
type source struct {
	stanzas  []Stanza
	problems []Problem
}

// sourceOf gives the stanzas of a name. There should be one: which of two MQ
// takes is not documented.
func sourceOf(f File, name string) *source {
	s := &source{stanzas: f.All(name)}
	for i, stanza := range s.stanzas {
		s.problems = append(s.problems, f.within(stanza)...)
		if i > 0 {
			s.tell(stanza.Line, "a second stanza %s, the first is in line %d", stanza.Name, s.stanzas[0].Line)
		}
	}
	return s
}

func (s *source) tell(line int, format string, values ...any) {
	s.problems = append(s.problems, Problem{line, fmt.Sprintf(format, values...)})
}

// settingOf reads an attribute with all its repetitions. Those that say the
// same are one; two that differ, or one that can't be read, leave it unclear.
func settingOf[T comparable](s *source, name string, read func(string) (T, error)) Setting[T] {
	var found Setting[T]
	for _, stanza := range s.stanzas {
		for _, attribute := range stanza.All(name) {
			value, err := read(attribute.Value)
			switch {
			case err != nil:
				s.tell(attribute.Line, "%s=%s: %v", attribute.Name, attribute.Value, err)
				found.State = Unclear
			case found.State == NotGiven:
				found.Value, found.State = value, Known
			case found.State == Known && found.Value != value:
				s.tell(attribute.Line, "%s=%s differs from line %d", attribute.Name, attribute.Value, found.Line)
				found.State = Unclear
			}
			if found.Line == 0 {
				found.Line = attribute.Line
			}
		}
	}
	if found.State != Known {
		var none T
		found.Value = none
	}
	return found
}

// word reads one of some words, in any case.
func word[T ~string](words ...T) func(string) (T, error) {
	return func(text string) (T, error) {
		for _, w := range words {
			if strings.EqualFold(text, string(w)) {
				return w, nil
			}
		}
		return "", fmt.Errorf("not one of %v", words)
	}
}

// number reads a whole number within bounds.
func number(low, high int64) func(string) (int64, error) {
	return func(text string) (int64, error) {
		value, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil:
			return 0, errors.New("not a whole number")
		case value < low || value > high:
			return 0, fmt.Errorf("not from %d to %d", low, high)
		}
		return value, nil
	}
}

func filled(text string) (string, error) {
	if text == "" {
		return "", errors.New("no value")
	}
	return text, nil
}
