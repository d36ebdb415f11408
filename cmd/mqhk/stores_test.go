package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/policies"
)

// A directory keeps its copies compressed where nobody says another thing; save
// files stay as they are.
func TestStoresCompress(t *testing.T) {
	tests := []struct {
		settings   string
		compressed bool
	}{
		{`kind = "directory"`, true},
		{"kind = \"directory\"\n  compress = false", false},
		{"kind = \"savf\"\n  library = \"MQVAULT\"", false},
		{"kind = \"savf\"\n  library = \"MQVAULT\"\n  compress = true", true},
	}
	for _, test := range tests {
		folder := t.TempDir()
		source := "store \"vault\" {\n  path = \"vault\"\n  " + test.settings + "\n  same_filesystem = true\n}\n"
		file := filepath.Join(folder, "site.hcl")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := policies.Load(policies.Checks{Stores: storeSchemas()}, file)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := keepers(found, false)
		if err != nil {
			t.Fatal(err)
		}
		segment := recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Name: "S0000100.LOG"}, State: recovery.Online}
		if _, err := kept["vault"].Put(t.Context(), segment, store.Facts{First: "100", Last: "100"}, strings.NewReader("log")); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(folder, "vault", "*.qm", "*.zst"))
		if err != nil || (len(files) == 1) != test.compressed {
			t.Errorf("%s: %v, %v", test.settings, files, err)
		}
	}
}
