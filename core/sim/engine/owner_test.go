package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var testID = wal.ID{7, 7, 7}

// platform is an owner whose list of segments survives every crash.
type platform struct {
	disk disk.FS
	size int64

	mu     sync.Mutex
	list   []wal.Segment
	made   int
	now    time.Time
	opened []string // by readers, in their order
	marks  Marks    // last published
	images []Ref
	stay   bool              // it has no next segment now
	grow   int64             // of segments; 0: they don't
	taken  map[string]uint64 // what Begun was told, by segment
}

func newPlatform(d disk.FS, size int64) *platform {
	return &platform{disk: d, size: size, now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
}

func (p *platform) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(time.Millisecond)
	return p.now
}

func (p *platform) Segments() []wal.Segment {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

func (p *platform) Open(name string) (wal.Source, error) {
	p.mu.Lock()
	p.opened = append(p.opened, name)
	p.mu.Unlock()
	return p.disk.Open(name)
}

func (p *platform) Next(context.Context) (wal.Layout, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.list); n == 0 || p.list[n-1].Start != 0 {
		if p.stay {
			return wal.Layout{}, fmt.Errorf("journal QMTEST/AMQAJRN: %w", ErrStay)
		}
		p.list = append(p.list, wal.Segment{Name: fmt.Sprintf("log/S%07d.LOG", p.made)})
		p.made++
	}
	return wal.Layout{Name: p.list[len(p.list)-1].Name, Size: p.size, Grow: p.grow}, nil
}

func (p *platform) Begun(s wal.Segment, records uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := &p.list[len(p.list)-1]
	if last.Name != s.Name {
		return fmt.Errorf("segment %s was begun, %s was expected", s.Name, last.Name)
	}
	last.Start = s.Start
	if p.taken == nil {
		p.taken = map[string]uint64{}
	}
	p.taken[s.Name] = records
	return nil
}

func (p *platform) Checkpointed(m Marks) { p.marks = m }

func (p *platform) Imaged(object Ref, m Marks) {
	p.marks = m
	p.images = append(p.images, object)
}

// estate is a queue manager under test with its disk and its owner.
type estate struct {
	t    *testing.T
	disk *crashdisk.Disk
	own  *platform
	opts Options
	e    *Engine
}

func newEstate(t *testing.T, size int64) *estate {
	t.Helper()
	return newEstateWith(t, size, func(*Options) {})
}

// newEstateWith is newEstate with other options.
func newEstateWith(t *testing.T, size int64, with func(*Options)) *estate {
	t.Helper()
	d := crashdisk.New()
	s := &estate{t: t, disk: d, own: newPlatform(d, size)}
	s.opts = Options{Disk: d, Folder: "qm", Essential: func(r Ref) bool { return r.Kind == "queue-manager" }}
	with(&s.opts)
	e, err := Create(t.Context(), s.own, s.opts, testID)
	s.must(err)
	s.e = e
	return s
}

func (s *estate) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *estate) crash() {
	s.t.Helper()
	s.disk.Crash()
	_ = s.e.Crash() // the file it would close has died with the disk
}

func (s *estate) start() (Restarted, error) {
	s.own.opened = nil
	e, done, err := Start(s.t.Context(), s.own, s.opts)
	if err == nil {
		s.e = e
	}
	return done, err
}

func (s *estate) restart() Restarted {
	s.t.Helper()
	s.crash()
	done, err := s.start()
	s.must(err)
	return done
}

func (s *estate) define(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.must(s.e.Define(s.t.Context(), Ref{Queue, name}, map[string]string{"DESCR": name}))
	}
}

func (s *estate) put(queue string, bodies ...string) {
	s.t.Helper()
	for _, body := range bodies {
		_, err := s.e.Put(s.t.Context(), queue, Message{Persistent: true, Body: []byte(body)})
		s.must(err)
	}
}

func (s *estate) unit() *Unit {
	s.t.Helper()
	u, err := s.e.Begin()
	s.must(err)
	return u
}

func (s *estate) unitPut(u *Unit, queue, body string) {
	s.t.Helper()
	_, err := u.Put(s.t.Context(), queue, Message{Persistent: true, Body: []byte(body)})
	s.must(err)
}

func (s *estate) unitGet(u *Unit, queue, want string) {
	s.t.Helper()
	m, err := u.Get(s.t.Context(), queue)
	s.must(err)
	if string(m.Body) != want {
		s.t.Fatalf("got %q, want %q", m.Body, want)
	}
}

// bodies gives what a browser of a queue sees.
func (s *estate) bodies(queue string) []string {
	s.t.Helper()
	var all []string
	s.must(s.e.Browse(queue, func(m Message) bool {
		all = append(all, string(m.Body))
		return true
	}))
	return all
}

func (s *estate) want(queue string, bodies ...string) {
	s.t.Helper()
	if got := s.bodies(queue); !slices.Equal(got, bodies) {
		s.t.Fatalf("on %s: %q, want %q", queue, got, bodies)
	}
}

// segment gives the name of the segment with a position in it.
func (s *estate) segment(at wal.LSN) string {
	s.t.Helper()
	name := ""
	for _, seg := range s.own.list {
		if seg.Start != 0 && seg.Start <= at {
			name = seg.Name
		}
	}
	return name
}

// take removes a file as an operator would, and gives a function that puts it
// back.
func (s *estate) take(name string) (back func()) {
	s.t.Helper()
	content, err := s.disk.Contents(name)
	s.must(err)
	s.must(s.disk.Remove(name))
	s.must(s.disk.SyncDir("log"))
	return func() { s.disk.Put(name, content) }
}
