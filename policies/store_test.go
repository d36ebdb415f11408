package policies

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/plugins/schema"
)

// A relative path starts from the directory of the file, whatever the kind;
// what the caller finds wrong with a store is shown where the store stands.
func TestStorePathAndCheck(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "stores.hcl")
	text := `store "vault" {
  kind = "directory"
  path = "vault"
}

store "tape" {
  kind = "command"
  path = "/var/tape"
}

store "brms" {
  kind = "external"
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	checks := Checks{Stores: map[string]schema.Schema{"directory": {}, "command": {}, "external": {}}}
	var asked []string
	checks.Store = func(s Store) error { asked = append(asked, s.Name); return nil }
	c, err := Load(checks, dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"vault": filepath.Join(dir, "vault"), "tape": "/var/tape", "brms": ""} {
		if s, ok := c.Store(name); !ok || s.Path != want {
			t.Errorf("store %s: path %q, want %q", name, s.Path, want)
		}
	}
	if got := strings.Join(asked, " "); got != "vault tape" { // external has nothing that could be wrong
		t.Errorf("asked about %q", got)
	}

	checks.Store = func(s Store) error { return errors.New("no such program") }
	_, err = Load(checks, dir)
	var ds Diagnostics
	if !errors.As(err, &ds) || len(ds) != 2 || ds[0].Line != 1 || !strings.Contains(ds[1].String(), "stores.hcl:6:") || !strings.Contains(ds[1].Detail, "no such program") {
		t.Errorf("diagnostics %v", ds)
	}
}
