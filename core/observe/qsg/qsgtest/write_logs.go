package qsgtest

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

func (w *writer) logs() {
	w.each("DISPLAY USAGE TYPE(DATASET)", func(m qsg.Member) []string {
		u := m.Usage
		if !u.Known {
			return nil
		}
		lines := []string{fmt.Sprintf("CSQI070I %s Data set usage ...", m.Prefix), "Data set                               RBA/LRSN          DSName"}
		row := func(what, place, dataSet string, there bool) {
			if there {
				lines = append(lines, strings.TrimRight(fmt.Sprintf("%-38s %-17s %s", what, place, dataSet), " "))
			}
		}
		row("Log, oldest with active unit of work", u.Unit.From.String(), u.Unit.DataSet, u.Unit.Printed)
		row("Log, oldest for page set recovery", u.PageSets.From.String(), u.PageSets.DataSet, u.PageSets.Printed)
		row("Log, oldest for CF structure recovery", u.Structures.From.String(), u.Structures.DataSet, u.Structures.Printed)
		lines = append(lines, "End of data set report",
			fmt.Sprintf("CSQI024I %s CSQIDUSE Restart RBA for system as configured=%s", m.Prefix, u.Restart))
		if u.HasOffline {
			lines = append(lines, fmt.Sprintf("CSQI025I %s CSQIDUSE Restart RBA including offline page sets=%s", m.Prefix, u.RestartOffline))
		}
		return append(lines, fmt.Sprintf("CSQ9022I %s CSQIDUSE ' DISPLAY USAGE' NORMAL COMPLETION", m.Prefix))
	})
	w.each("DISPLAY LOG", func(m qsg.Member) []string {
		if !m.Log.Known {
			return nil
		}
		return append(append(parameters(m, "LOG", m.Log.Parameters), logStatus(m)...), completed(m, "DISPLAY LOG"))
	})
	w.each("DISPLAY ARCHIVE", func(m qsg.Member) []string { return report(m, "ARCHIVE", m.Archive) })
	w.each("DISPLAY SYSTEM", func(m qsg.Member) []string { return report(m, "SYSTEM", m.System) })
}

func report(m qsg.Member, kind string, all qsg.Parameters) []string {
	if all == nil {
		return nil
	}
	return append(parameters(m, kind, all), completed(m, "DISPLAY "+kind))
}

// parameters writes the report CSQJ322I.
func parameters(m qsg.Member, kind string, all qsg.Parameters) []string {
	lines := []string{
		fmt.Sprintf("CSQJ322I %s DISPLAY %s report ...", m.Prefix, kind),
		"Parameter   Initial value          SET value",
		"----------- ---------------------- ----------------------",
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, fmt.Sprintf("%-11s %s", name, all[name]))
	}
	return append(lines, "End of "+kind+" report")
}

// logStatus writes the report CSQJ370I.
func logStatus(m qsg.Member) []string {
	log := m.Log
	lines := []string{fmt.Sprintf("CSQJ370I %s LOG status report ...", m.Prefix), "Copy %Full DSName"}
	for _, c := range log.Copies {
		name := c.DataSet
		if name == "" {
			name = "Inactive"
		}
		lines = append(lines, fmt.Sprintf("%d     %2s   %s", c.Copy, printed(c.Full), name))
	}
	if !log.StartedAt.IsZero() {
		lines = append(lines, fmt.Sprintf("Restarted at %s using RBA=%s", log.StartedAt.Format(time.DateTime), log.StartedRBA))
	}
	if log.Suspended == qsg.Yes {
		lines = append(lines, "Logging suspended at "+log.StartedAt.Format(time.DateTime))
	}
	return append(lines, "Latest RBA="+log.Latest.String(), "Offload task is "+log.Offload,
		fmt.Sprintf("Full logs to offload - %s of %s", printed(log.ToOffload), printed(log.Total)))
}

// utilities writes what is no command of a queue manager.
func (w *writer) utilities() {
	for _, m := range w.group.Members {
		if m.BSDS != nil {
			w.block("JOB", m.Name, "CSQJU004", strings.Split(strings.TrimRight(m.BSDS.String(), "\n"), "\n"))
		}
	}
	w.catalog()
	if w.group.Repository != nil {
		lines := []string{"QSGNAME,STRUCTURE,QMGRNAME,BKUPSRBA,BKUPERBA,BKUPTIME"}
		for _, row := range w.group.Repository {
			lines = append(lines, strings.Join([]string{w.group.Name, row.Structure, row.QueueManager, row.Start.String(), row.End.String(),
				row.At.Format("2006-01-02-15.04.05")}, ","))
		}
		w.block("DB2", w.group.Name, qsg.BackupTable, lines)
	}
	w.allocations()
	for _, m := range w.group.Members {
		var lines []string
		for _, e := range w.group.Log {
			if e.Member == m.Name {
				lines = append(lines, fmt.Sprintf("N 4000000 SYSA     %s STC00123 00000090  %s %s", e.At.Format("2006002 15:04:05.00"), e.ID, e.Text))
			}
		}
		if lines != nil {
			w.block("SYSLOG", m.Name, "", lines)
		}
	}
}

// allocations writes the answers to D XCF (IXC360I).
func (w *writer) allocations() {
	for _, a := range w.group.Allocated {
		lines := []string{
			"IXC360I  02.00.00  DISPLAY XCF", "STRNAME: " + a.Name, " STATUS: " + a.Status, " TYPE: LIST", " POLICY INFORMATION:",
			"  POLICY SIZE    : " + printed(a.PolicyKB) + " K", "  FULLTHRESHOLD  : 80", "  DUPLEX         : " + map[qsg.Flag]string{qsg.No: "DISABLED", qsg.Yes: "ENABLED"}[a.Duplexed],
			" ACTIVE STRUCTURE", " ----------------", "  CFNAME         : " + a.Facility, "  ACTUAL SIZE    : " + printed(a.SizeKB) + " K",
			"  CONNECTION NAME  ID VERSION  SYSNAME  JOBNAME  ASID STATE", "  ---------------- -- -------- -------- -------- ---- ----------------",
		}
		for i, name := range a.Connections {
			lines = append(lines, fmt.Sprintf("  %-16s %02X %08X %-8s %-8s %04X %s", name, i+1, 0x10001+i, "MVSA", "MQMSTR", 0x40+i, "ACTIVE"))
		}
		w.block("MVS", w.group.Name, "D XCF,STR,STRNAME="+a.Name, lines)
	}
}

// host writes what the host answers.
func (w *writer) host() {
	if w.group.History != nil {
		w.table("HISTORY", w.group.Name, "segments", []string{"AT", "KIND", "LIBRARY", "SEGMENT", "POSITION"}, len(w.group.History), func(i int) []string {
			s := w.group.History[i]
			return []string{s.At.Format(time.RFC3339), s.Kind, s.Structure, s.Owner, printed(s.Value)}
		})
	}
	of := map[string][]qsg.Note{}
	for _, n := range w.group.Notes {
		of[n.On] = append(of[n.On], n)
	}
	for _, on := range slices.Sorted(maps.Keys(of)) {
		w.table("NOTE", on, "notes", []string{"ID", "AT", "KIND", "LIBRARY", "SEGMENT", "POSITION", "TEXT"}, len(of[on]), func(i int) []string {
			n := of[on][i]
			return []string{n.ID, n.At.Format(time.RFC3339), n.Kind, "", n.Segment, n.Position, n.Text}
		})
	}
}

// table writes CSV.
func (w *writer) table(language, name, question string, columns []string, rows int, row func(int) []string) {
	fmt.Fprintf(&w.out, ">>> %s %s: %s\n", language, name, question)
	out := csv.NewWriter(&w.out)
	_ = out.Write(columns) // a Buffer takes everything
	for i := range rows {
		_ = out.Write(row(i))
	}
	out.Flush()
}
