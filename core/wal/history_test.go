package wal

import (
	"errors"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"pgregory.net/rapid"
)

// history is a log, and what its owner knows of it.
type history struct {
	disk  *crashdisk.Disk
	w     *Writer
	opts  Options
	chain []Segment
	made  int // segments named so far
	all   []entry
	acked int // so many of all were acknowledged
}

func begun(t *rapid.T) *history {
	h := &history{disk: crashdisk.New()}
	h.opts.Buffer = rapid.SampledFrom([]int{1, 700, 5000, 1 << 20}).Draw(t, "buffer")
	l := h.layout(t)
	start := LSN(Align * rapid.Uint64Range(0, 100).Draw(t, "start"))
	w, err := Create(h.disk, l, testID, start, h.opts)
	if err != nil {
		t.Fatal(err)
	}
	h.w = w
	s, _ := w.Current()
	h.chain = []Segment{s}
	return h
}

func (h *history) layout(t *rapid.T) Layout {
	l := layout(h.made, 512*rapid.Int64Range(0, 12).Draw(t, "size"), 512*rapid.Int64Range(0, 3).Draw(t, "grow"))
	if l.Size+l.Grow == 0 {
		l.Size = 4096
	}
	h.made++
	return l
}

func (h *history) append(t *rapid.T) {
	payload := payloads(3000).Draw(t, "payload")
	at, err := h.w.Append(payload)
	switch {
	case errors.Is(err, ErrFull):
		h.rotate(t)
	case errors.Is(err, ErrTooLong):
	case err != nil:
		t.Fatal(err)
	default:
		h.all = append(h.all, entry{at, payload})
	}
}

func (h *history) force(t *rapid.T) {
	if len(h.all) == 0 {
		return
	}
	i := rapid.IntRange(h.acked, len(h.all)).Draw(t, "force up to") - 1
	if i < 0 {
		return
	}
	if err := h.w.Force(t.Context(), h.all[i].at); err != nil {
		t.Fatal(err)
	}
	h.acked = max(h.acked, i+1)
}

// rotate names the next segment first, as an owner must, and then begins it.
func (h *history) rotate(t *rapid.T) {
	l := h.layout(t)
	if rapid.Bool().Draw(t, "prepared ahead") {
		if err := Prepare(h.disk, l); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.w.Rotate(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	h.acked = len(h.all)
	s, _ := h.w.Current()
	h.chain = append(h.chain, s)
}

// crash loses what was not synced, or some of it, or only the process.
func (h *history) crash(t *rapid.T) {
	switch rapid.SampledFrom([]string{"forget", "torn", "torn", "scattered", "scattered", "killed"}).Draw(t, "crash") {
	case "forget":
		h.disk.Crash()
	case "torn":
		h.disk.CrashAfter(rapid.Int64Range(0, h.disk.Unsynced()).Draw(t, "kept"))
	case "scattered":
		h.disk.CrashScattered(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "scatter"), 0)))
	case "killed":
		h.disk.Kill()
	}
}

// reopen reads everything and goes on; a crash in the middle of that is
// followed by another try.
func (h *history) reopen(t *rapid.T) {
	got, tail, err := read(h.disk, h.chain, ReadOptions{ID: testID, Durable: h.durable()})
	if err != nil {
		t.Fatalf("after a crash: %v", err)
	}
	if len(got) < h.acked || len(got) > len(h.all) || !same(got, h.all[:len(got)]) {
		t.Fatalf("%d records are there; %d of %d were acknowledged", len(got), h.acked, len(h.all))
	}
	if again := rapid.IntRange(0, 6).Draw(t, "operations until a crash"); again > 0 {
		h.disk.Fault(after(again, errors.New("power failed")))
		w, err := Resume(h.disk, tail, h.opts)
		h.disk.Fault(nil)
		if err != nil {
			h.crash(t)
			h.reopen(t)
			return
		}
		h.w = w
	} else if h.w, err = Resume(h.disk, tail, h.opts); err != nil {
		t.Fatal(err)
	}
	h.all, h.acked = h.all[:len(got)], len(got)
	if h.w.End() != tail.LSN || h.w.Durable() != tail.LSN {
		t.Fatalf("goes on at %s, durable up to %s; the tail was at %s", h.w.End(), h.w.Durable(), tail.LSN)
	}
}

// durable is what the owner was told.
func (h *history) durable() LSN {
	if h.acked == 0 {
		return 0
	}
	return h.all[h.acked-1].at + Align
}

// after lets so many operations through and fails all that follow.
func after(n int, err error) func(crashdisk.Op) error {
	return func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Read || op.Kind == crashdisk.Open {
			return nil
		}
		if n--; n < 0 {
			if op.Kind == crashdisk.Write {
				return &crashdisk.Short{Bytes: op.Bytes / 2, Err: err}
			}
			return err
		}
		return nil
	}
}

// Every acknowledged record survives every crash; nothing else leaves a trace
// but whole records, in order; and the log goes on.
func TestHistoriesSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begun(t)
		t.Repeat(map[string]func(*rapid.T){
			"append": h.append,
			"more":   h.append,
			"force":  h.force,
			"rotate": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
					h.rotate(t)
				}
			},
			"crash": func(t *rapid.T) { h.crash(t); h.reopen(t) },
			"close": func(t *rapid.T) {
				if err := h.w.Close(); err != nil {
					t.Fatal(err)
				}
				h.acked = len(h.all)
				h.reopen(t)
			},
		})
	})
}

// The same with a disk that fails at some point: whoever was told that a
// record is durable was told the truth.
func TestFailuresAcknowledgeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := begun(t)
		for range rapid.IntRange(0, 8).Draw(t, "before") {
			h.append(t)
		}
		h.force(t)
		h.disk.Fault(after(rapid.IntRange(0, 12).Draw(t, "operations until it fails"), syscall.EIO))
		for range 12 {
			payload := payloads(2000).Draw(t, "payload")
			at, err := h.w.Append(payload)
			if errors.Is(err, ErrFull) {
				l := h.layout(t)
				h.chain = append(h.chain, Segment{Name: l.Name}) // named, and not known to be begun
				if h.w.Rotate(t.Context(), l) == nil {
					h.acked = len(h.all)
					s, _ := h.w.Current()
					h.chain[len(h.chain)-1] = s
					continue
				}
				break
			}
			if err != nil {
				continue
			}
			h.all = append(h.all, entry{at, payload})
			if rapid.Bool().Draw(t, "force") && h.w.Force(t.Context(), at) == nil {
				h.acked = len(h.all)
			}
		}
		h.disk.Fault(nil)
		h.crash(t)
		h.reopen(t)
	})
}
