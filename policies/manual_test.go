package policies

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var hclBlock = regexp.MustCompile("(?ms)^```hcl\n(.*?)^```$")

// The manual's examples are what they say they are: whole configurations
// without a doubt, or mistakes with the messages beside them.
func TestManual(t *testing.T) {
	t.Setenv("MQ_PASSWORD", testSecret)
	manual, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	checks := testChecks()
	checks.Connections = nil // the kinds are agent/connect's to know
	examples := hclBlock.FindAllStringSubmatch(string(manual), -1)
	if len(examples) < 4 {
		t.Fatalf("the manual has %d examples", len(examples))
	}
	for _, example := range examples {
		dir := t.TempDir()
		path := filepath.Join(dir, "example.hcl")
		for name, text := range map[string]string{path: example[1], filepath.Join(dir, "mqhk.password"): testSecret} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Load(checks, dir)
		var ds Diagnostics
		if err != nil && !errors.As(err, &ds) {
			t.Fatal(err)
		}
		compare(t, expectedOf(path, example[1]), ds)
		if err == nil && len(c.Warnings) > 0 {
			t.Errorf("%v in\n%s", c.Warnings, example[1])
		}
	}
}

// The manual names every argument of the language.
func TestManualIsComplete(t *testing.T) {
	manual, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`\.(?:text|flag|word|count|duration|words|require)\("([a-z_]+)"`)
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, argument := range asked.FindAllStringSubmatch(string(code), -1) {
			if !strings.Contains(string(manual), "`"+argument[1]+"`") {
				t.Errorf("docs/policies.md does not name %s, which %s reads", argument[1], name)
			}
		}
	}
}
