package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

func (s *simulated) clCommand() *cobra.Command {
	var file, user string
	cmd := &cobra.Command{
		Use:   "cl QUEUE-MANAGER [COMMAND]...",
		Short: "Give CL commands on the system of a queue manager, in one batch job",
		Long: `Cl gives commands one after the other and stops at the first that fails: what
CHGJOB sets holds for those behind it. An inquiry such as CPA7025 leaves the job
waiting (MSGW) until SNDRPY answers it or ENDJOB ends it.`,
		Example: `  mqhk sim cl ORDERS 'CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)'
  mqhk sim cl ORDERS 'CHGJOB INQMSGRPY(*DFT)' 'DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)'
  mqhk plan --estate estate --policy conservative --format script | mqhk sim cl ORDERS --file -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			commands := args[1:]
			if (file == "") == (len(commands) == 0) {
				return usage("say which commands, or --file which file has them")
			}
			if file != "" {
				var err error
				if commands, err = script(cmd.InOrStdin(), file); err != nil {
					return err
				}
			}
			return s.work(cmd.Context(), func(e *sim.Estate) error { return s.cl(cmd.Context(), e, args[0], user, commands) })
		},
	}
	cmd.Flags().StringVar(&user, "user", "", "user `PROFILE` whose job it is (default QMQM, who may do everything)")
	cmd.Flags().StringVar(&file, "file", "", "give the commands in `FILE`, one a line as a plan's script has them; - for standard input")
	return cmd
}

// script reads the commands of a file. It is read whole, and all of it must be
// CL, before the first is given.
func script(stdin io.Reader, file string) ([]string, error) {
	if file != "-" {
		opened, err := os.Open(filepath.Clean(file))
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		defer opened.Close()
		stdin = opened
	}
	text, err := io.ReadAll(stdin)
	if err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("reading the commands: %w", err)}
	}
	parsed, err := cl.ParseScript(string(text))
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("%s: %w", file, err)}
	}
	commands := make([]string, len(parsed))
	for i, c := range parsed {
		commands[i] = c.String()
	}
	return commands, nil
}

func (s *simulated) cl(ctx context.Context, e *sim.Estate, manager, user string, commands []string) error {
	job := e.JobOf(user)
	for _, text := range commands {
		result, err := e.CL(ctx, manager, job, text)
		if printed := s.print(answer(result)); printed != nil {
			return printed
		}
		var waiting *os400.Waiting
		if errors.As(err, &waiting) {
			return fmt.Errorf("job %s waits (MSGW): %w; SNDRPY MSGKEY(%d) RPY(I or C) answers it", job.Name, waiting, waiting.Key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// answer gives what a command said, as a job log shows it, and its print.
func answer(result ibmi.Result) string {
	var b strings.Builder
	for _, note := range result.Messages {
		fmt.Fprintf(&b, "%s: %s\n", note.ID, note.Text)
	}
	b.WriteString(result.Output)
	return b.String()
}

func (s *simulated) faultCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fault [QUEUE-MANAGER FAULT [ARGUMENT]...]",
		Short: "Have something go wrong; without arguments: what can",
		Example: `  mqhk sim fault ORDERS crash
  mqhk sim fault ORDERS lose-receiver AMQA000003
  mqhk sim fault ORDERS clock-back 1h`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usage("say which fault; mqhk sim fault lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.faults()
			}
			return s.work(cmd.Context(), func(e *sim.Estate) error {
				done, err := e.Fault(cmd.Context(), args[0], args[1], args[2:]...)
				if err != nil {
					return err
				}
				return s.print(done + ".\n")
			})
		},
	}
	return cmd
}

// fault is one row of the list of faults.
type fault struct {
	Name string   `json:"name"`
	Args []string `json:"args"`
	Doc  string   `json:"doc"`
}

func (s *simulated) faults() error {
	kinds := sim.Faults()
	list := make([]fault, len(kinds))
	for i, k := range kinds {
		list[i] = fault{k.Name, k.Args, k.Doc}
	}
	return s.result(list, func() string {
		var b strings.Builder
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, k := range kinds {
			fmt.Fprintf(w, "%s\t%s\n", k.Usage(), k.Doc)
		}
		_ = w.Flush() // into memory
		return b.String()
	})
}
