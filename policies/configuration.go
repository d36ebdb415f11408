package policies

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Configuration is everything that a set of files says, and the bundled
// policies. It is not changed after Load.
type Configuration struct {
	Policies []Policy // the files' by name, then the bundled ones that they don't replace
	Targets  []Target // by platform and name
	Stores   []Store  // by name
	Plugins  PluginSettings
	Warnings Diagnostics

	checks Checks
}

// complete adds the bundled policies. A policy of the files takes the place
// of a bundled one of the same name: that is how a site changes one and keeps
// its schedules and habits. Its origin shows in Policy.Bundled and Policy.At.
func (c *Configuration) complete(warnings Diagnostics) {
	for _, p := range Bundled(c.checks) {
		if _, replaced := c.Policy(p.Name); !replaced {
			c.Policies = append(c.Policies, p)
		}
	}
	c.Warnings = warnings
}

// sort orders by name; those of one name stay in the order of the files.
func (c *Configuration) sort() {
	slices.SortStableFunc(c.Policies, func(a, b Policy) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(c.Targets, func(a, b Target) int { return cmp.Compare(a.String(), b.String()) })
	slices.SortStableFunc(c.Stores, func(a, b Store) int { return cmp.Compare(a.Name, b.Name) })
}

// Policy finds a policy by name.
func (c *Configuration) Policy(name string) (Policy, bool) {
	return named(c.Policies, func(p Policy) bool { return p.Name == name })
}

// Target finds a target by name.
func (c *Configuration) Target(name string) (Target, bool) {
	return named(c.Targets, func(t Target) bool { return t.Name == name })
}

// Store finds a store by name. A bundled policy names the store "vault",
// which a site may not have.
func (c *Configuration) Store(name string) (Store, bool) {
	return named(c.Stores, func(s Store) bool { return s.Name == name })
}

func named[T any](all []T, is func(T) bool) (T, bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	var none T
	return none, false
}

// TargetsOf gives the targets that a task's patterns match.
func (c *Configuration) TargetsOf(t Task) []Target {
	var matching []Target
	for _, target := range c.Targets {
		if target.Matches(t.Targets) {
			matching = append(matching, target)
		}
	}
	return matching
}

// Find gives the policies that --policy NAME|FILE asks for, each once. What
// has a path separator or ends in .hcl is a file, and every policy in it is
// meant; anything else is the name of one. A file that is read here may hold
// nothing but policies: its targets would not be those of the configuration.
func (c *Configuration) Find(wanted ...string) ([]Policy, error) {
	var found []Policy
	add := func(p Policy) {
		if !slices.ContainsFunc(found, func(q Policy) bool { return q.Name == p.Name && q.At.File == p.At.File }) {
			found = append(found, p)
		}
	}
	for _, want := range wanted {
		if isFile(want) {
			policies, err := c.fromFile(want)
			if err != nil {
				return nil, err
			}
			for _, p := range policies {
				add(p)
			}
			continue
		}
		p, ok := c.Policy(want)
		if !ok {
			return nil, c.unknownPolicy(want)
		}
		add(p)
	}
	return found, nil
}

func isFile(want string) bool {
	return strings.HasSuffix(want, ".hcl") || strings.ContainsAny(want, `/`+string(os.PathSeparator))
}

// UnknownPolicy says that there is no policy of a name.
type UnknownPolicy struct {
	Name string
	Hint string // the name that may have been meant, or all names
}

func (e *UnknownPolicy) Error() string {
	return fmt.Sprintf("there is no policy %q; %s", e.Name, e.Hint)
}

func (c *Configuration) unknownPolicy(name string) error {
	names := make([]string, len(c.Policies))
	for i, p := range c.Policies {
		names[i] = p.Name
	}
	return &UnknownPolicy{name, suggest(name, names)}
}

// fromFile gives the policies of a file: those of the configuration where the
// file is one of its own, else freshly read ones.
func (c *Configuration) fromFile(path string) ([]Policy, error) {
	if own := c.ofOwnFile(path); len(own) > 0 {
		return own, nil
	}
	alone, err := Load(c.checks, path)
	if err != nil {
		return nil, fmt.Errorf("policy file %s: %w", path, err)
	}
	var ds Diagnostics
	for _, t := range alone.Targets {
		ds.add(t.At, "a target in a policy file", "only files of the configuration define targets")
	}
	for _, s := range alone.Stores {
		ds.add(s.At, "a store in a policy file", "only files of the configuration define stores")
	}
	if at := alone.Plugins.At; at.Line > 0 {
		ds.add(at, "plugins in a policy file", "only a file of the configuration says where plugins are")
	}
	policies := slices.DeleteFunc(alone.Policies, func(p Policy) bool { return p.Bundled })
	if len(policies)+len(ds) == 0 {
		ds.add(Place{File: path}, "no policy in this file", "%s", `write policy "name" { ... }`)
	}
	for _, p := range policies {
		if len(c.Stores) > 0 {
			ds = append(ds, c.unknownStores(p)...)
		}
	}
	if err := ds.err(); err != nil {
		return nil, fmt.Errorf("policy file %s: %w", path, err)
	}
	return policies, nil
}

// ofOwnFile gives the policies that the configuration has from this very
// file, by whatever path it is named.
func (c *Configuration) ofOwnFile(path string) []Policy {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	var own []Policy
	for _, p := range c.Policies {
		if p.Bundled {
			continue
		}
		if other, err := os.Stat(p.At.File); err == nil && os.SameFile(info, other) {
			own = append(own, p)
		}
	}
	return own
}
