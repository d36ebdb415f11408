package multi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// machine is a host on real files that lives between commands as that of an
// estate does: each command finds it suspended, and leaves it so.
type machine struct {
	*testing.T
	root string
	now  time.Time
}

// newMachine makes a host.
func newMachine(t *testing.T, set Settings) *machine {
	t.Helper()
	m := &machine{T: t, root: filepath.ToSlash(t.TempDir()), now: time.Date(2026, 3, 10, 22, 0, 0, 0, time.FixedZone("CET", 3600))}
	if set.Name == "" {
		set.Name = "lnx1"
	}
	if _, err := Create(m.options(), set); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) options() Options {
	return Options{Disk: disk.NoSync(disk.At(m.root)), Root: m.root, Now: m.tick, NoSync: true}
}

// tick is the clock: a millisecond a look.
func (m *machine) tick() time.Time {
	m.now = m.now.Add(time.Millisecond)
	return m.now
}

// on does something with the host between two suspensions.
func (m *machine) on(do func(*Host)) {
	m.Helper()
	h, err := Open(m.options())
	if err != nil {
		m.Fatal(err)
	}
	for _, q := range h.Managers() {
		if !q.Suspended() {
			continue
		}
		if err := q.Resume(m.Context()); err != nil {
			m.Logf("it can't go on: %v", err)
			if q.Suspended() {
				m.must(q.Crash())
			}
		}
	}
	do(h)
	m.must(h.Suspend(m.Context()))
}

func (m *machine) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// run carries out a command.
func (m *machine) run(stdin string, argv ...string) (result Result) {
	m.Helper()
	m.on(func(h *Host) { result = h.Run(m.Context(), argv, []byte(stdin)) })
	return result
}

// well carries out a command that has to succeed, and gives what it printed.
func (m *machine) well(argv ...string) string {
	m.Helper()
	r := m.run("", argv...)
	if r.Code != 0 {
		m.Fatalf("%q: exit code %d\n%s%s", argv, r.Code, r.Out, r.Err)
	}
	return string(r.Out)
}

// fails carries out a command that has to fail with a message on standard error
// and an exit code.
func (m *machine) fails(code int, message string, argv ...string) {
	m.Helper()
	r := m.run("", argv...)
	if r.Code != code || !strings.Contains(string(r.Err), message) {
		m.Fatalf("%q: exit code %d, wanted %d and %s\n%s%s", argv, r.Code, code, message, r.Out, r.Err)
	}
}

// mqsc carries out MQSC commands, which have to succeed.
func (m *machine) mqsc(script ...string) string {
	m.Helper()
	r := m.run(strings.Join(script, "\n")+"\n", "runmqsc", "QM1")
	if r.Code != 0 {
		m.Fatalf("%q: exit code %d\n%s%s", script, r.Code, r.Out, r.Err)
	}
	return string(r.Out)
}

// onManager does something with QM1.
func (m *machine) onManager(do func(*qmgr.Manager) error) {
	m.Helper()
	m.on(func(h *Host) {
		m.Helper()
		m.must(do(h.Manager("QM1")))
	})
}

// put puts persistent messages.
func (m *machine) put(queue string, bodies ...string) {
	m.Helper()
	m.onManager(func(q *qmgr.Manager) error {
		for _, body := range bodies {
			if _, err := q.Put(m.Context(), queue, engine.Message{Persistent: true, Body: []byte(body)}); err != nil {
				return fmt.Errorf("putting on %s: %w", queue, err)
			}
		}
		return nil
	})
}

// bodies gives what is on a queue, message by message.
func (m *machine) bodies(queue string) []string {
	m.Helper()
	all := []string{}
	m.onManager(func(q *qmgr.Manager) error {
		return q.Browse(queue, func(msg engine.Message) bool {
			all = append(all, string(msg.Body))
			return true
		})
	})
	return all
}

func (m *machine) holds(queue string, want ...string) {
	m.Helper()
	if got := m.bodies(queue); !slices.Equal(got, want) {
		m.Fatalf("%s holds %d messages %.60q, wanted %d %.60q", queue, len(got), got, len(want), want)
	}
}

// numbered makes messages of 10,000 bytes that differ.
func numbered(from, to int) []string {
	var all []string
	for n := from; n < to; n++ {
		all = append(all, fmt.Sprintf("%06d ", n)+strings.Repeat("x", 9_993))
	}
	return all
}

// state gives what dspmq shows.
func (m *machine) state() string {
	m.Helper()
	out := m.well("dspmq", "-m", "QM1", "-o", "status")
	return value(out, "STATUS")
}

func (m *machine) is(state string) {
	m.Helper()
	if got := m.state(); got != state {
		m.Fatalf("it is %s, wanted %s", got, state)
	}
}

// file gives the real path of a file below the data folder, extent that of an
// extent.
func (m *machine) file(name string) string {
	return filepath.Join(m.root, "var/mqm/qmgrs/QM1", filepath.FromSlash(name))
}

func (m *machine) extent(name string) string {
	return filepath.Join(m.root, "var/mqm/log/QM1/active", name)
}

// extents gives the names in active.
func (m *machine) extents() []string {
	m.Helper()
	entries, err := os.ReadDir(filepath.Join(m.root, "var/mqm/log/QM1/active"))
	m.must(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// spoil makes rubbish of a file, as a bad disk would.
func (m *machine) spoil(name string) { m.must(os.WriteFile(name, []byte("rubbish"), 0o600)) }

// keep takes a copy of a file away and gives what puts it back.
func (m *machine) take(name string) (back func()) {
	m.Helper()
	content, err := os.ReadFile(name)
	m.must(err)
	info, err := os.Stat(name)
	m.must(err)
	m.must(os.Remove(name))
	return func() {
		m.Helper()
		m.must(os.WriteFile(name, content, info.Mode().Perm()))
	}
}

// told gives the ids of the error log from the nth message on, without the
// letter of their severity.
func (m *machine) told(from int) []string {
	m.Helper()
	log, err := os.Open(m.file("errors/AMQERR01.LOG"))
	m.must(err)
	defer func() { _ = log.Close() }()
	ids := []string{}
	for r, err := range errlog.Scan(log) {
		m.must(err)
		ids = append(ids, r.ID[:7])
	}
	return ids[min(from, len(ids)):]
}

func (m *machine) tells(from int, id string) {
	m.Helper()
	if ids := m.told(from); !slices.Contains(ids, id) {
		m.Errorf("%s is not in the error log: %v", id, ids)
	}
}

// marks gives the extents of the latest AMQ7467 and AMQ7468.
func (m *machine) marks() (restart, media string) {
	m.Helper()
	out := m.mqsc("DISPLAY QMSTATUS RECLOG MEDIALOG")
	return value(out, "RECLOG"), value(out, "MEDIALOG")
}

// value gives that of NAME(value) in an answer.
func value(out, name string) string {
	_, after, _ := strings.Cut(out, name+"(")
	text, _, _ := strings.Cut(after, ")")
	return text
}

// kinds of log for tests of both.
var kinds = []extents.Kind{extents.Circular, extents.Linear}

// both runs a test for a circular and for a linear log.
func both(t *testing.T, test func(*machine, extents.Kind)) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) { test(ready(t, kind), kind) })
	}
}

// ready makes a host with a started queue manager QM1, whose queue Q holds a
// message. Its extents are small: 256 KiB.
func ready(t *testing.T, kind extents.Kind) *machine {
	t.Helper()
	m := newMachine(t, Settings{})
	flag := map[extents.Kind]string{extents.Circular: "-lc", extents.Linear: "-ll"}[kind]
	m.well("crtmqm", flag, "-lf", "64", "-lp", "3", "-ls", "2", "QM1")
	m.well("strmqm", "QM1")
	m.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)")
	m.put("Q", "kept")
	return m
}

// copyTree copies a folder as tar -p does, with everything in it: empty folders,
// permissions, and the owner where that is allowed.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	var after []func() error
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		after = append(after, func() error { return sameAccess(target, info) })
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o600)
	})
	for _, do := range slices.Backward(after) {
		err = errors.Join(err, do())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// restoreTree empties a folder and puts a copy in its place.
func restoreTree(t *testing.T, copied, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	copyTree(t, copied, to)
}

// backup copies data and log of QM1 at the same moment.
func (m *machine) backup() (data, log string) {
	m.Helper()
	folder := m.TempDir()
	data, log = filepath.Join(folder, "data"), filepath.Join(folder, "log")
	copyTree(m.T, m.file("."), data)
	copyTree(m.T, filepath.Join(m.root, "var/mqm/log/QM1"), log)
	return data, log
}

func (m *machine) restoreData(data string) { m.Helper(); restoreTree(m.T, data, m.file(".")) }
func (m *machine) restoreLog(log string) {
	m.Helper()
	restoreTree(m.T, log, filepath.Join(m.root, "var/mqm/log/QM1"))
}

// begin leaves a unit of work open that has put one message; prepared: in doubt.
func (m *machine) begin(queue, body string, prepared bool) (number uint64) {
	m.Helper()
	m.onManager(func(q *qmgr.Manager) error {
		u, err := q.Begin("APP")
		if err != nil {
			return err
		}
		number = u.Number()
		if _, err = u.Put(m.Context(), queue, engine.Message{Persistent: true, Body: []byte(body)}); err == nil && prepared {
			err = u.Prepare(m.Context(), []byte("xid"))
		}
		return err
	})
	return number
}

// crash is the death of the queue manager's processes.
func (m *machine) crash() {
	m.Helper()
	m.onManager(func(q *qmgr.Manager) error { return q.Crash() })
}

// checkpoint takes one.
func (m *machine) checkpoint() {
	m.Helper()
	m.onManager(func(q *qmgr.Manager) error { return q.Checkpoint(context.WithoutCancel(m.Context())) })
}
