package finding_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
		fmt.Fprintf(&out, "\n## %s\n\n%s. %s\n\nWhat to do: %s\n",
			entry.Code, upperFirst(entry.Severity.String()), entry.Meaning, entry.Remedy)
	}
	return out.Bytes()
}

func upperFirst(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
