package finding_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
)

// slug is the form of a code: alerts and file names are made of it.
var slug = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[finding.Code]bool{}
	for _, entry := range finding.Catalogue() {
		if !slug.MatchString(string(entry.Code)) {
			t.Errorf("code %q is no slug", entry.Code)
		}
		if seen[entry.Code] {
			t.Errorf("code %s has two entries", entry.Code)
		}
		seen[entry.Code] = true
		for _, text := range []string{entry.Meaning, entry.Remedy} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("code %s: %q is no sentence", entry.Code, text)
			}
		}
	}
	for name, code := range declaredCodes(t) {
		if !seen[code] {
			t.Errorf("constant %s (%s) has no entry", name, code)
		}
		delete(seen, code)
	}
	for code := range seen {
		t.Errorf("entry %s has no constant", code)
	}
}

// declaredCodes reads the constants of type Code from the source, since a
// constant without an entry can't be found otherwise.
func declaredCodes(t *testing.T) map[string]finding.Code {
	t.Helper()
	codes := map[string]finding.Code{}
	for _, name := range []string{"catalogue.go", "extents.go", "datasets.go", "structures.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		readCodes(t, file, codes)
	}
	if len(codes) == 0 {
		t.Fatal("no code is declared")
	}
	return codes
}

func readCodes(t *testing.T, file *ast.File, codes map[string]finding.Code) {
	t.Helper()
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		for i, name := range spec.Names {
			text, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatalf("constant %s: %v", name.Name, err)
			}
			codes[name.Name] = finding.Code(text)
		}
		return false
	})
}

func TestCatalogueIsACopy(t *testing.T) {
	finding.Catalogue()[0].Meaning = "changed"
	if finding.Catalogue()[0].Meaning == "changed" {
		t.Error("a caller can change the catalogue")
	}
}

func TestNewTakesTheSeverityOfTheCatalogue(t *testing.T) {
	for _, entry := range finding.Catalogue() {
		if got := finding.New(entry.Code, "text"); got.Severity != entry.Severity {
			t.Errorf("New(%s) is %s, the catalogue says %s", entry.Code, got.Severity, entry.Severity)
		}
	}
	got := finding.New("never-heard-of", "%d receivers", 3)
	want := finding.Finding{Severity: finding.Critical, Code: "never-heard-of", Text: "3 receivers"}
	if got != want {
		t.Errorf("New of an unknown code = %+v, want %+v", got, want)
	}
}

func TestSeverityReadsWhatItWrites(t *testing.T) {
	for _, severity := range []finding.Severity{finding.Info, finding.Warning, finding.Critical} {
		before := finding.Finding{Severity: severity, Code: finding.OnHold, Text: "case 4711"}
		text, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		var after finding.Finding
		if err := json.Unmarshal(text, &after); err != nil || after != before {
			t.Errorf("%s came back as %+v, %v", text, after, err)
		}
	}
	for _, word := range []string{"", "Info", "error", "critical "} {
		if _, err := finding.ParseSeverity(word); err == nil {
			t.Errorf("severity %q was accepted", word)
		}
	}
	untouched := finding.Warning
	if err := untouched.UnmarshalText([]byte("fatal")); err == nil || untouched != finding.Warning {
		t.Errorf("a refused word left %s, %v", untouched, err)
	}
}

func TestWorst(t *testing.T) {
	if _, ok := finding.Worst(nil); ok {
		t.Error("no findings have a worst one")
	}
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOfN(rapid.SampledFrom(finding.Catalogue()), 1, 20).Draw(t, "codes")
		var findings []finding.Finding
		for _, entry := range codes {
			findings = append(findings, finding.New(entry.Code, "text"))
		}
		worst, ok := finding.Worst(findings)
		if !ok {
			t.Fatal("findings without a worst one")
		}
		reached := false
		for _, f := range findings {
			if f.Severity > worst {
				t.Fatalf("%s is worse than %s", f.Severity, worst)
			}
			reached = reached || f.Severity == worst
		}
		if !reached {
			t.Fatalf("no finding is %s", worst)
		}
	})
}

// A queue manager's name may hold a per cent sign.
func TestAbout(t *testing.T) {
	if got := finding.About("QM%d", finding.RunStopped, "after %d", 3).Text; got != "QM%d: after 3" {
		t.Errorf("%q", got)
	}
}
