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
	Path           string // of a directory, absolute or from the working directory; else as written
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
	s.Path = b.text("path")
	if s.Kind == "directory" && b.written("kind") {
		b.require("path", "a directory has to be named")
		if b.is("path", textValue) && s.Path == "" {
			r.ds.add(b.place("path"), "not a path", "a path is not empty")
		}
		if s.Path != "" && !filepath.IsAbs(s.Path) {
			s.Path = filepath.Join(r.source.dir(), s.Path)
		}
	}
	s.SameFilesystem = b.flag("same_filesystem")
	if r.checks.Stores == nil {
		r.refuseSlips(b)
	}
	s.Settings = b.settings("store")
	b.finish()
	r.checkSettings(s.Settings, s.Kind, b.place("kind"), "store", r.checks.Stores)
	r.found.Stores = append(r.found.Stores, s)
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
// caller knows the kinds.
func (r *reader) checkSettings(s Settings, kind string, at Place, what string, kinds map[string]schema.Schema) {
	if kinds == nil {
		return
	}
	fields, ok := kinds[kind]
	if !ok {
		r.ds.add(at, "unknown "+what+" kind", "%q is not known; %s", kind, suggest(kind, slices.Collect(maps.Keys(kinds))))
		return
	}
	_, problems := decode(s, fields)
	*r.ds = append(*r.ds, problems...)
}
