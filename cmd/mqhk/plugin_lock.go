package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/roster"
)

func (a *app) pluginLockCommand() *cobra.Command {
	var l roster.Locking
	cmd := &cobra.Command{
		Use:   "lock NAME|FILE...",
		Short: "Allow plugins to be started, by the hash of their files",
		Long: `Lock writes name, version, protocol and SHA-256 of plugins into the file
plugins.lock.hcl of the configuration directory. A plugin that is not in it, or
whose file differs, is not started. A NAME is that of a file mqhk-plugin-NAME in
the directory of plugins; what has a slash is the path of a FILE.

Each plugin is started once, to learn what it is: do this only with what you
trust as much as mqhk itself. An entry that says something else is shown beside
the new one and stays, unless --replace is given.

With --platform only the hash of a file for another system is taken, and added
to the entry that the plugin has. Nothing is started.`,
		Example: `  mqhk plugin lock fdc
  mqhk plugin lock --replace fdc
  mqhk plugin lock --platform aix/ppc64 dist/aix/mqhk-plugin-fdc`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.pluginNames,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.pluginLock(cmd.Context(), args, l) },
	}
	cmd.Flags().BoolVar(&l.Replace, "replace", false, "give up what an entry says, if it says something else")
	cmd.Flags().StringVar(&l.Platform, "platform", "", "the file is for another system, `GOOS/GOARCH`")
	return cmd
}

// pluginLock locks one plugin after the other. What goes wrong with one does
// not keep the others; the exit status is that of the first.
func (a *app) pluginLock(ctx context.Context, wanted []string, l roster.Locking) error {
	known, err := a.pluginsThere()
	if err != nil {
		return err
	}
	l.Log = a.log.Handler()
	changes := make([]roster.Change, 0, len(wanted))
	var failures []error
	for _, l.What = range wanted {
		change, err := known.Lock(ctx, l)
		if err != nil {
			failures = append(failures, notLocked(l.What, err))
			continue
		}
		changes = append(changes, change)
	}
	if err := a.result(changes, func() string { return lockedText(changes) }); err != nil {
		return err
	}
	if len(failures) == 0 {
		return nil
	}
	return &exitError{exitOf(failures[0]), errors.Join(failures...)}
}

// notLocked gives what went wrong its exit status.
func notLocked(what string, err error) error {
	var (
		refused  *roster.RefusedError
		conflict *roster.ConflictError
	)
	switch {
	case errors.As(err, &conflict), errors.Is(err, roster.ErrBusy):
		return &exitError{exitFailed, fmt.Errorf("not locked: %w", err)}
	case errors.Is(err, roster.ErrNoConfiguration),
		errors.As(err, &refused) && refused.State == roster.Missing:
		return usage("plugin %s: not locked: %w", what, err)
	default:
		return pluginFailed(what, fmt.Errorf("not locked: %w", err))
	}
}

// lockedText says what was locked.
func lockedText(changes []roster.Change) string {
	var b strings.Builder
	for _, c := range changes {
		done := "locked"
		if !c.Changed {
			done = "locked before, unchanged:"
		}
		fmt.Fprintf(&b, "%s %s %s, protocol %d, for %s in %s\n    %s  %s\n", done, c.Name, c.Version, c.Protocol, c.Platform, c.LockFile, c.SHA256, c.File)
		if len(c.Dropped) > 0 {
			fmt.Fprintf(&b, "    the hashes for %s were of another version and are gone: add those of this one with --platform\n", strings.Join(c.Dropped, ", "))
		}
		if c.Elsewhere {
			fmt.Fprintf(&b, "    it is not in the directory of plugins: before it can be started, copy it there as %s\n", roster.FileName(c.Name))
		}
	}
	return b.String()
}
