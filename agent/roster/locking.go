package roster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// Locking says how a plugin is to be locked.
type Locking struct {
	// What is the name of a plugin in the directory, or the path of a file:
	// what has a path separator.
	What string
	// Replace allows that an entry which says something else is given up.
	Replace bool
	// Platform locks a file for another system, GOOS/GOARCH, which is not
	// started: its plugin has an entry already. Empty: for this one.
	Platform string
	// Log is for what the plugin writes to standard error; nil: nowhere.
	Log slog.Handler
}

// Change is what came of locking a plugin.
type Change struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Protocol  int      `json:"protocol"`
	Platform  string   `json:"platform"`
	SHA256    string   `json:"sha256"`
	File      string   `json:"file"`                // that was locked
	LockFile  string   `json:"lock_file"`           //
	Changed   bool     `json:"changed"`             // false: it was locked so before
	Dropped   []string `json:"dropped,omitempty"`   // platforms whose hashes were of another version
	Elsewhere bool     `json:"elsewhere,omitempty"` // the file is not where plugins are started from
}

// ConflictError says that an entry of the lock file says something else, and
// nobody allowed to give it up.
type ConflictError struct {
	Platform  string
	Old, New  policies.LockedPlugin
	LockFile  string
	Replacing string // the command that would replace it; may be empty
}

func (e *ConflictError) Error() string {
	text := fmt.Sprintf("%s has another %s:\n    it says  %s\n    this is  %s", e.LockFile, e.Old.Name, e.entry(e.Old), e.entry(e.New))
	if e.Replacing != "" {
		text += "\n  if the new one is to be trusted in its place: " + e.Replacing
	}
	return text
}

func (e *ConflictError) entry(p policies.LockedPlugin) string {
	hash := p.SHA256[e.Platform]
	if hash == "" {
		hash = "not locked"
	}
	return fmt.Sprintf("version %s, protocol %d, %s %s", p.Version, p.Protocol, e.Platform, hash)
}

// ErrNoConfiguration says that there is nowhere to lock a plugin.
var ErrNoConfiguration = errors.New("there is no configuration directory to lock it in: name one with --config")

// Lock writes a plugin into the lock file. It starts the plugin once, to learn
// what it is: who calls Lock agrees to that. An entry that says something else
// is a [*ConflictError] unless it may be replaced. What is started is the file
// whose hash is written.
func (r *Roster) Lock(ctx context.Context, l Locking) (Change, error) {
	if r.Config == "" {
		return Change{}, ErrNoConfiguration
	}
	name, path, err := r.wanted(l)
	if err != nil {
		return Change{}, err
	}
	if _, err := r.lock(); err != nil { // before anything is started
		return Change{}, err
	}
	// One that others could write would allow nothing.
	if state, why := exposed(filepath.Join(r.Config, policies.LockName)); state != "" {
		return Change{}, &RefusedError{Plugin: name, State: state, Why: why}
	}
	hash, err := host.Hash(path)
	if err != nil {
		return Change{}, &RefusedError{Plugin: name, State: Broken, Why: err.Error()}
	}
	c := Change{Name: name, Platform: l.Platform, SHA256: hash, File: path, Elsewhere: l.Platform == "" && r.elsewhere(path, name)}
	if l.Platform == "" {
		c.Platform = Platform()
		if err := r.learn(ctx, &c, l.Log); err != nil {
			return Change{}, err
		}
	}
	err = r.edit(ctx, func(lock policies.Lock) (policies.LockedPlugin, bool, error) {
		return r.decide(lock, &c, l)
	})
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

// wanted finds the file that is to be locked, and the plugin's name, which is
// part of the file's.
func (r *Roster) wanted(l Locking) (name, path string, err error) {
	refuse := func(state State, format string, args ...any) (string, string, error) {
		return "", "", &RefusedError{Plugin: name, State: state, Why: fmt.Sprintf(format, args...)}
	}
	name, path = l.What, l.What
	if l.Platform != "" {
		problem := policies.CheckPlatform(l.Platform)
		if l.Platform == Platform() {
			problem = "this is " + l.Platform + ": without --platform the plugin is started, and its version learned"
		}
		if problem != "" {
			return refuse(Broken, "%s", problem)
		}
	}
	switch isPath := strings.ContainsAny(l.What, `/`+string(os.PathSeparator)); {
	case isPath:
		if name, err = nameOfPath(path); err != nil {
			return refuse(Broken, "%v", err)
		}
	case l.Platform != "":
		return refuse(Broken, "with --platform name the file for that system by its path: the directory has those of this one")
	case plugins.CheckName(name) == "" && r.Settings.Directory == "":
		return refuse(Missing, `the configuration names no directory of plugins: write plugins { directory = "..." }, or name a file by its path`)
	default:
		path = filepath.Join(r.Settings.Directory, FileName(name))
	}
	switch problem := plugins.CheckName(name); {
	case r.builtin(name):
		return refuse(Shadows, "%s", shadows)
	case problem != "":
		return refuse(Broken, "%s", problem)
	}
	state, why := look(path)
	if state == NotExecutable && l.Platform != "" {
		state = ""
	}
	if state != "" {
		return refuse(state, "%s", why)
	}
	if l.Platform != "" {
		if problem := checkPort(path, l.Platform); problem != "" {
			return refuse(Broken, "%s", problem)
		}
	}
	return name, path, nil
}

// nameOfPath gives the plugin's name of a file for any system.
func nameOfPath(path string) (string, error) {
	base := filepath.Base(path)
	name, ok := strings.CutPrefix(base, prefix)
	if !ok {
		return base, fmt.Errorf("a plugin's file is named %sNAME, and this is %q", prefix, base)
	}
	return strings.TrimSuffix(name, ".exe"), nil
}

// elsewhere tells whether a file is another than the one that is started by
// the plugin's name.
func (r *Roster) elsewhere(path, name string) bool {
	own, err := os.Stat(filepath.Join(r.Settings.Directory, FileName(name)))
	if err != nil || r.Settings.Directory == "" {
		return true
	}
	info, err := os.Stat(path)
	return err != nil || !os.SameFile(own, info)
}

// learn starts a plugin that is not locked yet and ends it.
func (r *Roster) learn(ctx context.Context, c *Change, log slog.Handler) error {
	source := host.Source{Name: c.Name, Path: c.File, SHA256: c.SHA256}
	process, err := host.Start(ctx, source, r.HostSettings(log))
	if differs := (*host.HashError)(nil); errors.As(err, &differs) {
		return &RefusedError{Plugin: c.Name, State: Differs, Why: fmt.Sprintf("%s was changed while it was being locked", c.File)}
	}
	if err != nil {
		return err
	}
	c.Version, c.Protocol = process.Describe().Version, process.Protocol()
	if err := process.Stop(); err != nil { //nolint:contextcheck // it is ended whatever ctx says
		return err
	}
	if problem := plugins.CheckVersion(c.Version); problem != "" {
		return &RefusedError{Plugin: c.Name, State: Broken, Why: "what it says of its version can't be locked: " + problem}
	}
	return nil
}

// decide gives the entry that a plugin is to have, and whether it is another
// than there is.
func (r *Roster) decide(lock policies.Lock, c *Change, l Locking) (policies.LockedPlugin, bool, error) {
	old, there := lock.Find(c.Name)
	c.LockFile = lock.File
	if l.Platform != "" {
		if !there {
			return old, false, &RefusedError{Plugin: c.Name, State: NotLocked, Fix: r.command("plugin", "lock", c.Name),
				Why: fmt.Sprintf("it is not in %s: lock it on a system where it runs first, which tells its version", lock.File)}
		}
		c.Version, c.Protocol = old.Version, old.Protocol
	}
	fresh := policies.LockedPlugin{Name: c.Name, Version: c.Version, Protocol: c.Protocol, SHA256: map[string]string{c.Platform: c.SHA256}}
	if !there {
		c.Changed = true
		return fresh, true, nil
	}
	same := old.Version == fresh.Version && old.Protocol == fresh.Protocol
	before := old.SHA256[c.Platform]
	if conflict := !same || before != "" && before != c.SHA256; conflict && !l.Replace {
		return old, false, &ConflictError{Platform: c.Platform, Old: old, New: fresh, LockFile: lock.File, Replacing: r.replacing(l)}
	}
	for platform, hash := range old.SHA256 {
		switch {
		case platform == c.Platform:
		case same:
			fresh.SHA256[platform] = hash
		default:
			c.Dropped = append(c.Dropped, platform)
		}
	}
	slices.Sort(c.Dropped)
	c.Changed = !same || !maps.Equal(old.SHA256, fresh.SHA256)
	return fresh, c.Changed, nil
}

// replacing gives the command that locks a plugin whatever was locked before.
func (r *Roster) replacing(l Locking) string {
	words := []string{"plugin", "lock", "--replace"}
	if l.Platform != "" {
		words = append(words, "--platform", l.Platform)
	}
	return r.command(append(words, l.What)...)
}
