package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/ledger"
)

var update = flag.Bool("update", false, "write the golden files")

var records = map[string]func() ledger.Record{
	"figure1":      figure1,
	"sidebyside":   sideBySide,
	"notsaved":     notSaved,
	"lost":         lost,
	"archived":     archived,
	"thousand":     thousand,
	"pluginfailed": pluginFailed,
	"applied":      applied,
	"noroom":       noRoom,
	"qsg1":         qsg1,
	"notargets":    func() ledger.Record { return record() },
}

func render(t *testing.T, r ledger.Record, o Options) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	variants := map[string]Options{
		"text":     {Format: Text},
		"narrow":   {Format: Text, Width: 80, Verbose: true},
		"markdown": {Format: Markdown},
		"script":   {Format: Script},
		"json":     {Format: JSON},
	}
	for name, build := range records {
		for variant, options := range variants {
			big := name == "thousand" || name == "applied"
			if big && variant != "text" && variant != "markdown" {
				continue // a thousand lines that say no more than eleven do
			}
			t.Run(name+"/"+variant, func(t *testing.T) {
				golden(t, name+"."+variant, render(t, build(), options))
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
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
		t.Errorf("%s (run with -update to accept):\n%s", path, diff)
	}
}
