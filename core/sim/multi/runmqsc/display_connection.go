package runmqsc

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// connection is one with the name of its queue manager, and whether it is of
// the product itself.
type connection struct {
	qmgr.Connection
	manager string
	own     bool
}

// ownConnections are those that every queue manager has of its own: CONN(*) is
// never empty on one that runs.
var ownConnections = []struct{ program, description string }{
	{"amqzmuc0", "IBM MQ Logger and checkpoint"}, {"amqzmur0", "IBM MQ Restartable services"}, {"amqfqpub", "IBM MQ Publish Subscribe"},
	{"amqpcsea", "IBM MQ Command Server"}, {"runmqchi", "IBM MQ Channel Initiator"}, {"runmqsc", "IBM MQ Command Processor"},
}

// connectionAttributes are those of DISPLAY CONN TYPE(CONN) in the order of 8.0
// and later.
var connectionAttributes = []attribute[connection]{
	always("CONN", func(c connection) string { return c.ID }),
	always("EXTCONN", func(c connection) string { return "414D5143" + fmt.Sprintf("%X", fmt.Sprintf("%-12.12s", c.manager)) }),
	always("TYPE", constant[connection]("CONN")),
	always("PID", number(func(c connection) int64 { return int64(c.PID) })),
	always("TID", number(func(c connection) int64 { return int64(c.TID) })),
	always("APPLDESC", description),
	always("APPLTAG", func(c connection) string { return c.Application }),
	always("APPLTYPE", func(c connection) string { return choose(c.own && c.Application != "runmqsc", "SYSTEM", "USER") }),
	always("ASTATE", constant[connection]("NONE")),
	always("CHANNEL", constant[connection]("")),
	always("CONNAME", constant[connection]("")),
	always("CONNOPTS", constant[connection]("MQCNO_SHARED_BINDING")),
	always("USERID", func(c connection) string { return c.User }),
	always("UOWLOG", func(c connection) string { return c.UOWLog }),
	always("UOWSTDA", func(c connection) string { return moment(c.Since, dateForm) }),
	always("UOWSTTI", func(c connection) string { return moment(c.Since, timeForm) }),
	always("UOWLOGDA", func(c connection) string { return moment(c.UOWLogTime, dateForm) }),
	always("UOWLOGTI", func(c connection) string { return moment(c.UOWLogTime, timeForm) }),
	always("URTYPE", func(c connection) string { return choose(c.URType == "", "QMGR", c.URType) }),
	always("EXTURID", func(c connection) string { return external(c.XID) }),
	always("QMURID", func(c connection) string { return choose(c.QMURID == "", "0.0", c.QMURID) }),
	always("UOWSTATE", func(c connection) string { return choose(c.UnitState == "", "NONE", c.UnitState) }),
}

// displayConnections is DISPLAY CONN(name) TYPE(CONN): who holds the restart
// point is among them (reference, Multiplatforms 3.1 item 52).
func (p *performer) displayConnections(command mqsc.Command) (string, error) {
	all := at(p.level, connectionAttributes)
	q, err := shape{named: true, knows: knows(all), options: []string{"TYPE"}}.query(command)
	if err != nil {
		return "", err
	}
	if kind, at, given := one(command, "TYPE"); given && kind != "CONN" && kind != "ALL" && kind != "*" {
		return "", &syntaxError{at}
	}
	fits := func(c connection) bool { return objects.Fits(q.name, c.ID) }
	shown := each(p, q, "AMQ8276", all, p.connections(), fits, "CONN", "EXTCONN", "TYPE")
	if shown == "" {
		return "", &refusal{p.says("AMQ8461", amqerr.Inserts{C1: q.name})}
	}
	return shown, nil
}

// connections gives those of the queue manager itself and of applications.
func (p *performer) connections() []connection {
	var all []connection
	name := p.m.Name()
	sum := crc32.ChecksumIEEE([]byte(name))
	for i, own := range ownConnections {
		all = append(all, connection{manager: name, own: true, Connection: qmgr.Connection{
			ID: fmt.Sprintf("%08XFFFF%04X", sum, i+1), Application: own.program, User: "mqm",
			PID: int(2000 + sum%20000 + uint32(i)), TID: 1,
		}})
	}
	for _, c := range p.m.Connections() {
		all = append(all, connection{Connection: c, manager: name})
	}
	return all
}

func description(c connection) string {
	for _, own := range ownConnections {
		if c.own && own.program == c.Application {
			return own.description
		}
	}
	return ""
}

// external gives EXTURID; a unit of work of the queue manager's own has none.
func external(xid []byte) string {
	if len(xid) == 0 {
		return "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]"
	}
	return "XA_FORMATID[00000001] XA_GTRID[" + strings.ToUpper(hex.EncodeToString(xid)) + "] XA_BQUAL[]"
}

func choose(this bool, value, otherwise string) string {
	if this {
		return value
	}
	return otherwise
}

// queueStatusAttributes are those of DISPLAY QSTATUS TYPE(QUEUE).
var queueStatusAttributes = []attribute[qmgr.QueueStatus]{
	always("QUEUE", func(s qmgr.QueueStatus) string { return s.Name }),
	always("TYPE", constant[qmgr.QueueStatus]("QUEUE")),
	always("CURDEPTH", func(s qmgr.QueueStatus) string { return strconv.Itoa(s.Current) }),
	since(9, 1, 5, "CURFSIZE", number(func(s qmgr.QueueStatus) int64 { return max(1, megabytes(s.FileBytes)) })),
	since(9, 1, 5, "CURMAXFS", number(func(s qmgr.QueueStatus) int64 { return s.MaxFile })),
	always("IPPROCS", func(s qmgr.QueueStatus) string { return strconv.Itoa(s.Getting) }),
	always("LGETDATE", constant[qmgr.QueueStatus]("")),
	always("LGETTIME", constant[qmgr.QueueStatus]("")),
	always("LPUTDATE", constant[qmgr.QueueStatus]("")),
	always("LPUTTIME", constant[qmgr.QueueStatus]("")),
	always("MEDIALOG", func(s qmgr.QueueStatus) string { return s.MediaLog }),
	always("MONQ", constant[qmgr.QueueStatus]("OFF")),
	always("MSGAGE", constant[qmgr.QueueStatus]("")),
	always("OPPROCS", func(s qmgr.QueueStatus) string { return strconv.Itoa(s.Putting) }),
	always("QTIME", constant[qmgr.QueueStatus](" , ")),
	always("UNCOM", func(s qmgr.QueueStatus) string { return choose(s.Uncommitted > 0, "YES", "NO") }),
}

// displayQueueStatus is DISPLAY QSTATUS(name). A damaged queue among others is
// left out; asked for by its name it is AMQ8149.
func (p *performer) displayQueueStatus(command mqsc.Command) (string, error) {
	all := at(p.level, queueStatusAttributes)
	q, err := shape{named: true, knows: knows(all), options: []string{"TYPE"}}.query(command)
	if err != nil {
		return "", err
	}
	if kind, at, given := one(command, "TYPE"); given && kind != "QUEUE" {
		return "", &syntaxError{at}
	}
	for _, s := range p.m.QueueStatus() {
		if s.Name == q.name && s.Damaged {
			return "", &refusal{p.says("AMQ8149", amqerr.Inserts{}) + damagedLine("QUEUE", q.name)}
		}
	}
	fits := func(s qmgr.QueueStatus) bool { return !s.Damaged && objects.Fits(q.name, s.Name) }
	shown := each(p, q, "AMQ8450", all, p.m.QueueStatus(), fits, "QUEUE", "TYPE", "CURDEPTH")
	if shown == "" {
		return "", &refusal{p.says("AMQ8147", amqerr.Inserts{C1: q.name})}
	}
	return shown, nil
}
