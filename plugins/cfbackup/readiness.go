package cfbackup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// answer is what is said to a question such as whether RECOVER would work. The
// order is how they combine: one no is enough.
type answer uint8

const (
	no answer = iota
	notKnown
	yes
)

// String gives the word used in reports.
func (a answer) String() string { return [...]string{"no", "not known", "yes"}[min(a, yes)] }

// readiness says whether RECOVER CFSTRUCT would work for a structure, if it
// failed now.
type readiness struct {
	answer  answer
	reasons []string // why it is not yes; those for no first

	age  time.Duration // of the last backup; aged: it is known
	aged bool

	from   bsds.LRSN // from which every member's log is read; not known: zero
	reads  []logRead // whose logs, by name
	image  []bsds.Place
	bytes  int64         // of log that is read; counted: all of them are in it
	takes  time.Duration // by the rate of the config
	counts bool

	// risks say which of the logs may be gone before the next backup: they are
	// there now (case 42).
	risks []string
}

// limits are the settings that a judgement is made with.
type limits struct {
	interval time.Duration // until the next backup
	rate     int64         // bytes of log that a recovery reads in a second
}

// doubts collects reasons: those against a yes, and what was not learned.
type doubts struct{ against, open []string }

func (d *doubts) say(a answer, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case a == no && !slices.Contains(d.against, text):
		d.against = append(d.against, text)
	case a == notKnown && !slices.Contains(d.open, text):
		d.open = append(d.open, text)
	}
}

func (d *doubts) answer() answer {
	switch {
	case len(d.against) > 0:
		return no
	case len(d.open) > 0:
		return notKnown
	}
	return yes
}

// judge answers for the structures of one group. It has no clock and asks
// nothing.
type judge struct {
	group  *qsg.Group
	clock  clock
	limits limits
	logs   map[string]*logShelf       // of members with a print of their BSDS
	done   map[readOf]logRead         // one reading serves many structures
	lives  map[string][]lifetime      // of the members' archives
	rows   map[string][]qsg.BackupRow // of the repository, by structure
}

func newJudge(group *qsg.Group, clock clock, limits limits) *judge {
	j := &judge{group: group, clock: clock, limits: limits, logs: map[string]*logShelf{}, done: map[readOf]logRead{},
		lives: map[string][]lifetime{}, rows: map[string][]qsg.BackupRow{}}
	for i := range group.Members {
		m := &group.Members[i]
		j.lives[m.Name] = lifetimes(*m)
		if m.BSDS != nil {
			j.logs[m.Name] = newLogShelf(m)
		}
	}
	for _, row := range group.Repository {
		j.rows[row.Structure] = append(j.rows[row.Structure], row)
	}
	return j
}

// structure answers for one structure. Everything that RECOVER needs has to be
// there: what is missing is a no, what was not learned leaves it not known.
func (j *judge) structure(s qsg.Structure) readiness {
	var r readiness
	var d doubts
	if _, known := s.Recoverable(); !known {
		d.say(notKnown, "whether it can be recovered is not known: CFLEVEL or RECOVER was not told")
	}
	b := s.Backup
	r.age, r.aged = j.clock.age(b.EndedAt)
	switch {
	case !b.Known:
		d.say(notKnown, "its last backup is not known")
	case b.Status == qsg.None:
		d.say(no, "it was never backed up: a recovery would read every log back to the day on which the structure was made")
	case !b.Taken():
		d.say(notKnown, "which backup is its last one was not told (STATUS(%s))", b.Status)
	default:
		j.backup(&r, &d, s)
	}
	if s.Status == qsg.InRecover || b.Status == qsg.InRecover {
		d.say(no, "a recovery of it is running; another RECOVER would be refused (CSQE101I)")
	}
	j.db2(&d)
	r.answer, r.reasons = d.answer(), slices.Concat(d.against, d.open)
	return r
}

// db2 looks for a member that could carry out RECOVER: it is one that is active
// and connected to Db2, where the backups are recorded (00C50006).
func (j *judge) db2(d *doubts) {
	told := false
	for _, m := range j.group.Members {
		if m.Status == qsg.MemberActive && m.DB2Connection == db2Active {
			return
		}
		told = told || m.Status != qsg.MemberUnknown && m.DB2Connection != ""
	}
	if told {
		d.say(no, "no active member is connected to Db2, where RECOVER looks the backup up (00C50006)")
		return
	}
	d.say(notKnown, "whether a member is connected to Db2 is not known")
}

// db2Active is the state of a connection to Db2 that works (DISPLAY GROUP).
const db2Active = "ACTIVE"

// backup looks for all that a recovery from the last backup reads.
func (j *judge) backup(r *readiness, d *doubts, s qsg.Structure) {
	b := s.Backup
	if !r.aged {
		d.say(notKnown, "how old its backup is is not known: it ended at %q", b.EndedAt)
	}
	j.recorded(d, s)
	shelf := j.logs[b.QueueManager]
	if shelf == nil {
		d.say(notKnown, "the BSDS of %s, which took the backup, was not read", b.QueueManager)
		return
	}
	image := shelf.image(b.Start, b.End)
	r.image = image.places
	if image.state != yes {
		d.say(image.state, "the image (%s to %s of %s): %s", b.Start, b.End, b.QueueManager, image.why)
	}
	from, ok := j.from(shelf, b)
	if !ok {
		d.say(notKnown, "from which LRSN on logs are needed is not known: the BSDS of %s has none for %s", b.QueueManager, b.Start)
		return
	}
	r.from, r.counts = from.low, true
	for _, name := range j.needed(s) {
		read := j.read(name, from)
		r.reads = append(r.reads, read)
		r.bytes += read.bytes
		r.counts = r.counts && read.counted
		r.risks = append(r.risks, read.risks...)
		state := read.state
		if state == no && !b.Needs(name) {
			state = notKnown // LOGS does not name it, but it is connected (trap 37)
		}
		if state != yes {
			d.say(state, "the log of %s: %s", name, read.why)
		}
		if r.aged {
			r.risks = append(r.risks, short(name, j.lives[name], r.age+j.limits.interval)...)
		}
	}
	r.takes = time.Duration(float64(r.bytes) / float64(max(j.limits.rate, 1)) * float64(time.Second))
}

// recorded holds the backup against the repository: by its row RECOVER finds it
// (CSQE109E). What the member shows comes from there too, but a table that was
// put back to an older state shows an older one (trap 14).
func (j *judge) recorded(d *doubts, s qsg.Structure) {
	if len(j.group.Repository) == 0 {
		d.say(notKnown, "%s was not read", qsg.BackupTable)
		return
	}
	rows := j.rows[s.Name]
	if len(rows) == 0 {
		d.say(no, "%s has no row of it: RECOVER finds no backup (CSQE109E)", qsg.BackupTable)
		return
	}
	same := func(row qsg.BackupRow) bool {
		return row.QueueManager == s.Backup.QueueManager && row.Start == s.Backup.Start && row.End == s.Backup.End
	}
	if !slices.ContainsFunc(rows, same) {
		d.say(notKnown, "%s shows another backup than the group does: %s of %s", qsg.BackupTable, rows[0].End, rows[0].QueueManager)
	}
}

// needed names the members whose logs a recovery reads: those of LOGS, the one
// that took the backup, and every other that ever connected: one that only gets
// messages writes to its log as well (trap 37, case 42). Where LOGS names nobody
// it is all of them.
func (j *judge) needed(s qsg.Structure) []string {
	names := append([]string{s.Backup.QueueManager}, s.Backup.Logs...)
	for _, c := range s.Connections {
		if c.Status == qsg.Active || c.Status == qsg.Failed {
			names = append(names, c.Member)
		}
	}
	if len(s.Backup.Logs) == 0 {
		for _, m := range j.group.Members {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// whole sums up: the group can be recovered when each of its structures can.
func (v view) whole() (answer, string) {
	whole := yes
	var names [yes][]string
	for _, s := range v.group.Structures {
		r, ok := v.ready[s.Name]
		if !ok {
			continue
		}
		if r.answer != yes {
			names[r.answer] = append(names[r.answer], s.Name)
		}
		whole = min(whole, r.answer)
	}
	var parts []string
	if len(names[no]) > 0 {
		parts = append(parts, "RECOVER would fail for "+strings.Join(names[no], ", "))
	}
	if len(names[notKnown]) > 0 {
		parts = append(parts, "not known for "+strings.Join(names[notKnown], ", "))
	}
	switch {
	case !v.defined():
		return min(whole, notKnown), "which structures there are is not known"
	case len(v.ready) == 0:
		return yes, "no structure of the group can be recovered, so nothing is to be"
	case len(parts) == 0:
		return whole, "all that RECOVER reads is there"
	}
	return whole, strings.Join(parts, "; ")
}

// defined tells whether the definitions of the structures were read. Every group
// has its administration structure, and none is without another.
func (v view) defined() bool {
	return slices.ContainsFunc(v.group.Structures, func(s qsg.Structure) bool { return s.Defined.Known })
}
