package plugintest

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

func tryStart(e *exam) {
	e.with(StartOptions{}, func(running Running) {
		e.bench.description, e.bench.known = running.Describe(), true
		e.bench.confirms, e.bench.performs = running.Confirms(), running.Performs()
		e.bench.requests, e.bench.unfit = e.prepare()
	})
}

// settingName is how a setting is written in a file.
var settingName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

func tryDescription(e *exam) {
	d := e.description
	if problem := plugins.CheckName(d.Name); problem != "" {
		e.problem("its name: %s", problem)
	}
	if slices.Contains(e.options.Taken, d.Name) {
		e.problem("the name %q is that of a plugin that ships with mqhk", d.Name)
	}
	if problem := plugins.CheckVersion(d.Version); problem != "" {
		e.problem("its version: %s", problem)
	}
	if problem := sentence(d.Doc); problem != "" {
		e.problem("what it does (Doc): %s", problem)
	}
	if len(d.Platforms) == 0 {
		e.problem("it names no platform, so no target fits")
	}
	words(e, "platform", d.Platforms, func(p observe.Platform) bool {
		parsed, err := observe.ParsePlatform(string(p))
		return err == nil && parsed == p
	})
	words(e, "language", d.Languages, observe.Language.Known)
	words(e, "action", d.Actions, func(k plugins.Kind) bool { return slices.Contains(kinds, k) })
	custom := slices.Contains(d.Actions, plugins.KindCustom)
	if custom != e.performs {
		e.problem("it lists custom actions: %t; it has a Perform: %t; one is nothing without the other", custom, e.performs)
	}
}

var kinds = []plugins.Kind{
	plugins.KindCommand, plugins.KindArchive, plugins.KindMarkArchived, plugins.KindDelete, plugins.KindAlert, plugins.KindCustom,
}

// words looks at a list of words of the description.
func words[T ~string](e *exam, what string, list []T, known func(T) bool) {
	for i, word := range list {
		if !known(word) {
			e.problem("%s %q is not known", what, word)
		}
		if slices.Contains(list[:i], word) {
			e.problem("%s %q is listed twice", what, word)
		}
	}
}

// sentence says what is wrong with a text that stands as one line.
func sentence(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "it is empty"
	case strings.ContainsAny(text, "\r\n"):
		return fmt.Sprintf("%q is more than one line", text)
	case !strings.HasSuffix(text, "."):
		return fmt.Sprintf("%q does not end with a full stop", text)
	}
	return ""
}

func trySchema(e *exam) {
	s := e.description.Schema
	if len(s.Fields) == 0 {
		e.skip("it has no settings")
		return
	}
	if problem := sentence(s.Doc); problem != "" {
		e.problem("what the settings are for (Schema.Doc): %s", problem)
	}
	for i, f := range s.Fields {
		if !settingName.MatchString(f.Name) {
			e.problem("setting %q: a name is lower-case letters, digits and underscores, and begins with a letter", f.Name)
		}
		if slices.ContainsFunc(s.Fields[:i], func(g schema.Field) bool { return g.Name == f.Name }) {
			e.problem("setting %s is there twice", f.Name)
		}
		if problem := sentence(f.Doc); problem != "" {
			e.problem("setting %s, what it is for (Doc): %s", f.Name, problem)
		}
		for _, problem := range fieldProblems(f) {
			e.problem("setting %s: %s", f.Name, problem)
		}
	}
}

// fieldProblems says what does not go together in a setting.
func fieldProblems(f schema.Field) (problems []string) {
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	zero, known := zeroValue(f.Kind)
	if !known {
		return []string{fmt.Sprintf("its kind %d is not known", f.Kind)}
	}
	bounded := f.Min != 0 || f.Max != 0
	numeric := f.Kind == schema.Int || f.Kind == schema.Size || f.Kind == schema.Duration
	add(bounded && !numeric, "a %s has no bounds", f.Kind)
	add(f.Min > f.Max, "its bounds are the wrong way round")
	add(len(f.OneOf) > 0 && f.Kind != schema.String && f.Kind != schema.Strings, "only words can be one of a list")
	add(f.Required && f.Default != nil, "it is required, so its default is never used")
	add(f.Secret && f.Kind != schema.String, "only a string can be a secret")
	add(f.Secret && f.Default != nil, "the default of a secret is none")
	if f.Default != nil {
		text := f.Check(f.Default)
		add(text != "", "its default %v: %s", f.Default, text)
		return problems
	}
	if !f.Required {
		text := f.Check(zero)
		add(text != "", "where it is left out it is %v: %s; give it a default or make it required", zero, text)
	}
	return problems
}

func zeroValue(kind schema.Kind) (any, bool) {
	switch kind {
	case schema.String:
		return "", true
	case schema.Bool:
		return false, true
	case schema.Int, schema.Size:
		return int64(0), true
	case schema.Duration:
		return time.Duration(0), true
	case schema.Strings:
		return []string(nil), true
	default:
		return nil, false
	}
}

// badValues gives values that a setting does not take, with what is wrong
// with each.
func badValues(f schema.Field) map[string]any {
	bad := map[string]any{"a value of another type": "no such thing"}
	number := func(n int64) any {
		if f.Kind == schema.Duration {
			return time.Duration(n)
		}
		return n
	}
	switch f.Kind {
	case schema.String:
		bad["a value of another type"] = true
		if len(f.OneOf) > 0 {
			bad["a word that is not listed"] = "no-such-word"
		}
	case schema.Strings:
		if len(f.OneOf) > 0 {
			bad["a word that is not listed"] = []string{"no-such-word"}
		}
	case schema.Int, schema.Size, schema.Duration:
		if f.Min == 0 && f.Max == 0 {
			break
		}
		if f.Max < math.MaxInt64 {
			bad["a value above its bounds"] = number(f.Max + 1)
		}
		if f.Min > math.MinInt64 {
			bad["a value below its bounds"] = number(f.Min - 1)
		}
	}
	if f.Required {
		bad["nothing, where it is required"] = nil
	}
	return bad
}

// names tells whether a path or a text is about a setting.
func names(text, setting string) bool {
	return regexp.MustCompile(`(^|[^a-z0-9_])` + regexp.QuoteMeta(setting) + `($|[^a-z0-9_])`).MatchString(text)
}

// setting gives the name of the setting that a complaint's path leads to:
// name, name[2], config.name.
func setting(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "config."), "[")
	return cmp.Or(name, path)
}
