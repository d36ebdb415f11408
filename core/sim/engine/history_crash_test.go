package engine

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"pgregory.net/rapid"
)

// failing does something that leaves the model as after. The power may fail
// after any operation on the disk: then either model may hold.
func (h *history) failing(after model, do func() error) {
	h.rt.Helper()
	left := rapid.IntRange(-20, 12).Draw(h.rt, "operations until the power fails")
	if left > 0 {
		h.disk.Fault(countdown(left))
	}
	err := do()
	h.disk.Fault(nil)
	switch {
	case err == nil:
		h.model = after
	case left > 0:
		h.fall(h.model, after)
	default:
		h.fail("%v", err)
	}
}

// fall is a crash of any kind; may are the models that may hold after it.
func (h *history) fall(may ...model) {
	h.rt.Helper()
	h.powerFails()
	h.up(may...)
}

// powerFails is a crash of any kind.
func (h *history) powerFails() {
	switch rapid.SampledFrom([]string{"forget", "torn", "scattered", "killed"}).Draw(h.rt, "crash") {
	case "forget":
		h.disk.Crash()
	case "torn":
		h.disk.CrashAfter(rapid.Int64Range(0, h.disk.Unsynced()).Draw(h.rt, "kept"))
	case "scattered":
		h.disk.CrashScattered(rand.New(rand.NewPCG(rapid.Uint64().Draw(h.rt, "scatter"), 0)))
	case "killed":
		h.disk.Kill()
	}
	_ = h.e.Crash() // its files are dead
}

// up starts the queue manager and asserts that one of the models holds.
func (h *history) up(may ...model) {
	h.rt.Helper()
	if last := &h.own.list[len(h.own.list)-1]; rapid.Bool().Draw(h.rt, "the start was lost") {
		last.Start = 0
	}
	h.endSegment()
	h.otherWriting()
	for left := rapid.IntRange(-5, 20).Draw(h.rt, "operations of the start"); ; left = 0 {
		if left > 0 {
			h.disk.Fault(countdown(left))
		}
		listed := h.own.Segments()
		done, err := h.start()
		h.disk.Fault(nil)
		if err == nil {
			h.openedFrom(done, listed)
			h.settled(done, may)
			return
		}
		if left <= 0 {
			h.fail("start: %v", err)
		}
		h.disk.Crash()
	}
}

// openedFrom asserts that a start has opened the segments from the restart
// mark on and no other, unless it had to rebuild something.
func (h *history) openedFrom(done Restarted, listed []wal.Segment) {
	h.rt.Helper()
	if len(done.Rebuilt) > 0 {
		return
	}
	var want []string
	first := h.segment(done.From.LSN)
	for _, seg := range listed {
		if seg.Name >= first {
			want = append(want, seg.Name)
		}
	}
	// Where the list does not say where the last one begins, its header is
	// asked first.
	got := slices.Compact(slices.Sorted(slices.Values(h.own.opened)))
	if !slices.Equal(got, want) || len(h.own.opened) > len(want)+1 {
		h.fail("opened %q from %s on, want %q", h.own.opened, done.From.LSN, want)
	}
}

// endSegment is what a platform does to the log of a queue manager that is
// down.
func (h *history) endSegment() {
	if rapid.IntRange(0, 4).Draw(h.rt, "segment ended") > 0 || h.own.list[len(h.own.list)-1].Start == 0 {
		return
	}
	if _, err := h.own.Next(h.t.Context()); err != nil {
		h.fail("%v", err)
	}
}

func (h *history) settled(done Restarted, may []model) {
	h.rt.Helper()
	for _, q := range modelQueues {
		o, err := h.e.Object(Ref{Queue, q})
		if err != nil || o.Damaged && !h.damaged[q] {
			h.fail("%s after a start: %+v, %v", q, o, err)
		}
		if o.Damaged && h.model.inDoubt(q) {
			h.fail("%s is damaged and has changes in doubt", q)
		}
		h.damaged[q] = o.Damaged
	}
	var why []string
	for _, m := range may {
		m = m.clone()
		m.stop()
		h.units = map[uint64]*Unit{}
		h.model = m
		bad := h.differs()
		if bad == "" {
			h.takeUnits()
			return
		}
		why = append(why, bad)
	}
	h.fail("after a start (%+v): %q", done, why)
}

// takeUnits finds the units of work of the model in a new engine.
func (h *history) takeUnits() {
	h.units = map[uint64]*Unit{}
	for id := range h.model.units {
		u, err := h.e.Unit(id)
		if err != nil {
			h.fail("unit of work %d: %v", id, err)
		}
		h.units[id] = u
	}
}

// countdown makes the disk fail after n operations.
func countdown(n int) func(crashdisk.Op) error {
	return func(crashdisk.Op) error {
		if n--; n < 0 {
			return errors.New("the power failed")
		}
		return nil
	}
}

// suspend stops the queue manager of a history and goes on; the power may fail
// during both, and the log but its last segment may be away meanwhile. It is as
// it was, or it has crashed.
func (h *history) suspend() {
	before := h.snapshot()
	left := rapid.IntRange(-20, 12).Draw(h.rt, "operations until the power fails")
	if left > 0 {
		h.disk.Fault(countdown(left))
	}
	err := h.e.Suspend(h.t.Context())
	h.disk.Fault(nil)
	if err != nil && left <= 0 {
		h.fail("suspend: %v", err)
	}
	crashed := err != nil
	if crashed || rapid.Bool().Draw(h.rt, "power off") {
		h.powerFails()
	}
	back := h.logAway()
	h.endSegment()
	for left := rapid.IntRange(-5, 12).Draw(h.rt, "operations of the resume"); ; left = 0 {
		if left > 0 {
			h.disk.Fault(countdown(left))
		}
		err := h.resume()
		h.disk.Fault(nil)
		switch {
		case err == nil:
			back()
			h.same(before)
			return
		case left <= 0 && crashed && errors.Is(err, ErrNotSuspended):
			back()
			h.up(h.model)
			return
		case left <= 0:
			h.fail("resume: %v", err)
		}
		crashed = true
		h.powerFails()
	}
}

// logAway removes all segments but the last, and gives a function that puts
// them back.
func (h *history) logAway() (back func()) {
	if rapid.IntRange(0, 2).Draw(h.rt, "the log is away") > 0 {
		return func() {}
	}
	last, _ := h.e.log.Current()
	var all []func()
	for _, seg := range h.own.list {
		if seg.Start < last.Start && seg.Start != 0 {
			all = append(all, h.take(seg.Name))
		}
	}
	return func() {
		for _, back := range all {
			back()
		}
	}
}

// same asserts that nothing has changed.
func (h *history) same(before snapshot) {
	h.rt.Helper()
	if diff := cmp.Diff(before, h.snapshot()); diff != "" {
		h.fail("resumed: %s", diff)
	}
	h.takeUnits()
	if bad := h.differs(); bad != "" {
		h.fail("resumed: %s", bad)
	}
}
