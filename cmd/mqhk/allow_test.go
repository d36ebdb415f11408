package main

import (
	"slices"
	"testing"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// A built-in may do what it says that it plans, and nothing else; none may do
// whatever is a change, and none acts by itself.
func TestBuiltinsMayDoWhatTheyPlan(t *testing.T) {
	for name, plugin := range builtins() {
		allowed := builtinAllow()[name]
		var kinds []string
		for _, c := range allowed {
			if c.Kind == policies.AllowCommand && c.Verb == "" || c.Kind == policies.AllowCustom {
				t.Errorf("%s may do %s without being told to", name, c)
			}
			if again, err := policies.ParseCapability(c.String()); again != c || err != nil {
				t.Errorf("%s: %s is read as %s, %v", name, c, again, err)
			}
			kinds = append(kinds, c.Kind)
		}
		described := plugin.Describe().Actions
		for _, kind := range described {
			if !slices.Contains(kinds, string(kind)) {
				t.Errorf("%s plans %s and may not", name, kind)
			}
		}
		for _, kind := range kinds {
			if !slices.Contains(described, plugins.Kind(kind)) {
				t.Errorf("%s may %s and never plans it", name, kind)
			}
		}
	}
}
