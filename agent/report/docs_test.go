package report

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
)

var docsPath = filepath.Join("..", "..", "docs", "report.md")

func readDocs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	sectionLine = regexp.MustCompile("^### (`.*)$")
	pathWord    = regexp.MustCompile("`([^`]+)`")
	fieldLine   = regexp.MustCompile("^\\| `([a-z0-9_]+)` \\|")
)

// documented reads the page: the fields of each place in the JSON.
func documented(text string) map[string][]string {
	result := map[string][]string{}
	var places []string
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "#") {
			places = nil
		}
		if m := sectionLine.FindStringSubmatch(l); m != nil {
			for _, p := range pathWord.FindAllStringSubmatch(m[1], -1) {
				places = append(places, p[1])
				result[p[1]] = []string{}
			}
		}
		if m := fieldLine.FindStringSubmatch(l); m != nil {
			for _, place := range places {
				result[place] = append(result[place], m[1])
			}
		}
	}
	return result
}

// declared walks the record's types: the fields of each place in the JSON.
func declared(place string, of reflect.Type, result map[string][]string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() == reflect.Slice {
		declared(place+"[]", of.Elem(), result)
		return
	}
	if of.Kind() != reflect.Struct {
		return
	}
	result[place] = []string{}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		result[place] = append(result[place], name)
		declared(strings.TrimPrefix(place+"."+name, "record."), of.Field(i).Type, result)
	}
}

// Every field of every record type is explained, in its place and in its
// order, and nothing is explained that does not exist.
func TestDocsNameEveryField(t *testing.T) {
	want := map[string][]string{}
	declared("record", reflect.TypeFor[ledger.Record](), want)
	got := documented(readDocs(t))
	for place, fields := range want {
		if !slices.Equal(fields, got[place]) {
			t.Errorf("%s has fields %v, the page explains %v", place, fields, got[place])
		}
		delete(got, place)
	}
	for place := range got {
		t.Errorf("the page explains %s, which does not exist", place)
	}
}
