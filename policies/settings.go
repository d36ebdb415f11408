package policies

import (
	"maps"
	"slices"
)

// Settings are the arguments of a config, connection or store block whose
// schema belongs to somebody else: read as plain values, decoded when that
// schema is known ([DecodeConfig]). The zero Settings are empty.
type Settings struct {
	what      string // "config", "connection", "store" for messages
	at        Place
	dir       string
	arguments []setting // by name
}

// setting is one argument.
type setting struct {
	name  string
	label Place
	value value
}

// settings takes every argument of the block that nobody asked for so far.
// Secrets may stand in them.
func (b *block) settings(what string) Settings {
	s := Settings{what: what, at: b.at, dir: b.source.dir()}
	// What a setting takes is the business of its schema.
	const hint = "a string is written in quotes, a number in digits"
	reader := evaluator{source: b.source, secrets: true, hint: hint, ds: b.ds}
	for _, name := range slices.Sorted(maps.Keys(b.body.Attributes)) {
		if slices.Contains(b.known, name) {
			continue
		}
		attribute := b.body.Attributes[name]
		s.arguments = append(s.arguments, setting{
			name:  name,
			label: b.source.place(attribute.NameRange),
			value: reader.value(attribute.Expr),
		})
	}
	for _, argument := range s.arguments {
		b.known = append(b.known, argument.name)
	}
	return s
}

// At is where the block begins.
func (s Settings) At() Place { return s.at }

// Dir is the directory of the file, from which relative paths in the settings
// start.
func (s Settings) Dir() string { return s.dir }

// Names gives the settings that are written, in order.
func (s Settings) Names() []string {
	names := make([]string, len(s.arguments))
	for i, argument := range s.arguments {
		names[i] = argument.name
	}
	return names
}

// Get gives a setting as it is written: a string, an int64, a bool, a
// []string or a [Secret]; nil where it is not written.
func (s Settings) Get(name string) any {
	argument, ok := s.find(name)
	if !ok {
		return nil
	}
	switch v := argument.value; v.kind {
	case textValue:
		return v.text
	case numberValue:
		return v.number
	case flagValue:
		return v.flag
	case listValue:
		return v.strings()
	case secretValue:
		return v.secret
	default:
		return nil
	}
}

func (s Settings) find(name string) (setting, bool) {
	for _, argument := range s.arguments {
		if argument.name == name {
			return argument, true
		}
	}
	return setting{}, false
}

// strings gives the elements of a list.
func (v value) strings() []string {
	words := make([]string, len(v.list))
	for i, element := range v.list {
		words[i] = element.text
	}
	return words
}
