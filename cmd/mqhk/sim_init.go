package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
)

// made is what the flags of sim init ask for.
type made struct {
	name, platform, system string
	configure              bool
	zone, start            string // of a new estate
	noSync                 bool
	ofEstate               bool // a flag was given that only a new estate takes
	ibmi                   madeIBMi
	multi                  madeMulti
}

// maker is what makes queue managers of a platform.
type maker interface {
	// flags adds the flags that are for the platform alone.
	flags(*pflag.FlagSet)
	// spec turns their texts into what the estate takes.
	spec(name, system string) (sim.Spec, error)
	// mistake tells whether an error is one of what was asked for.
	mistake(error) bool
}

// makers gives those of all platforms.
func (m *made) makers() map[observe.Platform]maker {
	return map[observe.Platform]maker{observe.IBMi: &m.ibmi, observe.Multiplatforms: &m.multi}
}

func (s *simulated) initCommand() *cobra.Command {
	var m made
	cmd := &cobra.Command{
		Use:   "init QUEUE-MANAGER",
		Short: "Make a queue manager and start it, in a new estate or one that is there",
		Long: `Init makes a queue manager with its journal or its log and starts it. The estate
is made if it is not there; its zone and its clock are those of its first queue
manager. Each queue manager has a system of its own unless --system names one.`,
		Example: `  mqhk sim init ORDERS --zone Europe/Berlin --threshold 4MiB
  mqhk sim init PAYMENTS --first-receiver AMQA099998
  mqhk sim init QM1 --platform multiplatforms --log linear --pages 64 --configure`,
		Args: cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&m.platform, "platform", string(observe.IBMi), "`PLATFORM` of the queue manager: ibmi or multiplatforms")
	flags.StringVar(&m.system, "system", "", "`NAME` of the system (default a new one)")
	flags.BoolVar(&m.configure, "configure", false, "write its connection to the configuration directory too (--config, default ./mqhk.d)")
	flags.StringVar(&m.zone, "zone", "UTC", "time zone `AREA/CITY` of a new estate")
	flags.StringVar(&m.start, "start", "2026-01-05T06:00:00", "`TIME` at which the clock of a new estate begins, in its zone")
	flags.BoolVar(&m.noSync, "no-sync", false, "force nothing to disk in a new estate: for rehearsals only")
	only := map[observe.Platform][]string{} // flags of one platform
	for platform, maker := range m.makers() {
		own := pflag.NewFlagSet("", pflag.ContinueOnError)
		maker.flags(own)
		own.VisitAll(func(f *pflag.Flag) {
			only[platform] = append(only[platform], f.Name)
			f.Usage = string(platform) + ": " + f.Usage
			flags.AddFlag(f)
		})
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m.name = args[0]
		m.ofEstate = slices.ContainsFunc([]string{"zone", "start", "no-sync"}, cmd.Flags().Changed)
		for platform, names := range only {
			if i := slices.IndexFunc(names, cmd.Flags().Changed); i >= 0 && m.platform != string(platform) {
				return usage("--%s is for --platform %s", names[i], platform)
			}
		}
		return s.init(cmd.Context(), m)
	}
	return cmd
}

func (s *simulated) init(ctx context.Context, m made) error {
	maker, known := m.makers()[observe.Platform(m.platform)]
	if !known {
		return usage("--platform %q: ibmi and multiplatforms can be simulated", m.platform)
	}
	spec, err := maker.spec(m.name, m.system)
	if err != nil {
		return err
	}
	var file string
	if m.configure {
		if file, err = s.blockFile(m.name); err != nil {
			return err
		}
	}
	estate, err := s.openOrMake(ctx, m)
	if err != nil {
		return simError(err)
	}
	zone := estate.Now().Location().String()
	added := estate.Add(ctx, spec)
	if errors.Is(added, fs.ErrExist) || maker.mistake(added) {
		added = &exitError{exitUsage, added}
	}
	if err := errors.Join(added, estate.Close(ctx)); err != nil {
		return simError(err)
	}
	block := m.block(absolute(s.dir), zone)
	if file == "" {
		return s.print(fmt.Sprintf("%s is started in %s.\n\n%s", m.name, s.dir, block))
	}
	if err := writeBlock(file, block); err != nil {
		return err
	}
	return s.print(fmt.Sprintf("%s is started in %s. Its connection is in %s.\n", m.name, s.dir, file))
}

// block writes how the queue manager is reached.
func (m *made) block(estate, zone string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "queue_manager %q {\n  platform = %q\n  zone     = %q\n\n", m.name, m.platform, zone)
	fmt.Fprintf(&b, "  connection \"sim\" {\n    estate = %q\n  }\n}\n", estate)
	return b.String()
}
