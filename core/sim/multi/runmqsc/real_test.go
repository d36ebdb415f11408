package runmqsc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// station is a real queue manager, QM1, on a disk of its own.
type station struct {
	*testing.T
	root string
	site qmgr.Site
	at   time.Time
	m    *qmgr.Manager
}

func newStation(t *testing.T, release string, log extents.Settings) *station {
	t.Helper()
	s := &station{T: t, root: t.TempDir(), at: now}
	s.site = qmgr.Site{
		Disk: disk.NoSync(disk.At(s.root)), Root: s.root, NoSync: true, Host: "h1", Release: release,
		Now: func() time.Time { s.at = s.at.Add(time.Millisecond); return s.at },
	}
	m, err := qmgr.Create(t.Context(), s.site, qmgr.Spec{Name: "QM1", Log: log, DeadQ: "SYSTEM.DEAD.LETTER.QUEUE"})
	if err != nil {
		t.Fatal(err)
	}
	s.m = m
	s.start()
	t.Cleanup(func() {
		if m.State() == qmgr.Running {
			_ = m.Crash()
		}
	})
	return s
}

func (s *station) start() {
	s.Helper()
	_, err := s.m.Start(s.Context())
	s.must(err)
}

func (s *station) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// good runs commands that must all be done.
func (s *station) good(commands ...string) ran {
	s.Helper()
	got := run(s, s.m, commands...)
	if got.code != AllDone {
		s.Fatal(got.text)
	}
	return got
}

// refused runs one command that must be refused with a message.
func (s *station) refused(id, command string) {
	s.Helper()
	if got := run(s, s.m, command); got.ids() != id || got.code != SomeFailed {
		s.Errorf("%s: %s", command, got.text)
	}
}

// fill puts messages until the log has gone on by some extents.
func (s *station) fill(queue string, extents int) {
	s.Helper()
	body := make([]byte, 20_000)
	for last := s.m.Status().Log.Current; extents > 0; {
		_, err := s.m.Put(s.Context(), queue, engine.Message{Persistent: true, Body: body})
		s.must(err)
		_, err = s.m.Get(s.Context(), queue)
		s.must(err)
		if current := s.m.Status().Log.Current; current != last {
			last = current
			extents--
		}
	}
}

func linear(management extents.Management) extents.Settings {
	return extents.Settings{Kind: extents.Linear, Management: management, Primary: 3, Secondary: 2, FilePages: 64}
}

// Every object that crtmqm made can be displayed, with all its attributes, at
// every level.
func TestRealObjects(t *testing.T) {
	for _, release := range []string{"7.5.0.9", "9.1.0.0", "9.4.2.0"} {
		s := newStation(t, release, extents.Settings{Kind: extents.Circular, Primary: 3, Secondary: 2, FilePages: 64})
		shown := 0
		for _, kind := range []string{"QUEUE", "PROCESS", "NAMELIST", "CHANNEL", "LISTENER", "SERVICE", "TOPIC", "SUB", "AUTHINFO", "COMMINFO"} {
			shown += len(s.good("DISPLAY " + kind + "(*) ALL").answer.Objects)
		}
		if made := len(s.m.Objects()) - 4; shown != made { // the queue manager, its catalogue, its sync file, its channel table
			t.Errorf("%s: %d of %d objects", release, shown, made)
		}
		got := s.good("DISPLAY QMGR")
		if got.get(0, "DEADQ") != "SYSTEM.DEAD.LETTER.QUEUE" || got.get(0, "QMID") != "QM1_2026-05-28_02.00.03" {
			t.Error(got.text)
		}
	}
}

// What is defined and altered survives a crash; what is deleted stays away.
func TestRealDefinitions(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Manual))
	s.good("DEFINE QLOCAL(A) DESCR('x') MAXDEPTH(7)", "DEFINE QLOCAL(B)", "ALTER QLOCAL(A) PUT(DISABLED)", "ALTER QMGR IMGSCHED(AUTO) DESCR('ours')", "DELETE QLOCAL(B)",
		"DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('host(1414)') XMITQ(A)")
	before := s.good("DISPLAY QLOCAL(A)", "DISPLAY CHANNEL(TO.QM2)", "DISPLAY QMGR").answer.Objects
	s.must(s.m.Crash())
	if got := run(t, s.m, "DISPLAY QMGR"); got.code != NotRun || got.ids() != "AMQ8146E" {
		t.Error(got.text)
	}
	s.start()
	after := s.good("DISPLAY QLOCAL(A)", "DISPLAY CHANNEL(TO.QM2)", "DISPLAY QMGR").answer.Objects
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("before %v, after %v", before, after)
	}
	s.refused("AMQ8147E", "DISPLAY QLOCAL(B)")
	s.refused("AMQ8150E", "DEFINE QALIAS(A)")
}

// Messages, units of work and damage, as commands see them.
func TestRealQueues(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Manual))
	s.good("DEFINE QLOCAL(A)")
	for range 3 {
		_, err := s.m.Put(t.Context(), "A", engine.Message{Persistent: true, Body: []byte("hello")})
		s.must(err)
	}
	unit, err := s.m.Begin("APPLONG")
	s.must(err)
	_, err = unit.Put(t.Context(), "A", engine.Message{Persistent: true, Body: []byte("later")})
	s.must(err)
	got := s.good("DISPLAY QSTATUS(A) CURDEPTH UNCOM MEDIALOG", "DISPLAY CONN(*) TYPE(CONN) APPLTAG UOWLOG UOWLOGDA UOWSTATE WHERE(APPLTAG EQ APPLONG)")
	// CURDEPTH has what a unit of work has put (MQIA_CURRENT_Q_DEPTH).
	if got.get(0, "CURDEPTH") != "4" || got.get(0, "UNCOM") != "YES" || got.get(0, "MEDIALOG") != "S0000000.LOG" {
		t.Error(got.text)
	}
	if got.get(1, "UOWLOG") != "S0000000.LOG" || got.get(1, "UOWLOGDA") != "2026-05-28" || got.get(1, "UOWSTATE") != "ACTIVE" {
		t.Error(got.text)
	}
	s.refused("AMQ8148E", "CLEAR QLOCAL(A)")
	s.must(unit.Commit(t.Context()))
	s.refused("AMQ8143E", "DELETE QLOCAL(A)")
	s.good("CLEAR QLOCAL(A)")
	s.must(s.m.Damage(t.Context(), engine.Ref{Kind: engine.Queue, Name: "A"}))
	s.refused("AMQ8149S", "DISPLAY QLOCAL(A)")
	s.refused("AMQ8149S", "ALTER QLOCAL(A) PUT(DISABLED)")
	if _, err := s.m.Recreate(t.Context(), qmgr.Selection{Type: "qlocal", Name: "A"}); err != nil {
		t.Fatal(err)
	}
	if got := s.good("DISPLAY QLOCAL(A) CURDEPTH"); got.get(0, "CURDEPTH") != "0" {
		t.Error(got.text)
	}
}

// A DISPLAY QUEUE finds that the file of a queue is gone (SEED 7.5.1).
func TestRealDisplayFindsDamage(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Manual))
	s.good("DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)")
	s.must(s.m.End(t.Context(), qmgr.EndOptions{}))
	s.start()
	s.must(os.Remove(filepath.Join(s.root, "var/mqm/qmgrs/QM1/queues/A/q")))
	got := run(t, s.m, "DISPLAY QUEUE(*)")
	if damaged, found := got.answer.Message("AMQ8149"); !found || !strings.Contains(strings.Join(damaged.Lines, " "), "[2016, A]") || got.code != SomeFailed {
		t.Error(got.text)
	}
}

// SET LOG and RESET QMGR, and their refusals by kind of log (reference,
// Multiplatforms 3.2).
func TestRealLogCommands(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Archive))
	s.good("DEFINE QLOCAL(A)")
	s.fill("A", 3)
	s.good("RESET QMGR TYPE(ADVANCELOG)")
	if got := s.good("DISPLAY QMSTATUS CURRLOG ARCHLOG"); got.get(0, "CURRLOG") != "S0000004.LOG" || got.get(0, "ARCHLOG") != "S0000000.LOG" {
		t.Error(got.text)
	}
	s.good("SET LOG ARCHIVED(S0000001.LOG)", "SET LOG ARCHIVED(S0000001.LOG)", "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000002.LOG)")
	if got := s.good("DISPLAY QMSTATUS LOG"); got.get(0, "ARCHLOG") != "S0000003.LOG" {
		t.Error(got.text)
	}
	s.refused("AMQ3378E", "SET LOG ARCHIVED(S0000004.LOG)")
	s.refused("AMQ3379E", "SET LOG ARCHIVED(S0009999.LOG)")
	s.refused("AMQ3381E", "SET LOG ARCHIVED(X)")
	s.refused("AMQ3381E", "SET LOG ARCHIVED(R0000001.LOG)")
	manual := newStation(t, "9.4.0.0", linear(extents.Manual))
	manual.refused("AMQ3175E", "SET LOG ARCHIVED(S0000000.LOG)")
	manual.refused("AMQ3175E", "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000000.LOG)")
	manual.refused("AMQ3175E", "RESET QMGR TYPE(REDUCELOG)")
	circular := newStation(t, "9.4.0.0", extents.Settings{Kind: extents.Circular, Primary: 3, Secondary: 2, FilePages: 64})
	circular.refused("AMQ3175E", "RESET QMGR TYPE(ADVANCELOG)")
	circular.refused("AMQ8518E", "ALTER QMGR LOGGEREV(ENABLED)")
	if got := circular.good("DISPLAY QMSTATUS ALL"); got.get(0, "CURRLOG") != "" || got.get(0, "LOGTYPE") != "CIRCULAR" || !strings.Contains(got.text, "MEDIALOG( )") {
		t.Error(got.text)
	}
}

// contents gives all files of the station's disk.
func (s *station) contents() map[string]string {
	s.Helper()
	all := map[string]string{}
	s.must(filepath.WalkDir(s.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		all[path] = string(body)
		return err
	}))
	return all
}

// A suspended queue manager that is only looked at answers questions. What
// would change it is refused, and no file is another one afterwards.
func TestRealLookedAt(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Archive))
	s.good("DEFINE QLOCAL(A)")
	running := s.good("DISPLAY QMSTATUS LOG", "DISPLAY QUEUE(A)", "DISPLAY QSTATUS(A)", "DISPLAY CONN(*)").answer.Objects
	s.must(s.m.Suspend(t.Context()))
	looked, err := qmgr.Open(s.site, "QM1", s.m.DataDir())
	s.must(err)
	before := s.contents()
	got := run(t, looked, "DISPLAY QMSTATUS LOG", "DISPLAY QUEUE(A)", "DISPLAY QSTATUS(A)", "DISPLAY CONN(*)")
	if got.code != AllDone || fmt.Sprint(got.answer.Objects) != fmt.Sprint(running) {
		t.Error(got.text)
	}
	for _, command := range []string{
		"DEFINE QLOCAL(B)", "ALTER QLOCAL(A) PUT(DISABLED)", "DELETE QLOCAL(A)", "CLEAR QLOCAL(A)", "ALTER QMGR DESCR('x')",
		"SET LOG ARCHIVED(S0000000.LOG)", "RESET QMGR TYPE(ADVANCELOG)", "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000000.LOG)", "RESET QMGR TYPE(REDUCELOG)",
	} {
		if got := run(t, looked, command); got.code != NotRun || got.ids() != "AMQ8145E" {
			t.Errorf("%s\n%s", command, got.text)
		}
	}
	if diff := cmp.Diff(before, s.contents()); diff != "" {
		t.Error(diff)
	}
}

// The figures of a queue that is worked on are its own.
func TestRealFigures(t *testing.T) {
	s := newStation(t, "9.4.0.0", linear(extents.Manual))
	s.good("DEFINE QLOCAL(A) MAXFSIZE(20)")
	unit, err := s.m.Begin("APP")
	s.must(err)
	for range 15 {
		_, err = s.m.Put(t.Context(), "A", engine.Message{Persistent: true, Body: make([]byte, 100_000)})
		s.must(err)
		s.must(s.m.Checkpoint(t.Context()))
	}
	_, err = unit.Put(t.Context(), "A", engine.Message{Persistent: true, Body: []byte("x")})
	s.must(err)
	got := s.good("DISPLAY QSTATUS(A) CURFSIZE CURMAXFS IPPROCS OPPROCS")
	for name, want := range map[string]string{"CURFSIZE": "2", "CURMAXFS": "20", "IPPROCS": "0", "OPPROCS": "1"} {
		if value := got.get(0, name); value != want {
			t.Errorf("%s(%s), wanted %s", name, value, want)
		}
	}
}
