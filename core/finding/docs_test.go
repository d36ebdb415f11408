package finding_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/finding"
)

var update = flag.Bool("update", false, "write docs/findings.md from the catalogue")

// page is where people read the catalogue.
var page = filepath.Join("..", "..", "docs", "findings.md")

// The page is the catalogue: a code that is added, reworded or weighed anew
// shows there in the same commit.
func TestPageIsTheCatalogue(t *testing.T) {
	want := renderPage(finding.Catalogue())
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/findings.md is not the catalogue (go test ./core/finding -update writes it):\n%s", diff)
	}
}

const pageHead = `# Findings

<!-- Written from core/finding/catalogue.go by: go test ./core/finding -update -->

Beside its verdicts mqhk reports findings: a severity, a code and a sentence.
The code is stable. Alerts, scripts and tickets can be keyed by it.

| severity | what it means for a run |
| --- | --- |
| critical | the target is left as it is: nothing on it is deleted. Exit code 3 |
| warning | the plan stands; someone should look. Exit code 3 only with ` + "`--fail-on warning`" + ` |
| info | good to know |

The severity below is the usual one of its code. A finding in a report has its own, which is the one that counts.

`

func renderPage(entries []finding.Entry) []byte {
	var out bytes.Buffer
	out.WriteString(pageHead)
	out.WriteString("| code | severity |\n| --- | --- |\n")
	for _, entry := range entries {
		fmt.Fprintf(&out, "| [%s](#%s) | %s |\n", entry.Code, entry.Code, entry.Severity)
	}
	for _, entry := range entries {
		var links []string
		for _, link := range entry.Pages() {
			page, section, _ := strings.Cut(link, "#")
			links = append(links, fmt.Sprintf("[%s, %s](%s)", page, strings.ReplaceAll(section, "-", " "), link))
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s. %s\n\nWhat to do: %s\nMore: %s\n",
			entry.Code, upperFirst(entry.Severity.String()), entry.Meaning, entry.Remedy, strings.Join(links, "; "))
	}
	return out.Bytes()
}

// headings are the lines of a page that a link can lead to.
var headings = regexp.MustCompile(`(?m)^#+ (.*)$`)

// sections gives the anchors of a page under docs, made as GitHub makes them.
func sections(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(page), name))
	if err != nil {
		t.Fatal(err)
	}
	var anchors []string
	for _, heading := range headings.FindAllStringSubmatch(string(text), -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors = append(anchors, strings.ReplaceAll(strings.TrimSpace(plain), " ", "-"))
	}
	return anchors
}

// Each entry leads to a section that is there.
func TestMoreIsASection(t *testing.T) {
	known := map[string][]string{}
	for _, entry := range finding.Catalogue() {
		if len(entry.Pages()) == 0 {
			t.Errorf("%s leads nowhere", entry.Code)
		}
		for _, link := range entry.Pages() {
			name, section, ok := strings.Cut(link, "#")
			if _, read := known[name]; ok && !read {
				known[name] = sections(t, name)
			}
			if !ok || !slices.Contains(known[name], section) {
				t.Errorf("%s leads to %q, which is no section", entry.Code, link)
			}
		}
	}
}

// A page that leads to a code leads to one that there is, and the page of a
// platform leads to every code of which it has more to say.
func TestPagesLeadBack(t *testing.T) {
	link := regexp.MustCompile(`\(findings\.md#([a-z-]+)\)`)
	pages, err := filepath.Glob(filepath.Join(filepath.Dir(page), "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	linked := map[string]bool{}
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			if _, ok := finding.Lookup(finding.Code(found[1])); !ok {
				t.Errorf("%s leads to %s, which is no code", filepath.Base(name), found[1])
			}
			linked[filepath.Base(name)+" "+found[1]] = true
		}
	}
	for _, entry := range finding.Catalogue() {
		for _, link := range entry.Pages() {
			name, _, _ := strings.Cut(link, "#")
			if (name == "ibmi.md" || name == "multiplatforms.md") && !linked[name+" "+string(entry.Code)] {
				t.Errorf("%s does not lead back to %s", name, entry.Code)
			}
		}
	}
}

func upperFirst(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
