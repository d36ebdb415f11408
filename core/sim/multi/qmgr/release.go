package qmgr

import (
	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// What the table of log overhead has and the sizing of a log has no use for
// (SEED, table of 7.1.4; reference, Multiplatforms 4.4).
const (
	defineCosts = 1500
	deleteCosts = 300
	alterCosts  = 1024
)

// costsOf gives what operations take of the log at a release. All of it is
// approximate in every source.
func costsOf(o logsize.Overhead) engine.Costs {
	return engine.Costs{
		Put: int(o.Put), Part: int(o.PutSegment), Get: int(o.Get),
		Commit: int(o.Commit), Backout: int(o.Backout), BackoutEach: int(o.BackoutEach),
		Define: defineCosts, Delete: deleteCosts, Alter: alterCosts,
		Image: int(o.Image), ImagePart: int(o.ImageSegment),
		Checkpoint: int(o.Checkpoint), CheckpointUnit: int(o.ActiveUnit),
	}
}

// part and imagePart are the longest pieces of a message and of an image in one
// record: those of the release, or of which four fill an extent with little left
// of it.
func (m *Manager) part() int      { return int(min(m.overhead.Segment, m.quarter())) }
func (m *Manager) imagePart() int { return int(min(m.overhead.ImagePart, m.quarter())) }

// quarter is what of a message fits in a quarter of an extent.
func (m *Manager) quarter() int64 { return m.extentBytes()/4 - aroundPart }

// aroundPart is more than what the log adds to a piece: its overhead by the table,
// and the headers of its pages.
const aroundPart = 1 << 10

// extentBytes is how many bytes of records an extent takes.
func (m *Manager) extentBytes() int64 { return int64(m.conf().log.FilePages) * logsize.Page }

// hasManagement tells whether a release has LogManagement (9.0.2; reference,
// Multiplatforms 1.2).
func hasManagement(l level.Level) bool { return l.AtLeast(9, 0, 2) }
