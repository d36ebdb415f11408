package qsg

import (
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// structure gives the structure of a name, which is new if nobody spoke of it;
// nil when it is none.
func (r *reader) structure(name string) *Structure {
	name = strings.ToUpper(strings.TrimSpace(name))
	switch {
	case name == "":
		return nil
	case name == AdminStructure:
		return &r.group.Admin
	case r.structures[name] == nil:
		r.structures[name] = &Structure{Name: name}
	}
	return r.structures[name]
}

func text(o mqsc.Object, name string) string {
	value, _ := o.Get(name)
	return value
}

func number(o mqsc.Object, name string) Number { return numberOf(text(o, name)) }

// readDefinitions reads DISPLAY CFSTRUCT.
func (r *reader) readDefinitions() {
	answer, ok := r.grouped("definitions of structures", "DISPLAY CFSTRUCT(*) ALL", finding.NotAnswered)
	if !ok {
		return
	}
	for _, o := range answer.Objects {
		if s := r.structure(text(o, "CFSTRUCT")); s != nil {
			s.Defined = definitionOf(o)
		}
	}
}

func definitionOf(o mqsc.Object) Definition {
	d := Definition{
		Known:    true,
		Level:    number(o, "CFLEVEL"),
		Recover:  flagOf(text(o, "RECOVER")),
		Recauto:  flagOf(text(o, "RECAUTO")),
		Conlos:   strings.ToUpper(text(o, "CFCONLOS")),
		Offload:  strings.ToUpper(text(o, "OFFLOAD")),
		DSGroup:  strings.ToUpper(text(o, "DSGROUP")),
		DSBlock:  bytesOf(text(o, "DSBLOCK")),
		DSBufs:   number(o, "DSBUFS"),
		DSExpand: flagOf(text(o, "DSEXPAND")),
	}
	for i, rule := range []string{"OFFLD1", "OFFLD2", "OFFLD3"} {
		d.Rules[i] = OffloadRule{Size: bytesOf(text(o, rule+"SZ")), Threshold: number(o, rule+"TH")}
	}
	return d
}

// status asks for one type of DISPLAY CFSTATUS and gives the objects of that
// type. A transcript may answer with objects of all types at once.
func (r *reader) status(kind, what string, code finding.Code) []mqsc.Object {
	question := "DISPLAY CFSTATUS(*)"
	answer, ok := r.grouped(what, question+" TYPE("+kind+")", code)
	if !ok {
		return nil
	}
	var objects []mqsc.Object
	for _, o := range answer.Objects {
		if found, printed := o.Get("TYPE"); !printed || strings.EqualFold(found, kind) {
			objects = append(objects, o)
		}
	}
	return objects
}

// readSummary reads CFSTATUS TYPE(SUMMARY).
func (r *reader) readSummary() {
	for _, o := range r.status("SUMMARY", "states of structures", finding.NotAnswered) {
		s := r.structure(text(o, "CFSTATUS"))
		if s == nil {
			continue
		}
		s.Status = statusOf(text(o, "STATUS"))
		s.Type = strings.ToUpper(text(o, "CFTYPE"))
		s.SizeMaxKB, s.SizeUsed = number(o, "SIZEMAX"), number(o, "SIZEUSED")
		s.EntriesMax, s.EntriesUsed = number(o, "ENTSMAX"), number(o, "ENTSUSED")
		s.OffloadUse = strings.ToUpper(text(o, "OFFLDUSE"))
		s.FailedAt = failedAt(o)
	}
}

func failedAt(o mqsc.Object) observe.Stamp { return stampOf(text(o, "FAILDATE"), text(o, "FAILTIME")) }

// readBackups reads CFSTATUS TYPE(BACKUP).
func (r *reader) readBackups() {
	for _, o := range r.status("BACKUP", "backups", finding.NotAnswered) {
		s := r.structure(text(o, "CFSTATUS"))
		if s == nil {
			continue
		}
		s.Backup = Backup{
			Known:        true,
			Status:       statusOf(text(o, "STATUS")),
			QueueManager: text(o, "QMNAME"),
			EndedAt:      stampOf(text(o, "BKUPDATE"), text(o, "BKUPTIME")),
			SizeMB:       number(o, "BKUPSIZE"),
			Start:        positionOf(text(o, "BKUPSRBA")),
			End:          positionOf(text(o, "BKUPERBA")),
			Logs:         o.List("LOGS"),
			FailedAt:     failedAt(o),
		}
	}
}

// readConnections reads CFSTATUS TYPE(CONNECT), one row for each queue manager.
func (r *reader) readConnections() {
	for _, o := range r.status("CONNECT", "connections to structures", finding.NotChecked) {
		s, name := r.structure(text(o, "CFSTATUS")), text(o, "QMNAME")
		if s == nil || name == "" {
			continue
		}
		c := StructureConnection{Structure: s.Name, Member: name, Image: text(o, "SYSNAME"), Status: statusOf(text(o, "STATUS")), FailedAt: failedAt(o)}
		s.Connections = append(s.Connections, c)
		if m := r.members[name]; m != nil {
			m.Connections = append(m.Connections, c)
		}
	}
}
