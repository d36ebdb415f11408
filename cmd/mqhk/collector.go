package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/collector"
	"github.com/mqhk/mqhk/core/observe"
)

func (a *app) collectorCommand() *cobra.Command {
	var options collector.Options
	cmd := &cobra.Command{
		Use:   "collector PLATFORM",
		Short: "Print a script that writes a transcript on the system itself",
		Long: `Collector prints a script for systems that allow no connection at all: it is
run there by hand, changes nothing but its own output file, and writes a
transcript to carry away and plan on. For ibmi that is SQL, for multiplatforms
(Linux, AIX) a shell script, or with --mqsc the commands for runmqsc alone.`,
		Example: `  mqhk collector ibmi --queue-manager ORDERS > orders.sql
  mqhk collector multiplatforms --queue-manager QM1 > qm1.sh`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: supported(),
		RunE: func(_ *cobra.Command, args []string) error {
			platform, err := observe.ParsePlatform(args[0])
			if err != nil {
				return &exitError{exitUsage, err}
			}
			script, err := collector.Script(platform, options)
			if err != nil {
				var unsupported *collector.ErrUnsupported
				if errors.As(err, &unsupported) {
					return usage("%v", err)
				}
				return &exitError{exitUsage, fmt.Errorf("the collector script: %w", err)}
			}
			if _, err := io.WriteString(a.stdout, script); err != nil {
				return &exitError{exitFailed, err}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&options.QueueManager, "queue-manager", "", "`NAME` of the queue manager (required)")
	cmd.Flags().StringVar(&options.Library, "library", "", "its `LIBRARY` (ibmi; default QM and the name, where that is the convention)")
	cmd.Flags().StringVar(&options.Zone, "zone", "", "time zone of the system, `AREA/CITY`")
	cmd.Flags().StringVar(&options.Output, "output", "", "`PATH` of the transcript on the system, which must not exist yet (default mqhk-NAME.mqt, on ibmi in /home of the user who runs the script, else in the working directory)")
	cmd.Flags().StringVar(&options.DataRoot, "data-root", "", "`PATH` of the folder with mqs.ini (multiplatforms; default /var/mqm)")
	cmd.Flags().BoolVar(&options.MQSC, "mqsc", false, "print the commands for runmqsc alone (multiplatforms)")
	_ = cmd.MarkFlagRequired("queue-manager") // the flag is there: it was defined above
	return cmd
}

// supported gives the platforms that there is a script for.
func supported() []string {
	var names []string
	for _, platform := range collector.Supported() {
		names = append(names, string(platform))
	}
	return names
}
