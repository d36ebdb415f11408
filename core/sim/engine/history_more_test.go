package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// folders lays the files of a queue manager out as Multiplatforms does.
type folders struct{}

func (folders) Object(r Ref) string {
	if r.Kind == Queue {
		return "queues/" + r.Name + "/q"
	}
	return string(r.Kind) + "/" + r.Name
}

func (folders) Control() string { return "checkpoint.fil" }

func (folders) Folders() []string { return []string{"queues", "channel", "queue-manager", "errors"} }

// seedCosts are the log overhead of the seed's table.
var seedCosts = Costs{
	Put: 750, Get: 260, Commit: 750, Backout: 1000, BackoutEach: 12, Define: 1500, Delete: 300, Alter: 1024,
	Image: 800, Checkpoint: 750, CheckpointUnit: 200, Part: 300, ImagePart: 300,
}

// newHistoryEstate draws how the log is written and where files are.
func newHistoryEstate(t *testing.T, rt *rapid.T) *estate {
	parts, size := rapid.Bool().Draw(rt, "parts"), int64(16<<10)
	if parts {
		size = rapid.SampledFrom([]int64{6 << 10, size}).Draw(rt, "size of segments")
	}
	return newEstateWith(t, size, func(o *Options) {
		if parts {
			o.Part = rapid.IntRange(500, 3000).Draw(rt, "part")
			o.ImagePart = rapid.SampledFrom([]int{0, 5000}).Draw(rt, "part of an image")
		}
		if rapid.Bool().Draw(rt, "costs") {
			o.Costs = &seedCosts
		}
		if rapid.Bool().Draw(rt, "folders") {
			o.Files = folders{}
		}
		o.Detail = rapid.Bool().Draw(rt, "detail")
	})
}

// otherWriting has the log written in another way from the next start on.
func (h *history) otherWriting() {
	h.opts.Detail = rapid.Bool().Draw(h.rt, "detail")
	h.opts.Costs = nil
	if rapid.Bool().Draw(h.rt, "costs") {
		h.opts.Costs = &seedCosts
	}
}

// backOut has the queue manager back out a unit of work. Its application may
// hear of it now or never.
func (h *history) backOut(u *Unit) error {
	if err := h.e.BackOut(h.t.Context(), u.ID()); err != nil {
		return err
	}
	if rapid.Bool().Draw(h.rt, "told") {
		if err := u.Commit(h.t.Context()); !errors.Is(err, ErrBackedOut) {
			h.fail("committing what was backed out: %v", err)
		}
	}
	return nil
}

// putAlone puts a long message outside a unit of work; the power may fail
// between its parts.
func (h *history) putAlone() {
	name := h.queue()
	if h.damaged[name] {
		return
	}
	h.made++
	body := fmt.Sprint(h.made) + strings.Repeat(".", rapid.IntRange(0, 8000).Draw(h.rt, "length"))
	after := h.model.clone()
	after.queues[name] = append(after.queues[name], modelMessage{body: body, persistent: true})
	h.failing(after, func() error {
		_, err := h.e.Put(h.t.Context(), name, Message{Persistent: true, Body: []byte(body)})
		return err
	})
}

func (h *history) keep() {
	after := h.model.clone()
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(h.rt, "key")
	h.made++
	value := fmt.Sprint(h.made)
	drop := rapid.Bool().Draw(h.rt, "drop")
	h.failing(after, func() error {
		if drop {
			delete(after.kept, key)
			return h.e.Drop(h.t.Context(), key)
		}
		after.kept[key] = value
		return h.e.Keep(h.t.Context(), key, []byte(value))
	})
}

// breakFile takes the file of a queue away, or a byte of it, and has the queue
// manager look.
func (h *history) breakFile() {
	name := h.queue()
	o, err := h.e.Object(Ref{Queue, name})
	if err != nil || o.Damaged || o.Hardened == 0 {
		return
	}
	file := h.e.store.path(h.e.store.object(o.Ref))
	matters := true
	if rapid.Bool().Draw(h.rt, "removed") {
		h.must(h.disk.Remove(file))
	} else {
		b, err := h.disk.Contents(file)
		h.must(err)
		at := rapid.IntRange(0, len(b)-1).Draw(h.rt, "byte")
		b[at] ^= 1
		h.disk.Put(file, b)
		// What a torn batch left behind the end counts for nothing.
		matters = int64(at) < h.e.objects[o.Ref].file.size
	}
	switch err := h.e.Verify(h.t.Context(), o.Ref); {
	case errors.Is(err, ErrDamaged):
		h.damaged[name] = true
		h.model.forget(name)
	case err != nil || matters:
		h.fail("verify: %v", err)
	}
}

// prune removes every segment that the marks do not ask for, file and all.
func (h *history) prune() {
	m := h.e.Status().Marks
	from := m.Restart.older(m.Media).LSN
	for len(h.own.list) > 1 && h.own.list[1].Start != 0 && h.own.list[1].Start <= from {
		if err := h.disk.Remove(h.own.list[0].Name); err != nil {
			h.fail("%v", err)
		}
		h.own.list = h.own.list[1:]
	}
}
