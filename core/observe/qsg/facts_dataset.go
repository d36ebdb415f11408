package qsg

import (
	"strings"

	"github.com/mqhk/mqhk/core/idcams"
)

// DataSet is the shared message data set of one structure that one member owns.
type DataSet struct {
	Structure, Owner string

	// Name is the DSGROUP of the structure with the owner's name in it; empty:
	// not known.
	Name     string
	DSBufs   Number // of this data set; not known: DEFAULT, that of the structure
	DSExpand Flag   // of this data set; Unsaid: DEFAULT, that of the structure
	Status   Status
	Access   string // ENABLED, SUSPENDED, DISABLED

	Usage   SpaceUsage
	Buffers BufferUsage

	Connections []DataSetConnection // of the members that answered

	Catalog       *idcams.Cluster // nil: not asked, not answered, or not catalogued
	NotCatalogued bool            // the catalog says that it has no such entry
}

// Buffers gives the number of buffers that hold for the data set.
func (s Structure) Buffers(d DataSet) Number {
	if d.DSBufs.Known {
		return d.DSBufs
	}
	return s.Defined.DSBufs
}

// Expands tells whether the data set may expand by itself.
func (s Structure) Expands(d DataSet) Flag {
	if d.DSExpand != Unsaid {
		return d.DSExpand
	}
	return s.Defined.DSExpand
}

// SpaceUsage is the owner's row of CSQE280I (DISPLAY USAGE TYPE(SMDS)).
type SpaceUsage struct {
	Known    bool
	Messages Number // offloaded
	Total    Number // logical blocks, with those of the space map
	Data     Number // without them
	Used     Number // holding messages
	Part     Number // used, per cent
}

// BufferUsage is the owner's row of CSQE285I. It is of the statistics interval
// that runs.
type BufferUsage struct {
	Known      bool
	BlockBytes Number
	Total      Number
	InUse      Number
	Saved      Number // free, with data that may be read again
	Empty      Number
	ReadsSaved Number // per cent
	LowestFree Number // negative: so many waited (case 47)
	WaitRate   Number // per cent
}

// DataSetConnection is a member's connection to a data set (DISPLAY SMDSCONN):
// each member sees its own (trap 28).
type DataSetConnection struct {
	Viewer    string
	OpenMode  string // NONE, READONLY, UPDATE, RECOVERY
	Status    string // CLOSED, OPEN, ALLOCFAIL, ...
	Available string // NORMAL, ERROR, STOPPED
	Expansion string // NORMAL, FAILED, MAXIMUM
}

// dataSetName puts the owner into the generic name; empty when there is none.
// Exactly one asterisk stands for it (DEFINE CFSTRUCT, DSGROUP).
func dataSetName(group, owner string) string {
	if strings.Count(group, "*") != 1 || owner == "" {
		return ""
	}
	return strings.Replace(group, "*", owner, 1)
}
