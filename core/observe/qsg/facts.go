package qsg

import (
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// Group is what was learned of a queue-sharing group. What a fact's own type
// calls not known was not asked, not answered or not readable: it is never 0 or
// NO in disguise.
type Group struct {
	Name     string
	Observed time.Time     // when the group answered last, by its own clock; zero: no clock known
	Now      observe.Stamp // the same as its wall clock shows it, to be compared with local stamps

	Members    []Member    // by name
	Admin      Structure   // CSQ_ADMIN, which can't be backed up
	Structures []Structure // the others, by name
	DataSets   []DataSet   // by structure and owner (case 50)

	Repository []BackupRow // rows of CSQ.ADMIN_B_STRBACKUP
	Allocated  []Allocated // structures as XCF shows them
	Log        []Event     // messages nobody asked for, in the order of each member's log
	Notes      []Note      // what the site's own jobs did, on the group and on its members
	History    []Sample    // what earlier runs saw, oldest first

	// Open is what could not be learned, and what a person should know.
	Open []finding.Finding
	// Unanswered are the questions that nobody answered, as reports name them.
	Unanswered []string
}

// Member gives a member by its name; false when the group has none so called.
func (g *Group) Member(name string) (*Member, bool) {
	for i := range g.Members {
		if g.Members[i].Name == name {
			return &g.Members[i], true
		}
	}
	return nil, false
}

// Structure gives a structure by its name; false when there is none so called.
func (g *Group) Structure(name string) (*Structure, bool) {
	for i := range g.Structures {
		if g.Structures[i].Name == name {
			return &g.Structures[i], true
		}
	}
	return nil, false
}

// DataSet gives the shared message data set of a structure that a member owns.
func (g *Group) DataSet(structure, owner string) (*DataSet, bool) {
	for i := range g.DataSets {
		if g.DataSets[i].Structure == structure && g.DataSets[i].Owner == owner {
			return &g.DataSets[i], true
		}
	}
	return nil, false
}

// Wanted says which facts a plan needs. Members, and what they answer to, are
// always asked for.
type Wanted uint16

// The kinds of facts. Each is a few questions to the group, and BSDS and
// Messages one to each member.
const (
	Structures     Wanted = 1 << iota // definitions and status (SUMMARY)
	Backups                           // CFSTATUS TYPE(BACKUP)
	Connections                       // CFSTATUS TYPE(CONNECT)
	DataSets                          // definitions, status, connections and usage of shared message data sets
	Catalog                           // LISTCAT of the shared message data sets
	Logs                              // DISPLAY LOG
	Archives                          // DISPLAY ARCHIVE
	Systems                           // DISPLAY SYSTEM
	Usage                             // DISPLAY USAGE TYPE(DATASET)
	BSDS                              // the print of CSQJU004 of each member
	ArchiveCatalog                    // LISTCAT of each member's archive data sets; with Archives and BSDS
	Repository                        // CSQ.ADMIN_B_STRBACKUP
	Allocations                       // D XCF,STR of each structure
	Messages                          // the system log of each member
	Notes                             // NOTE of the group and of each member
	History                           // HISTORY of the group

	Everything Wanted = 1<<iota - 1
)

// Has tells whether any of the kinds is wanted.
func (w Wanted) Has(kinds Wanted) bool { return w&kinds != 0 }

// Number is a number as it was printed. The zero value is not known.
type Number struct {
	Value int64
	Known bool
}

// Of gives a number that is known.
func Of(value int64) Number { return Number{value, true} }

// Flag is YES or NO as it was printed. The zero value is not known.
type Flag uint8

// The values of a Flag.
const (
	Unsaid Flag = iota
	No
	Yes
)

// String gives YES, NO, or nothing.
func (f Flag) String() string { return [...]string{"", "NO", "YES"}[min(f, Yes)] }

// flagOf reads YES and NO; anything else is not known.
func flagOf(text string) Flag {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "YES", "Y":
		return Yes
	case "NO", "N":
		return No
	default:
		return Unsaid
	}
}

// Parameters are those that a DISPLAY LOG, ARCHIVE or SYSTEM report lists, by
// their names in capitals, with the value that holds: that of a SET command
// where there is one, else the initial one. A nil map was not read.
type Parameters map[string]string

// Number gives a parameter that is a number.
func (p Parameters) Number(name string) Number { return numberOf(p[name]) }

// Flag gives a parameter that is YES or NO.
func (p Parameters) Flag(name string) Flag { return flagOf(p[name]) }

// Status is a state as MQ prints it, in capitals: of a structure, a connection
// to one, a backup, or a shared message data set. Empty is not known; UNKNOWN is
// what MQ itself says when it does not know.
type Status string

// The states (DISPLAY CFSTATUS; SMDS by the last three too).
const (
	Active    Status = "ACTIVE"
	Failed    Status = "FAILED"
	NotFound  Status = "NOTFOUND" // defined, but not allocated
	InBackup  Status = "INBACKUP"
	InRecover Status = "INRECOVER"
	None      Status = "NONE" // never connected; never backed up
	Unknown   Status = "UNKNOWN"
	New       Status = "NEW"
	Empty     Status = "EMPTY"
	Recovered Status = "RECOVERED"
)

// statusOf reads a state. Documentation and PCF write some of them with a blank
// or an underscore.
func statusOf(text string) Status {
	return Status(strings.NewReplacer(" ", "", "_", "").Replace(strings.ToUpper(strings.TrimSpace(text))))
}

// BackupRow is a row of CSQ.ADMIN_B_STRBACKUP, the table by which RECOVER finds
// a backup. Its positions are of QueueManager's log.
type BackupRow struct {
	Structure, QueueManager string
	Start, End              Position
	At                      observe.Stamp
	Line                    int // in the answer, from 1
}

// Allocated is a structure as D XCF,STR,STRNAME= shows it.
type Allocated struct {
	Name        string // with the group's name in front
	Status      string // ALLOCATED, NOT ALLOCATED, as printed
	SizeKB      Number // its size in the coupling facility
	PolicyKB    Number // the most that the CFRM policy allows
	Duplexed    Flag
	Facility    string   // of the coupling facility
	Connections []string // names of connectors
}

// Note is what a job of the site did (mqhk note), on the group or on a member.
type Note struct {
	On       string // the group or the member
	ID, Kind string // data-backup, pageset-backup, saved, shipped, replayed
	At       time.Time
	Segment  string // a data set
	Position string // as it was given: an RBA, for one
	Text     string
	Line     int
}

// Sample is a row of HISTORY: what an earlier run saw of a series.
type Sample struct {
	At        time.Time
	Kind      string // what was measured, such as smds-used
	Structure string
	Owner     string // of a data set; empty: of the structure
	Value     Number
}
