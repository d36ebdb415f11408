package qsgtest

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

func (w *writer) members() {
	w.grouped("DISPLAY GROUP", func(m qsg.Member) []string {
		lines := []string{
			fmt.Sprintf("CSQ5100I %s DISPLAY GROUP report ...", m.Prefix),
			fmt.Sprintf("CSQ5102I %s Queue managers in group %s", m.Prefix, w.group.Name),
			"NAME NUM PREFIX   STATUS     VER  DB2  CONNECTION",
			"---- --- -------- ---------- ---- ---- ----------",
		}
		for _, one := range w.group.Members {
			lines = append(lines, strings.TrimRight(fmt.Sprintf("%-4s %3s %-8s %-10s %4s %-4s %s", one.Name, printed(one.Number), one.Prefix,
				one.Status, one.Version, one.DB2, one.DB2Connection), " "))
		}
		return append(lines, "End of queue managers report", fmt.Sprintf("CSQ9022I %s CSQ5DISP ' DISPLAY GROUP' NORMAL COMPLETION", m.Prefix))
	})
}

func (w *writer) structures() {
	all := w.group.Structures
	w.grouped("DISPLAY CFSTRUCT(*) ALL", func(m qsg.Member) []string {
		var shown [][]string
		for _, s := range all {
			if s.Defined.Known {
				shown = append(shown, definition(m, s))
			}
		}
		return objects(m, "CFSTRUCT", shown)
	})
	w.status("SUMMARY", func(m qsg.Member) [][]string {
		var shown [][]string
		for _, s := range append([]qsg.Structure{w.group.Admin}, all...) {
			if s.Status == "" {
				continue
			}
			shown = append(shown, object(m, "CFSTATUS", "CFSTATUS", s.Name, "TYPE", "SUMMARY", "CFTYPE", s.Type, "STATUS", string(s.Status),
				"OFFLDUSE", s.OffloadUse, "SIZEMAX", printed(s.SizeMaxKB), "SIZEUSED", printed(s.SizeUsed), "ENTSMAX", printed(s.EntriesMax),
				"ENTSUSED", printed(s.EntriesUsed), "FAILTIME", clock(s.FailedAt.Time), "FAILDATE", day(s.FailedAt.Time)))
		}
		return shown
	})
	w.status("BACKUP", func(m qsg.Member) [][]string {
		var shown [][]string
		for _, s := range all {
			if b := s.Backup; b.Known {
				shown = append(shown, object(m, "CFSTATUS", "CFSTATUS", s.Name, "TYPE", "BACKUP", "STATUS", string(b.Status), "QMNAME", b.QueueManager,
					"BKUPTIME", clock(b.EndedAt.Time), "BKUPDATE", day(b.EndedAt.Time), "BKUPSIZE", printed(b.SizeMB), "BKUPSRBA", b.Start.String(),
					"BKUPERBA", b.End.String(), "LOGS", padded(b.Logs), "FAILTIME", clock(b.FailedAt.Time), "FAILDATE", day(b.FailedAt.Time)))
			}
		}
		return shown
	})
	w.status("CONNECT", func(m qsg.Member) [][]string {
		var shown [][]string
		for _, s := range append([]qsg.Structure{w.group.Admin}, all...) {
			for _, c := range s.Connections {
				shown = append(shown, object(m, "CFSTATUS", "CFSTATUS", s.Name, "TYPE", "CONNECT", "QMNAME", c.Member, "SYSNAME", c.Image,
					"STATUS", string(c.Status), "FAILTIME", clock(c.FailedAt.Time), "FAILDATE", day(c.FailedAt.Time)))
			}
		}
		return shown
	})
}

// status writes the answer to one type of DISPLAY CFSTATUS.
func (w *writer) status(kind string, show func(m qsg.Member) [][]string) {
	w.grouped("DISPLAY CFSTATUS(*) TYPE("+kind+")", func(m qsg.Member) []string { return objects(m, "CFSTATUS", show(m)) })
}

// padded gives a list as MQ prints it: with blanks around it, as LOGS( M60A ).
func padded(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " " + strings.Join(names, ",") + " "
}

func definition(m qsg.Member, s qsg.Structure) []string {
	d := s.Defined
	pairs := []string{
		"CFSTRUCT", s.Name, "DESCR", "", "CFLEVEL", printed(d.Level), "RECOVER", d.Recover.String(), "RECAUTO", d.Recauto.String(),
		"CFCONLOS", d.Conlos, "OFFLOAD", d.Offload,
	}
	for i, rule := range d.Rules {
		pairs = append(pairs, fmt.Sprintf("OFFLD%dSZ", i+1), kilobytes(rule.Size), fmt.Sprintf("OFFLD%dTH", i+1), printed(rule.Threshold))
	}
	return object(m, "CFSTRUCT", append(pairs, "DSGROUP", quoted(d.DSGroup), "DSBLOCK", kilobytes(d.DSBlock), "DSBUFS", printed(d.DSBufs),
		"DSEXPAND", d.DSExpand.String())...)
}
