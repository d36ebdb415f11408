package policies

import (
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

// DecodeConfig reads settings with the schema they belong to: a task's config
// block with that of its plugin, a connection with that of its kind. The
// error is [Diagnostics] with every mistake in its place; the value is good
// only without one.
//
// A field that is Secret takes env("...") or file("...") and nothing else,
// and no other field takes those; the value then holds the secret as a plain
// string, so what it is handed to must not print it.
func DecodeConfig(s Settings, fields schema.Schema) (schema.Value, error) {
	v, problems := decode(s, fields)
	return v, problems.err()
}

func decode(s Settings, fields schema.Schema) (schema.Value, Diagnostics) {
	var ds Diagnostics
	names := make([]string, len(fields.Fields))
	for i, f := range fields.Fields {
		names[i] = f.Name
	}
	for _, argument := range s.arguments {
		if !slices.Contains(names, argument.name) {
			ds.add(argument.label, "unknown setting", "%s has no setting %q; %s", s.what, argument.name, suggest(argument.name, names))
		}
	}
	held := map[string]any{}
	for _, f := range fields.Fields {
		argument, written := s.find(f.Name)
		if !written {
			if f.Required {
				ds.add(s.at, "missing "+f.Name, "%s needs it: %s", s.what, describe(f))
			}
			continue
		}
		if converted, ok := convert(argument, f, &ds); ok {
			held[f.Name] = converted
		}
	}
	if len(ds) > 0 {
		return schema.Value{}, ds
	}
	v, err := schema.New(fields, held)
	if err != nil { // every field was checked; a schema may know more
		ds.add(s.at, "settings that do not fit", "%v", err)
	}
	return v.Lenient(), ds
}

// convert gives a setting the Go type of its field, checked by the field's
// own rules.
func convert(argument setting, f schema.Field, ds *Diagnostics) (any, bool) {
	v := argument.value
	if v.kind == wrongValue {
		return nil, false
	}
	if problem := secrecy(v, f); problem != "" {
		ds.add(v.at, "wrong kind of value", "%s", problem)
		return nil, false
	}
	converted, wrongKind := typed(v, f)
	if wrongKind.problem != "" {
		ds.add(v.at, wrongKind.problem, "%s", wrongKind.detail)
		return nil, false
	}
	if text := check(f, converted); text != "" {
		ds.add(v.at, "out of bounds", "%s: %s", f.Name, text)
		return nil, false
	}
	return converted, true
}

// secrecy keeps secrets and what is shown apart.
func secrecy(v value, f schema.Field) string {
	switch {
	case f.Secret && v.kind != secretValue:
		return fmt.Sprintf(`%s is a secret and not written in the file: use env("NAME") or file("path")`, f.Name)
	case !f.Secret && v.kind == secretValue:
		return fmt.Sprintf("%s is shown in plans and reports; it takes no secret", f.Name)
	}
	return ""
}

// typed converts a value to the Go type of the field's kind.
func typed(v value, f schema.Field) (any, complaint) {
	mismatch := complaint{"wrong kind of value", fmt.Sprintf("%s is a %s, not a %s", f.Name, f.Kind, v.kind)}
	match := func(kind valueKind, converted any) (any, complaint) {
		if v.kind != kind {
			return nil, mismatch
		}
		return converted, complaint{}
	}
	switch f.Kind {
	case schema.String:
		if v.kind == secretValue {
			return v.secret.Reveal(), complaint{}
		}
		return match(textValue, v.text)
	case schema.Bool:
		return match(flagValue, v.flag)
	case schema.Int:
		return match(numberValue, v.number)
	case schema.Strings:
		return match(listValue, v.strings())
	case schema.Duration:
		d, problem, detail := v.asDuration()
		return d, complaint{problem, detail}
	case schema.Size:
		n, problem, detail := v.asSize()
		return n, complaint{problem, detail}
	}
	return nil, mismatch
}

// check applies the field's own rules, and words its bounds as the file does
// (case 41: exclint between 30s and 10m).
func check(f schema.Field, converted any) string {
	if d, ok := converted.(time.Duration); ok && (f.Min != 0 || f.Max != 0) {
		if int64(d) < f.Min || int64(d) > f.Max {
			return fmt.Sprintf("%s is not between %s and %s", formatDuration(d),
				formatDuration(time.Duration(f.Min)), formatDuration(time.Duration(f.Max)))
		}
	}
	if f.Secret {
		return "" // a message of the field would repeat it
	}
	return f.Check(converted)
}

// describe says in a few words what a field takes.
func describe(f schema.Field) string {
	text := fmt.Sprintf("a %s", f.Kind)
	if f.Doc != "" {
		text += ", " + f.Doc
	}
	return text
}
