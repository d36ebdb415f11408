package main

import (
	"os"
	"path/filepath"

	"github.com/mqhk/mqhk/agent/roster"
	"github.com/mqhk/mqhk/policies"
)

// roster gives the plugins that there are under a configuration.
func (a *app) roster(configuration *policies.Configuration) *roster.Roster {
	r := &roster.Roster{Builtins: builtinNames(), Settings: configuration.Plugins}
	if dir, ok := a.configDir(); ok {
		r.Config = lockDir(dir)
	}
	if a.config != "" {
		r.Command = []string{"mqhk", "--config", a.config}
	}
	return r
}

// pluginsThere gives the plugins that there are. A task may name one that is
// not locked yet, and what else only checks would find wrong with the
// configuration is no matter here.
func (a *app) pluginsThere() (*roster.Roster, error) {
	var paths []string
	if dir, ok := a.configDir(); ok {
		paths = []string{dir}
	}
	configuration, err := policies.Load(policies.Checks{}, paths...)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return a.roster(configuration), nil
}

// configAmong gives the configuration directory that paths are meant in: one of
// them, else that of this call; empty: there is none.
func (a *app) configAmong(paths []string) string {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
	}
	dir, _ := a.configDir()
	return lockDir(dir)
}

// rosterFor gives the plugins of a configuration directory to files that were
// read beside it, or as it.
func (a *app) rosterFor(dir string, configuration *policies.Configuration) *roster.Roster {
	r := &roster.Roster{Builtins: builtinNames(), Config: dir, Settings: configuration.Plugins}
	if r.Settings.At.Line == 0 && dir != "" {
		if beside, err := policies.Load(policies.Checks{}, dir); err == nil { // a mistake there is not of these files
			r.Settings = beside.Plugins
		}
	}
	if dir != "" {
		r.Command = []string{"mqhk", "--config", dir}
	}
	return r
}

// lockedIn adds the plugins that a configuration directory locks to what its
// reader knows.
func lockedIn(checks policies.Checks, dir string) (policies.Checks, error) {
	if dir == "" {
		return checks, nil
	}
	lock, err := roster.ReadLock(dir)
	if err != nil {
		return checks, &exitError{exitUsage, err}
	}
	checks.Locked = lock.Names()
	return checks, nil
}

// lockDir is where the lock file of a configuration lies; a configuration may
// be one file.
func lockDir(config string) string {
	if info, err := os.Stat(config); err == nil && !info.IsDir() {
		return filepath.Dir(config)
	}
	return config
}
