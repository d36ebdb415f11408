package logsize_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// TestSizeBearsTheLoad: a simulated log of the size that was found is never
// full under the load it was found for, at its highest rate all the time, with
// units of work that last as long as the longest one after the other; and no
// secondary file is begun.
func TestSizeBearsTheLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		load := drawLoad(t)
		size, err := logsize.Of(load)
		if err != nil {
			t.Fatal(err)
		}
		s := newStation(t, load, size)
		s.run(t, 3*(load.Longest+s.size.Checkpoint)+2*load.Images)
		if s.most > size.Primary {
			t.Errorf("%d extents were needed for a restart, there are %d primary files: %+v", s.most, size.Primary, size)
		}
	})
}

// drawLoad draws one whose log is small enough to be written: the limits allow
// files of one page.
func drawLoad(t *rapid.T) logsize.Load {
	l := logsize.Load{
		Puts:       float64(rapid.IntRange(1, 20).Draw(t, "puts")),
		Gets:       float64(rapid.IntRange(0, 20).Draw(t, "gets")),
		Units:      float64(rapid.IntRange(1, 20).Draw(t, "units")),
		Backouts:   float64(rapid.IntRange(0, 2).Draw(t, "backouts")),
		Length:     int64(rapid.IntRange(0, 20_000).Draw(t, "length")),
		Burst:      float64(rapid.IntRange(1, 3).Draw(t, "burst")),
		Longest:    time.Duration(rapid.IntRange(0, 15).Draw(t, "longest")) * time.Second,
		Checkpoint: time.Duration(rapid.IntRange(1, 10).Draw(t, "checkpoint")) * time.Second,
		Linear:     rapid.Bool().Draw(t, "linear"),
		Release:    rapid.SampledFrom([]string{"5.3", "9.4.0"}).Draw(t, "release"),
	}
	l.Limits = logsize.LimitsOf(l.Release, false)
	l.Limits.MinPages, l.Limits.Pages = 1, 8
	if rapid.Bool().Draw(t, "images") {
		l.Images = time.Duration(rapid.IntRange(2, 30).Draw(t, "every")) * time.Second
		l.Depth = int64(rapid.IntRange(0, 100).Draw(t, "depth"))
	}
	return l
}

// station writes what a queue manager under the load would.
type station struct {
	load  logsize.Load
	size  logsize.Size
	over  logsize.Overhead
	disk  disk.FS
	log   *extents.Log
	w     *wal.Writer
	unit  wal.LSN // first record of the long unit of work
	media wal.LSN
	most  int // extents that a restart needed
}

func newStation(t *rapid.T, load logsize.Load, size logsize.Size) *station {
	s := &station{load: load, size: size, over: logsize.OverheadOf(load.Release), disk: disk.NoSync(crashdisk.New())}
	set := extents.Settings{Kind: extents.Circular, Primary: size.Primary, Secondary: size.Secondary, FilePages: size.FilePages, Limits: load.Limits}
	if load.Linear {
		set.Kind, set.Management = extents.Linear, extents.Automatic
	}
	var err error
	if s.log, err = extents.Create(s.disk, "log", set); err != nil {
		t.Fatal(err)
	}
	first, err := s.log.Next(t.Context())
	if err == nil {
		s.w, err = wal.Create(s.disk, first, s.log.ID(), 0, wal.Options{NoSync: true})
	}
	if err == nil {
		err = s.begun()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.checkpoint(t)
	return s
}

func (s *station) begun() error {
	current, _ := s.w.Current()
	return s.log.Begun(current)
}

// write writes a record that takes so many bytes of the log.
func (s *station) write(t *rapid.T, bytes int64) wal.LSN {
	payload := make([]byte, max(0, bytes-bytes/512-2*wal.Align))
	at, err := s.w.Append(payload)
	if errors.Is(err, wal.ErrFull) {
		next, nextErr := s.log.Next(context.Background())
		if nextErr != nil {
			t.Fatalf("after %d bytes: %v, of size %+v", s.w.End(), nextErr, s.size)
		}
		if err = s.w.Rotate(context.Background(), next); err == nil {
			err = s.begun()
		}
		if err == nil {
			at, err = s.w.Append(payload)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// put writes a message, a long one in pieces.
func (s *station) put(t *rapid.T) {
	left, head := s.load.Length, s.over.Put
	for left > s.over.Segment {
		s.write(t, head+s.over.Segment+s.over.PutSegment)
		left, head = left-s.over.Segment, 0
	}
	if head == 0 {
		head = s.over.PutSegment
	}
	s.write(t, head+left)
}

func (s *station) checkpoint(t *rapid.T) {
	start := s.write(t, s.over.Checkpoint/2)
	s.write(t, s.over.CheckpointOf(s.active())-s.over.Checkpoint/2)
	restart := start
	if s.unit != 0 {
		restart = min(restart, s.unit)
	}
	if s.media == 0 {
		s.media = start
	}
	s.count()
	if _, err := s.log.Passed(restart, max(s.media, 1)); err != nil {
		t.Fatal(err)
	}
}

// count notes how many extents a restart needs just before the mark moves.
func (s *station) count() {
	restart, _ := s.log.Marks()
	n := 0
	for _, segment := range s.log.Segments() {
		if segment.Start <= restart {
			n = 0
		}
		n++
	}
	s.most = max(s.most, n)
}

func (s *station) active() int64 { return int64(math.Ceil(s.load.Units*s.load.Burst)) + 1 }

// image writes one of all queues, in pieces.
func (s *station) image(t *rapid.T) {
	bytes := s.load.Depth * (s.over.Put + s.load.Length)
	s.media = s.write(t, s.over.Image)
	for ; bytes > 0; bytes -= s.over.ImagePart {
		s.write(t, min(bytes, s.over.ImagePart)+s.over.ImageSegment)
	}
}

// run lets time pass, a tenth of a second at a time.
func (s *station) run(t *rapid.T, d time.Duration) {
	const step = 100 * time.Millisecond
	var puts, gets, units, backouts float64
	for at := time.Duration(0); at < d; at += step {
		if every := max(step, s.load.Longest); at%every == 0 {
			s.unit = s.w.End()
		}
		each(&puts, s.load.Puts*s.load.Burst*step.Seconds(), func() { s.put(t) })
		each(&gets, s.load.Gets*s.load.Burst*step.Seconds(), func() { s.write(t, s.over.Get) })
		each(&units, s.load.Units*s.load.Burst*step.Seconds(), func() { s.write(t, s.over.Commit) })
		each(&backouts, s.load.Backouts*s.load.Burst*step.Seconds(), func() {
			undone := (s.load.Puts + s.load.Gets) / (s.load.Units + s.load.Backouts)
			s.write(t, s.over.Backout+int64(float64(s.over.BackoutEach)*undone))
		})
		if s.load.Linear && s.load.Images > 0 && at%s.load.Images == 0 {
			s.image(t)
		}
		if at%s.load.Checkpoint == 0 {
			s.checkpoint(t)
		}
	}
}

// each does something as often as has come due.
func each(due *float64, more float64, do func()) {
	for *due += more; *due >= 1; *due-- {
		do()
	}
}
