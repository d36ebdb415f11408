package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// history drives an engine and the model side by side.
type history struct {
	*estate

	rt      *rapid.T
	model   model
	made    int // messages
	units   map[uint64]*Unit
	damaged map[string]bool
}

var modelQueues = []string{"A", "B", "C"}

func newHistory(t *testing.T, rt *rapid.T) *history {
	h := &history{
		estate: newHistoryEstate(t, rt), rt: rt, units: map[uint64]*Unit{}, damaged: map[string]bool{},
		model: model{queues: map[string][]modelMessage{}, units: map[uint64]bool{}, kept: map[string]string{}},
	}
	h.opts.Threshold = rapid.SampledFrom([]int64{0, 1000, 5000}).Draw(rt, "threshold")
	h.e.opts.Threshold = h.opts.Threshold
	h.define(modelQueues...)
	for _, q := range modelQueues {
		h.model.queues[q] = nil
	}
	return h
}

func (h *history) fail(format string, args ...any) {
	h.rt.Helper()
	h.rt.Fatalf(format, args...)
}

func (h *history) queue() string { return rapid.SampledFrom(modelQueues).Draw(h.rt, "queue") }

// work draws an open unit of work, sometimes none and sometimes a new one.
func (h *history) work() (*Unit, uint64) {
	ids := []uint64{0, 1 << 62}
	for _, id := range slices.Sorted(maps.Keys(h.model.units)) {
		if !h.model.units[id] {
			ids = append(ids, id)
		}
	}
	id := rapid.SampledFrom(ids).Draw(h.rt, "unit of work")
	if id == 1<<62 {
		u, err := h.e.Begin()
		if err != nil {
			h.fail("begin: %v", err)
		}
		id = u.ID()
		h.units[id], h.model.units[id] = u, false
	}
	return h.units[id], id
}

func (h *history) put() {
	name := h.queue()
	u, id := h.work()
	h.made++
	body := fmt.Sprint(h.made)
	if rapid.IntRange(0, 4).Draw(h.rt, "long") == 0 {
		body += strings.Repeat(".", rapid.IntRange(0, 6000).Draw(h.rt, "length"))
	}
	m := Message{Priority: rapid.SampledFrom([]int{0, 0, 4, 9}).Draw(h.rt, "priority"), Persistent: rapid.IntRange(0, 3).Draw(h.rt, "persistent") > 0, Body: []byte(body)}
	var err error
	if u == nil {
		_, err = h.e.Put(h.t.Context(), name, m)
	} else {
		_, err = u.Put(h.t.Context(), name, m)
	}
	if h.refused(name, err) {
		return
	}
	h.model.queues[name] = append(h.model.queues[name], modelMessage{body: body, priority: m.Priority, persistent: m.Persistent, put: id})
}

// refused tells that a damaged queue refused, as it must.
func (h *history) refused(name string, err error) bool {
	if h.damaged[name] != errors.Is(err, ErrDamaged) || err != nil && !h.damaged[name] {
		h.fail("%s, damaged %v: %v", name, h.damaged[name], err)
	}
	return h.damaged[name]
}

func (h *history) get() {
	name := h.queue()
	u, id := h.work()
	var m Message
	var err error
	if u == nil {
		m, err = h.e.Get(h.t.Context(), name)
	} else {
		m, err = u.Get(h.t.Context(), name)
	}
	want := h.model.visible(name, id)
	if len(want) == 0 && !h.damaged[name] {
		if !errors.Is(err, ErrNoMessage) {
			h.fail("got %q from an empty queue, %v", m.Body, err)
		}
		return
	}
	if h.refused(name, err) {
		return
	}
	if string(m.Body) != want[0] {
		h.fail("got %q from %s, want %q", m.Body, name, want[0])
	}
	i := slices.IndexFunc(h.model.queues[name], func(msg modelMessage) bool { return msg.body == want[0] })
	if u == nil {
		h.model.queues[name] = slices.Delete(h.model.queues[name], i, i+1)
	} else {
		h.model.queues[name][i].got = id
	}
}

// endUnit commits, backs out or prepares; the power may fail meanwhile.
func (h *history) endUnit() {
	ids := slices.Sorted(maps.Keys(h.model.units))
	if len(ids) == 0 {
		return
	}
	id := rapid.SampledFrom(ids).Draw(h.rt, "unit of work")
	u := h.units[id]
	how := rapid.SampledFrom([]string{"commit", "commit", "back out", "prepare", "back out by the queue manager"}).Draw(h.rt, "end")
	if how != "commit" && how != "back out" && h.model.units[id] {
		return
	}
	after := h.model.clone()
	h.failing(after, func() error {
		switch how {
		case "commit":
			after.end(id, true)
			return u.Commit(h.t.Context())
		case "back out":
			after.end(id, false)
			return u.Backout(h.t.Context())
		case "back out by the queue manager":
			after.end(id, false)
			return h.backOut(u)
		}
		after.units[id] = true
		return u.Prepare(h.t.Context(), []byte{byte(id)})
	})
}

// differs compares the engine with the model.
func (h *history) differs() string {
	for _, q := range modelQueues {
		if h.damaged[q] {
			continue
		}
		var got []string
		err := h.e.Browse(q, func(m Message) bool { got = append(got, string(m.Body)); return true })
		if want := h.model.visible(q, 0); err != nil || !slices.Equal(got, want) {
			return fmt.Sprintf("on %s: %.60q, want %.60q, %v", q, got, want, err)
		}
	}
	if bad := h.miscounts(); bad != "" {
		return bad
	}
	kept := map[string]string{}
	for key, value := range h.e.Kept() {
		kept[key] = string(value)
	}
	if !maps.Equal(kept, h.model.kept) {
		return fmt.Sprintf("kept %q, want %q", kept, h.model.kept)
	}
	for _, u := range h.e.Units() {
		if prepared, ok := h.model.units[u.ID]; !ok || prepared != u.Prepared {
			return fmt.Sprintf("unit of work %+v", u)
		}
	}
	if got, want := len(h.e.Units()), len(h.model.units); got != want {
		return fmt.Sprintf("%d units of work, want %d", got, want)
	}
	return ""
}

// miscounts compares what an end would take.
func (h *history) miscounts() string {
	for _, q := range modelQueues {
		want := 0
		for _, m := range h.model.queues[q] {
			if !m.persistent && m.put == 0 {
				want++
			}
		}
		o, err := h.e.Object(Ref{Queue, q})
		if err != nil || !o.Damaged && o.NonPersistent != want {
			return fmt.Sprintf("%s has %d messages that are not persistent, want %d, %v", q, o.NonPersistent, want, err)
		}
	}
	return ""
}

func (h *history) clear() {
	name := h.queue()
	if h.damaged[name] {
		return
	}
	busy := slices.ContainsFunc(h.model.queues[name], func(m modelMessage) bool { return m.put != 0 || m.got != 0 })
	err := h.e.Clear(h.t.Context(), name)
	if busy != errors.Is(err, ErrInUse) || !busy && err != nil {
		h.fail("clearing %s, in use %v: %v", name, busy, err)
	}
	if !busy {
		h.model.queues[name] = nil
	}
}

func (h *history) checkpoint() {
	h.failing(h.model.clone(), func() error { _, err := h.e.Checkpoint(h.t.Context()); return err })
}

func (h *history) image() {
	name := h.queue()
	if h.damaged[name] {
		return
	}
	h.failing(h.model.clone(), func() error { return h.e.Image(h.t.Context(), Ref{Queue, name}) })
}

func (h *history) damage() {
	name := h.queue()
	if h.damaged[name] {
		return
	}
	if err := h.e.Damage(h.t.Context(), Ref{Queue, name}); err != nil {
		h.fail("damage: %v", err)
	}
	h.damaged[name] = true
	h.model.forget(name)
}

func (h *history) rebuild() {
	name := h.queue()
	did := false
	h.failing(h.model.clone(), func() (err error) {
		did, err = h.e.Rebuild(h.t.Context(), Ref{Queue, name})
		if did && err == nil {
			h.damaged[name] = false
		}
		return err
	})
}

func (h *history) endCleanly() {
	if err := h.e.End(h.t.Context()); err != nil {
		h.fail("end: %v", err)
	}
	h.up(h.model)
}

// Every committed persistent message is there exactly once and in its order,
// nothing uncommitted leaves a trace, prepared units of work stay in doubt,
// messages that are not persistent are gone: after crashes at any point, with
// every segment removed that the marks do not ask for.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHistory(t, rt)
		rt.Repeat(map[string]func(*rapid.T){
			"put":        func(*rapid.T) { h.put() },
			"put again":  func(*rapid.T) { h.put() },
			"get":        func(*rapid.T) { h.get() },
			"end":        func(*rapid.T) { h.endUnit() },
			"clear":      func(*rapid.T) { h.clear() },
			"checkpoint": func(*rapid.T) { h.checkpoint() },
			"image":      func(*rapid.T) { h.image() },
			"damage":     func(*rapid.T) { h.damage() },
			"rebuild":    func(*rapid.T) { h.rebuild() },
			"prune":      func(*rapid.T) { h.prune() },
			"crash":      func(*rapid.T) { h.fall(h.model) },
			"clean end":  func(*rapid.T) { h.endCleanly() },
			"suspend":    func(*rapid.T) { h.suspend() },
			"put alone":  func(*rapid.T) { h.putAlone() },
			"keep":       func(*rapid.T) { h.keep() },
			"break":      func(*rapid.T) { h.breakFile() },
			"": func(rt *rapid.T) {
				h.rt = rt
				if bad := h.differs(); bad != "" {
					rt.Fatal(bad)
				}
			},
		})
	})
}
