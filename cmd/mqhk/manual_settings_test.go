package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

// settingRow is a row of a table of settings in docs/policies.md: the kinds or
// nothing, the setting, and what stands behind it.
var settingRow = regexp.MustCompile("(?m)^\\| ((?:`[a-z]+`(?: `[a-z]+`)*)?)(?: \\| |\\| )?`([a-z_]+)` \\|(.*)\\|$")

// docs/policies.md names every setting of every connection, store and plugin,
// with its default and its bounds, and none that there is not.
func TestManualNamesSettings(t *testing.T) {
	page := manual(t)["docs/policies.md"]
	part := func(from, to string) string {
		t.Helper()
		_, rest, found := strings.Cut(page, from)
		text, _, ends := strings.Cut(rest, to)
		if !found || !ends {
			t.Fatalf("the page has nothing between %q and %q", from, to)
		}
		return text
	}
	plugins := builtinSchemas()
	holdSettings(t, "connection", connections(), part("\n## connection\n", "\n## "))
	holdSettings(t, "store", storeSchemas(), part("The other settings are those of the kind:", "\n## "))
	for name, ends := range map[string]string{"journal": "\nThe settings of ", "archive": "\n## "} {
		text := strings.ReplaceAll(part("The settings of `"+name+"`", ends), "\n| `", "\n| `"+name+"` | `")
		holdSettings(t, "plugin", map[string]schema.Schema{name: plugins[name]}, text)
	}
	_, table, _ := strings.Cut(manual(t)["docs/smds.md"], "\n## Settings\n")
	holdSettings(t, "plugin", map[string]schema.Schema{"smdsexpand": plugins["smdsexpand"]}, strings.ReplaceAll(table, "\n| `", "\n| `smdsexpand` | `"))
}

// holdSettings holds the tables of a part of the page against schemas by kind. A
// row without a kind is of the kind above it.
func holdSettings(t *testing.T, what string, kinds map[string]schema.Schema, text string) {
	t.Helper()
	said := map[string]string{}
	kind := ""
	for _, row := range settingRow.FindAllStringSubmatch(text, -1) {
		if row[1] != "" {
			kind = row[1]
		}
		for _, name := range strings.Fields(strings.ReplaceAll(kind, "`", "")) {
			said[name+"."+row[2]] = row[3]
		}
	}
	for name, s := range kinds {
		for _, field := range s.Fields {
			key := name + "." + field.Name
			row, ok := said[key]
			delete(said, key)
			if !ok {
				t.Errorf("%s %s: the page does not name %s", what, name, field.Name)
			}
			for _, word := range wordsOf(field) {
				if ok && !strings.Contains(row, word) {
					t.Errorf("%s %s: of %s the page does not say %s:%s", what, name, field.Name, word, row)
				}
			}
		}
	}
	if len(said) > 0 {
		t.Errorf("%s: there is none of %v", what, slices.Sorted(maps.Keys(said)))
	}
}

// wordsOf are what a row says of a setting: its default and its bounds.
func wordsOf(field schema.Field) []string {
	var words []string
	span := func(d time.Duration) string {
		for _, unit := range []struct {
			of   time.Duration
			name string
		}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
			if d >= unit.of && d%unit.of == 0 {
				return fmt.Sprintf("%d%s", d/unit.of, unit.name)
			}
		}
		return fmt.Sprintf("%ds", d/time.Second)
	}
	switch value := field.Default.(type) {
	case nil:
	case time.Duration:
		words = append(words, "`\""+span(value)+"\"`")
	default:
		words = append(words, fmt.Sprintf("`%v`", value))
	}
	if field.Required {
		words = append(words, "required")
	}
	if field.Min == 0 && field.Max == 0 {
		return words
	}
	for _, bound := range []int64{field.Min, field.Max} {
		if field.Kind == schema.Duration {
			words = append(words, "`"+span(time.Duration(bound))+"`")
		} else {
			words = append(words, fmt.Sprint(bound))
		}
	}
	return words
}
