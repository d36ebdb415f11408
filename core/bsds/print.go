package bsds

import (
	"strconv"
	"time"
)

// Copies is how many copies a log and its inventory may have (TWOACTV, TWOARCH).
const Copies = 2

// Print is what CSQJU004 printed of one BSDS. Times are as printed: GMT, where
// the field does not say local; with Raw as the machine's clock had them.
type Print struct {
	DataSet string // of the BSDS
	Version int    // of its format: 1 (six bytes), 2 (eight); 0: not printed
	Raw     bool   // printed with TIME(RAW)
	Group   string // the queue-sharing group; empty: none, or not printed
	Member  string // the queue manager; empty: not printed
	Number  int    // of the member in its group; 0: not printed

	System  time.Time // when the BSDS was written last, by the local clock
	Utility time.Time // when CSQJU003 changed it last, by the local clock

	HighestWritten   RBA
	WrittenAt        time.Time
	HighestOffloaded RBA

	Active  [Copies][]Log // copy 1 and 2, in the order of the print
	Archive [Copies][]Log // copy 1 and 2, in the order of the print

	Restarts    []Restart    // conditional restart control records
	Checkpoints []Checkpoint // the queue of checkpoints
}

// Log is a log data set of the inventory, or one volume of it.
type Log struct {
	DataSet            string
	Start, End         RBA
	StartLRSN, EndLRSN LRSN
	StartTime, EndTime time.Time
	Created            time.Time // the entry, by the local clock; to the minute
	Status             Status    // of an active log
	Truncated          bool      // an active log that ended before it was full
	Volume, Unit       string    // of an archive
	Catalogued         Answer    // of an archive
	Line               int       // where its entry begins in the print, from 1; 0: it was not read
}

// Answer is yes or no. The zero value is not known.
type Answer uint8

// The values of an Answer.
const (
	Unsaid Answer = iota
	No
	Yes
)

// String gives YES, NO, or nothing.
func (a Answer) String() string { return [...]string{"", "NO", "YES"}[min(a, Yes)] }

// Status is the state of an active log data set. The zero value is not known. A
// log that ARCHIVE LOG or an error ended early is truncated; that is printed as
// a state or beside one, and is [Log.Truncated] in both cases.
type Status string

// The states of an active log data set (manual topic csqsaw0369).
const (
	New         Status = "NEW"
	Reusable    Status = "REUSABLE"
	NotReusable Status = "NOT REUSABLE"
	Stopped     Status = "STOPPED"
	Truncated   Status = "TRUNCATED" // printed without one of the others
)

// Restart is a conditional restart control record. It holds for every restart
// until one of them ends, it is cancelled or replaced.
type Restart struct {
	Active  Answer
	EndRBA  RBA
	EndLRSN LRSN
}

// Checkpoint is an entry of the queue of checkpoints.
type Checkpoint struct {
	Start, End RBA
	At         time.Time
}

// Error says in which line a print can't be read, and why.
type Error struct {
	Line int // from 1
	Text string
}

// Error gives "line n: text".
func (e *Error) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Text }
