package points

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
)

// Room is the room that images may fill. A full disk stops the log, and IBM MQ
// with it: on IBM i the system warns from 90 per cent on (CPF0907) and gets
// slow there (reference, IBM i 5, trap 20); on Multiplatforms the next extent
// can't be formatted (AMQ6708). So some of it is left free.
type Room struct {
	observe.PoolSpace
	left int64 // bytes that stay free
}

// RoomIn gives the room of which some per cent of the whole are left free.
func RoomIn(space observe.PoolSpace, percent int64) Room {
	return Room{space, space.Size/100*percent + space.Size%100*percent/100}
}

// Fits tells whether there is room for all that images may write.
func (r Room) Fits(load Load) bool {
	return r.Unlimited || load.Bytes <= r.Free-r.left
}

// String says it for people.
func (r Room) String() string {
	if r.Unlimited {
		return "the pool has no limit"
	}
	return fmt.Sprintf("%s are free, %s of that are to stay free", SizeDown(r.Free), SizeUp(r.left))
}

// SizeDown writes bytes in the largest binary unit of which there is one, with
// one decimal, cut off: no more room is told than there is.
func SizeDown(bytes int64) string { return inUnits(bytes, 0) }

// SizeUp likewise, rounded up: no less is told than is needed.
func SizeUp(bytes int64) string { return inUnits(bytes, 1) }

func inUnits(bytes int64, up int64) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	unit := 0
	for unit+1 < len(units) && bytes>>(10*(unit+2)) > 0 {
		unit++
	}
	base := int64(1) << (10 * (unit + 1))
	tenths := bytes / base * 10
	rest := bytes % base * 10
	tenths += rest / base
	if rest%base > 0 {
		tenths += up
	}
	return fmt.Sprintf("%d.%d %s", tenths/10, tenths%10, units[unit])
}
