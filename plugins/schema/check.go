package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Problem is one setting that does not fit.
type Problem struct {
	Name string // of the setting
	Text string
}

func (p *Problem) Error() string { return p.Name + ": " + p.Text }

func newValue(s Schema, settings map[string]any) (Value, error) {
	var problems []error
	held := make(map[string]any, len(s.Fields))
	kinds := make(map[string]Kind, len(s.Fields))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if _, ok := s.Field(name); !ok {
			problems = append(problems, &Problem{name, "there is no such setting"})
		}
	}
	for _, f := range s.Fields {
		kinds[f.Name] = f.Kind
		value, written := settings[f.Name]
		switch {
		case written:
			if text := f.Check(value); text != "" {
				problems = append(problems, &Problem{f.Name, text})
				continue
			}
			held[f.Name] = value
		case f.Required:
			problems = append(problems, &Problem{f.Name, "must be set"})
		case f.Default != nil:
			held[f.Name] = f.Default
		}
	}
	return Value{held, kinds}, errors.Join(problems...)
}

// Check tells what is wrong with a value for the setting; empty means
// nothing.
func (f Field) Check(value any) string {
	switch v := value.(type) {
	case string:
		if f.Kind == String {
			return f.checkWord(v)
		}
	case bool:
		if f.Kind == Bool {
			return ""
		}
	case int64:
		if f.Kind == Int || f.Kind == Size {
			return f.checkRange(v, func(n int64) string { return fmt.Sprint(n) })
		}
	case time.Duration:
		if f.Kind == Duration {
			return f.checkRange(int64(v), func(n int64) string { return time.Duration(n).String() })
		}
	case []string:
		if f.Kind == Strings {
			for _, word := range v {
				if text := f.checkWord(word); text != "" {
					return text
				}
			}
			return ""
		}
	}
	return fmt.Sprintf("must be a %s", f.Kind)
}

func (f Field) checkWord(word string) string {
	if len(f.OneOf) > 0 && !slices.Contains(f.OneOf, word) {
		return fmt.Sprintf("%q is none of %s", word, strings.Join(f.OneOf, ", "))
	}
	return ""
}

func (f Field) checkRange(n int64, show func(int64) string) string {
	if (f.Min != 0 || f.Max != 0) && (n < f.Min || n > f.Max) {
		return fmt.Sprintf("%s is not between %s and %s", show(n), show(f.Min), show(f.Max))
	}
	return ""
}
