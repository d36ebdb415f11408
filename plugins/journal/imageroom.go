package journal

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
)

// imageRoom is the room that images may fill. The system warns from 90 per cent
// on (CPF0907) and gets slow there; a full pool stops journaling, and IBM MQ
// with it (reference, IBM i 5, trap 20). So some of it is left free.
type imageRoom struct {
	observe.PoolSpace
	left int64 // bytes that stay free
}

// roomFor gives the room of which some per cent of the pool are left free.
func roomFor(space observe.PoolSpace, percent int64) imageRoom {
	return imageRoom{space, space.Size/100*percent + space.Size%100*percent/100}
}

func (r imageRoom) fits(load imageLoad) bool {
	return r.Unlimited || load.bytes <= r.Free-r.left
}

// String says it for people.
func (r imageRoom) String() string {
	if r.Unlimited {
		return "the pool has no limit"
	}
	return fmt.Sprintf("%s are free, %s of that are to stay free", sizeDown(r.Free), sizeUp(r.left))
}

// sizeDown writes bytes in the largest binary unit of which there is one, with
// one decimal, cut off: no more room is told than there is. sizeUp tells no
// less than is needed.
func sizeDown(bytes int64) string { return inUnits(bytes, 0) }

func sizeUp(bytes int64) string { return inUnits(bytes, 1) }

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
