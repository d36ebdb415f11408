package house

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheckImports(t *testing.T) {
	cases := []struct {
		name, path, text string
		want             string // part of the one complaint; empty: none
	}{
		{"downwards", "core/observe/a.go", `import "github.com/mqhk/mqhk/core/mqsc"`, ""},
		{"upwards", "core/mqsc/a.go", `import "github.com/mqhk/mqhk/core/observe"`,
			"core/mqsc/a.go:2: core/mqsc may not import core/observe; its row: the standard library alone"},
		{"message names the row", "core/recovery/a.go", `import "github.com/mqhk/mqhk/plugins"`, "its row: core/finding"},
		{"within a room", "core/sim/ibmi/a.go", `import "github.com/mqhk/mqhk/core/sim/engine"`, ""},
		{"a subfolder is its room", "agent/connect/local/a.go", `import "github.com/mqhk/mqhk/agent/host"`,
			"agent/connect may not import agent/host"},
		{"a new room needs a row", "agent/mail/a.go", `import "fmt"`, "agent/mail: the folder has no row"},
		{"import of a folder without a row", "cmd/mqhk/a.go", `import "github.com/mqhk/mqhk/elsewhere"`, "has no row"},
		{"plugins stay apart from the simulator", "plugins/journal/a.go", `import "github.com/mqhk/mqhk/core/sim"`,
			"may not import core/sim"},
		{"their tests do not", "plugins/journal/a_test.go", `import "github.com/mqhk/mqhk/core/sim"`, ""},
		{"tests stay in their storey", "core/observe/a_test.go", `import "github.com/mqhk/mqhk/plugins"`,
			"core/observe may not import plugins"},
		{"only cmd imports a plugin", "agent/run/a.go", `import "github.com/mqhk/mqhk/plugins/journal"`,
			"agent/run may not import plugins/journal"},
		{"cmd imports everything", "cmd/mqhk/a.go", `import "github.com/mqhk/mqhk/plugins/journal"`, ""},

		{"other platforms are read", "core/wal/a_windows.go", `import "golang.org/x/sys/windows"`, "it uses no other module"},
		{"gRPC at home", "plugins/serve/wire/a.go", `import "google.golang.org/grpc/codes"`, ""},
		{"gRPC elsewhere", "agent/run/a.go", `import "google.golang.org/grpc/codes"`,
			"gRPC and go-plugin is only for agent/host, plugins/serve"},
		{"HCL with its version", "agent/run/a.go", `import "github.com/hashicorp/hcl/v2"`, "HCL is only for"},
		{"SQLite beside its room", "core/sim/ibmi/a.go", `import _ "modernc.org/sqlite"`, "SQLite is only for"},
		{"SQLite at home", "core/sim/db2/a.go", `import _ "modernc.org/sqlite"`, ""},
		{"a like name is another module", "agent/run/a.go", `import "google.golang.org/grpcurl"`, ""},
		{"free module", "agent/report/a.go", `import "github.com/jedib0t/go-pretty/v6/table"`, ""},
		{"test library in a test", "core/recovery/a_test.go", `import "pgregory.net/rapid"`, ""},
		{"test library in code", "agent/run/a.go", `import "pgregory.net/rapid"`, "outside its tests"},
		{"cgo", "core/wal/a.go", `import "C"`, "without cgo"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tree := fstest.MapFS{c.path: {Data: []byte("package a\n" + c.text + "\n")}}
			files, err := Read(tree)
			if err != nil {
				t.Fatal(err)
			}
			got := CheckImports(files)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("unexpected: %s", strings.Join(got, "; "))
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
				t.Errorf("got %q, want one complaint with %q", got, c.want)
			}
		})
	}
}

func TestReadLeavesOut(t *testing.T) {
	code := &fstest.MapFile{Data: []byte("package a\n")}
	files, err := Read(fstest.MapFS{
		"a/a.go":            code,
		"a/testdata/b.go":   code,
		"a/_old/c.go":       code,
		"a/_d.go":           code,
		".hidden/e.go":      code,
		"tools/lint/go.mod": {Data: []byte("module x\n")},
		"tools/lint/f.go":   code,
		"a/vendor/g.go":     code,
		"a/notes.txt":       code,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Path != "a/a.go" {
		t.Errorf("read %v, want a/a.go alone", files)
	}
}

func TestReadNamesTheBrokenFile(t *testing.T) {
	_, err := Read(fstest.MapFS{"core/cl/bad.go": {Data: []byte("package\n")}})
	if err == nil || !strings.Contains(err.Error(), "core/cl/bad.go") {
		t.Errorf("got %v, want an error that names the file", err)
	}
}
