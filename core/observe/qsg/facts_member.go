package qsg

import (
	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
)

// MemberStatus is a member's state as DISPLAY GROUP prints it.
type MemberStatus string

// The states of a member (DISPLAY GROUP). Of one that DISPLAY GROUP does not
// list, or prints without a state, it is MemberUnknown.
const (
	MemberActive   MemberStatus = "ACTIVE"
	MemberInactive MemberStatus = "INACTIVE" // ended normally
	MemberFailed   MemberStatus = "FAILED"   // ended abnormally
	MemberCreated  MemberStatus = "CREATED"  // never started
	MemberUnknown  MemberStatus = "UNKNOWN"
)

// Member is a queue manager of the group.
type Member struct {
	Name          string
	Number        Number // in the group
	Prefix        string // of its commands and messages
	Status        MemberStatus
	Version       string // as printed: 600, 940
	DB2           string
	DB2Connection string // ACTIVE, PENDING, ...

	// CommandServer says whether the member answered a command that was sent to
	// it by CMDSCOPE: Yes; refused or was silent while others answered: No.
	CommandServer Flag

	Log     Log
	Archive Parameters // DISPLAY ARCHIVE
	System  Parameters // DISPLAY SYSTEM
	Usage   LogUsage
	BSDS    *bsds.Print // nil: not asked, not answered, or not read whole

	// Archives is what the catalog shows of the member's archive data sets. Of
	// Searched prefixes it shows all there are; of other names those that the
	// BSDS has.
	Archives    idcams.Listing
	Searched    []string
	HasArchives bool // every data set of the BSDS was looked for

	Connections []StructureConnection // to structures (CFSTATUS TYPE(CONNECT))
}

// ArchiveRetention gives ARCRETN in days, which new archive data sets get.
func (m Member) ArchiveRetention() Number { return m.Archive.Number("ARCRETN") }

// ArchiveCapacity gives how many archive data sets of a copy the BSDS remembers
// (MAXARCH of DISPLAY LOG).
func (m Member) ArchiveCapacity() Number { return m.Log.Parameters.Number("MAXARCH") }

// Position is a place in one member's log. RBAs of two members say nothing of
// each other (trap 11).
type Position = bsds.RBA

// Log is the report of DISPLAY LOG.
type Log struct {
	Known      bool // the status report, CSQJ370I, was read
	Parameters Parameters
	Copies     []LogCopy
	ToOffload  Number // full active logs that are not archived yet
	Total      Number // active logs of the ring
	Offload    string // AVAILABLE, BUSY, ALLOCATING ARCHIVE, ..., as printed in capitals
	Suspended  Flag   // SUSPEND QMGR LOG (trap 34)
	Latest     Position
	StartedAt  observe.Stamp // the restart
	StartedRBA Position
}

// LogCopy is one copy of the active log that is being written.
type LogCopy struct {
	Copy    int
	Full    Number // per cent
	DataSet string // empty: the copy is inactive
}

// LogUsage is the report of DISPLAY USAGE TYPE(DATASET): from where on a member
// needs its log.
type LogUsage struct {
	Known          bool     // the report, CSQI070I, was read
	Restart        Position // for a restart as configured (CSQI024I)
	RestartOffline Position // the same with offline page sets (CSQI025I, trap 13)
	HasOffline     bool     // CSQI025I was printed
	Unit           LogNeed  // oldest active unit of work
	PageSets       LogNeed  // page set recovery, as of now (trap 12)
	Structures     LRSNNeed // oldest current backup of any structure of the group
}

// LogNeed is an RBA and the log data set that holds it.
type LogNeed struct {
	From    Position
	DataSet string
	Printed bool // there was such a row; with a From of zero nothing is needed
}

// LRSNNeed is an LRSN, which concerns the logs of all members (trap 11).
type LRSNNeed struct {
	From    bsds.LRSN
	DataSet string
	Printed bool
}

// StructureConnection is a member's connection to a structure.
type StructureConnection struct {
	Structure, Member string
	Image             string // the z/OS image (SYSNAME)
	Status            Status
	FailedAt          observe.Stamp
}
