package qsg

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
)

// dataSet gives the data set of a structure and an owner, which is new if nobody
// spoke of it; nil when a name is missing. The names are as the queue manager
// prints them, in capitals.
func (r *reader) dataSet(structure, owner string) *DataSet {
	key := owned{strings.ToUpper(strings.TrimSpace(structure)), strings.ToUpper(strings.TrimSpace(owner))}
	if key.structure == "" || key.owner == "" {
		return nil
	}
	if r.dataSets[key] == nil {
		r.dataSets[key] = &DataSet{Structure: key.structure, Owner: key.owner}
	}
	return r.dataSets[key]
}

// offloading gives the structures that have shared message data sets, in order.
func (r *reader) offloading() []string {
	var names []string
	for name, s := range r.structures {
		if s.Defined.DSGroup != "" || s.Defined.Offload == "SMDS" || s.OffloadUse == "SMDS" || s.OffloadUse == "BOTH" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// readDataSets reads what is defined of the data sets, and their states.
func (r *reader) readDataSets() {
	for _, o := range r.status("SMDS", "states of shared message data sets", finding.NotChecked) {
		if d := r.dataSet(text(o, "CFSTATUS"), text(o, "SMDS")); d != nil {
			d.Status, d.Access = statusOf(text(o, "STATUS")), strings.ToUpper(text(o, "ACCESS"))
		}
	}
	for _, name := range r.offloading() {
		answer, ok := r.grouped("shared message data sets of "+name, "DISPLAY SMDS(*) CFSTRUCT("+name+") ALL", finding.NotChecked)
		if !ok {
			continue
		}
		for _, o := range answer.Objects {
			if !of(o, name) {
				continue
			}
			if d := r.dataSet(name, text(o, "SMDS")); d != nil {
				d.DSBufs, d.DSExpand = number(o, "DSBUFS"), flagOf(text(o, "DSEXPAND"))
			}
		}
	}
}

// of tells whether an object is of a structure: answers are not filtered.
func of(o mqsc.Object, structure string) bool {
	found, printed := o.Get("CFSTRUCT")
	return !printed || strings.EqualFold(found, structure)
}

// readDataSetConnections reads DISPLAY SMDSCONN: each member answers for its own
// connections to the data sets of all owners (trap 28).
func (r *reader) readDataSetConnections() {
	for _, name := range r.offloading() {
		for viewer, answer := range r.each("connections to the data sets of "+name, "DISPLAY SMDSCONN(*) CFSTRUCT("+name+")") {
			for _, o := range answer.Objects {
				if !of(o, name) {
					continue
				}
				d := r.dataSet(name, text(o, "SMDSCONN"))
				if d == nil {
					continue
				}
				d.Connections = append(d.Connections, DataSetConnection{
					Viewer:    viewer,
					OpenMode:  strings.ToUpper(text(o, "OPENMODE")),
					Status:    strings.ToUpper(text(o, "STATUS")),
					Available: strings.ToUpper(text(o, "AVAIL")),
					Expansion: strings.ToUpper(text(o, "EXPANDST")),
				})
			}
		}
	}
	for _, d := range r.dataSets {
		slices.SortFunc(d.Connections, func(a, b DataSetConnection) int { return strings.Compare(a.Viewer, b.Viewer) })
	}
}

// readDataSetUsage reads DISPLAY USAGE TYPE(SMDS), of which every member shows
// the data sets that it owns (trap 28). No other type is asked for here: the one
// of page sets reads them all (trap 32).
func (r *reader) readDataSetUsage() {
	if len(r.offloading()) == 0 {
		return
	}
	for owner, answer := range r.each("use of shared message data sets", "DISPLAY USAGE TYPE(SMDS)") {
		for _, message := range answer.Messages {
			switch {
			case message.Is("CSQE280"):
				r.takeSpace(owner, message)
			case message.Is("CSQE285"):
				r.takeBuffers(owner, message)
			}
		}
	}
}

func (r *reader) takeSpace(owner string, message mqsc.Message) {
	table, ok := r.table(owner, message)
	if !ok {
		return
	}
	for _, row := range table.Rows {
		d := r.dataSet(table.Get(row, "STRUCTURE"), owner)
		if d == nil {
			continue
		}
		cell := func(words ...string) Number { return numberOf(table.Get(row, words...)) }
		d.Usage = SpaceUsage{
			Known:    true,
			Messages: cell("MESSAGES"),
			Total:    cell("TOTAL", "BLOCKS"),
			Data:     cell("TOTAL", "DATA"),
			Used:     cell("USED", "DATA"),
			Part:     cell("USED", "PART"),
		}
	}
}

func (r *reader) takeBuffers(owner string, message mqsc.Message) {
	table, ok := r.table(owner, message)
	if !ok {
		return
	}
	for _, row := range table.Rows {
		d := r.dataSet(table.Get(row, "STRUCTURE"), owner)
		if d == nil {
			continue
		}
		cell := func(words ...string) Number { return numberOf(table.Get(row, words...)) }
		d.Buffers = BufferUsage{
			Known:      true,
			BlockBytes: bytesOf(table.Get(row, "BLOCK", "SIZE")),
			Total:      cell("TOTAL"),
			InUse:      cell("IN", "USE"),
			Saved:      cell("SAVED"),
			Empty:      cell("EMPTY"),
			ReadsSaved: cell("READS", "SAVED"),
			LowestFree: cell("LOWEST", "FREE"),
			WaitRate:   cell("WAIT", "RATE"),
		}
	}
}

// table reads the table of a report. One without rows is of a member that owns
// no data set; one with rows that can't be read is a finding.
func (r *reader) table(owner string, message mqsc.Message) (mqsc.Table, bool) {
	table, ok := message.ReadTable()
	if !ok && message.HasRows() {
		r.open(finding.FactsUnreadable, "DISPLAY USAGE TYPE(SMDS) of %s: the table of %s can't be read", owner, message.ID)
	}
	return table, ok
}
