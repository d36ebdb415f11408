package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
)

// simulated holds what the commands of the simulator share.
type simulated struct {
	*app
	dir string // --estate
}

func (a *app) simCommand() *cobra.Command {
	s := &simulated{app: a}
	cmd := group("sim", "The simulated estate by hand")
	cmd.Long = `Sim works on a simulated estate: queue managers with real journals and logs on
disk that really lose and really recover messages, in one folder with a clock of
its own. Time passes there only as these commands say. See docs/simulator.md.`
	cmd.PersistentFlags().StringVar(&s.dir, "estate", "estate", "`DIR` of the estate")
	cmd.AddCommand(s.initCommand(), s.statusCommand(), s.advanceCommand(), s.workloadCommand(), s.faultCommand(), s.clCommand(),
		s.mqscCommand(), s.controlCommand(), s.commandsCommand())
	return cmd
}

// work opens the estate, does something with it and closes it, whatever came
// of it.
func (s *simulated) work(ctx context.Context, do func(*sim.Estate) error) error {
	waiting := time.AfterFunc(time.Second, func() { s.log.Info("another command has the estate, waiting", "estate", s.dir) })
	estate, err := sim.Open(ctx, s.dir)
	waiting.Stop()
	if err != nil {
		return simError(err)
	}
	for _, problem := range estate.Problems() {
		s.log.Warn("estate", "estate", s.dir, "err", problem)
	}
	return simError(errors.Join(do(estate), estate.Close(ctx)))
}

// look does something with the estate that changes nothing.
func (s *simulated) look(ctx context.Context, do func(*sim.Estate) error) error {
	estate, err := sim.Look(ctx, s.dir)
	if err != nil {
		return simError(err)
	}
	return simError(errors.Join(do(estate), estate.Close(ctx)))
}

// simError classes an error of the estate.
func simError(err error) error {
	var classed *exitError
	switch {
	case err == nil || errors.As(err, &classed):
		return err
	case errors.Is(err, sim.ErrUsage), errors.Is(err, sim.ErrNoManager), errors.Is(err, sim.ErrNoEstate):
		return &exitError{exitUsage, err}
	default:
		return &exitError{exitFailed, err}
	}
}

// openOrMake opens the estate, or makes it where there is none.
func (s *simulated) openOrMake(ctx context.Context, m made) (*sim.Estate, error) {
	estate, err := sim.Open(ctx, s.dir)
	if err == nil && m.ofEstate {
		return nil, errors.Join(usage("the estate in %s is there already: --zone, --start and --no-sync are of a new one", s.dir), estate.Close(ctx))
	}
	if !errors.Is(err, sim.ErrNoEstate) {
		return estate, err
	}
	zone, err := time.LoadLocation(m.zone)
	if err != nil {
		return nil, usage("--zone: %v", err)
	}
	start, err := localTime(m.start, zone)
	if err != nil {
		return nil, usage("--start: %v", err)
	}
	estate, err = sim.Create(ctx, s.dir, sim.Settings{Zone: m.zone, Start: start, NoSync: m.noSync})
	if errors.Is(err, fs.ErrExist) {
		return nil, &exitError{exitUsage, err}
	}
	return estate, err
}

func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// passed notes how far time is.
func (s *simulated) passed(now time.Time) {
	s.log.Debug("time passes", "estate", s.dir, "now", now.Format(time.DateTime))
}
