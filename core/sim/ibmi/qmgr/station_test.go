package qmgr

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// clock is the system's: an hour of summer time, a millisecond a look.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// traced is a disk that remembers which receivers were opened for reading.
type traced struct {
	disk.FS
	mu     sync.Mutex
	opened []string
}

func (d *traced) Open(name string) (disk.File, error) {
	d.mu.Lock()
	if base, ok := strings.CutSuffix(path.Base(name), ".JRNRCV"); ok && !slices.Contains(d.opened, base) {
		d.opened = append(d.opened, base)
	}
	d.mu.Unlock()
	return d.FS.Open(name)
}

func (d *traced) forget() { d.mu.Lock(); d.opened = nil; d.mu.Unlock() }

// station is a system with one queue manager on a disk that can crash.
type station struct {
	t      tester
	testT  *testing.T
	disk   *crashdisk.Disk
	traced *traced
	clock  *clock
	sys    *os400.System
	m      *Manager
}

// newStation gives a queue manager that runs, with queues A and B.
func newStation(t tester, testT *testing.T, spec Spec) *station {
	t.Helper()
	d := crashdisk.New()
	s := &station{t: t, testT: testT, disk: d, traced: &traced{FS: d}}
	s.clock = &clock{now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("CEST", 7200))}
	var err error
	s.sys, err = os400.Create(s.options(), os400.Settings{Name: "PAY1"})
	s.must(err)
	if spec.Name == "" {
		spec.Name = "TEST"
	}
	if spec.Threshold == 0 {
		spec.Threshold = 64
	}
	s.m, err = Create(testT.Context(), s.sys, spec)
	s.must(err)
	s.start()
	for _, queue := range []string{"A", "B"} {
		s.must(s.m.DefineQueue(testT.Context(), queue, map[string]string{"DESCR": queue}))
	}
	return s
}

func station1(t *testing.T) *station { t.Helper(); return newStation(t, t, Spec{}) }

func (s *station) options() os400.Options {
	return os400.Options{Disk: s.traced, Now: s.clock.read}
}

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) start() engine.Restarted {
	s.t.Helper()
	done, err := s.m.Start(s.testT.Context())
	s.must(err)
	return done
}

// power ends everything at once and opens what the disk has kept.
func (s *station) power() {
	s.t.Helper()
	s.disk.Crash()
	_ = s.m.Crash(s.testT.Context()) // its files have died with the disk
	s.open()
}

// open opens system and queue manager as another process would.
func (s *station) open() {
	s.t.Helper()
	var err error
	s.sys, err = os400.Open(s.options())
	s.must(err)
	s.m, err = Open(s.sys, s.m.Name())
	s.must(err)
}

// crash ends the queue manager alone.
func (s *station) crash() { s.t.Helper(); s.must(s.m.Crash(s.testT.Context())) }

func body(n int) engine.Message {
	return engine.Message{Persistent: true, Body: []byte(strings.Repeat("secret-", n/7+1)[:n])}
}

func (s *station) put(queue string, m engine.Message) {
	s.t.Helper()
	_, err := s.m.Put(s.testT.Context(), queue, m)
	s.must(err)
}

// fill puts messages on a queue until it has begun some receivers more.
func (s *station) fill(queue string, receivers int) {
	s.t.Helper()
	for want := len(s.receivers()) + receivers; len(s.receivers()) < want; {
		s.put(queue, body(6000))
	}
}

func (s *station) begin(application string) *Unit {
	s.t.Helper()
	u, err := s.m.Begin(application)
	s.must(err)
	return u
}

func (s *station) unitPut(u *Unit, queue, text string) {
	s.t.Helper()
	_, err := u.Put(s.testT.Context(), queue, engine.Message{Persistent: true, Body: []byte(text)})
	s.must(err)
}

// images is RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) DSPJRNDTA(*YES).
func (s *station) images() {
	s.t.Helper()
	_, err := s.m.RecordImages(s.testT.Context(), Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true})
	s.must(err)
}

// receivers names the journal's receivers in their order.
func (s *station) receivers() []string {
	var names []string
	for _, r := range s.sys.Receivers(s.m.Journal()) {
		names = append(names, r.Name)
	}
	return names
}

func (s *station) id(receiver string) os400.ID {
	return os400.ID{Library: s.m.Library(), Name: receiver}
}

// before gives the receivers before one.
func (s *station) before(receiver string) []string {
	s.t.Helper()
	all := s.receivers()
	i := slices.Index(all, receiver)
	if i < 0 {
		s.t.Fatalf("%s is not among %q", receiver, all)
	}
	return all[:i]
}

// take removes a receiver by hand and gives a function that restores it.
func (s *station) take(receiver string) (back func()) {
	s.t.Helper()
	file := os400.ID{Library: "QGPL", Name: "S" + receiver[1:]}
	s.must(s.sys.CreateSaveFile(file))
	n, err := s.sys.SaveReceivers(s.m.Library(), []string{receiver}, file, os400.SaveOptions{})
	if err != nil || n != 1 {
		s.t.Fatalf("saved %d: %v", n, err)
	}
	s.must(s.sys.Remove(s.id(receiver)))
	return func() {
		s.t.Helper()
		n, err := s.sys.RestoreReceivers([]string{receiver}, s.m.Library(), file, s.m.Library())
		if err != nil || n != 1 {
			s.t.Fatalf("restored %d: %v", n, err)
		}
		_, err = s.sys.Associate(s.m.Journal())
		s.must(err)
	}
}

// unavailable asserts AMQ7432 of a receiver, as an error and on QMQMMSG.
func (s *station) unavailable(err error, receiver string, entry time.Time) *engine.LogError {
	s.t.Helper()
	var escape *os400.Error
	if !errors.As(err, &escape) || escape.ID != "AMQ7432" {
		s.t.Fatalf("want AMQ7432, got %v", err)
	}
	stamp := entry.In(s.clock.read().Location()).Truncate(time.Millisecond).Format("2006-01-02 15.04.05.000")
	if !strings.Contains(escape.Text, receiver) || !entry.IsZero() && !strings.Contains(escape.Text, stamp) {
		s.t.Errorf("%q does not name receiver %s and entry %s", escape.Text, receiver, stamp)
	}
	for _, internal := range []string{"LSN", "log position", "segment", ".JRNRCV", "record"} {
		if strings.Contains(err.Error(), internal) {
			s.t.Errorf("%q speaks of a %s", err, internal)
		}
	}
	sent := s.messages("AMQ7432")
	if len(sent) == 0 || sent[len(sent)-1].Text != escape.Text {
		s.t.Errorf("on QMQMMSG: %+v", sent)
	}
	var lost *engine.LogError
	if !errors.As(err, &lost) {
		s.t.Fatalf("%v has no *engine.LogError in it", err)
	}
	return lost
}

// messages gives those of QMQMMSG with an id.
func (s *station) messages(id string) []os400.Message {
	s.t.Helper()
	return s.messagesOn(s.m.MessageQueue(), id)
}

func (s *station) messagesOn(queue os400.ID, id string) []os400.Message {
	s.t.Helper()
	all, err := s.sys.Messages(queue)
	s.must(err)
	return slices.DeleteFunc(all, func(m os400.Message) bool { return m.ID != id })
}

// bodies gives what a browser of a queue sees.
func (s *station) bodies(queue string) []string {
	s.t.Helper()
	var all []string
	s.must(s.m.Browse(queue, func(m engine.Message) bool {
		all = append(all, string(m.Body))
		return true
	}))
	return all
}

// contents gives the bodies on all queues.
func (s *station) contents() map[string][]string {
	s.t.Helper()
	all := map[string][]string{}
	for _, q := range s.m.Queues() {
		if q.Depth > 0 {
			all[q.Name] = s.bodies(q.Name)
		}
	}
	return all
}

// rebuildAll damages every queue and re-creates it.
func (s *station) rebuildAll() {
	s.t.Helper()
	ctx := s.testT.Context()
	before := s.contents()
	for _, q := range s.m.Queues() {
		s.must(s.m.Damage(ctx, q.Name))
	}
	n, err := s.m.Recreate(ctx, Selection{Name: "*ALL", Type: "*ALL"})
	if err != nil || n != len(s.m.Queues()) {
		s.t.Fatalf("re-created %d of %d: %v", n, len(s.m.Queues()), err)
	}
	if after := s.contents(); fmt.Sprint(after) != fmt.Sprint(before) {
		s.t.Fatalf("%d queues with other messages than before", len(after))
	}
}

// holding gives the receiver that has a mark.
func (s *station) holding(mark engine.Mark) string {
	s.t.Helper()
	r, ok := s.sys.Holding(s.m.Journal(), mark.LSN)
	if !ok {
		s.t.Fatalf("no receiver holds %s", mark.LSN)
	}
	return r.Name
}

func (s *station) marks() engine.Marks { return s.m.Engine().Status().Marks }

// aged has a journal of some receivers: the media mark lies behind the first
// ones, the startup mark behind the media mark, the attached one last.
func aged(t *testing.T) *station {
	t.Helper()
	s := station1(t)
	s.fill("A", 3)
	s.images()
	s.fill("B", 4)
	s.must(s.m.Tick(t.Context()))
	media, restart := s.holding(s.marks().Media), s.holding(s.marks().Restart)
	all := s.receivers()
	if i, j := slices.Index(all, media), slices.Index(all, restart); i < 2 || j <= i+1 {
		t.Fatalf("media mark in %s, startup mark in %s of %q", media, restart, all)
	}
	return s
}
