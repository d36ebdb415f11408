package qsgtest

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// withDataSets gives the names of the structures that have data sets.
func (w *writer) withDataSets() []string {
	var names []string
	for _, d := range w.group.DataSets {
		names = append(names, d.Structure)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *writer) of(structure string) []qsg.DataSet {
	return slices.DeleteFunc(slices.Clone(w.group.DataSets), func(d qsg.DataSet) bool { return d.Structure != structure })
}

func (w *writer) dataSets() {
	if len(w.group.DataSets) == 0 {
		return
	}
	w.status("SMDS", func(m qsg.Member) [][]string {
		var shown [][]string
		for _, d := range w.group.DataSets {
			shown = append(shown, object(m, "CFSTATUS", "CFSTATUS", d.Structure, "TYPE", "SMDS", "SMDS", d.Owner, "STATUS", string(d.Status),
				"ACCESS", d.Access, "RCVTIME", "", "RCVDATE", "", "FAILTIME", "", "FAILDATE", ""))
		}
		return shown
	})
	for _, name := range w.withDataSets() {
		sets := w.of(name)
		w.grouped("DISPLAY SMDS(*) CFSTRUCT("+name+") ALL", func(m qsg.Member) []string {
			var shown [][]string
			for _, d := range sets {
				shown = append(shown, object(m, "SMDS", "SMDS", d.Owner, "CFSTRUCT", name, "DSBUFS", orDefault(printed(d.DSBufs)),
					"DSEXPAND", orDefault(d.DSExpand.String())))
			}
			return objects(m, "SMDS", shown)
		})
		w.each("DISPLAY SMDSCONN(*) CFSTRUCT("+name+")", func(m qsg.Member) []string { return connections(m, name, sets) })
	}
	w.each("DISPLAY USAGE TYPE(SMDS)", w.usage)
}

func orDefault(value string) string {
	if value == "" {
		return "DEFAULT"
	}
	return value
}

func connections(m qsg.Member, name string, sets []qsg.DataSet) []string {
	var shown [][]string
	for _, d := range sets {
		for _, c := range d.Connections {
			if c.Viewer == m.Name {
				shown = append(shown, object(m, "SMDSCONN", "SMDSCONN", d.Owner, "CFSTRUCT", name, "OPENMODE", c.OpenMode, "STATUS", c.Status,
					"AVAIL", c.Available, "EXPANDST", c.Expansion))
			}
		}
	}
	return objects(m, "SMDSCONN", shown)
}

// usage writes the two reports of the data sets that a member owns.
func (w *writer) usage(m qsg.Member) []string {
	space := []string{
		fmt.Sprintf("CSQE280I %s SMDS usage ...", m.Prefix),
		"Application  Offloaded  Total  Total data  Used data  Used",
		"structure     messages  blocks     blocks     blocks  part",
	}
	buffers := []string{
		fmt.Sprintf("CSQE285I %s SMDS buffer usage ...", m.Prefix),
		"Application  Block  --------- Buffers ---------  Reads  Lowest  Wait",
		"structure     size  Total In use  Saved   Empty  saved    free  rate",
	}
	for _, d := range w.group.DataSets {
		if d.Owner != m.Name || !d.Usage.Known {
			continue
		}
		u, b := d.Usage, d.Buffers
		space = append(space, fmt.Sprintf("_%-12s %8s %7s %10s %10s %5s", d.Structure, printed(u.Messages), printed(u.Total), printed(u.Data),
			printed(u.Used), percent(u.Part)))
		buffers = append(buffers, fmt.Sprintf("_%-12s %4s %6s %6s %6s %7s %6s %7s %5s", d.Structure, kilobytes(b.BlockBytes), printed(b.Total),
			printed(b.InUse), printed(b.Saved), printed(b.Empty), percent(b.ReadsSaved), printed(b.LowestFree), percent(b.WaitRate)))
	}
	lines := slices.Concat(space, []string{"End of SMDS usage report"}, buffers, []string{"End of SMDS buffer usage report"})
	return append(lines, fmt.Sprintf("CSQ9022I %s CSQIDUSE ' DISPLAY USAGE' NORMAL COMPLETION", m.Prefix))
}

func percent(n qsg.Number) string {
	if !n.Known {
		return ""
	}
	return printed(n) + "%"
}
