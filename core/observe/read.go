package observe

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/recovery"
)

// Observable tells whether the log of a target can be read here: what may go
// there can be judged.
func Observable(target Target) bool {
	return target.Platform == IBMi || target.Platform == Multiplatforms
}

// Read asks for the log of one queue manager, whatever its platform:
// [ReadJournal], [ReadExtents]. Of a target that is not [Observable] it is an
// error.
func Read(ctx context.Context, asker Asker, target Target) (recovery.Inventory, error) {
	switch target.Platform {
	case IBMi:
		facts, err := ReadJournal(ctx, asker, target)
		return facts.Inventory, err
	case Multiplatforms:
		facts, err := ReadExtents(ctx, asker, target)
		return facts.Inventory, err
	default:
		return recovery.Inventory{}, fmt.Errorf("target %s: nobody can read a log on %s yet", target, target.Platform)
	}
}
