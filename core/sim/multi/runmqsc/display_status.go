package runmqsc

import (
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// logGroup is what the keyword LOG stands for (reference, Multiplatforms 3.1
// item 46).
var logGroup = []string{
	"ARCHLOG", "ARCHSZ", "CURRLOG", "DISKLSN", "LOGEXTSZ", "LOGFSSZ", "LOGFSUSE", "LOGINUSE", "LOGPATH", "LOGPRIM", "LOGSEC",
	"LOGSTRDA", "LOGSTRL", "LOGSTRTI", "LOGTYPE", "LOGUTIL", "MEDIALOG", "MEDIASZ", "RECLOG", "RECSZ", "REUSESZ",
}

// statusAttributes are those of DISPLAY QMSTATUS in the order of 9.4.2. Which
// level brought which is from memory but for ARCHLOG (reference, Multiplatforms
// 3.1 item 48).
var statusAttributes = []attribute[qmgr.Status]{
	always("QMNAME", func(s qmgr.Status) string { return s.Name }),
	since(9, 2, 0, "TYPE", constant[qmgr.Status]("QMGR")),
	always("STATUS", constant[qmgr.Status]("RUNNING")),
	since(9, 0, 2, "ARCHLOG", func(s qmgr.Status) string { return s.Log.Archived }),
	since(9, 0, 2, "ARCHSZ", ofArchive(func(s qmgr.Status) int64 { return s.Log.ArchiveSize })),
	since(9, 1, 4, "AUTOCLUS", constant[qmgr.Status]("NONE")),
	always("CHINIT", constant[qmgr.Status]("RUNNING")),
	since(9, 3, 2, "CHKPTCNT", number(func(s qmgr.Status) int64 { return s.Checkpoints })),
	since(9, 3, 2, "CHKPTOPS", number(func(s qmgr.Status) int64 { return s.CheckpointOperations })),
	since(9, 3, 2, "CHKPTSZ", number(func(s qmgr.Status) int64 { return megabytes(s.CheckpointBytes) })),
	always("CMDSERV", constant[qmgr.Status]("RUNNING")),
	always("CONNS", number(func(s qmgr.Status) int64 { return int64(s.Connections + len(ownConnections)) })),
	always("CURRLOG", func(s qmgr.Status) string { return s.CurrLog }),
	since(9, 3, 2, "DATFSSZ", constant[qmgr.Status](shared)),
	since(9, 3, 2, "DATFSUSE", constant[qmgr.Status](shared)),
	since(9, 3, 2, "DATPATH", func(s qmgr.Status) string { return s.DataPath }),
	since(9, 3, 2, "DISKLSN", func(s qmgr.Status) string { return logged.LSN(s.DiskLSN) }),
	since(9, 4, 0, "GRPLSN", constant[qmgr.Status]("")),
	since(9, 4, 0, "GRPNAME", constant[qmgr.Status]("")),
	since(9, 4, 0, "GRPROLE", constant[qmgr.Status]("NOTCONFIG")),
	since(9, 3, 2, "HOSTNAME", func(s qmgr.Status) string { return s.Host }),
	since(9, 3, 0, "INSTANCE", constant[qmgr.Status]("")),
	since(7, 1, 0, "INSTDESC", constant[qmgr.Status]("")),
	since(7, 1, 0, "INSTNAME", func(s qmgr.Status) string { return s.Installation }),
	since(7, 1, 0, "INSTPATH", func(s qmgr.Status) string { return s.InstallationPath }),
	since(8, 0, 0, "LDAPCONN", constant[qmgr.Status]("INACTIVE")),
	since(9, 3, 2, "LOGEXTSZ", number(func(s qmgr.Status) int64 { return 4 * int64(s.Log.FilePages+2) })),
	since(9, 3, 2, "LOGFSSZ", ofLimited(func(s qmgr.Status) int64 { return megabytes(s.Log.SystemSize) })),
	since(9, 3, 2, "LOGFSUSE", ofLimited(func(s qmgr.Status) int64 { return percent(s.Log.SystemUsed, s.Log.SystemSize) })),
	since(9, 0, 2, "LOGINUSE", number(func(s qmgr.Status) int64 { return int64(s.Log.InUse) })),
	since(7, 0, 1, "LOGPATH", func(s qmgr.Status) string { return s.LogPath }),
	since(9, 3, 2, "LOGPRIM", number(func(s qmgr.Status) int64 { return int64(s.Log.Primary) })),
	since(9, 3, 2, "LOGSEC", number(func(s qmgr.Status) int64 { return int64(s.Log.Secondary) })),
	since(9, 3, 2, "LOGSTRDA", func(s qmgr.Status) string { return moment(s.LogStartTime, dateForm) }),
	since(9, 3, 2, "LOGSTRL", func(s qmgr.Status) string { return logged.LSN(s.LogStart) }),
	since(9, 3, 2, "LOGSTRTI", func(s qmgr.Status) string { return moment(s.LogStartTime, "15:04:05") }),
	since(9, 3, 2, "LOGTYPE", func(s qmgr.Status) string { return string(s.Log.Kind) }),
	since(9, 0, 2, "LOGUTIL", number(func(s qmgr.Status) int64 { return int64(s.Log.Utilised) })),
	always("MEDIALOG", func(s qmgr.Status) string { return s.MediaLog }),
	since(9, 0, 2, "MEDIASZ", ofLinear(func(s qmgr.Status) int64 { return s.Log.MediaSize })),
	since(9, 3, 2, "QMFSSZ", number(func(s qmgr.Status) int64 { return megabytes(s.DataSize) })),
	since(9, 3, 2, "QMFSUSE", number(func(s qmgr.Status) int64 { return percent(s.DataUsed, s.DataSize) })),
	since(9, 4, 0, "QUORUM", constant[qmgr.Status]("")),
	always("RECLOG", func(s qmgr.Status) string { return s.RecLog }),
	since(9, 0, 2, "RECSZ", ofLinear(func(s qmgr.Status) int64 { return s.Log.RestartSize })),
	since(9, 0, 2, "REUSESZ", number(func(s qmgr.Status) int64 { return s.Log.ReuseSize })),
	since(7, 0, 1, "STANDBY", constant[qmgr.Status]("NOPERMIT")),
	since(7, 0, 1, "STARTDA", func(s qmgr.Status) string { return moment(s.Started, dateForm) }),
	since(7, 0, 1, "STARTTI", func(s qmgr.Status) string { return moment(s.Started, timeForm) }),
	since(9, 1, 4, "UNICLUS", constant[qmgr.Status]("")),
}

// displayStatus is DISPLAY QMSTATUS. What a log has no extents for, or what
// there is none of, is printed blank: MEDIALOG( ).
func (p *performer) displayStatus(command mqsc.Command) (string, error) {
	all := at(p.level, statusAttributes)
	known := knows(all)
	group := make([]string, 0, len(logGroup))
	for _, name := range logGroup {
		if known(name) {
			group = append(group, name)
		}
	}
	form := shape{knows: known, plain: true, groups: map[string][]string{"LOG": group}}
	if known("TYPE") {
		form.options = []string{"TYPE"}
	}
	q, err := form.query(command)
	if err != nil {
		return "", err
	}
	if kind, at, _ := one(command, "TYPE"); q.options["TYPE"] != "" && kind != "QMGR" {
		return "", &syntaxError{at}
	}
	return p.says("AMQ8705", amqerr.Inserts{}) + q.show(cells(all, p.m.Status()), "QMNAME", "TYPE", "STATUS"), nil
}

// The forms of dates and times in MQSC.
const (
	dateForm = "2006-01-02"
	timeForm = "15.04.05"
)

// moment gives a date or a time; blank for none.
func moment(t time.Time, form string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(form)
}

func number[T any](value func(T) int64) func(T) string {
	return func(of T) string { return strconv.FormatInt(value(of), 10) }
}

// ofLinear is a number that only a linear log has.
func ofLinear(value func(qmgr.Status) int64) func(qmgr.Status) string {
	return func(s qmgr.Status) string {
		if s.Log.Kind != extents.Linear {
			return ""
		}
		return number(value)(s)
	}
}

// ofArchive is a number that there is with LogManagement=Archive alone.
func ofArchive(value func(qmgr.Status) int64) func(qmgr.Status) string {
	return func(s qmgr.Status) string {
		if s.Log.Management != extents.Archive {
			return ""
		}
		return number(value)(s)
	}
}

// shared is what stands for the size of a file system that is that of the queue
// manager, which QMFSSZ has (MQFS_SHARED, from memory). Queues always are there.
const shared = "SHARED"

// ofLimited is a number of a file system of the log's own. One that the log
// shares with the data is shown as such.
func ofLimited(value func(qmgr.Status) int64) func(qmgr.Status) string {
	return func(s qmgr.Status) string {
		if s.Log.SystemSize == 0 {
			return shared
		}
		return number(value)(s)
	}
}

func megabytes(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 }

func percent(part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	return 100 * part / whole
}
