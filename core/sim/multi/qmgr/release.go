package qmgr

import (
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// overhead is what operations take of the log, from a release on (SEED, table
// of 7.1.4; reference, Multiplatforms 4.4). All of it is approximate there.
type overhead struct {
	since level.Level
	// segment is the longest piece of a message in one record.
	segment int
	costs   engine.Costs
}

// overheads are in the order of releases. The longer segments of 9.x are not
// verified; the rest is the same in all sources.
var overheads = []overhead{
	{level.Level{Version: 5}, 15_700, seedCosts},
	{level.Level{Version: 9}, 261_844, seedCosts},
}

var seedCosts = engine.Costs{
	Put: 750, Part: 300, Get: 260, Commit: 750, Backout: 1000, BackoutEach: 12,
	Define: 1500, Delete: 300, Alter: 1024, Image: 800, ImagePart: 300,
	Checkpoint: 750, CheckpointUnit: 200,
}

// imageSegment is the longest piece of an image in one record.
const imageSegment = 260_000

// overheadOf gives the row for a release.
func overheadOf(release level.Level) overhead {
	found := overheads[0]
	for _, o := range overheads {
		if release.AtLeast(o.since.Version, o.since.Release, o.since.Modification) {
			found = o
		}
	}
	return found
}

// partFor gives the longest piece for extents of a size: a record has to fit
// in one, with room for others.
func (o overhead) partFor(extent int64) int {
	return int(min(int64(o.segment), extent/4))
}

// hasManagement tells whether a release has LogManagement (9.0.2; reference,
// Multiplatforms 1.2).
func hasManagement(l level.Level) bool { return l.AtLeast(9, 0, 2) }
