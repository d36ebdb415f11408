package policies

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/mqhk/mqhk/plugins/schema"
)

// storeKinds are the kinds of store; the directory is the plain one.
var storeKinds = []string{"directory", "savf", "external", "command"}

// Store is where segments are kept before they leave the system.
type Store struct {
	Name           string
	Kind           string // directory, savf, external or command
	Path           string // where its files or manifests are, absolute or from the working directory; external: empty
	SameFilesystem bool   // may lie on the file system of the log
	Settings       Settings
	At             Place
}

// readStore reads a store block. What is not an argument of every store is
// kept for the kind to read.
func (r *reader) readStore(raw *hclsyntax.Block) {
	b := open(r.source, raw, r.ds, "name")
	if b == nil {
		return
	}
	s := Store{Name: b.labels[0], At: b.label(raw, 0)}
	if problem := checkName(s.Name); problem != "" {
		r.ds.add(s.At, "not a name", "%s", problem)
	}
	b.require("kind", `write kind = "directory", "savf", "external" or "command"`)
	s.Kind = b.word("kind", storeKinds...)
	s.Path = r.storePath(b, s.Kind)
	s.SameFilesystem = b.flag("same_filesystem")
	if r.checks.Stores == nil {
		r.refuseSlips(b)
	}
	s.Settings = b.settings("store")
	b.finish()
	sound := r.checkSettings(s.Settings, s.Kind, b.place("kind"), "store", r.checks.Stores)
	if sound && s.Path != "" && r.checks.Store != nil {
		if err := r.checks.Store(s); err != nil {
			r.ds.add(s.At, "not a store", "%v", err)
		}
	}
	r.found.Stores = append(r.found.Stores, s)
}

// whyPath says why a store of a kind needs a path; kinds that are not in it
// keep nothing on this machine.
var whyPath = map[string]string{
	"directory": "a directory has to be named",
	"savf":      "say where the save files are kept once they are fetched",
	"command":   "say where the manifests are kept",
}

// storePath reads the path of a store. A relative one starts from the
// directory of the file.
func (r *reader) storePath(b *block, kind string) string {
	path := b.text("path")
	why, kept := whyPath[kind]
	if !b.written("kind") {
		return path
	}
	if kept {
		b.require("path", why)
	}
	switch {
	case !b.is("path", textValue):
	case path == "":
		r.ds.add(b.place("path"), "not a path", "a path is not empty")
	case kind == "external":
		r.ds.add(b.place("path"), "not an argument of this kind", "an external store keeps nothing: the site saves")
	case !filepath.IsAbs(path):
		return filepath.Join(r.source.dir(), path)
	}
	return path
}

// refuseSlips complains of an argument that is nearly one of every store's:
// without a schema it would pass for a setting.
func (r *reader) refuseSlips(b *block) {
	known := slices.Clone(b.known)
	for _, name := range slices.Sorted(maps.Keys(b.body.Attributes)) {
		if slices.Contains(known, name) {
			continue
		}
		if best, ok := nearest(name, known); ok && len(name) > 3 {
			b.known = append(b.known, name)
			r.ds.add(b.source.place(b.body.Attributes[name].NameRange), "unknown argument", "store has no argument %q; did you mean %q?", name, best)
		}
	}
}

// checkSettings checks settings with the schema of their kind, where the
// caller knows the kinds, and tells whether they are sound.
func (r *reader) checkSettings(s Settings, kind string, at Place, what string, kinds map[string]schema.Schema) bool {
	if kinds == nil {
		return true
	}
	fields, ok := kinds[kind]
	if !ok {
		r.ds.add(at, "unknown "+what+" kind", "%q is not known; %s", kind, suggest(kind, slices.Collect(maps.Keys(kinds))))
		return false
	}
	_, problems := decode(s, fields)
	*r.ds = append(*r.ds, problems...)
	return len(problems) == 0
}
