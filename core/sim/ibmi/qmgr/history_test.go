package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// history is a station with what its queues must hold.
type history struct {
	*station
	rapid *rapid.T
	want  map[string][]string
	unit  *Unit // that is open
	mine  map[string][]string
	next  int
}

// Whatever happens in whatever order: acknowledged messages are there after
// every end, published marks never go back, the directory agrees with the
// receivers, and without the receivers before the older published mark
// everything still works.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{station: newStation(rt, t, Spec{}), rapid: rt, want: map[string][]string{}}
		h.must(h.m.DefineQueue(t.Context(), "U", nil))
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			before := h.m.Points()
			h.step(rapid.SampledFrom(actions).Draw(rt, "action"))
			h.check(before)
		}
	})
}

var actions = []string{
	"put", "put", "get", "burst", "unit", "commit", "back out", "images", "change",
	"power", "end", "suspend", "ipl", "prune", "rebuild", "later",
}

func (h *history) step(action string) {
	ctx := h.testT.Context()
	switch action {
	case "put":
		h.putNext("A", 100)
	case "burst":
		for range 6 {
			h.putNext("B", 6000)
		}
	case "get":
		_, err := h.m.Get(ctx, "B")
		switch {
		case err == nil:
			h.want["B"] = h.want["B"][1:]
		case !errors.Is(err, engine.ErrNoMessage) || len(h.want["B"]) > 0:
			h.t.Fatal(err)
		}
	case "unit":
		h.work()
	case "commit", "back out", "later":
		h.settle(action)
	case "images":
		h.images()
	case "change":
		h.must(h.sys.ChangeJournal(ctx, h.m.Journal(), os400.Change{Receiver: "*GEN"}))
	case "rebuild":
		h.rebuildAll()
	default:
		h.outage(action)
	}
}

func (h *history) putNext(queue string, size int) {
	h.next++
	m := body(size)
	m.Body = append(m.Body, fmt.Sprint(h.next)...)
	h.put(queue, m)
	h.want[queue] = append(h.want[queue], string(m.Body))
}

// work does something in a unit of work that stays open.
func (h *history) work() {
	if h.unit == nil {
		h.unit, h.mine = h.begin("LONG"), map[string][]string{}
	}
	h.next++
	m := fmt.Sprint("in a unit of work ", h.next)
	h.unitPut(h.unit, "U", m)
	h.mine["U"] = append(h.mine["U"], m)
}

func (h *history) settle(action string) {
	if h.unit == nil {
		return
	}
	ctx := h.testT.Context()
	switch action {
	case "commit":
		h.must(h.unit.Commit(ctx))
	case "later":
		h.must(h.unit.CommitLater(ctx))
		h.must(h.m.Force(ctx))
	default:
		h.must(h.unit.Backout(ctx))
		h.mine = nil
	}
	h.want["U"] = append(h.want["U"], h.mine["U"]...)
	h.unit, h.mine = nil, nil
}

// outage is what the queue manager does not see coming, or does.
func (h *history) outage(action string) {
	ctx := h.testT.Context()
	switch action {
	case "suspend":
		h.must(h.m.Suspend(ctx))
		h.open()
		h.must(h.m.Resume(ctx))
		if h.unit != nil {
			u, err := h.m.Unit(h.unit.Number())
			h.must(err)
			h.unit = u
		}
		return
	case "end":
		h.must(h.m.End(ctx, EndOptions{Images: h.next%2 == 0, Immediate: true}))
	case "ipl":
		h.crash()
		h.must(h.sys.IPL(ctx))
	case "prune":
		h.prune()
		h.power()
	default:
		h.disk.CrashAfter(rapid.Int64Range(0, h.disk.Unsynced()).Draw(h.rapid, "kept"))
		h.power()
	}
	h.unit, h.mine = nil, nil
	h.start()
}

// prune removes by hand what the conservative strategy would.
func (h *history) prune() {
	space, err := h.sys.Space(h.m.Space())
	h.must(err)
	for _, receiver := range h.receivers() {
		if string(ebcdic(receiver)) == string(space[:10]) {
			for _, old := range h.before(receiver) {
				h.must(h.sys.Remove(h.id(old)))
			}
			return
		}
	}
	h.t.Fatalf("AMQJRNINF names none of %q", h.receivers())
}

func (h *history) check(before Points) {
	h.t.Helper()
	for _, queue := range []string{"A", "B", "U"} {
		if got := h.bodies(queue); !slices.Equal(got, h.want[queue]) {
			h.t.Fatalf("on %s are %d messages, want %d", queue, len(got), len(h.want[queue]))
		}
	}
	now := h.m.Points()
	for _, p := range [][2]Point{{before.Startup, now.Startup}, {before.Media, now.Media}} {
		if p[1].Time.Before(p[0].Time) || p[1].Receiver == Gone {
			h.t.Fatalf("published %+v after %+v", p[1], p[0])
		}
	}
	marks := h.marks()
	if now.Startup.Time.After(marks.Restart.Time) || now.Media.Time.After(marks.Media.Time) {
		h.t.Fatalf("published %+v, the truth is %+v", now, marks)
	}
	h.entriesAgree()
}
