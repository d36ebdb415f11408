package policies

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

// testSecret must appear nowhere.
const testSecret = "hunter2-from-env"

// testChecks stand for the rooms that know cron, plugins and connections.
func testChecks() Checks {
	return Checks{
		Cron: func(expression, _ string) (string, error) {
			switch {
			case strings.Contains(expression, "TZ="):
				return "", errors.New("no zone in the expression")
			case expression == "0 3 13 * 5":
				return "the 13th OR a Friday", nil
			}
			return "", nil
		},
		Plugins: map[string]schema.Schema{
			"journal": {Fields: []schema.Field{
				{Name: "record_images", Kind: schema.Bool},
				{Name: "image_within", Kind: schema.Duration, Default: time.Hour, Min: int64(30 * time.Second), Max: int64(2 * time.Hour)},
				{Name: "space", Kind: schema.Size},
				{Name: "level", Kind: schema.Int, Min: 1, Max: 9},
				{Name: "when", Kind: schema.String, OneOf: []string{"never", "always"}},
				{Name: "objects", Kind: schema.Strings},
				{Name: "password", Kind: schema.String, Secret: true},
			}},
			"archive":    {},
			"cfbackup":   {Fields: []schema.Field{{Name: "interval", Kind: schema.Duration, Default: time.Hour, Min: int64(time.Minute), Max: int64(24 * time.Hour)}}},
			"smdsexpand": {},
			"strict":     {Fields: []schema.Field{{Name: "library", Kind: schema.String, Required: true, Doc: "the library"}}},
		},
		Allow: map[string]Capabilities{
			"journal": append(Commands("CHGJRN", "RCDMQMIMG"), Actions(AllowArchive, AllowDelete)...),
			"archive": append(Commands("RCDMQIMG"), Actions(AllowArchive, AllowMarkArchived, AllowDelete)...),

			"cfbackup":   Commands("BACKUP CFSTRUCT", "ARCHIVE LOG"),
			"smdsexpand": Commands("ALTER SMDS"),
		},
		Connections: map[string]schema.Schema{
			"sim":   {Fields: []schema.Field{{Name: "path", Kind: schema.String}}},
			"local": {},
			"ssh": {Fields: []schema.Field{
				{Name: "host", Kind: schema.String, Required: true},
				{Name: "port", Kind: schema.Int},
				{Name: "strict", Kind: schema.Bool},
				{Name: "ciphers", Kind: schema.Strings},
				{Name: "password", Kind: schema.String, Secret: true},
				{Name: "key", Kind: schema.String, Secret: true},
			}},
			"mqweb": {Fields: []schema.Field{
				{Name: "key", Kind: schema.String, Secret: true},
				{Name: "token", Kind: schema.String, Secret: true},
			}},
		},
	}
}

// Every fixture says on the offending line what is wrong with it, and nothing
// else may be.
func TestInvalidFixtures(t *testing.T) {
	t.Setenv("MQHK_TEST_PASSWORD", testSecret)
	entries, err := os.ReadDir("testdata/invalid")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			path := filepath.Join("testdata/invalid", entry.Name())
			_, err := Load(testChecks(), path)
			var ds Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("Load gave %v, want diagnostics", err)
			}
			if strings.Contains(fmt.Sprint(ds, err), testSecret) {
				t.Error("a secret is in the diagnostics")
			}
			compare(t, expected(t, path), ds)
		})
	}
}

// mark is what a fixture carries; a line may carry it several times.
const mark = "# ERROR: "

// expected reads what the fixtures under a path say of themselves, by
// file:line.
func expected(t *testing.T, path string) map[string][]string {
	t.Helper()
	files := []string{path}
	if info, err := os.Stat(path); err != nil {
		t.Fatal(err)
	} else if info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(path, "*.hcl"))
	}
	want := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(want, expectedOf(file, string(text)))
	}
	return want
}

func expectedOf(file, text string) map[string][]string {
	want := map[string][]string{}
	for i, line := range strings.Split(text, "\n") {
		for _, message := range strings.Split(line, mark)[1:] {
			key := fmt.Sprintf("%s:%d", file, i+1)
			want[key] = append(want[key], strings.TrimSpace(message))
		}
	}
	return want
}

// compare checks that the errors among the diagnostics are all of the
// expected ones and only those.
func compare(t *testing.T, want map[string][]string, ds Diagnostics) {
	t.Helper()
	for _, d := range ds {
		if d.Warning {
			continue
		}
		key := fmt.Sprintf("%s:%d", d.File, d.Line)
		text := d.Summary + ": " + d.Detail
		i := slices.IndexFunc(want[key], func(w string) bool { return strings.Contains(text, w) })
		if i < 0 {
			t.Errorf("not expected: %s", d)
			continue
		}
		want[key] = slices.Delete(want[key], i, i+1)
	}
	for key, messages := range want {
		for _, message := range messages {
			t.Errorf("%s: no such mistake was found: %s", key, message)
		}
	}
}
