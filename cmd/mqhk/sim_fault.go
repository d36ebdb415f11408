package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
)

func (s *simulated) faultCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fault [QUEUE-MANAGER FAULT [ARGUMENT]...]",
		Short: "Have something go wrong; without arguments: what can",
		Example: `  mqhk sim fault ORDERS crash
  mqhk sim fault ORDERS lose-receiver AMQA000003
  mqhk sim fault ORDERS clock-back 1h
  mqhk sim fault QM1 lose-extent S0000003.LOG`,
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
	Platform observe.Platform `json:"platform"`
	Name     string           `json:"name"`
	Args     []string         `json:"args"`
	Doc      string           `json:"doc"`
}

func (s *simulated) faults() error {
	var list []fault
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i, platform := range sim.Platforms() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s:\n", platform)
		for _, k := range sim.Faults(platform) {
			list = append(list, fault{platform, k.Name, k.Args, k.Doc})
			fmt.Fprintf(w, "  %s\t%s\n", k.Usage(), k.Doc)
		}
	}
	_ = w.Flush() // into memory
	return s.result(list, b.String)
}
