package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
)

func (s *simulated) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the estate: clock, queue managers, their logs, recovery points",
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
	switch {
	case m.JournalStatus != nil:
		journalText(w, m)
	case m.Log != nil:
		logText(w, m)
	}
	if m.Problem == "" {
		workText(w, m.Work)
	} else {
		fmt.Fprintf(w, "problem\t%s\n", m.Problem)
	}
	if m.Workload == "" {
		m.Workload = "none"
	}
	fmt.Fprintf(w, "workload\t%s\n", m.Workload)
	for _, job := range m.Waiting {
		fmt.Fprintf(w, "waiting\t%s\n", job)
	}
	_ = w.Flush() // into memory
}

// journalText shows the journal of IBM i.
func journalText(w io.Writer, m sim.ManagerStatus) {
	fmt.Fprintf(w, "journal\t%s: %s, %.1f MiB, attached %s\n", m.Journal, plural(m.Receivers, "receiver"), float64(m.Bytes)/(1<<20), m.Attached)
	if m.Unsaved > 0 {
		fmt.Fprintf(w, "\t%d detached and not saved\n", m.Unsaved)
	}
	if m.Free != nil {
		fmt.Fprintf(w, "ASP\t%.1f MiB free\n", float64(*m.Free)/(1<<20))
	}
	fmt.Fprintf(w, "startup point\t%s\n", pointText(m.Startup))
	fmt.Fprintf(w, "media point\t%s\n", pointText(m.Media))
}

// logText shows the log of Multiplatforms.
func logText(w io.Writer, m sim.ManagerStatus) {
	l := m.Log
	kind := strings.ToLower(l.Type)
	if l.Management != "" {
		kind += ", LogManagement=" + l.Management
	}
	fmt.Fprintf(w, "log\t%s: %s, %s, %.1f MiB", l.Path, kind, plural(l.Extents, "extent"), float64(m.Bytes)/(1<<20))
	if l.Reusable > 0 {
		fmt.Fprintf(w, ", %d more to be reused", l.Reusable)
	}
	fmt.Fprintln(w)
	if m.Free != nil {
		fmt.Fprintf(w, "file system\t%.1f MiB free\n", float64(*m.Free)/(1<<20))
	}
	for _, point := range [][2]string{{"current extent", l.Current}, {"restart point", l.Restart}, {"media point", l.Media}} {
		fmt.Fprintf(w, "%s\t%s\n", point[0], cmp.Or(point[1], "none told"))
	}
}

// workText shows queues and units of work; nobody can tell of a queue manager
// that does not run.
func workText(w io.Writer, work *sim.Work) {
	if work == nil {
		fmt.Fprint(w, "queues\tnot known: it does not run\n")
		return
	}
	fmt.Fprintf(w, "queues\t%d with %s", work.Queues, plural(work.Messages, "message"))
	if work.Damaged > 0 {
		fmt.Fprintf(w, ", %d damaged", work.Damaged)
	}
	fmt.Fprintf(w, "\nunits of work\t%d open", work.UnitsOfWork)
	if !work.Oldest.IsZero() {
		fmt.Fprintf(w, ", the oldest since %s", work.Oldest.Format(statusTime))
	}
	fmt.Fprintln(w)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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
