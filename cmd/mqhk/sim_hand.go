package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
