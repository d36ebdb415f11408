package run

import (
	"context"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
)

// Knowledge answers what only the host knows: STORE from the stores' manifests,
// HOLD, NOTE and HISTORY from the ledger. What there is neither of is no rows.
type Knowledge struct {
	Ledger *ledger.Ledger // nil: there is none
	Stores map[string]store.Store
}

// Ask answers a question in one of the host's languages; any other is
// observe.NotAnswered.
func (k Knowledge) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	switch {
	case q.Language == observe.Store:
		stores := make([]store.Store, 0, len(k.Stores))
		for _, name := range slices.Sorted(maps.Keys(k.Stores)) {
			stores = append(stores, k.Stores[name])
		}
		body, err := store.Manifests(ctx, stores, q.QueueManager)
		if err != nil {
			return observe.Answer{Body: body}, &observe.Failed{Question: q, Body: []byte(err.Error())}
		}
		return observe.Answer{Body: body}, nil
	case !q.Language.OfHost():
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	case k.Ledger == nil:
		return observe.Answer{}, nil
	default:
		return k.Ledger.Ask(ctx, q)
	}
}
