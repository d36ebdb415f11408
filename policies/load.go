package policies

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/mqhk/mqhk/plugins/schema"
)

// Checks are what only other rooms can tell. What is nil is not checked.
type Checks struct {
	// Cron checks a cron expression in a time zone, and may doubt what it
	// accepts.
	Cron func(expression, timezone string) (doubt string, err error)
	// Plugins are the plugins that there are, with the schema of their config
	// blocks; Connections and Stores likewise by kind.
	Plugins     map[string]schema.Schema
	Connections map[string]schema.Schema
	Stores      map[string]schema.Schema
	// Locked are the names of plugins of others that may be started. Nobody
	// knows their schemas before they are.
	Locked []string
	// Allow is what each of the program's own plugins may do where a task does not
	// say. Any other may alert, and nothing else.
	Allow map[string]Capabilities
	// Store checks what the schema of a store's kind can't say, such as a
	// command that would not run.
	Store func(Store) error
}

// reader reads the files of one configuration into found.
type reader struct {
	source   *source // the file being read
	checks   Checks
	ds       *Diagnostics
	found    *Configuration
	patterns []value // every target pattern, where it stands
}

// Load reads files, and of directories the files *.hcl (those of their
// subdirectories not), as one configuration; the bundled policies are part of
// it. An empty directory is fine. The error is [Diagnostics] with every
// mistake of every file.
func Load(checks Checks, paths ...string) (*Configuration, error) {
	var ds Diagnostics
	r := &reader{checks: checks, ds: &ds, found: &Configuration{checks: checks}}
	whole := true
	for _, name := range r.files(paths) {
		s, problem := readSource(name)
		if problem != nil {
			ds = append(ds, *problem)
			whole = false
			continue
		}
		whole = r.readFile(s) && whole
	}
	r.refuseDuplicates()
	r.found.sort()
	if whole { // a file that could not be read may hold what seems to be missing
		r.checkStores()
		r.checkMembers()
		r.doubtPatterns()
	}
	if err := ds.err(); err != nil {
		return nil, err
	}
	r.found.complete(ds.sorted())
	return r.found, nil
}

// files lists the files of the paths, each once, in order.
func (r *reader) files(paths []string) []string {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			r.ds.add(Place{File: path}, "this file can't be read", "%v", err)
			continue
		}
		if !info.IsDir() {
			files = append(files, filepath.Clean(path))
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			r.ds.add(Place{File: path}, "this directory can't be read", "%v", err)
		}
		for _, entry := range entries {
			// Editors leave .#name.hcl and .name.hcl.swp behind.
			if strings.HasSuffix(entry.Name(), ".hcl") && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != LockName {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// readFile reads the blocks of one file; false where some may not be seen.
func (r *reader) readFile(s *source) bool {
	body, ds := parse(s)
	*r.ds = append(*r.ds, ds...)
	if body == nil {
		return false
	}
	r.source = s
	top := &block{kind: "a file", body: body, source: s, ds: r.ds}
	readers := []struct {
		kind string
		read func(*hclsyntax.Block)
	}{{"policy", r.readPolicy}, {"queue_manager", r.readManager}, {"sharing_group", r.readGroup}, {"store", r.readStore}, {"plugins", r.readPlugins}}
	for _, one := range readers {
		for _, raw := range top.blocks(one.kind) {
			one.read(raw)
		}
	}
	top.finish()
	return !s.broken
}

// refuseDuplicates complains of every name that is taken (case 80: the
// parser keeps both). Targets share one set of names: a run and a hold know
// them by name alone. The first is the first in the order of the files.
func (r *reader) refuseDuplicates() {
	seen := map[string]Place{}
	check := func(what, name string, at Place) {
		key := what + " " + name
		if first, twice := seen[key]; twice {
			r.ds.add(at, what+" defined twice", "the first %s %q is at %s", what, name, first)
			return
		}
		seen[key] = at
	}
	for _, p := range r.found.Policies {
		check("policy", p.Name, p.At)
	}
	for _, t := range r.found.Targets {
		check("target", t.Name, t.At)
	}
	for _, s := range r.found.Stores {
		check("store", s.Name, s.At)
	}
}

// checkStores complains of a store that is not among those that are defined.
// Where none is defined the caller reports it: whoever tries a policy on a
// transcript has no store yet.
func (r *reader) checkStores() {
	if len(r.found.Stores) == 0 {
		return
	}
	for _, p := range r.found.Policies {
		*r.ds = append(*r.ds, r.found.unknownStores(p)...)
	}
}

func (c *Configuration) unknownStores(p Policy) (ds Diagnostics) {
	names := make([]string, len(c.Stores))
	for i, s := range c.Stores {
		names[i] = s.Name
	}
	for _, t := range p.Tasks {
		if t.Store != "" && !slices.Contains(names, t.Store) {
			ds.add(t.places["store"], fmt.Sprintf("unknown store %q", t.Store), "%s", suggest(t.Store, names))
		}
	}
	return ds
}

// doubtPatterns warns of a pattern without a star that names no target: a
// slip. With a star, or where no target is defined, it may be meant so.
func (r *reader) doubtPatterns() {
	names := make([]string, len(r.found.Targets))
	for i, t := range r.found.Targets {
		names[i] = t.String()
	}
	for _, v := range r.patterns {
		if len(names) > 0 && !strings.Contains(v.text, "*") && !slices.Contains(names, v.text) {
			r.ds.warn(v.at, "no such target", "%q; %s", v.text, suggest(v.text, names))
		}
	}
}
