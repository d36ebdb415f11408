package qmgr

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// The client channel definition table, @ipcc/AMQCLCHL.TAB, holds the client-
// connection channels for clients that copy it. It is made of the objects, so
// that no log is needed to make it anew (reference, Multiplatforms 3.4 item 68).
// Its file is that of an object of the engine, which sees when it is damaged;
// what stands in it is the simulator's own, in place of IBM's binary form.

// tabulated is what follows a change of an object: the table holds it from now
// on.
func (m *Manager) tabulated(ctx context.Context, e *engine.Engine, ref engine.Ref) error {
	if ref.Kind != objects.ClientChannel {
		return nil
	}
	return m.keepTable(ctx, e)
}

// tableNeeds is for [Manager.tabulated].
func (m *Manager) tableNeeds(ref engine.Ref, attributes map[string]string) int64 {
	if ref.Kind != objects.ClientChannel {
		return 0
	}
	return attributesNeed(m.costs.Define+m.costs.Alter, tableOf(m.Objects())) + attributesNeed(len(ref.Name), attributes)
}

// keepTable makes the table hold the channels that there are, and its file too.
// A damaged one stays so until rcrmqobj.
func (m *Manager) keepTable(ctx context.Context, e *engine.Engine) error {
	m.tabling.Lock()
	defer m.tabling.Unlock()
	want := tableOf(e.Objects())
	o, err := e.Object(channelTable)
	switch {
	case errors.Is(err, engine.ErrNoObject): // a crash came between rcrmqobj and its end
		err = e.Define(ctx, channelTable, want)
	case err == nil && !o.Damaged && !maps.Equal(o.Attributes, want):
		err = e.Alter(ctx, channelTable, want)
	}
	if err == nil {
		err = e.Harden(ctx, channelTable)
	}
	if errors.Is(err, engine.ErrDamaged) {
		m.noticeDamage(e)
		return nil
	}
	if err != nil {
		return fmt.Errorf("making the client channel definition table: %w", err)
	}
	return nil
}

// tableOf gives what the table holds of the channels among some objects: of each
// its attributes as MQSC has them, by its name. When it was altered is nothing
// to a client.
func tableOf(all []engine.Object) map[string]string {
	table := map[string]string{}
	for _, o := range all {
		if o.Ref.Kind != objects.ClientChannel || o.Damaged {
			continue
		}
		var words []string
		for _, name := range slices.Sorted(maps.Keys(o.Attributes)) {
			if name == "ALTDATE" || name == "ALTTIME" {
				continue
			}
			words = append(words, name+"('"+strings.ReplaceAll(o.Attributes[name], "'", "''")+"')")
		}
		table[o.Ref.Name] = strings.Join(words, " ")
	}
	return table
}
