package idcams

import (
	"strconv"
	"time"
)

// Listing is what LISTCAT printed.
type Listing struct {
	NonVSAM  []NonVSAM
	Clusters []Cluster
	// Missing are the entries that were asked for and are not catalogued
	// (IDC3012I).
	Missing []string
	// Code is the highest condition code (IDC0001I, IDC0002I); HasCode: it was
	// printed. 4 says that some entry was not found. Above it the catalog could
	// not be asked for all, and what is not listed may be there.
	Code    int
	HasCode bool
	// Messages are the messages, as printed.
	Messages []Message
}

// Message is a message of access method services.
type Message struct {
	ID, Text string
	Line     int
}

// NonVSAM is a catalog entry of a data set that is not VSAM, such as an archive
// log.
type NonVSAM struct {
	Name       string
	Catalog    string // IN-CAT
	Creation   time.Time
	Expiration Expiration
	Volumes    []Volume
	Classes    Classes
	Line       int // where the entry begins, from 1
}

// Cluster is a catalog entry of a linear VSAM data set with its data component,
// such as a shared message data set.
type Cluster struct {
	Name       string
	Data       string // name of the data component
	Catalog    string
	Creation   time.Time
	Expiration Expiration
	Linear     Answer
	Classes    Classes

	// Of the data component.
	SpaceType string // CYLINDER, TRACK, ...
	Primary   Number // in units of SpaceType
	Secondary Number
	Extents   Number // in total, as its statistics say
	CISize    Number
	Allocated Number // HI-A-RBA: bytes that are allocated
	Used      Number // HI-U-RBA: bytes up to the highest one in use
	Volumes   []Volume

	// Extended says EXTENDED: the format that extent constraint removal and
	// extended addressability need. Addressable says EXT-ADDR: it may be larger
	// than 4 GB.
	Extended, Addressable Answer
	// Constraint tells whether extent constraint removal is in force. The catalog
	// does not print it: yes where there are more extents than are possible
	// without it, or where the format has no room for it no; else not known.
	Constraint Answer

	ShareRegions, ShareSystems int // SHROPTNS; 0: not printed
	Line                       int
}

// Classes are the SMS classes; empty: not printed or none.
type Classes struct{ Storage, Management, Data string }

// Managed tells whether SMS manages the data set.
func (c Classes) Managed() bool { return c.Storage != "" }

// Volume is a volume of a data set.
type Volume struct {
	Serial  string
	Device  string // DEVTYPE, eight hexadecimal digits
	Flag    string // VOLFLAG: PRIME, CANDIDATE, OVERFLOW, ...
	Extents Number // on this volume (EXTENT-NUMBER)
	// Allocated and Used are the volume's own HI-A-RBA and HI-U-RBA.
	Allocated, Used Number
	Sequence        Number // FSEQN: the file's number on a tape
}

// Number is a number as printed. The zero value is not known.
type Number struct {
	Value int64
	Known bool
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

// Expiration is what a catalog says of the day from which on a data set may be
// deleted without PURGE. The zero value is not known.
type Expiration struct {
	Known bool
	Never bool      // 1999.365, 1999.366, 9999.nnn: not before an operator says so
	Day   time.Time // zero: none was given, 0000.000
}

// Error says in which line a listing can't be read, and why.
type Error struct {
	Line int // from 1
	Text string
}

// Error gives "line n: text".
func (e *Error) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Text }
