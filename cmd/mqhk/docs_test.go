package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the example in docs/report.md")

const (
	exampleBegin = "<!-- example: written by go test ./cmd/mqhk -update -->\n```text\n"
	exampleEnd   = "```\n<!-- end of example -->"
)

// The report that docs/report.md explains is what the program prints for the
// example of the README.
func TestDocsExample(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	orders := filepath.Join("..", "..", "examples", "orders.mqt")
	var out, problems bytes.Buffer
	if code := execute([]string{"plan", "--policy", "conservative", "--transcript", orders}, &out, &problems); code != 0 {
		t.Fatalf("exit status %d: %s", code, &problems)
	}
	want, _, found := strings.Cut(out.String(), "About this run\n")
	if !found {
		t.Fatal("the report does not end with a section about the run")
	}
	checkExample(t, "report.md", want)
}

// checkExample compares what a page of docs shows with what is printed.
func checkExample(t *testing.T, name, want string) {
	t.Helper()
	page := filepath.Join("..", "..", "docs", name)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), exampleBegin)
	example, after, ends := strings.Cut(rest, exampleEnd)
	switch {
	case !begins || !ends:
		t.Fatalf("%s has no example between its marks", page)
	case example == want:
	case *update:
		if err := os.WriteFile(page, []byte(before+exampleBegin+want+exampleEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the example in %s is not what is printed; run with -update", page)
	}
}
