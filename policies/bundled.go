package policies

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"sync"
)

//go:embed bundled/*.hcl
var bundledFiles embed.FS

// Bundled gives the three policies that are built in: conservative,
// fast-startup and aggressive, in the order of what they keep. None of them
// applies by itself. What their plugins may do is what the checks say.
func Bundled(checks Checks) []Policy {
	all := slices.Clone(bundled())
	for i := range all {
		all[i].Tasks = slices.Clone(all[i].Tasks)
		for k := range all[i].Tasks {
			t := &all[i].Tasks[k]
			t.usual = checks.allowedTo(t.Plugin)
			t.Allow = t.usual
		}
	}
	return all
}

// BundledSource gives the text of a bundled policy, comments and all: the
// start of a site's own.
func BundledSource(name string) (string, bool) {
	text, err := bundledFiles.ReadFile(path.Join("bundled", name+".hcl"))
	return string(text), err == nil
}

// bundled reads the files once. They are part of the program, so a mistake in
// one is a mistake of the program; a test reads them.
var bundled = sync.OnceValue(func() []Policy {
	var policies []Policy
	for _, name := range []string{"conservative", "fast-startup", "aggressive"} {
		text, _ := BundledSource(name)
		s, problem := newSource(path.Join("bundled", name+".hcl"), []byte(text))
		if problem != nil {
			panic(fmt.Sprintf("bundled policy: %s", problem))
		}
		var ds Diagnostics
		r := &reader{ds: &ds, found: &Configuration{}}
		if r.readFile(s); len(ds) > 0 {
			panic(fmt.Sprintf("bundled policy: %v", ds))
		}
		for _, p := range r.found.Policies {
			p.Bundled = true
			policies = append(policies, p)
		}
	}
	return policies
})
