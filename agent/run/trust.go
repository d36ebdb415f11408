package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
)

// ledgerFindings says why the ledger can't be trusted with a target: its
// holds, its notes and what earlier runs saw may not be those of the site. It
// is asked where the host itself keeps the stores.
func (r *planner) ledgerFindings(ctx context.Context, j job) ([]finding.Finding, error) {
	if !r.Gate.Hosted(j.target) {
		return nil, nil
	}
	if r.Ledger != nil {
		err := r.Ledger.CheckHead(ctx)
		if errors.As(err, new(*ledger.Broken)) {
			return []finding.Finding{finding.New(finding.LedgerBroken, "%s: %v", j.target.Name, err)}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	strangers, err := Strangers(ctx, r.Ledger, r.Keepers, j.target.Name)
	if err != nil || len(strangers) == 0 {
		return nil, err
	}
	return []finding.Finding{finding.New(finding.LedgerEmpty,
		"%s: a store holds %ss of it that were saved by %s", j.target.Name, j.target.Platform.Piece(), unknownRuns(strangers))}, nil
}

func unknownRuns(strangers []string) string {
	if len(strangers) == 1 {
		return "a run which the ledger does not know, " + strangers[0]
	}
	return fmt.Sprintf("%d runs which the ledger does not know, among them %s", len(strangers), strangers[0])
}

// Strangers gives the runs that saved segments of a queue manager, of all when
// none is named, and that the ledger does not know, but for those from before a
// person accepted it. Without a ledger nobody knows any. A store that can't be
// read is passed over: the question STORE fails for it, which keeps everything.
func Strangers(ctx context.Context, l *ledger.Ledger, keepers map[string]store.Store, queueManager string) ([]string, error) {
	saved, err := savers(ctx, keepers, queueManager)
	if err != nil || len(saved) == 0 {
		return nil, err
	}
	var accepted time.Time
	if l != nil {
		if accepted, err = l.Accepted(ctx); err != nil {
			return nil, err
		}
	}
	var unknown []string
	for _, run := range slices.Sorted(maps.Keys(saved)) {
		known := saved[run].Before(accepted)
		if l != nil && !known {
			if known, err = l.Begun(ctx, run); err != nil {
				return nil, err
			}
		}
		if !known {
			unknown = append(unknown, run)
		}
	}
	return unknown, nil
}

// savers gives the runs that saved segments of a queue manager, and when the
// last of each was saved.
func savers(ctx context.Context, keepers map[string]store.Store, queueManager string) (map[string]time.Time, error) {
	saved := make(map[string]time.Time)
	for name, keeper := range keepers {
		catalogue, ok := keeper.(store.Catalogue)
		if !ok {
			continue
		}
		for entry, err := range catalogue.Entries(ctx, queueManager) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				continue
			}
			run := entry.Manifest.Run
			if run == "" {
				run = fmt.Sprintf("(not named, in store %s)", name)
			}
			if entry.Manifest.Made.After(saved[run]) {
				saved[run] = entry.Manifest.Made
			}
		}
	}
	return saved, nil
}
