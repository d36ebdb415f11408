package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/internal/shell"
)

func (s *simulated) commandsCommand() *cobra.Command {
	var system, self string
	cmd := &cobra.Command{
		Use:   "commands DIR",
		Short: "Write runmqsc, dspmq, rcdmqimg and the others as scripts that talk to the simulator",
		Long: `Commands writes the control commands of a simulated machine to a folder. Where it
is the bin of connection "local", or the first of PATH, a simulated queue manager
is used exactly as a real one. Each script is a mqhk sim control of this program
on this estate, with the same output and exit status; one that changes something
waits until others let go of the estate.`,
		Example: `  mqhk sim commands mqm/bin
  PATH=$PWD/mqm/bin:$PATH rcdmqimg -m QM1 -t all '*'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if self == "" {
				var err error
				if self, err = os.Executable(); err != nil {
					return &exitError{exitFailed, fmt.Errorf("finding this program: %w", err)}
				}
			}
			return s.look(cmd.Context(), func(e *sim.Estate) error {
				site, err := e.SiteNamed(system)
				if err != nil {
					return err
				}
				return s.writeCommands(args[0], self, site)
			})
		},
	}
	cmd.Flags().StringVar(&system, "system", "", "`NAME` of the system (default the only one)")
	cmd.Flags().StringVar(&self, "program", "", "`PATH` of mqhk that the scripts run (default this program)")
	return cmd
}

// writeCommands writes the scripts and says how they are used.
func (s *simulated) writeCommands(dir, self string, site sim.Site) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("writing the commands: %w", err)
	}
	for _, name := range sim.ControlCommands() {
		line, ok := shell.Line(absolute(self), "--log-level", "error", "sim", "--estate", absolute(s.dir), "control", "--system", site.Name(), "--", name)
		if !ok {
			return usage("a script can't name %q and %q: they hold what can't be shown", absolute(self), absolute(s.dir))
		}
		err := writeScript(filepath.Join(dir, name), "#!/bin/sh\nexec "+line+" \"$@\"\n")
		if errors.Is(err, fs.ErrExist) {
			return usage("%s holds a command %s that is another: name a folder of its own", dir, name)
		}
		if err != nil {
			return fmt.Errorf("writing the commands: %w", err)
		}
	}
	return s.print(fmt.Sprintf("%d commands are in %s.\n\nconnection \"local\" {\n  bin  = %q\n  data = %q\n}\n",
		len(sim.ControlCommands()), dir, absolute(dir), site.DataRoot()))
}

// writeScript writes a script, or leaves it as it is where it says the same. A
// file that says something else is somebody's own, or that of another estate.
func writeScript(path, script string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700) //nolint:gosec // it is to be run
	if errors.Is(err, fs.ErrExist) {
		if there, read := os.ReadFile(path); read == nil && string(there) == script {
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(script)
	return errors.Join(err, f.Close())
}
