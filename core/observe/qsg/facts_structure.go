package qsg

import (
	"slices"

	"github.com/mqhk/mqhk/core/observe"
)

// The structures that every group has. The first can't be backed up; the
// second is backed up like an application's.
const (
	AdminStructure  = "CSQ_ADMIN"
	SystemStructure = "CSQSYSAPPL"
)

// leastRecoverable is the CFLEVEL from which on a structure can be recovered
// (DEFINE CFSTRUCT, RECOVER).
const leastRecoverable = 3

// Structure is a coupling facility structure of the group.
type Structure struct {
	Name string

	Defined Definition
	Status  Status // CFSTATUS TYPE(SUMMARY)
	Type    string // APPL or ADMIN

	SizeMaxKB   Number
	SizeUsed    Number // per cent (trap 30)
	EntriesMax  Number
	EntriesUsed Number
	OffloadUse  string // NONE, SMDS, DB2, BOTH
	FailedAt    observe.Stamp

	Backup      Backup
	Connections []StructureConnection
}

// Recoverable tells whether the structure can be backed up: RECOVER(YES) at
// CFLEVEL 3 or more, and not the administration structure (case 40). Known is
// false while the definition does not tell.
func (s Structure) Recoverable() (can, known bool) {
	switch level := s.Defined.Level; {
	case s.Name == AdminStructure, s.Defined.Recover == No, level.Known && level.Value < leastRecoverable:
		return false, true
	case s.Defined.Recover == Yes && level.Known:
		return true, true
	default:
		return false, false
	}
}

// Definition is what DISPLAY CFSTRUCT says.
type Definition struct {
	Known    bool // it was printed
	Level    Number
	Recover  Flag
	Recauto  Flag
	Conlos   string // ASQMGR, TERMINATE, TOLERATE
	Offload  string // SMDS, DB2, NONE
	Rules    [3]OffloadRule
	DSGroup  string // generic name of the data sets, * for the owner
	DSBlock  Number // bytes
	DSBufs   Number
	DSExpand Flag
}

// OffloadRule is one of OFFLD1SZ/TH to OFFLD3SZ/TH: from Threshold per cent of
// the structure on, messages of Size bytes and more are offloaded. 64 KB, or
// 100 per cent, is a rule that is not used.
type OffloadRule struct{ Size, Threshold Number }

// Backup is what CFSTATUS TYPE(BACKUP) says of the last successful backup; a
// backup that failed leaves the old values (trap 3). Two backups are told apart
// by QueueManager, Start and End, never by EndedAt (trap 2).
type Backup struct {
	Known        bool // it was printed
	Status       Status
	QueueManager string        // which took it, and whose log the positions are of
	EndedAt      observe.Stamp // local, to the second
	SizeMB       Number        // whole megabytes, cut off: 0 is less than one
	Start, End   Position
	Logs         []string // members whose logs a recovery reads
	FailedAt     observe.Stamp
}

// Taken tells whether there ever was one.
func (b Backup) Taken() bool {
	return b.Known && b.Status != None && b.QueueManager != "" && b.End.Known() && !b.End.Zero()
}

// Same tells whether two readings show the same backup.
func (b Backup) Same(other Backup) bool {
	return b.QueueManager == other.QueueManager && b.Start == other.Start && b.End == other.End
}

// Needs tells whether a recovery from the backup reads a member's log.
func (b Backup) Needs(member string) bool {
	return member == b.QueueManager || slices.Contains(b.Logs, member)
}
