package store

import (
	"context"
	"testing"
)

// Any manifest is a yes, whatever became of the copy; what can't be read is an
// error only where no other speaks.
func TestAny(t *testing.T) {
	d, empty := newStore(t), newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	remove(t, filesOf(t, d, "*.segment")[0])
	stores := []Store{NewExternal("brms"), empty, d}
	for name, test := range map[string]struct {
		stores       []Store
		queueManager string
		want         bool
	}{
		"its copy is gone":      {stores, "ORDERS", true},
		"another queue manager": {stores, "PAYROLL", false},
		"other stores":          {stores[:2], "ORDERS", false},
		"no store":              {nil, "ORDERS", false},
	} {
		if got, err := Any(t.Context(), test.stores, test.queueManager); got != test.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := Any(t.Context(), stores, ""); err == nil {
		t.Error("manifests of no queue manager")
	}

	edit(t, filesOf(t, d, "*.json")[0], flip)
	got, err := Any(t.Context(), stores, "ORDERS")
	if is(t, err, ErrManifest); got {
		t.Error("a manifest that can't be read was read")
	}
	put(t, empty, receiver("AMQA000008"), facts(), []byte("content"))
	if got, err := Any(t.Context(), []Store{d, empty}, "ORDERS"); !got || err != nil {
		t.Errorf("beside one that can't be read: %v, %v", got, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Any(ctx, []Store{empty}, "ORDERS")
	is(t, err, context.Canceled)
}
