package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/policies"
)

// simulated holds what the commands of the simulator share.
type simulated struct {
	*app
	dir string // --estate
}

func (a *app) simCommand() *cobra.Command {
	s := &simulated{app: a}
	cmd := group("sim", "The simulated estate by hand")
	cmd.Long = `Sim works on a simulated estate: queue managers with real journals on disk that
really lose and really recover messages, in one folder with a clock of its own.
Time passes there only as these commands say. See docs/simulator.md.`
	cmd.PersistentFlags().StringVar(&s.dir, "estate", "estate", "`DIR` of the estate")
	cmd.AddCommand(s.initCommand(), s.statusCommand(), s.advanceCommand(), s.workloadCommand(), s.faultCommand(), s.clCommand())
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

// made is what the flags of sim init ask for.
type made struct {
	sim.IBMi
	platform  string
	zone      string
	start     string
	threshold string
	asp       string
	letter    string
	names     string
	noSync    bool
	ofEstate  bool // a flag was given that only a new estate takes
}

func (s *simulated) initCommand() *cobra.Command {
	var m made
	cmd := &cobra.Command{
		Use:   "init QUEUE-MANAGER",
		Short: "Make a queue manager and start it, in a new estate or one that is there",
		Long: `Init makes an IBM i queue manager with its journal and starts it. The estate is
made if it is not there; its zone and its clock are those of its first queue
manager. Each queue manager has a system of its own unless --system names one.`,
		Example: `  mqhk sim init ORDERS --zone Europe/Berlin --threshold 4MiB
  mqhk sim init PAYMENTS --first-receiver AMQA099998`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m.Name = args[0]
			for _, name := range []string{"zone", "start", "no-sync"} {
				m.ofEstate = m.ofEstate || cmd.Flags().Changed(name)
			}
			return s.init(cmd.Context(), m)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&m.platform, "platform", string(observe.IBMi), "`PLATFORM` of the queue manager: ibmi; others are not there yet")
	flags.StringVar(&m.zone, "zone", "UTC", "time zone `AREA/CITY` of a new estate")
	flags.StringVar(&m.start, "start", "2026-01-05T06:00:00", "`TIME` at which the clock of a new estate begins, in its zone")
	flags.BoolVar(&m.noSync, "no-sync", false, "force nothing to disk in a new estate: for rehearsals only")
	flags.StringVar(&m.System, "system", "", "`NAME` of the system (default a new one)")
	flags.StringVar(&m.Library, "library", "", "`LIBRARY` of the queue manager (default QM and its name)")
	flags.StringVar(&m.letter, "letter", "A", "`LETTER` of the journal: AMQAJRN")
	flags.StringVar(&m.threshold, "threshold", "100000KiB", "`SIZE` at which a receiver is changed, from 64KiB")
	flags.StringVar(&m.FirstReceiver, "first-receiver", "", "`NAME` of the first receiver (default AMQA000000)")
	flags.StringVar(&m.SizeOption, "size-option", "", "`OPTION` that bounds sequence numbers: MAXOPT1, MAXOPT2 or MAXOPT3")
	flags.StringVar(&m.names, "names", "five", "digits of a receiver's name that count: `five` (9.x) or six (V6)")
	flags.StringVar(&m.asp, "asp", "", "`SIZE` of a new system's ASP (default without a limit)")
	flags.BoolVar(&m.OldMessages, "old-messages", false, "AMQ7460 and AMQ7462 name a time and no receiver, as V5.2 did")
	return cmd
}

func (s *simulated) init(ctx context.Context, m made) error {
	if err := m.read(); err != nil {
		return err
	}
	estate, err := s.openOrMake(ctx, m)
	if err != nil {
		return simError(err)
	}
	added := estate.Add(ctx, m.IBMi)
	if errors.Is(added, fs.ErrExist) || errors.Is(added, qmgr.ErrName) || errors.As(added, new(*os400.Error)) {
		added = &exitError{exitUsage, added}
	}
	if err := errors.Join(added, estate.Close(ctx)); err != nil {
		return simError(err)
	}
	return s.print(fmt.Sprintf("%s is started in %s.\n\nqueue_manager %q {\n  platform = %q\n  connection \"sim\" {\n    estate = %q\n  }\n}\n",
		m.Name, s.dir, m.Name, m.platform, absolute(s.dir)))
}

// read turns the flags' texts into what the estate takes.
func (m *made) read() error {
	if m.platform != string(observe.IBMi) {
		return usage("--platform %q: only ibmi can be simulated; others are not there yet", m.platform)
	}
	size, err := policies.ParseSize(m.threshold)
	if err != nil {
		return usage("--threshold: %v", err)
	}
	m.Threshold = size / 1024
	if m.asp != "" {
		if m.Settings.Capacity, err = policies.ParseSize(m.asp); err != nil {
			return usage("--asp: %v", err)
		}
	}
	if len(m.letter) != 1 || m.letter[0] < 'A' || m.letter[0] > 'Z' {
		return usage("--letter %q is no letter from A to Z", m.letter)
	}
	m.Letter = m.letter[0]
	switch m.names {
	case "five":
	case "six":
		m.Settings.SixDigits = true
	default:
		return usage("--names %q is neither five nor six", m.names)
	}
	return nil
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
