package policies

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/mqhk/mqhk/plugins"
)

// LockName is the file of a configuration directory that says which plugins
// of others may be started. It is no policy file, and [Load] passes it over.
const LockName = "plugins.lock.hcl"

// mostProtocol bounds the number of a protocol.
const mostProtocol = 1000

// Lock is what a lock file says: the plugins of others that may be started,
// each by the hash of its file.
type Lock struct {
	File    string
	Plugins []LockedPlugin // in the order of the file

	text []byte // as it was read; nil: there is no file
}

// LockedPlugin is a plugin that the operator allowed.
type LockedPlugin struct {
	Name     string
	Version  string
	Protocol int
	SHA256   map[string]string // lower-case hex, by GOOS/GOARCH
	At       Place
}

// ReadLock reads a lock file. One that is not there locks nothing. The error is
// [Diagnostics] with every mistake: a file of which a part can't be read allows
// nothing at all.
func ReadLock(file string) (Lock, error) {
	s, problem := readSource(file)
	if problem != nil {
		if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
			return Lock{File: file}, nil
		}
		return Lock{File: file}, Diagnostics{*problem}
	}
	return parseLock(s)
}

// ParseLock reads the text of a lock file; name is for messages.
func ParseLock(name string, text []byte) (Lock, error) {
	s, problem := newSource(name, text)
	if problem != nil {
		return Lock{File: name}, Diagnostics{*problem}
	}
	return parseLock(s)
}

func parseLock(s *source) (Lock, error) {
	body, ds := parse(s)
	if body == nil {
		return Lock{File: s.name}, ds.err()
	}
	l := Lock{File: s.name, text: s.text}
	top := &block{kind: "a lock file", body: body, source: s, ds: &ds}
	for _, raw := range top.blocks("plugin") {
		p, ok := readLocked(s, raw, &ds)
		if !ok {
			continue
		}
		if first, twice := l.Find(p.Name); twice {
			ds.add(p.At, "plugin locked twice", "the first %q is at %s", p.Name, first.At)
			continue
		}
		l.Plugins = append(l.Plugins, p)
	}
	top.finish()
	if err := ds.err(); err != nil {
		return Lock{File: s.name}, err
	}
	return l, nil
}

// Find finds a plugin by name.
func (l Lock) Find(name string) (LockedPlugin, bool) {
	return named(l.Plugins, func(p LockedPlugin) bool { return p.Name == name })
}

// Names gives the names of the plugins, in the order of the file.
func (l Lock) Names() []string {
	names := make([]string, len(l.Plugins))
	for i, p := range l.Plugins {
		names[i] = p.Name
	}
	return names
}

// Platforms gives the platforms for which the plugin is locked, in order.
func (p LockedPlugin) Platforms() []string { return slices.Sorted(maps.Keys(p.SHA256)) }

// readLocked reads a plugin block; false when not even its name could be read.
func readLocked(s *source, raw *hclsyntax.Block, ds *Diagnostics) (LockedPlugin, bool) {
	b := open(s, raw, ds, "name")
	if b == nil {
		return LockedPlugin{}, false
	}
	p := LockedPlugin{Name: b.labels[0], At: b.label(raw, 0), SHA256: make(map[string]string)}
	if problem := plugins.CheckName(p.Name); problem != "" {
		ds.add(p.At, "not a name", "%s", problem)
	}
	b.require("version", `write version = "1.0.0", as the plugin says it`)
	p.Version = b.text("version")
	if problem := plugins.CheckVersion(p.Version); b.is("version", textValue) && problem != "" {
		ds.add(b.place("version"), "not a version", "%s", problem)
	}
	b.require("protocol", "write protocol = 1, the protocol that the plugin speaks")
	p.Protocol = b.count("protocol", 1, mostProtocol)
	seen := make(map[string]Place)
	for _, raw := range b.blocks("file") {
		platform, hash, at := readLockedFile(s, raw, ds)
		if platform == "" {
			continue
		}
		if first, twice := seen[platform]; twice {
			ds.add(at, "platform given twice", "the first file %q of this plugin is at %s", platform, first)
			continue
		}
		seen[platform], p.SHA256[platform] = at, hash
	}
	if len(b.blocks("file")) == 0 {
		b.lacks(p.At, "a plugin without a file", `write file "linux/amd64" { ... }`)
	}
	b.finish()
	return p, true
}

// readLockedFile reads a file block: the hash for one platform.
func readLockedFile(s *source, raw *hclsyntax.Block, ds *Diagnostics) (platform, hash string, at Place) {
	b := open(s, raw, ds, "GOOS/GOARCH")
	if b == nil {
		return "", "", Place{}
	}
	platform, at = b.labels[0], b.label(raw, 0)
	if problem := CheckPlatform(platform); problem != "" {
		ds.add(at, "not a platform", "%s", problem)
	}
	b.require("sha256", "the hash of the file is what locks it")
	hash = b.text("sha256")
	if problem := checkSHA256(hash); b.is("sha256", textValue) && problem != "" {
		ds.add(b.place("sha256"), "not a SHA-256", "%s", problem)
	}
	b.finish()
	return platform, hash, at
}

var (
	platformName = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+$`)
	lowerHex     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	upperOrLower = regexp.MustCompile(`^[0-9A-Fa-f]{64}$`)
)

// CheckPlatform tells what is wrong with a platform GOOS/GOARCH; empty:
// nothing.
func CheckPlatform(platform string) string {
	if platformName.MatchString(platform) {
		return ""
	}
	return fmt.Sprintf(`%q: a platform is GOOS/GOARCH, as "linux/amd64" or "aix/ppc64"`, platform)
}

// checkSHA256 tells what is wrong with a hash. There is one way to write it, so
// that two lock files are the same when they say the same.
func checkSHA256(hash string) string {
	switch {
	case lowerHex.MatchString(hash):
		return ""
	case upperOrLower.MatchString(hash):
		return "write it in lower case: " + strings.ToLower(hash)
	default:
		return fmt.Sprintf("it has 64 hexadecimal digits, and this has %d characters", len(hash))
	}
}
