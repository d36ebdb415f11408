package qmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// history is a queue manager and its model.
type history struct {
	*station
	r     *rapid.T
	model *model
	// before is the model as it was before the step that goes on.
	before *model
	house  bool // a housekeeper removes what neither watermark needs
	kind   extents.Kind
}

var historyQueues = []string{"A", "B"}

func (h *history) begin() {
	h.start()
	h.define(historyQueues...)
	h.model = &model{queues: map[string][]item{}, units: map[uint64]*Unit{}, prepared: map[uint64]bool{}}
}

// body draws a message: short, or longer than a piece.
func (h *history) body() string {
	h.model.made++
	n := rapid.SampledFrom([]int{10, 3000, 20_000, 70_000}).Draw(h.r, "bytes")
	return fmt.Sprintf("%d:%s", h.model.made, strings.Repeat("m", n))
}

// open gives the units of work that take work.
func (h *history) open() []uint64 {
	var ids []uint64
	for id := range h.model.units {
		if !h.model.prepared[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// unit draws one that is open, begins one, or draws none (0).
func (h *history) unit() uint64 {
	ids := h.open()
	switch n := rapid.IntRange(0, 4).Draw(h.r, "unit"); {
	case n < 2:
		return 0
	case n == 2 && len(ids) < 3 || len(ids) == 0:
		u, err := h.m.Begin("APP")
		if err != nil {
			return 0
		}
		h.model.units[u.Number()] = u
		return u.Number()
	}
	return rapid.SampledFrom(ids).Draw(h.r, "which")
}

// lost takes note of a unit of work that was rolled back because the log was
// full: 2003.
func (h *history) lost(unit uint64, err error) bool {
	if unit == 0 || !errors.Is(err, engine.ErrBackedOut) {
		return false
	}
	_ = h.model.units[unit].Backout(h.ctx)
	h.model.end(unit, false)
	delete(h.model.units, unit)
	return true
}

func (h *history) put() error {
	queue, unit, body := rapid.SampledFrom(historyQueues).Draw(h.r, "queue"), h.unit(), h.body()
	var err error
	i := item{body: body, put: unit}
	h.model.queues[queue] = append(h.model.queues[queue], i)
	if unit == 0 {
		_, err = h.m.Put(h.ctx, queue, text(body))
	} else {
		_, err = h.model.units[unit].Put(h.ctx, queue, text(body))
	}
	h.sync()
	if err != nil && (h.lost(unit, err) || Reason(err) == ResourceProblem) {
		h.model.queues[queue] = slices.DeleteFunc(h.model.queues[queue], func(i item) bool { return i.body == body })
		return nil
	}
	return err
}

// sync takes note of the units of work that were rolled back because the log
// was full, before their applications hear of it.
func (h *history) sync() {
	e := h.m.Engine()
	if e == nil {
		return
	}
	there := map[uint64]bool{}
	for _, u := range e.Units() {
		there[u.ID] = true
	}
	for id := range h.model.units {
		if !there[id] {
			h.model.end(id, false)
		}
	}
}

func (h *history) get() error {
	queue, unit := rapid.SampledFrom(historyQueues).Draw(h.r, "queue"), h.unit()
	var msg engine.Message
	var err error
	if unit == 0 {
		msg, err = h.m.Get(h.ctx, queue)
	} else {
		msg, err = h.model.units[unit].Get(h.ctx, queue)
	}
	h.sync()
	items := h.model.queues[queue]
	at := slices.IndexFunc(items, func(i item) bool { return i.got == 0 && (i.put == 0 || i.put == unit) })
	switch {
	case h.lost(unit, err), Reason(err) == ResourceProblem:
		return nil
	case errors.Is(err, engine.ErrNoMessage) && at < 0, at < 0 && err != nil:
		return ignore(err, engine.ErrNoMessage)
	case err == nil && (at < 0 || string(msg.Body) != items[at].body):
		h.Fatalf("got %.20q, wanted the one at %d of %.20q", msg.Body, at, heads(h.model.visible(queue)))
	}
	if unit == 0 {
		h.model.queues[queue] = slices.Delete(slices.Clone(items), at, at+1)
	} else {
		items[at].got = unit
	}
	return err
}

// ignore makes one error none.
func ignore(err, which error) error {
	if errors.Is(err, which) {
		return nil
	}
	return err
}

// finish ends a unit of work, or prepares it.
func (h *history) finish() error {
	ids := slices.Sorted(func(yield func(uint64) bool) {
		for id := range h.model.units {
			if !yield(id) {
				return
			}
		}
	})
	if len(ids) == 0 {
		return nil
	}
	id := rapid.SampledFrom(ids).Draw(h.r, "which")
	u := h.model.units[id]
	how := rapid.IntRange(0, 3).Draw(h.r, "how")
	if how == 3 && !h.model.prepared[id] && len(h.model.prepared) == 0 {
		h.model.prepared[id] = true
		err := u.Prepare(h.ctx, fmt.Appendf(nil, "other %d", id))
		if err != nil && Reason(err) == ResourceProblem {
			delete(h.model.prepared, id)
			return nil
		}
		h.sync()
		if h.lost(id, err) {
			delete(h.model.prepared, id)
			return nil
		}
		return err
	}
	commit := how != 0
	h.model.end(id, commit)
	delete(h.model.units, id)
	var err error
	if commit {
		err = u.Commit(h.ctx)
	} else {
		err = u.Backout(h.ctx)
	}
	if errors.Is(err, engine.ErrBackedOut) {
		h.model = h.before.clone()
		h.model.end(id, false)
		delete(h.model.units, id)
		return nil
	}
	return err
}

// keep is what a housekeeper and the administrator do.
func (h *history) keep() error {
	h.clock.advance(40 * 60e9)
	var err error
	switch rapid.IntRange(0, 2).Draw(h.r, "keeping") {
	case 0:
		err = h.m.Tick(h.ctx)
	case 1:
		err = h.m.Checkpoint(h.ctx)
	default:
		if h.kind == extents.Linear {
			_, err = h.m.Image(h.ctx, Selection{"queue", "*"})
		}
	}
	h.sync()
	if err != nil && Reason(err) == ResourceProblem {
		return nil
	}
	if err == nil && h.house {
		err = h.clean()
	}
	return err
}

// clean removes the extents that are older than both watermarks, or reports
// them as archived: what a conservative housekeeper does.
func (h *history) clean() error {
	s := h.m.Status()
	_, keep, err := observe.ParseExtent(s.RecLog)
	if err != nil {
		return fmt.Errorf("%+v, points %+v: %w", s, h.m.view(), err)
	}
	if _, media, err := observe.ParseExtent(s.MediaLog); err == nil && observe.ExtentDistance(media, keep) > 0 {
		keep = media
	}
	for _, name := range h.extentNames() {
		kind, number, err := observe.ParseExtent(name)
		if err != nil || kind != observe.LogExtent || observe.ExtentDistance(number, keep) <= 0 {
			continue
		}
		if h.m.conf().log.Management == extents.Archive {
			err = h.m.SetArchived(name)
			if errors.Is(err, extents.ErrNotFound) {
				err = nil
			}
		} else if h.m.conf().log.Management == extents.Manual {
			err = h.site.Disk.Remove(path.Join(h.m.LogDir(), "active", name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step does something; the error is that of a disk without power.
func (h *history) step() error {
	h.before = h.model.clone()
	switch n := rapid.IntRange(0, 19).Draw(h.r, "step"); {
	case n < 9:
		return h.put()
	case n < 13:
		return h.get()
	case n < 17:
		return h.finish()
	case n < 18:
		return h.pause()
	}
	return h.keep()
}

// pause ends the queue manager and starts it, or suspends and resumes it.
func (h *history) pause() error {
	if rapid.Bool().Draw(h.r, "suspend") {
		if err := h.m.Suspend(h.ctx); err != nil {
			return err
		}
		if err := h.m.Resume(h.ctx); err != nil {
			return err
		}
		for id := range h.model.units {
			u, err := h.m.Unit(id)
			if err != nil {
				h.Fatalf("unit of work %d after a suspension: %v", id, err)
			}
			h.model.units[id] = u
		}
		return nil
	}
	err := h.m.End(h.ctx, EndOptions{Immediate: true})
	if err != nil && !errors.Is(err, extents.ErrFull) {
		return err
	}
	h.model.crashed()
	h.model.units = map[uint64]*Unit{}
	if _, err = h.m.Start(h.ctx); err != nil {
		return err
	}
	for id := range h.model.prepared {
		h.model.units[id], _ = h.m.Unit(id)
	}
	return nil
}

// fall lets the power fail, and brings everything up again.
func (h *history) fall(seed uint64) {
	h.crash.Fault(nil)
	if h.m.Engine() != nil {
		_ = h.m.Crash()
	}
	h.crash.CrashScattered(rand.New(rand.NewPCG(seed, 1)))
	h.rise()
	h.model.crashed()
	h.before.crashed()
	h.model.units, h.before.units = map[uint64]*Unit{}, map[uint64]*Unit{}
	if !h.same(h.model) || !h.prepared(h.model) {
		if !h.same(h.before) || !h.prepared(h.before) {
			for _, q := range historyQueues {
				h.Logf("%s: %.30q; the model %.30q; before the last step %.30q", q, heads(h.bodies(q)), heads(h.model.visible(q)), heads(h.before.visible(q)))
			}
			h.Fatal("what was acknowledged is not what is there")
		}
		h.model = h.before
	}
	for id := range h.model.prepared {
		h.model.units[id], _ = h.m.Unit(id) // one without changes need not be there
	}
}

// rise starts the queue manager; the power may fail once more while it does.
func (h *history) rise() {
	for dies := rapid.IntRange(-100, 100).Draw(h.r, "dies in the start after"); ; dies = -1 {
		h.reopen()
		if h.m.Suspended() {
			h.must(h.m.Crash())
		}
		if dies < 0 {
			h.start()
			return
		}
		h.crash.Fault(crashdisk.FailAfter(dies, crashdisk.ErrPower))
		_, err := h.m.Start(h.ctx)
		h.crash.Fault(nil)
		if err == nil {
			return
		}
		h.refuses(err, crashdisk.ErrPower)
		h.crash.Crash()
	}
}

// prepared tells whether the units of work in doubt are those of a model. One
// without changes may be there or not.
func (h *history) prepared(m *model) bool {
	left := map[uint64]bool{}
	for _, tr := range h.m.Transactions() {
		left[tr.Number] = true
		if !m.prepared[tr.Number] {
			return false
		}
	}
	for id := range m.prepared {
		if !left[id] && !m.unworked(id) {
			return false
		}
		if !left[id] {
			delete(m.prepared, id)
		}
	}
	return true
}

func heads(all []string) []string {
	var h []string
	for _, body := range all {
		head, _, _ := strings.Cut(body, ":")
		h = append(h, head)
	}
	return h
}

func (h *history) same(m *model) bool {
	for _, q := range historyQueues {
		if !slices.Equal(h.bodies(q), m.visible(q)) {
			return false
		}
	}
	return true
}

func TestHistories(t *testing.T) {
	tests := map[string]extents.Settings{
		"circular":  {Kind: extents.Circular, Primary: 2, Secondary: 2, FilePages: 64},
		"manual":    {Kind: extents.Linear, Primary: 2, Secondary: 2, FilePages: 64, First: 9_999_998},
		"automatic": {Kind: extents.Linear, Management: extents.Automatic, Primary: 2, Secondary: 2, FilePages: 64, First: 9_999_998},
		"archive":   {Kind: extents.Linear, Management: extents.Archive, Primary: 2, Secondary: 2, FilePages: 64, First: 9_999_998},
	}
	for name, settings := range tests {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				h := &history{station: onCrashDisk(t.Context(), r, Spec{Log: settings}), r: r, kind: settings.Kind}
				h.house = settings.Kind == extents.Linear
				h.begin()
				defer h.halt()
				for range rapid.IntRange(1, 4).Draw(r, "crashes") {
					steps := rapid.IntRange(1, 60).Draw(r, "steps")
					dies := rapid.IntRange(0, 400).Draw(r, "dies after")
					h.crash.Fault(crashdisk.FailAfter(dies, crashdisk.ErrPower))
					for range steps {
						if err := h.step(); err != nil {
							if !errors.Is(err, crashdisk.ErrPower) && !errors.Is(err, engine.ErrStopped) {
								r.Fatal(err)
							}
							break
						}
					}
					h.fall(uint64(rapid.IntRange(0, 1000).Draw(r, "seed")))
				}
				h.end()
				h.reopen()
				h.start()
				h.model.crashed()
				if !h.same(h.model) {
					r.Fatal("a clean end has lost something")
				}
			})
		})
	}
}
