package qmgr

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
	Logf(string, ...any)
}

// clock is the system's: a millisecond a look.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 7, 14, 22, 0, 0, 0, time.FixedZone("CEST", 7200))}
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

// station is a system with a queue manager.
type station struct {
	tester
	ctx   context.Context
	clock *clock
	site  Site
	m     *Manager
	crash *crashdisk.Disk // nil: real files
	root  string          // of real files
}

// small are settings for short tests: extents of 256 KiB.
func small(kind extents.Kind, management extents.Management) extents.Settings {
	return extents.Settings{Kind: kind, Management: management, Primary: 3, Secondary: 2, FilePages: 64}
}

// onDisk makes a queue manager on real files.
func onDisk(t *testing.T, spec Spec) *station {
	t.Helper()
	root := t.TempDir()
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: root}
	s.site = siteAt(root, s.clock, "")
	s.create(spec)
	t.Cleanup(func() { s.halt() })
	return s
}

// inMemory makes one on a disk in memory, for tests that break no files: it is
// much faster.
func inMemory(t *testing.T, spec Spec) *station {
	t.Helper()
	s := onCrashDisk(t.Context(), t, spec)
	t.Cleanup(s.halt)
	return s
}

// onCrashDisk makes one on a disk that can crash.
func onCrashDisk(ctx context.Context, t tester, spec Spec) *station {
	t.Helper()
	d := crashdisk.New()
	s := &station{tester: t, ctx: ctx, clock: newClock(), crash: d}
	s.site = Site{Disk: d, Now: s.clock.read, Host: "lnx1"}
	s.create(spec)
	return s
}

func (s *station) create(spec Spec) {
	s.Helper()
	if spec.Name == "" {
		spec.Name = "QM1"
	}
	m, err := Create(s.ctx, s.site, spec)
	s.must(err)
	s.m = m
}

func (s *station) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// refuses wants an error that wraps another one.
func (s *station) refuses(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("error %v, wanted one that is %v", err, want)
	}
}

// reason wants an error with a reason code.
func (s *station) reason(err error, want int) {
	s.Helper()
	if Reason(err) != want {
		s.Fatalf("error %v has reason %d, wanted %d", err, Reason(err), want)
	}
}

// says wants an error that is a message.
func (s *station) says(err error, id string) {
	s.Helper()
	var e *Error
	if !errors.As(err, &e) || e.ID != id {
		s.Fatalf("error %v, wanted %s", err, id)
	}
}

func (s *station) start() engine.Restarted {
	s.Helper()
	done, err := s.m.Start(s.ctx)
	s.must(err)
	return done
}

func (s *station) end() {
	s.Helper()
	s.must(s.m.End(s.ctx, EndOptions{Immediate: true}))
}

// halt ends what still runs, at the end of a test.
func (s *station) halt() {
	if s.m != nil && s.m.Engine() != nil {
		_ = s.m.Crash()
	}
}

// reopen forgets the queue manager and opens it anew, as another process would.
func (s *station) reopen() {
	s.Helper()
	m, err := Open(s.site, s.m.Name(), s.m.DataDir())
	s.must(err)
	s.m = m
}

func (s *station) define(queues ...string) {
	s.Helper()
	for _, q := range queues {
		s.must(s.m.Define(s.ctx, q))
	}
}

func (s *station) put(queue string, bodies ...string) {
	s.Helper()
	for _, body := range bodies {
		_, err := s.m.Put(s.ctx, queue, text(body))
		s.must(err)
	}
}

// bodies gives what is on a queue, without taking it.
func (s *station) bodies(queue string) []string {
	s.Helper()
	all := []string{}
	s.must(s.m.Browse(queue, func(msg engine.Message) bool {
		all = append(all, string(msg.Body))
		return true
	}))
	return all
}

func (s *station) holds(queue string, want ...string) {
	s.Helper()
	if got := s.bodies(queue); !slices.Equal(got, want) {
		s.Fatalf("%s holds %d messages %.80q, wanted %d %.80q", queue, len(got), got, len(want), want)
	}
}

// text makes a persistent message.
func text(body string) engine.Message { return engine.Message{Persistent: true, Body: []byte(body)} }

func long(n int) string { return strings.Repeat("x", n) }

// told gives the ids of the messages in the error log from the nth on.
func (s *station) told(from int) []string {
	s.Helper()
	ids := []string{}
	for _, line := range s.errorLog() {
		ids = append(ids, line[:7])
	}
	return ids[min(from, len(ids)):]
}

var message = regexp.MustCompile(`(?m)^AMQ\d{4}[IWEST]?: .*(\n.+)*`)

// errorLog gives the messages of AMQERR01.LOG, each in one line.
func (s *station) errorLog() []string {
	s.Helper()
	content, err := disk.ReadAll(s.site.Disk, s.m.path("errors/AMQERR01.LOG"))
	s.must(err)
	var all []string
	for _, m := range message.FindAllString(string(content), -1) {
		all = append(all, strings.Join(strings.Fields(m), " "))
	}
	return all
}

// watermarks gives the extents of the last AMQ7467 and AMQ7468, as the reader
// of error logs finds them.
func (s *station) watermarks() (restart, media string) {
	s.Helper()
	for _, line := range slices.Backward(s.errorLog()) {
		name := extentName.FindString(line)
		switch {
		case strings.HasPrefix(line, "AMQ7467") && restart == "":
			restart = name
		case strings.HasPrefix(line, "AMQ7468") && media == "":
			media = name
		}
	}
	return restart, media
}

var extentName = regexp.MustCompile(`S\d{7}\.LOG`)

// file gives the real path of a file below the data folder.
func (s *station) file(name string) string { return filepath.Join(s.root, s.m.path(name)) }

// extent gives the real path of an extent.
func (s *station) extent(name string) string {
	return filepath.Join(s.root, s.m.LogDir(), "active", name)
}

// extentNames gives what is in active/.
func (s *station) extentNames() []string {
	s.Helper()
	names, err := s.site.Disk.List(path.Join(s.m.LogDir(), "active"))
	s.must(err)
	return names
}

// copyTree copies a folder with everything in it: a backup.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	// CopyFS does not keep permissions, which a backup has to.
	err := filepath.WalkDir(from, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		return os.Chmod(filepath.Join(to, rel), info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// restoreTree puts a copy in the place of a folder.
func restoreTree(t *testing.T, copied, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	copyTree(t, copied, to)
}

// failAfter lets the power fail after so many operations, and notes that it
// did.
func failAfter(n int, count *int, done *bool) func(crashdisk.Op) error {
	return func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Open || op.Kind == crashdisk.Read {
			return nil
		}
		if *count++; *count > n {
			*done = false
			return crashdisk.ErrPower
		}
		return nil
	}
}

// siteAt is a system of a release on real files.
func siteAt(root string, c *clock, release string) Site {
	return Site{Disk: disk.NoSync(disk.At(root)), Root: root, Now: c.read, NoSync: true, Stat: StatBelow(root), Host: "lnx1", Release: release}
}
