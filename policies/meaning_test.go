package policies

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestSentence(t *testing.T) {
	for _, p := range loadValid(t).Policies {
		golden(t, "sentences/"+p.Name+".txt", Sentence(p))
	}
}

func TestWhen(t *testing.T) {
	for expression, want := range map[string]string{
		"0 2 * * *":    "every day at 02:00",
		"5 14 * * 7":   "every Sunday at 14:05",
		"*/15 * * * *": "every 15 minutes",
		"0 * * * *":    "every hour",
		"0 * * * 1":    `on the schedule "0 * * * 1"`,
		"*/7 * * * *":  `on the schedule "*/7 * * * *"`,
		"0 2 1 * *":    `on the schedule "0 2 1 * *"`,
		"0 2 * * 1-5":  `on the schedule "0 2 * * 1-5"`,
		"@daily":       `on the schedule "@daily"`,
	} {
		if got := when(expression); got != want {
			t.Errorf("when(%q) = %q, want %q", expression, got, want)
		}
	}
}

func TestDiff(t *testing.T) {
	b := Bundled(testChecks())
	golden(t, "diff.txt", strings.Join(Diff(b[0], b[1]), "\n")+"\n")
	orders, _ := loadValid(t).Policy("orders")
	want := `task "by-hand": none -> plugin "journal"`
	if got := Diff(b[0], orders); !slices.Contains(got, want) {
		t.Errorf("Diff gives %q, without %q", got, want)
	}
}

// The carets, and what a terminal sees.
func TestDiagnosticsWrite(t *testing.T) {
	t.Setenv("MQHK_TEST_PASSWORD", testSecret)
	text := "policy \"a\" {\n\ttask \"journal\" \"caf\u00e9\" {\n\t\ttargets = [\"ibmi/*\"]\n\t\tstrategy = \"conservative\"\n\t\tmin_age = 30\n\t\tstore = \"\u001b[31m\n\t}\n}\n"
	s, _ := newSource("a.hcl", []byte(text))
	var ds Diagnostics
	r := &reader{checks: testChecks(), ds: &ds, found: &Configuration{}}
	r.readFile(s)
	ds.warn(Place{File: "b.hcl"}, "a doubt", "about the whole file")
	for name, colour := range map[string]bool{"plain.txt": false, "colour.txt": true} {
		var b strings.Builder
		if err := ds.Write(&b, colour); err != nil {
			t.Fatal(err)
		}
		golden(t, "diagnostics-"+name, b.String())
	}
	if got, want := ds.sorted().Error(), fmt.Sprintf("(and %d more)", len(ds)-2); !strings.Contains(got, want) {
		t.Errorf("as an error: %s, want %s", got, want)
	}
}

// arguments are those of a drawn task, as they are written.
func drawArguments(t *rapid.T) map[string]string {
	all := map[string]string{
		"targets":     rapid.SampledFrom([]string{`["ibmi/*"]`, `["ibmi/A", "zos/*"]`}).Draw(t, "targets"),
		"strategy":    rapid.SampledFrom([]string{`"conservative"`, `"fast-startup"`, `"aggressive"`}).Draw(t, "strategy"),
		"margin":      fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "margin")),
		"keep_newest": fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "keep_newest")),
		"min_age":     rapid.SampledFrom([]string{`"0s"`, `"1d"`, `"1h"`}).Draw(t, "min_age"),
		"unsaved":     rapid.SampledFrom([]string{`"hold"`, `"delete"`}).Draw(t, "unsaved"),
	}
	return all
}

// written gives a policy in one of the many ways to write it.
func written(t *rapid.T, arguments map[string]string) string {
	names := rapid.Permutation(slices.Sorted(maps.Keys(arguments))).Draw(t, "order")
	space := func() string { return rapid.SampledFrom([]string{"", " ", "\t", "   "}).Draw(t, "space") }
	newline := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", " # a comment\n", " // another\r\n"})
	defaults := map[string]string{"margin": "0", "keep_newest": "0", "min_age": `"0s"`, "unsaved": `"hold"`}
	var b strings.Builder
	b.WriteString("policy \"p\"" + space() + "{" + newline.Draw(t, "newline") + "task \"journal\" \"t\"" + " {\n")
	for _, name := range names {
		value := arguments[name]
		if value == defaults[name] && rapid.Bool().Draw(t, "left out") {
			continue
		}
		value = strings.ReplaceAll(value, `"1d"`, rapid.SampledFrom([]string{`"1d"`, `"24h"`, `"1440m"`}).Draw(t, "day"))
		value = strings.ReplaceAll(value, `["ibmi/A", "zos/*"]`, rapid.SampledFrom([]string{`["ibmi/A", "zos/*"]`, `["zos/*","ibmi/A",]`}).Draw(t, "list"))
		b.WriteString(space() + name + space() + "=" + space() + value + newline.Draw(t, "newline"))
	}
	b.WriteString("}\n}\n")
	return b.String()
}

func read(t *rapid.T, text string) Policy {
	s, problem := newSource("p.hcl", []byte(text))
	if problem != nil {
		t.Fatal(problem)
	}
	var ds Diagnostics
	r := &reader{ds: &ds, found: &Configuration{}}
	if r.readFile(s); len(ds) > 0 || len(r.found.Policies) != 1 {
		t.Fatalf("%v\n%s", ds, text)
	}
	return r.found.Policies[0]
}

// However a policy is written, its digest is that of its meaning; and two
// digests differ exactly when Diff finds something.
func TestDigestIsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawArguments(t), drawArguments(t)
		one, again, other := read(t, written(t, a)), read(t, written(t, a)), read(t, written(t, b))
		if Digest(one) != Digest(again) || len(Diff(one, again)) > 0 {
			t.Fatalf("the same policy, written twice, differs: %q", Diff(one, again))
		}
		if same := Digest(one) == Digest(other); same != maps.Equal(a, b) || same != (len(Diff(one, other)) == 0) {
			t.Fatalf("digests equal: %v, arguments equal: %v, Diff %q", same, maps.Equal(a, b), Diff(one, other))
		}
	})
}

// The digest is kept in plans and ledgers: it must not change from one
// version of this program to the next.
func TestDigestIsStable(t *testing.T) {
	orders, _ := loadValid(t).Policy("orders")
	var b strings.Builder
	for _, p := range append(Bundled(testChecks()), orders) {
		fmt.Fprintf(&b, "%s %s\n", Digest(p), p.Name)
	}
	golden(t, "digests.txt", b.String())
}

func TestSuggest(t *testing.T) {
	known := []string{"conservative", "fast-startup", "aggressive"}
	for word, want := range map[string]string{
		"Conservative": `did you mean "conservative"?`,
		"fast_startup": `did you mean "fast-startup"?`,
		"agressive":    `did you mean "aggressive"?`,
		"xyz":          "it is one of aggressive, conservative, fast-startup",
	} {
		if got := suggest(word, known); got != want {
			t.Errorf("suggest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := suggest("x", nil); got != "there is none" {
		t.Errorf("suggest among nothing: %q", got)
	}
	if n := edits("ab", "ba"); n != 1 {
		t.Errorf("a swap counts %d", n)
	}
}
