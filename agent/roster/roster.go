package roster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// prefix begins the name of a plugin's file; the plugin's name follows.
const prefix = "mqhk-plugin-"

// FileName gives the name of a plugin's file on this system.
func FileName(name string) string { return prefix + name + suffix }

// Platform is what this program runs on, as a lock file names it.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Roster is the plugins that there are. It holds no state but its fields: the
// lock file is read, and a file looked at, each time that it is asked for, so
// that what the operator takes back is not started any more. It may be used
// concurrently.
type Roster struct {
	Builtins []string                // the names of the built-in ones, which nobody else can take
	Config   string                  // the configuration directory; empty: there is none
	Settings policies.PluginSettings // of the configuration
	Command  []string                // how this program is called with this configuration; empty: mqhk
}

// ReadLock reads the lock file of a configuration directory. Its error is
// [policies.Diagnostics]: a mistake in it, or that others could write it.
func ReadLock(config string) (policies.Lock, error) {
	file := filepath.Join(config, policies.LockName)
	lock, err := policies.ReadLock(file)
	if err != nil || len(lock.Plugins) == 0 {
		return lock, err
	}
	if _, why := exposed(file); why != "" {
		return policies.Lock{File: file}, policies.Diagnostics{{File: file, Summary: "this file allows nothing", Detail: why}}
	}
	return lock, nil
}

// lock reads the lock file of this configuration.
func (r *Roster) lock() (policies.Lock, error) {
	if r.Config == "" {
		return policies.Lock{}, nil
	}
	return ReadLock(r.Config)
}

// shadows is why a plugin of a built-in one's name is not started.
const shadows = "a built-in plugin has this name; no other can take its place"

// builtin tells whether a name is that of a built-in plugin: on some file
// systems in any case.
func (r *Roster) builtin(name string) bool {
	return slices.ContainsFunc(r.Builtins, func(b string) bool { return strings.EqualFold(b, name) })
}

// Source says what to start for a plugin: a built-in one, or one of others
// whose file is as it was locked. Its error is a [*RefusedError], or that of
// [ReadLock].
func (r *Roster) Source(name string) (host.Source, error) {
	if slices.Contains(r.Builtins, name) {
		return host.SelfExec(name), nil
	}
	_, source, err := r.locked(name)
	return source, err
}

// locked finds the entry of a plugin of others and its file.
func (r *Roster) locked(name string) (policies.LockedPlugin, host.Source, error) {
	refuse := func(state State, format string, args ...any) (policies.LockedPlugin, host.Source, error) {
		return policies.LockedPlugin{}, host.Source{}, &RefusedError{Plugin: name, State: state, Why: fmt.Sprintf(format, args...)}
	}
	if r.builtin(name) {
		return refuse(Shadows, "%s", shadows)
	}
	if problem := plugins.CheckName(name); problem != "" {
		return refuse(Broken, "%s", problem)
	}
	lock, err := r.lock()
	if err != nil {
		return policies.LockedPlugin{}, host.Source{}, err
	}
	entry, refused := r.allowed(name, lock)
	if refused != nil {
		return policies.LockedPlugin{}, host.Source{}, refused
	}
	if r.Settings.Directory == "" {
		return refuse(Missing, "the configuration names no directory of plugins: plugins { directory = \"...\" }")
	}
	path := filepath.Join(r.Settings.Directory, FileName(name))
	if state, why := look(path); state != "" {
		return refuse(state, "%s", why)
	}
	return entry, host.Source{Name: name, Path: path, SHA256: entry.SHA256[Platform()]}, nil
}

// allowed finds what the lock says of a plugin here, whatever its file is.
func (r *Roster) allowed(name string, lock policies.Lock) (policies.LockedPlugin, *RefusedError) {
	entry, there := lock.Find(name)
	refused := &RefusedError{Plugin: name, State: NotLocked}
	switch _, here := entry.SHA256[Platform()]; {
	case r.Config == "":
		refused.Why = "there is no configuration directory, and so no " + policies.LockName
	case !there:
		refused.Why, refused.Fix = "it is not in "+lock.File, r.command("plugin", "lock", name)
	case !here:
		refused.Why = fmt.Sprintf("%s has it for %s only, and this is %s", lock.File, strings.Join(entry.Platforms(), ", "), Platform())
		refused.Fix = r.command("plugin", "lock", name)
	case entry.Protocol != host.Protocol:
		refused.State = Broken
		refused.Why = fmt.Sprintf("it speaks protocol %d, and this program speaks %d", entry.Protocol, host.Protocol)
	default:
		return entry, nil
	}
	return policies.LockedPlugin{}, refused
}

// Start starts a plugin. One that is not locked, or differs from what was, does
// not run: the file that is hashed is the one that is run. The error is a
// [*RefusedError], that of [ReadLock], or one of [host.Start].
func (r *Roster) Start(ctx context.Context, name string, log slog.Handler) (*host.Process, error) {
	if slices.Contains(r.Builtins, name) {
		return host.Start(ctx, host.SelfExec(name), r.HostSettings(log))
	}
	entry, source, err := r.locked(name)
	if err != nil {
		return nil, err
	}
	process, err := host.Start(ctx, source, r.HostSettings(log))
	var differs *host.HashError
	switch {
	case errors.As(err, &differs):
		return nil, r.differs(name, "%s", differs.Error())
	case err != nil:
		return nil, err
	}
	// A script is as it was locked though what it calls is not.
	if says := process.Describe().Version; says != entry.Version {
		err := r.differs(name, "it says that its version is %q, and %s says %q", says, policies.LockName, entry.Version)
		return nil, errors.Join(err, process.Stop()) //nolint:contextcheck // likewise
	}
	return process, nil
}

func (r *Roster) differs(name, format string, args ...any) error {
	return &RefusedError{Plugin: name, State: Differs, Why: fmt.Sprintf(format, args...), Fix: r.command("plugin", "lock", "--replace", name)}
}

// HostSettings gives what a plugin may take, as the configuration says; log is
// for what it writes to standard error.
func (r *Roster) HostSettings(log slog.Handler) host.Settings {
	s := r.Settings
	return host.Settings{
		StartLimit: s.StartLimit, CallLimit: s.CallLimit, StopLimit: s.StopLimit,
		MaxMemory: s.Memory, MaxAsked: s.Questions,
		MaxMessage: int(s.Message), MaxResult: s.Plan, LogRate: s.LogRate, Log: log,
	}
}

// command writes a command line of this program; empty where none can be
// written that shows all that is in it.
func (r *Roster) command(words ...string) string {
	call := r.Command
	if len(call) == 0 {
		call = []string{"mqhk"}
	}
	line, _ := shell.Line(slices.Concat(call, words)...)
	return line
}
