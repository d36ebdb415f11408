package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
)

func (s *simulated) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the estate: clock, queue managers, receivers, recovery points",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.look(cmd.Context(), func(e *sim.Estate) error {
				status := e.Status()
				return s.result(status, func() string { return statusText(status) })
			})
		},
	}
}

const statusTime = "2006-01-02 15:04:05"

func statusText(st sim.Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "It is %s (%s) in %s.\n", st.Time.Format(statusTime), st.Zone, st.Folder)
	if st.NoSync {
		b.WriteString("Nothing is forced to disk (no-sync): a rehearsal, which a power failure may damage.\n")
	}
	for _, m := range st.Managers {
		b.WriteString("\n")
		managerText(&b, st, m)
	}
	return b.String()
}

func managerText(b *strings.Builder, st sim.Status, m sim.ManagerStatus) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s on system %s\n", m.Name, m.State, m.System)
	if !m.Clock.Equal(st.Time) {
		fmt.Fprintf(w, "clock\t%s, put by hand\n", m.Clock.Format(statusTime))
	}
	fmt.Fprintf(w, "journal\t%s: %d receivers, %.1f MiB, attached %s\n", m.Journal, m.Receivers, float64(m.Bytes)/(1<<20), m.Attached)
	fmt.Fprintf(w, "startup point\t%s\n", pointText(m.Startup))
	fmt.Fprintf(w, "media point\t%s\n", pointText(m.Media))
	fmt.Fprintf(w, "queues\t%d with %d messages", m.Queues, m.Messages)
	if m.Damaged > 0 {
		fmt.Fprintf(w, ", %d damaged", m.Damaged)
	}
	fmt.Fprintf(w, "\nunits of work\t%d open", m.UnitsOfWork)
	if !m.Oldest.IsZero() {
		fmt.Fprintf(w, ", the oldest since %s", m.Oldest.Format(statusTime))
	}
	if m.Workload == "" {
		m.Workload = "none"
	}
	fmt.Fprintf(w, "\nworkload\t%s\n", m.Workload)
	for _, job := range m.Waiting {
		fmt.Fprintf(w, "waiting\t%s\n", job)
	}
	_ = w.Flush() // into memory
}

func pointText(p sim.Point) string {
	switch {
	case p.Time.IsZero():
		return "not published yet"
	case p.Receiver == "":
		return p.Time.Format(time.DateTime)
	default:
		return p.Receiver + ", entry of " + p.Time.Format(time.DateTime)
	}
}
