package policies

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

var hclBlock = regexp.MustCompile("(?ms)^```hcl\n(.*?)^```$")

// The manual's examples are what they say they are: whole configurations
// without a doubt, or mistakes with the messages beside them.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	checks := manualChecks()
	examples := hclBlock.FindAllStringSubmatch(string(manual), -1)
	if len(examples) < 4 {
		t.Fatalf("the manual has %d examples", len(examples))
	}
	for _, example := range examples {
		dir := t.TempDir()
		path := filepath.Join(dir, "example.hcl")
		if err := os.WriteFile(path, []byte(example[1]), 0o600); err != nil {
			t.Fatal(err)
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

// manualChecks are those of the program as it is: what the manual shows must
// pass there, not only here.
func manualChecks() Checks {
	path := schema.Field{Name: "path", Kind: schema.String, Required: true}
	library := schema.Field{Name: "library", Kind: schema.String}
	compress := schema.Field{Name: "compress", Kind: schema.Bool}
	rate := schema.Field{Name: "rate", Kind: schema.Size}
	command := func(name string) schema.Field { return schema.Field{Name: name, Kind: schema.Strings} }
	return Checks{
		Cron: func(expression, _ string) (string, error) {
			if hour := strings.Fields(expression)[1]; hour == "25" {
				return "", errors.New("hour 25 is not between 0 and 23")
			}
			return "", nil
		},
		Plugins: map[string]schema.Schema{"journal": {Fields: []schema.Field{
			{Name: "behind", Kind: schema.Int, Min: 1, Max: 1000000},
			{Name: "not_moving", Kind: schema.Duration, Min: int64(time.Minute), Max: int64(366 * 24 * time.Hour)},
			{Name: "long_chain", Kind: schema.Int, Min: 2, Max: 1000000},
		}}, "archive": {Fields: []schema.Field{
			{Name: "behind", Kind: schema.Int, Min: 1, Max: 1000000},
			{Name: "file_system_percent", Kind: schema.Int, Min: 1, Max: 100},
			{Name: "record_images", Kind: schema.Bool},
			{Name: "images_leave_free", Kind: schema.Int, Min: 1, Max: 90},
		}}},
		Connections: map[string]schema.Schema{"transcript": {Fields: []schema.Field{path}}, "local": {Fields: []schema.Field{
			command("prefix"), {Name: "timeout", Kind: schema.Duration},
		}}},
		Stores: map[string]schema.Schema{
			"savf":      {Fields: []schema.Field{library, compress, rate}},
			"directory": {Fields: []schema.Field{library, compress, rate}},
			"external":  {},
			"command": {Fields: []schema.Field{
				command("archive"), command("verify"), command("restore"), command("env"),
				{Name: "timeout", Kind: schema.Duration}, library, rate,
			}},
		},
	}
}

// The manual names every argument of the language.
func TestManualIsComplete(t *testing.T) {
	manual, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`\.(?:text|flag|word|count|duration|size|words|require)\("([a-z_]+)"`)
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

// lockBlock is what the manual shows as a lock file.
var lockBlock = regexp.MustCompile("(?ms)^```\n(plugin .*?)^```$")

// What the manual shows as a lock file is one.
func TestManualLock(t *testing.T) {
	manual, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := lockBlock.FindSubmatch(manual)
	if shown == nil {
		t.Fatal("the manual shows no lock file")
	}
	if lock, err := ParseLock(LockName, shown[1]); err != nil || len(lock.Plugins) != 1 {
		t.Errorf("got %v, %v", lock.Names(), err)
	}
}
