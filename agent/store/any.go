package store

import (
	"context"
	"errors"
	"fmt"
)

// Any tells whether a store has a manifest of the queue manager, whatever
// became of the copy. A ledger that knows nothing of such a queue manager is
// not the one that it was saved under.
//
// One manifest that is read is a yes. What can't be read is an error where
// there is no such: it may be the only one.
func Any(ctx context.Context, stores []Store, queueManager string) (bool, error) {
	if queueManager == "" {
		return false, errors.New("manifests: of no queue manager")
	}
	var problems []error
	for _, s := range stores {
		for _, err := range s.List(ctx, queueManager) {
			if err == nil {
				return true, nil
			}
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return false, fmt.Errorf("manifests of %s: %w", queueManager, err)
	}
	return false, nil
}
