package points

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

func TestBecame(t *testing.T) {
	stopped, harmless := finding.New(finding.NotThisHost, "it has ended"), finding.New(finding.NameClash, "two of a name")
	unread, told := finding.New(finding.FactsUnreadable, "torn"), finding.New(finding.NotChecked, "not checked")
	tests := map[string]struct {
		open  []finding.Finding
		shown plugins.State
		want  plugins.Result
	}{
		"it shows":                          {nil, plugins.Done, plugins.Result{State: plugins.Done, Evidence: "x"}},
		"it shows, and has ended":           {[]finding.Finding{stopped, told}, plugins.Done, plugins.Result{State: plugins.Done, Evidence: "x"}},
		"not yet":                           {[]finding.Finding{harmless}, plugins.Pending, plugins.Result{State: plugins.Pending, After: 5 * time.Second, Evidence: "x"}},
		"never":                             {[]finding.Finding{stopped}, plugins.Pending, plugins.Result{State: plugins.Failed, Evidence: "x; it has ended"}},
		"nothing tells":                     {[]finding.Finding{stopped}, plugins.Unknown, plugins.Result{State: plugins.Unknown, Evidence: "x"}},
		"it can't be read":                  {[]finding.Finding{unread}, plugins.Done, plugins.Result{State: plugins.Unknown, Evidence: "torn"}},
		"it can't be read, and has stopped": {[]finding.Finding{stopped, unread}, plugins.Pending, plugins.Result{State: plugins.Unknown, Evidence: "torn"}},
	}
	for name, test := range tests {
		look := Look{Open: test.open, Stopped: finding.NotThisHost, Harmless: []finding.Code{finding.NameClash}}
		got := look.Became(func() (plugins.State, string) { return test.shown, "x" })
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What was written is read back, whatever the values are.
func TestItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.StringMatching(`[a-z]{1,8}`), rapid.StringMatching(`[ -~ü]{0,12}`)).Draw(t, "values")
		var pairs []string
		for word, value := range want {
			pairs = append(pairs, word, value)
		}
		items := Items(pairs...)
		got := ReadItems(items)
		for word, value := range want {
			if got[word] != value || slices.Contains(items, word+" ") {
				t.Fatalf("%q: %q, want %q", word, got[word], value)
			}
		}
	})
}
