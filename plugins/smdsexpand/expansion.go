package smdsexpand

import (
	"strings"

	"github.com/mqhk/mqhk/core/idcams"
)

// When and by how much a queue manager expands a data set on its own (DEFINE
// CFSTRUCT, DSEXPAND; case 46).
const (
	expandsAt = 90 // per cent in use
	tenth     = 10 // without a secondary quantity it grows by one part in so many
)

// The units of space of a linear data set on a 3390: twelve control intervals of
// 4 KB on a track, fifteen tracks in a cylinder.
const (
	track    = 12 * 4096
	cylinder = 15 * track
)

// absurd is a size that no data set has: 16 TB are the most. What is printed larger
// is a slip, and not reckoned with.
const absurd = 1 << 50

// growth says by how much a data set expands. Sizes are bytes.
type growth struct {
	unit      int64 // sizes are multiples of it
	secondary int64 // 0: none, so that each step is a tenth of the size
}

// growthOf reads the secondary quantity of a catalog entry; false when it is not
// known.
func growthOf(c *idcams.Cluster) (growth, bool) {
	g := growth{unit: track}
	if c == nil || !c.Secondary.Known || c.Secondary.Value < 0 || c.Secondary.Value > absurd/cylinder {
		return g, false
	}
	switch kind := strings.ToUpper(c.SpaceType); {
	case strings.HasPrefix(kind, "CYL"):
		g.unit = cylinder
		g.secondary = c.Secondary.Value * cylinder
	case strings.HasPrefix(kind, "TRACK"), strings.HasPrefix(kind, "TRK"):
		g.secondary = c.Secondary.Value * track
	case strings.HasPrefix(kind, "MEG"):
		g.secondary = upTo(c.Secondary.Value<<20, track)
	case strings.HasPrefix(kind, "KILO"):
		g.secondary = upTo(c.Secondary.Value<<10, track)
	default:
		return g, c.Secondary.Value == 0
	}
	return g, true
}

// upTo rounds up to a multiple.
func upTo(bytes, unit int64) int64 { return (bytes + unit - 1) / unit * unit }

// step is what one expansion adds.
func (g growth) step(size int64) int64 {
	if g.secondary > 0 {
		return g.secondary
	}
	return max(upTo((size+tenth-1)/tenth, g.unit), g.unit)
}

// passes gives how many expansions a data set needs to grow past a size. A
// thousand cylinders with no secondary quantity need 17 to pass five thousand.
func (g growth) passes(size, wanted int64) int64 {
	if size > wanted {
		return 0
	}
	if g.secondary > 0 {
		return (wanted-size)/g.secondary + 1
	}
	var count int64
	for ; size <= wanted; count++ {
		size += g.step(size)
	}
	return count
}

// after gives the size after so many expansions, of which none is larger than
// most.
func (g growth) after(size, expansions, most int64) int64 {
	if g.secondary > 0 {
		if expansions > (most-size)/g.secondary {
			return max(size, most)
		}
		return size + expansions*g.secondary
	}
	for range expansions {
		next := size + g.step(size)
		if next > most {
			return max(size, most)
		}
		size = next
	}
	return size
}

// holds gives the least size at which so many bytes are less than the part from
// which on the data set expands.
func holds(bytes int64) int64 { return bytes/expandsAt*100 + bytes%expandsAt*100/expandsAt + 1 }
