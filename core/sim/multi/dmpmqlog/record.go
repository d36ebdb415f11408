package dmpmqlog

import (
	"hash/fnv"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// recordType is a type of records as it is printed.
type recordType struct {
	name string
	// body prints the fields that only this type has; nil: there are none.
	body func(*printer, *engine.Entry)
}

// types are the record types of the seed's table; the last are the engine's
// own, for which it has none. Numbers and the owner's three letters are given
// where the reference has them.
var types = map[engine.EntryKind]recordType{
	engine.EntryCheckpoint:      {"ALM Start Checkpoint (1025)", nil},
	engine.EntryCheckpointEnd:   {"ALM End Checkpoint", (*printer).checkpointEnd},
	engine.EntryCheckpointTable: {"Transaction Table", (*printer).table},
	engine.EntryPut:             {"AQM Put Message (257)", (*printer).put},
	engine.EntryPutPart:         {"AQM Put Part", (*printer).putPart},
	engine.EntryGet:             {"AQM Get Message", (*printer).get},
	engine.EntryClear:           {"AQM Purge Queue", nil},
	engine.EntryBegin:           {"Start Transaction", nil},
	engine.EntryPrepare:         {"Prepare Transaction", nil},
	engine.EntryCommit:          {"Commit Transaction", nil},
	engine.EntryBackout:         {"Rollback Transaction", nil},
	engine.EntryEnd:             {"End Transaction", nil},
	engine.EntryDefine:          {"Create Object", (*printer).define},
	engine.EntryDelete:          {"Delete Object", (*printer).object},
	engine.EntryAlter:           {"Object Attributes", (*printer).attributes},

	engine.EntryDamage:    {"Object Damaged", (*printer).object},
	engine.EntryImage:     {"Start Media Image", (*printer).object},
	engine.EntryImagePart: {"Media Image", nil},
	engine.EntryImageEnd:  {"End Media Image", (*printer).imageEnd},
	engine.EntryNote:      {"Note", nil},
	engine.EntryKeep:      {"Keep", nil},
	engine.EntryDrop:      {"Drop", nil},
}

// typeOf gives the type of a record. Some say it by their content.
func typeOf(e *engine.Entry) recordType {
	switch e.Kind {
	case engine.EntryAlter:
		if e.Ref.Kind == engine.Queue {
			return recordType{"AQM Queue Attributes", (*printer).attributes}
		}
	case engine.EntryNote:
		if t, ok := noteType(e); ok {
			return t
		}
	case engine.EntryKeep, engine.EntryDrop:
		if t, ok := globalType(e); ok {
			return t
		}
	}
	return types[e.Kind]
}

// record prints one.
func (p *printer) record(e *engine.Entry) {
	t := typeOf(e)
	p.text("LOG RECORD - LSN ")
	p.lsn(e.LSN)
	p.text("\n**********\n\nHLG Header: lrecsize ")
	p.number(uint64(e.Bytes))
	p.text(", version 1, rmid 0, eyecatcher HLRH\n\n")
	p.field("LogRecdType  . . : ", t.name)
	p.transaction(e)
	p.queue(e)
	p.lsnField("PrevLSN  . . . . : ", e.Prev)
	p.text("\n")
	if t.body != nil {
		t.body(p, e)
		p.text("\n")
	}
	if len(p.b) >= full {
		_ = p.flush() // kept in p.failed
	}
}

// transaction prints the unit of work that a record belongs to.
func (p *printer) transaction(e *engine.Entry) {
	p.text("XTranid  . . . . : ")
	p.xtranid(e.Unit, p.globalOf(e))
	p.text("\n")
}

// globalOf gives the identifier of the global unit of work.
func (p *printer) globalOf(e *engine.Entry) []byte {
	if e.Unit == 0 {
		return globalXID(e)
	}
	return p.xids[e.Unit]
}

// xtranid prints an identifier: a global one by its XID, another by its number,
// none as NULL.
func (p *printer) xtranid(unit uint64, xid []byte) {
	switch {
	case len(xid) > 0:
		p.text("TranType: XA    XID{")
		p.hex(xid)
		p.text("}")
	case unit != 0:
		p.text("TranType: MQI    TranNum{High ")
		p.number(unit >> 32)
		p.text(", Low ")
		p.number(unit & 0xFFFFFFFF)
		p.text("}")
	default:
		p.text("TranType: NULL")
	}
}

// queue prints the queue that a record is about. The lines are made once for
// each.
func (p *printer) queue(e *engine.Entry) {
	if e.Object == 0 || e.Ref.Kind != engine.Queue {
		p.text("QueueName  . . . : NULL\nQid  . . . . . . : {NULL_QID}\n")
		return
	}
	lines := p.queues[e.Object]
	if lines == nil {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(e.Ref.Name)) // never fails
		from := len(p.b)
		p.field("QueueName  . . . : ", e.Ref.Name)
		p.text("Qid  . . . . . . : {Hash ")
		p.number(uint64(hash.Sum32()))
		p.text(", Counter: ")
		p.number(e.Object)
		p.text("}\n")
		p.queues[e.Object] = slices.Clone(p.b[from:])
		return
	}
	p.bytes(lines)
}

func (p *printer) checkpointEnd(e *engine.Entry) { p.lsnField("ChkPtLSN . . . . : ", e.Begin) }

func (p *printer) imageEnd(e *engine.Entry) { p.lsnField("ImageLSN . . . . : ", e.Begin) }

// table prints the units of work that a checkpoint knows.
func (p *printer) table(e *engine.Entry) {
	p.numberField("TranCount  . . . : ", uint64(len(e.Units)))
	for i := range e.Units {
		u := &e.Units[i]
		p.text("XTranid  . . . . : ")
		p.xtranid(u.ID, p.xids[u.ID])
		if u.Prepared {
			p.text("    PREPARED")
		}
		p.text("\n")
		p.lsnField("FirstLSN . . . . : ", u.First)
		p.lsnField("LastLSN  . . . . : ", u.Last)
	}
}

func (p *printer) get(e *engine.Entry) {
	p.numberField("SpcIndex . . . . : ", e.Sequence)
	p.numberField("QPriority  . . . : ", uint64(e.Priority))
}

// user is who makes every object: the simulator has no other one.
const user = "mqm"

// define prints the making of an object. That of a queue has its attributes from
// the first.
func (p *printer) define(e *engine.Entry) {
	p.object(e)
	p.field("UserId . . . . . : ", user)
	p.values(e.Attributes)
}

func (p *printer) object(e *engine.Entry) {
	p.field("ObjName  . . . . : ", e.Ref.Name)
	p.field("ObjType  . . . . : ", string(e.Ref.Kind))
}

func (p *printer) attributes(e *engine.Entry) {
	p.object(e)
	p.values(e.Attributes)
}

func (p *printer) values(attributes map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		p.text("  ")
		p.text(name)
		p.text("(")
		p.text(attributes[name])
		p.text(")\n")
	}
}
