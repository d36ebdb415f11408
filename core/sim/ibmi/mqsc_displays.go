package ibmi

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// displays are the DISPLAY commands that are answered, by their object and its
// synonyms.
var displays = sync.OnceValue(func() map[string]display {
	status, manager, depth, local, connection := displayStatus(), displayManager(), displayDepth(), displayLocal(), displayConnection()
	return map[string]display{
		"QMSTATUS": status,
		"QMGR":     manager,
		"QSTATUS":  depth, "QS": depth,
		"QUEUE": local, "Q": local, "QLOCAL": local, "QL": local,
		"CONN": connection,
	}
})

func displayNamed(object string) (display, bool) {
	d, known := displays()[object]
	return d, known
}

// The forms of dates and times in MQSC.
const (
	mqscDate = "2006-01-02"
	mqscTime = "15.04.05"
)

// moment gives a date or time; blank for none.
func moment(t time.Time, form string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(form)
}

// displayStatus is DISPLAY QMSTATUS: the receivers are those of the last
// publication, with asterisks for one that is not on the system (reference,
// IBM i 3.8, 7.5).
func displayStatus() display {
	type row struct {
		qmgr.Status
		connections int
	}
	return displayOf(
		display{
			identity: 2, headline: "AMQ8705I: Display Queue Manager Status Details.",
			groups: map[string][]string{"LOG": {"CURRLOG", "LOGPATH", "MEDIALOG", "RECLOG"}},
		},
		func(m *qmgr.Manager, _ string) []row { return []row{{m.Status(), len(m.Transactions())}} },
		attribute[row]{"QMNAME", func(r row) string { return r.Name }},
		attribute[row]{"STATUS", func(r row) string { return r.State }},
		attribute[row]{"CONNS", func(r row) string { return strconv.Itoa(r.connections) }},
		attribute[row]{"CURRLOG", func(r row) string { return r.CurrLog }},
		attribute[row]{"LOGPATH", func(r row) string { return r.LogPath }},
		attribute[row]{"MEDIALOG", func(r row) string { return r.MediaLog }},
		attribute[row]{"RECLOG", func(r row) string { return r.RecLog }},
		attribute[row]{"STARTDA", func(r row) string { return moment(r.Started, mqscDate) }},
		attribute[row]{"STARTTI", func(r row) string { return moment(r.Started, mqscTime) }},
	)
}

// displayManager is DISPLAY QMGR, as far as the simulator keeps attributes.
func displayManager() display {
	constant := func(text string) func(*qmgr.Manager) string { return func(*qmgr.Manager) string { return text } }
	return displayOf(
		display{identity: 1, headline: "AMQ8408I: Display Queue Manager details."},
		func(m *qmgr.Manager, _ string) []*qmgr.Manager { return []*qmgr.Manager{m} },
		attribute[*qmgr.Manager]{"QMNAME", (*qmgr.Manager).Name},
		attribute[*qmgr.Manager]{"PLATFORM", constant("OS400")},
		attribute[*qmgr.Manager]{"CMDLEVEL", constant("930")},
		attribute[*qmgr.Manager]{"VERSION", constant("09030000")},
		attribute[*qmgr.Manager]{"CCSID", constant("37")},
		attribute[*qmgr.Manager]{"DESCR", constant("")},
		attribute[*qmgr.Manager]{"SYNCPT", constant("")},
	)
}

// queuesNamed gives the local queues that a name, generic or not, stands for.
func queuesNamed(m *qmgr.Manager, name string) []qmgr.Queue {
	var found []qmgr.Queue
	for _, q := range m.Queues() {
		if fits(name, q.Name) {
			found = append(found, q)
		}
	}
	return found
}

// displayDepth is DISPLAY QSTATUS TYPE(QUEUE). MEDIALOG names the receiver of
// the queue's last image.
func displayDepth() display {
	type row = qmgr.Queue
	return displayOf(
		display{
			identity: 2, named: true, types: []string{"QUEUE"},
			headline: "AMQ8450I: Display queue status details.", missing: "AMQ8147I: IBM MQ object &1 not found.",
		},
		queuesNamed,
		attribute[row]{"QUEUE", func(q row) string { return q.Name }},
		attribute[row]{"TYPE", func(row) string { return "QUEUE" }},
		attribute[row]{"CURDEPTH", func(q row) string { return strconv.Itoa(q.Depth) }},
		attribute[row]{"MEDIALOG", func(q row) string { return q.MediaReceiver }},
		attribute[row]{"UNCOM", func(q row) string { return either(q.Uncommitted > 0, "YES", "NO") }},
	)
}

// displayLocal is DISPLAY QLOCAL, and DISPLAY QUEUE: there are no other
// queues. What was not set has the value that a new queue has.
func displayLocal() display {
	type row = qmgr.Queue
	kept := func(name, normal string) attribute[row] {
		return attribute[row]{name, func(q row) string {
			if value, set := q.Attributes[name]; set {
				return value
			}
			return normal
		}}
	}
	return displayOf(
		display{
			identity: 2, named: true, types: []string{"QLOCAL", "ALL"},
			headline: "AMQ8409I: Display Queue details.", missing: "AMQ8147I: IBM MQ object &1 not found.",
		},
		queuesNamed,
		attribute[row]{"QUEUE", func(q row) string { return q.Name }},
		attribute[row]{"TYPE", func(row) string { return "QLOCAL" }},
		attribute[row]{"CURDEPTH", func(q row) string { return strconv.Itoa(q.Depth) }},
		kept("DEFPSIST", "NO"), kept("DESCR", ""), kept("GET", "ENABLED"), kept("MAXDEPTH", "5000"),
		kept("MAXMSGL", "4194304"), kept("PUT", "ENABLED"), kept("USAGE", "NORMAL"),
	)
}

// displayConnection is DISPLAY CONN: one connection for each open unit of
// work. UOWLOG is blank until the unit has an entry in the journal.
func displayConnection() display {
	type row = qmgr.Transaction
	return displayOf(
		display{
			identity: 2, named: true, types: []string{"CONN", "*"},
			headline: "AMQ8276I: Display Connection details.", missing: "AMQ8461I: Connection identifier &1 not found.",
		},
		func(m *qmgr.Manager, name string) []row {
			var found []row
			for _, t := range m.Transactions() {
				if fits(name, connection(t)) {
					found = append(found, t)
				}
			}
			return found
		},
		attribute[row]{"CONN", connection},
		attribute[row]{"TYPE", func(row) string { return "CONN" }},
		attribute[row]{"APPLTAG", func(t row) string { return t.Application }},
		attribute[row]{"UOWLOG", func(t row) string { return t.Receiver }},
		attribute[row]{"UOWLOGDA", func(t row) string { return moment(t.Started, mqscDate) }},
		attribute[row]{"UOWLOGTI", func(t row) string { return moment(t.Started, mqscTime) }},
		attribute[row]{"UOWSTATE", func(t row) string { return t.State }},
		attribute[row]{"UOWSTDA", func(t row) string { return moment(t.Started, mqscDate) }},
		attribute[row]{"UOWSTTI", func(t row) string { return moment(t.Started, mqscTime) }},
	)
}

// connection gives the identifier of a unit of work's connection: 16 digits in
// hexadecimal.
func connection(t qmgr.Transaction) string { return fmt.Sprintf("%016X", t.Number) }
