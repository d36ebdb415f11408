// Package schema says what the configuration of a plugin may hold.
//
// A plugin describes its settings as a [Schema]; the host reads the
// operator's file with it, reports every mistake with file, line and column,
// and hands the plugin a [Value] in which every setting has its type, its
// default filled in.
package schema

import (
	"fmt"
	"slices"
	"time"
)

// Kind is the type of one setting.
type Kind uint8

// The kinds. In a policy file a Duration is a string with a unit ("90m",
// "7d"), a Size too ("16MiB"); a bare number for either is an error.
const (
	String   Kind = iota + 1 // string
	Bool                     // bool
	Int                      // int64
	Duration                 // time.Duration
	Size                     // int64, bytes
	Strings                  // []string
)

var kindWords = [...]string{"", "string", "bool", "number", "duration", "size", "list of strings"}

// String gives the words used in messages.
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return fmt.Sprintf("kind %d", k)
}

// Field is one setting.
type Field struct {
	Name     string   // as written in the file: lower case with underscores
	Doc      string   // one sentence for mqhk plugin describe
	Kind     Kind     //
	Required bool     // must be written
	Default  any      // of the kind's Go type; nil: the zero value
	Min, Max int64    // bounds of Int, Size (bytes) and Duration (nanoseconds); both 0: none
	OneOf    []string // the only words a String, or an element of Strings, may be; empty: any
	Secret   bool     // never shown
}

// Schema is all settings of one plugin.
type Schema struct {
	Doc    string
	Fields []Field
}

// Field finds a setting by name.
func (s Schema) Field(name string) (Field, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Value is a configuration that fits a schema. Its getters panic at a name that
// the schema does not have, and at a setting of another kind: a slip in a
// plugin's code, where a silent zero would be planned with. The zero Value has
// no schema and holds nothing; its getters give zero values.
type Value struct {
	settings map[string]any
	kinds    map[string]Kind // of all settings of the schema; nil: it has none
}

// New checks settings against the schema and fills in defaults. The settings
// have the kinds' Go types. Every problem is reported, joined by errors.Join.
func New(s Schema, settings map[string]any) (Value, error) { return newValue(s, settings) }

// String gives a String setting.
func (v Value) String(name string) string { return get[string](v, name, String) }

// Bool gives a Bool setting.
func (v Value) Bool(name string) bool { return get[bool](v, name, Bool) }

// Int gives an Int setting, or a Size in bytes.
func (v Value) Int(name string) int64 { return get[int64](v, name, Int, Size) }

// Duration gives a Duration setting.
func (v Value) Duration(name string) time.Duration { return get[time.Duration](v, name, Duration) }

// Strings gives a Strings setting.
func (v Value) Strings(name string) []string { return get[[]string](v, name, Strings) }

// Settings gives all settings as they are held, to be read only.
func (v Value) Settings() map[string]any { return v.settings }

// Lenient gives the same settings to a host that reads those of several schemas
// with one code: a getter of a setting that is not there gives a zero value.
func (v Value) Lenient() Value { return Value{settings: v.settings} }

func get[T any](v Value, name string, kinds ...Kind) T {
	if v.kinds != nil {
		switch kind, ok := v.kinds[name]; {
		case !ok:
			panic(fmt.Sprintf("setting %q is read as a %s, and the schema has no such setting", name, kinds[0]))
		case !slices.Contains(kinds, kind):
			panic(fmt.Sprintf("setting %q is read as a %s, and in the schema it is a %s", name, kinds[0], kind))
		}
	}
	value, _ := v.settings[name].(T)
	return value
}
