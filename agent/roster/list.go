package roster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// Entry is a plugin in a list.
type Entry struct {
	Name    string `json:"name"`    // of a file that no plugin can have: what stands after the prefix
	Version string `json:"version"` // as it was locked; empty: not known, as of what was never started
	Origin  string `json:"origin"`  // built-in, or the path of its file
	SHA256  string `json:"sha256"`  // of its file as it is; empty: it can't be read
	State   State  `json:"state"`
	Why     string `json:"why,omitempty"` // it is not started
	Fix     string `json:"fix,omitempty"` // the command that would allow it
}

// List gives the plugins of others, by name: the files of the directory, and
// what is locked and has none there. It starts nothing. The list is good with
// an error too: one of [ReadLock], under which nothing is locked, or that of a
// directory that can't be read.
func (r *Roster) List() ([]Entry, error) {
	lock, lockErr := r.lock()
	names, err := r.files()
	var list []Entry
	for _, name := range names {
		list = append(list, r.entry(name, lock, lockErr))
	}
	for _, p := range lock.Plugins {
		if !slices.Contains(names, p.Name) {
			list = append(list, r.absent(p))
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list, errors.Join(lockErr, err)
}

// Names gives the names under which plugins are known: the built-in ones,
// those that are locked and those that have a file, sound or not.
func (r *Roster) Names() []string {
	names := slices.Clone(r.Builtins)
	list, _ := r.List() // what can't be read is not known
	for _, e := range list {
		if plugins.CheckName(e.Name) == "" {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// files gives the names of the plugins that have a file in the directory. One
// that is not there has none.
func (r *Roster) files() ([]string, error) {
	if r.Settings.Directory == "" {
		return nil, nil
	}
	found, err := os.ReadDir(r.Settings.Directory)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, file := range found {
		if name, ok := nameOf(file.Name()); ok {
			names = append(names, name)
		}
	}
	if err != nil {
		err = fmt.Errorf("looking for plugins: %w", err)
	}
	return names, err
}

// nameOf gives the plugin's name of a file's; false: it is no plugin's.
func nameOf(file string) (string, bool) {
	name, ok := strings.CutPrefix(file, prefix)
	name, ends := strings.CutSuffix(name, suffix)
	return name, ok && ends
}

// entry says how a file in the directory stands.
func (r *Roster) entry(name string, lock policies.Lock, lockErr error) Entry {
	e := Entry{Name: name, Origin: filepath.Join(r.Settings.Directory, FileName(name))}
	problem := plugins.CheckName(name)
	state, why := look(e.Origin)
	var unread error
	e.SHA256, unread = host.Hash(e.Origin)
	switch {
	case r.builtin(name):
		e.State, e.Why = Shadows, shadows
	case problem != "":
		e.State, e.Why = Broken, problem
	case state != "":
		e.State, e.Why = state, why
	case unread != nil:
		e.State, e.Why = Broken, unread.Error()
	case lockErr != nil:
		e.State, e.Why = Broken, policies.LockName+" has mistakes, and allows nothing"
	default:
		r.compare(&e, lock)
	}
	return e
}

// compare holds a sound file against the lock.
func (r *Roster) compare(e *Entry, lock policies.Lock) {
	p, refused := r.allowed(e.Name, lock)
	want := p.SHA256[Platform()]
	switch {
	case refused != nil:
		e.State, e.Why, e.Fix = refused.State, refused.Why, refused.Fix
	case want != e.SHA256:
		e.State, e.Fix = Differs, r.command("plugin", "lock", "--replace", e.Name)
		e.Why = fmt.Sprintf("%s says version %s, SHA-256 %s", lock.File, p.Version, want)
	default:
		e.State, e.Version = Locked, p.Version
	}
}

// absent says how what is locked and has no file stands.
func (r *Roster) absent(p policies.LockedPlugin) Entry {
	e := Entry{Name: p.Name, Version: p.Version, Origin: filepath.Join(r.Settings.Directory, FileName(p.Name)), State: Missing}
	switch {
	case r.builtin(p.Name):
		e.State, e.Why = Shadows, shadows
	case r.Settings.Directory == "":
		e.Origin, e.Why = "", `the configuration names no directory of plugins: plugins { directory = "..." }`
	default:
		e.Why = "there is no file " + e.Origin
	}
	return e
}
