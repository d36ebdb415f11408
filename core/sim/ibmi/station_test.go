package ibmi

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// clock is the system's, in summer time. It goes when it is told, and by a step
// whenever it is looked at: with one of more than a second nothing happens in
// the second in which a receiver was attached, which observe would warn of.
type clock struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// station is a machine on a disk in memory, and the job that works on it.
type station struct {
	t     testing.TB
	ctx   context.Context
	disk  disk.FS
	clock *clock
	m     *Machine
	job   *os400.Job
}

func newStation(tb testing.TB) *station {
	tb.Helper()
	s := &station{
		t: tb, ctx: context.Background(), disk: crashdisk.New(),
		clock: &clock{now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("CEST", 7200))},
		job:   &os400.Job{Name: "000001/QMQM/NIGHTLY", User: "QMQM"},
	}
	sys, err := os400.Create(s.options(), os400.Settings{Name: "PAY1"})
	s.must(err)
	s.m, err = Open(sys)
	s.must(err)
	return s
}

func (s *station) options() os400.Options {
	return os400.Options{Disk: s.disk, Now: s.clock.read, Exits: ExitPrograms()}
}

// reopen opens the machine as another process would.
func (s *station) reopen() {
	s.t.Helper()
	sys, err := os400.Open(s.options())
	s.must(err)
	s.m, err = Open(sys)
	s.must(err)
}

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// manager makes a queue manager that runs, with receivers of 64 KB: the default
// one.
func (s *station) manager(name string) *qmgr.Manager {
	s.t.Helper()
	m, err := s.m.Create(s.ctx, qmgr.Spec{Name: name, Threshold: 64, Default: true})
	s.must(err)
	_, err = m.Start(s.ctx)
	s.must(err)
	return m
}

// cl gives a command that has to work.
func (s *station) cl(text string) Result {
	s.t.Helper()
	result, err := s.m.Run(s.ctx, s.job, text)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", text, err, result)
	}
	s.clock.advance(2 * time.Second)
	return result
}

// fill puts messages on a queue until the journal has some receivers more.
func (s *station) fill(m *qmgr.Manager, queue string, receivers int) {
	s.t.Helper()
	for want := len(s.receivers(m)) + receivers; len(s.receivers(m)) < want; {
		_, err := m.Put(s.ctx, queue, engine.Message{Persistent: true, Body: []byte(strings.Repeat("order ", 1000))})
		s.must(err)
		s.clock.advance(time.Minute)
	}
}

func (s *station) receivers(m *qmgr.Manager) []os400.Receiver {
	return s.m.System().Receivers(m.Journal())
}

// tick lets time pass, minute by minute.
func (s *station) tick(d time.Duration) {
	s.t.Helper()
	for end := s.clock.read().Add(d); s.clock.read().Before(end); {
		s.clock.advance(time.Minute)
		s.must(s.m.Tick(s.ctx))
	}
}

// ask asks a question that has to be answered.
func (s *station) ask(language observe.Language, queueManager, text string) string {
	s.t.Helper()
	answer, err := s.m.Ask(s.ctx, observe.Question{Language: language, QueueManager: queueManager, Text: text})
	if err != nil {
		s.t.Fatalf("%s %s: %v", language, text, err)
	}
	return string(answer.Body)
}
