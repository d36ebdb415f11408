package local

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// both tries something on this machine, and through a prefix as in a container.
func both(t *testing.T, m standin.Manager, try func(*testing.T, *station)) {
	t.Helper()
	for name, prefix := range map[string][]string{"this machine": nil, "prefix": {"env"}} {
		t.Run(name, func(t *testing.T) {
			try(t, newStation(t, m, func(s *Settings) { s.Prefix = prefix }))
		})
	}
}

// either is both, and where it has to be short this machine alone: for what is
// the same whichever way files are reached. A command of a stand-in is the whole
// program of the tests, which under the race detector is slow to start.
func either(t *testing.T, m standin.Manager, try func(*testing.T, *station)) {
	t.Helper()
	if testing.Short() {
		alone(t, m, try)
		return
	}
	both(t, m, try)
}

// alone tries it on this machine only: it does not depend on how files are
// reached.
func alone(t *testing.T, m standin.Manager, try func(*testing.T, *station)) {
	t.Helper()
	try(t, newStation(t, m))
}

func TestRemove(t *testing.T) {
	both(t, case18(), func(t *testing.T, s *station) {
		w := s.gated()
		for number := 100; number < 112; number++ {
			if _, state, err := w.Remove(t.Context(), s.removal(number)); state != plugins.Done || err != nil {
				t.Fatalf("%d: %s, %v", number, state, err)
			}
		}
		s.must(w.Force(t.Context()))
		if names := s.names(); len(names) != 19 || names[0] != "S0000112.LOG" {
			t.Errorf("left: %q", names)
		}
	})
}

// What is no complete extent of the log, is read by a restart, or is not what
// was judged, stays.
func TestRemoveRefuses(t *testing.T) {
	manager := case18()
	manager.Reuse = []int{7}
	both(t, manager, func(t *testing.T, s *station) {
		link, hard, folder, changed := s.path(101), s.path(102), s.path(103), s.path(104)
		outside := filepath.Join(t.TempDir(), "outside")
		s.must(os.WriteFile(outside, []byte("x"), 0o600))
		judged := s.removal(104)
		s.must(errors.Join(os.Remove(link), os.Symlink(outside, link), os.Link(hard, hard+".other"),
			os.Remove(folder), os.Mkdir(folder, 0o700), os.Chtimes(changed, time.Time{}, time.Now().Add(time.Hour))))
		before := s.names()
		named := func(name string) connect.Removal {
			return connect.Removal{Segment: recovery.SegmentID{QueueManager: s.name, Name: name}, Fingerprint: judged.Fingerprint}
		}
		noPrint := s.removal(100)
		noPrint.Fingerprint = ""
		w := s.writer()
		for what, test := range map[string]struct {
			removal connect.Removal
			want    string
		}{
			"the current one":          {s.removal(130), "CURRLOG"},
			"beyond the current one":   {named("S0000131.LOG"), "CURRLOG"},
			"the restart point":        {s.removal(112), "RECLOG"},
			"behind the restart point": {s.removal(120), "RECLOG"},
			"for reuse":                {named("R0000007.LOG"), "reuse"},
			"the control file":         {named("amqhlctl.lfh"), "no name of a log extent"},
			"a path":                   {named("../amqhlctl.lfh"), "no name of a log extent"},
			"a link":                   {s.removal(101), "not as it was"},
			"with another name":        {s.removal(102), "not as it was"},
			"a folder":                 {s.removal(103), "not as it was"},
			"changed":                  {judged, "not as it was"},
			"not judged":               {noPrint, "not as it was"},
			"gone":                     {named("S0000099.LOG"), "S0000099.LOG"},
		} {
			_, state, err := w.Remove(t.Context(), test.removal)
			if state != plugins.Failed || !contains(err, test.want) {
				t.Errorf("%s: %s, %v", what, state, err)
			}
		}
		if after := s.names(); !slices.Equal(before, after) {
			t.Errorf("left: %q", after)
		}
		if _, err := os.Stat(outside); err != nil {
			t.Error(err)
		}
	})
}

// Only of a linear log under LogManagement=Manual anybody but the queue manager
// removes extents, and only where the folder is proven to be the log's.
func TestRemoveRefusesTheLog(t *testing.T) {
	for name, test := range map[string]struct {
		manager standin.Manager
		damage  func(*testing.T, *station, standin.Manager)
		want    error // nil: any
		words   string
	}{
		"automatic":  {standin.Manager{Management: "Automatic"}, nil, ErrManaged, "Automatic"},
		"archive":    {standin.Manager{Management: "Archive"}, nil, ErrManaged, "Archive"},
		"replicated": {standin.Manager{LogType: "REPLICATED"}, nil, ErrManaged, "REPLICATED"},
		"circular":   {standin.Manager{LogType: "CIRCULAR"}, nil, ErrManaged, "CIRCULAR"},
		"no control file": {standin.Manager{}, func(t *testing.T, _ *station, m standin.Manager) {
			must(t, os.Remove(filepath.Join(m.Log, "amqhlctl.lfh")))
		}, ErrNotProven, "amqhlctl.lfh"},
		"paths differ": {standin.Manager{}, func(t *testing.T, _ *station, m standin.Manager) {
			edit(t, filepath.Join(m.Data, "qm.ini"), m.Log, m.Log+"2")
		}, ErrNotProven, "LogPath"},
		"no qm.ini": {standin.Manager{}, func(t *testing.T, _ *station, m standin.Manager) {
			must(t, os.Remove(filepath.Join(m.Data, "qm.ini")))
		}, nil, "qm.ini"},
		"no stanza": {standin.Manager{}, func(t *testing.T, s *station, _ standin.Manager) {
			must(t, s.host.Behave("dspmqinf", standin.Failing))
			edit(t, filepath.Join(s.host.Root, "mqs.ini"), "Name=QM1", "Name=QM2")
		}, nil, "no stanza"},
		"management unclear": {standin.Manager{}, func(t *testing.T, _ *station, m standin.Manager) {
			edit(t, filepath.Join(m.Data, "qm.ini"), "LogManagement=Manual", "LogManagement=Perhaps")
		}, nil, "unclear"},
	} {
		test.manager.Name, test.manager.Current, test.manager.Restart, test.manager.Media = "QM1", 9, 9, 9
		t.Run(name, func(t *testing.T) {
			ways := alone
			if test.want == ErrNotProven { //nolint:errorlint // which case it is; the folder is looked at
				ways = both
			}
			ways(t, test.manager, func(t *testing.T, s *station) {
				m, err := s.host.Manager(s.name)
				s.must(err)
				if test.damage != nil {
					test.damage(t, s, m)
				}
				_, state, err := s.writer().Remove(t.Context(), s.removal(1))
				if state != plugins.Failed || !contains(err, test.words) || test.want != nil && !errors.Is(err, test.want) || !s.there(1) {
					t.Errorf("%s, %v", state, err)
				}
			})
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func edit(t *testing.T, file, from, to string) {
	t.Helper()
	body, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, bytes.ReplaceAll(body, []byte(from), []byte(to)), 0o600))
}

// A writer goes by the newest reading that anybody of the connection got.
func TestNewestReading(t *testing.T) {
	s := newStation(t, case18())
	w := s.writer()
	if _, state, err := w.Remove(t.Context(), s.removal(100)); state != plugins.Done {
		t.Fatal(err)
	}
	s.change(func(m *standin.Manager) { m.Restart = 101 }) // of another incarnation
	_, err := s.ask(observe.MQSC, "DISPLAY QMSTATUS ALL")
	s.must(err)
	if _, state, err := w.Remove(t.Context(), s.removal(101)); state != plugins.Failed || !contains(err, "RECLOG(S0000101.LOG)") {
		t.Errorf("%s, %v", state, err)
	}
}

// A folder that was put in the place of the log's is none of its.
func TestFolderIsReplaced(t *testing.T) {
	s := newStation(t, case18())
	w := s.writer()
	_, state, err := w.Remove(t.Context(), s.removal(100))
	s.must(err)
	s.must(os.Rename(s.log, s.log+".old"))
	s.must(os.Mkdir(s.log, 0o700))
	if err := w.Force(t.Context()); state != plugins.Done || !errors.Is(err, ErrNotProven) {
		t.Errorf("%s, %v", state, err)
	}
}

// Case 17: over the wrap of the numbers it is the distance that counts.
func TestRemoveOverTheWrap(t *testing.T) {
	s := newStation(t, standin.Manager{Name: "QM1", First: 9999995, Current: 10000003, Restart: 10000001, Media: 9999998})
	w := s.writer()
	for _, number := range []int{9999995, 9999996, 9999997} {
		if _, state, err := w.Remove(t.Context(), s.removal(number)); state != plugins.Done {
			t.Errorf("%d: %v", number, err)
		}
	}
	for _, number := range []int{1, 2, 3} {
		if _, state, err := w.Remove(t.Context(), s.removal(number)); state != plugins.Failed || !s.there(number) {
			t.Errorf("%d: %s, %v", number, state, err)
		}
	}
}

// A relative path and a link lead to the log as well.
func TestLinkedLog(t *testing.T) {
	s := newStation(t, case18())
	m, err := s.host.Manager(s.name)
	s.must(err)
	elsewhere := filepath.Join(t.TempDir(), "the disk", "active")
	s.must(os.MkdirAll(filepath.Dir(elsewhere), 0o700))
	s.must(os.Rename(m.Active(), elsewhere))
	s.must(os.Symlink(elsewhere, m.Active()))
	w := s.writer()
	if _, state, err := w.Remove(t.Context(), s.removal(100)); state != plugins.Done {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "S0000100.LOG")); !errors.Is(err, os.ErrNotExist) {
		t.Error("it is still there")
	}
	t.Chdir(filepath.Dir(s.log))
	for _, path := range []string{s.log, "active", elsewhere} {
		body, err := s.ask(observe.LogDir, path)
		if err != nil || strings.Count(string(body), "\n") != 30 || !strings.Contains(string(body), "S0000101.LOG 65536 2") {
			t.Errorf("%s: %v, %q", path, err, body)
		}
	}
}

// Case 36.
func TestMarkArchived(t *testing.T) {
	s := newStation(t, standin.Manager{Name: "QM1", Management: "Archive", First: 120, Current: 130, Restart: 128, Media: 126, Reuse: []int{99}})
	w := s.gated()
	for _, test := range []struct {
		name  string
		state plugins.State
	}{
		{"S0000127.LOG", plugins.Done},   // complete, still needed
		{"S0000130.LOG", plugins.Failed}, // being written
		{"R0000099.LOG", plugins.Failed},
		{"S0000127.LOG", plugins.Done},   // again: accepted without change
		{"S0000119.LOG", plugins.Failed}, // not there: the queue manager says so
		{"S0000120.LOG", plugins.Done},   // superfluous: the queue manager reuses it
	} {
		_, state, err := w.MarkArchived(t.Context(), recovery.SegmentID{QueueManager: "QM1", Name: test.name})
		if state != test.state || (err == nil) != (state == plugins.Done) {
			t.Errorf("%s: %s, %v", test.name, state, err)
		}
	}
	m, err := s.host.Manager("QM1")
	s.must(err)
	if !slices.Equal(m.Reported, []int{127, 120}) || s.there(120) || !s.there(127) {
		t.Errorf("reported %v, left %q", m.Reported, s.names())
	}
	sent := slices.DeleteFunc(s.calls(), func(c string) bool { return c != "runmqsc QM1" })
	if len(sent) == 0 {
		t.Error("nothing was sent")
	}
}

// Under Manual the command fails, so it is not issued; as a command it is
// refused under any.
func TestMarkArchivedFails(t *testing.T) {
	s := newStation(t, case18())
	if _, state, err := s.writer().MarkArchived(t.Context(), s.id(100)); state != plugins.Failed || !errors.Is(err, connect.ErrNotSent) || !contains(err, "Manual") {
		t.Errorf("%s, %v", state, err)
	}
	c := plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "SET LOG ARCHIVED(S0000100.LOG)"}
	if _, state, err := s.gated().Do(t.Context(), c); state != plugins.Failed || !errors.As(err, new(*observe.Refused)) {
		t.Errorf("a release as a command: %s, %v", state, err)
	}
}

func TestCommands(t *testing.T) {
	s := newStation(t, case18())
	images := plugins.Command{Language: observe.CTL, QueueManager: s.name, Text: "rcdmqimg -m QM.1 -t all '*'"}
	if answer, state, err := s.gated().Do(t.Context(), images); state != plugins.Done || !bytes.Contains(answer.Body, []byte("recorded")) {
		t.Errorf("%s, %v, %q", state, err, answer.Body)
	}
	if m, _ := s.host.Manager(s.name); m.Media != 130 {
		t.Errorf("media point %d", m.Media)
	}
	if calls := s.calls(); !slices.Equal(calls, []string{"rcdmqimg -m QM.1 -t all *"}) {
		t.Errorf("ran %q", calls)
	}
	s.change(func(m *standin.Manager) { m.ImageCode = 28 })
	if _, state, err := s.writer().Do(t.Context(), images); state != plugins.Failed || !contains(err, "exit code 28") {
		t.Errorf("%s, %v", state, err)
	}
	if _, state, err := s.writer().Do(t.Context(), mqscCommand(s.name, "RESET QMGR TYPE(ADVANCELOG)")); state != plugins.Done || err != nil {
		t.Errorf("%s, %v", state, err)
	}
	before := s.calls()
	for _, c := range []plugins.Command{
		{Language: observe.CTL, QueueManager: s.name, Text: "rcdmqimg -t all '*'"},
		{Language: observe.CTL, QueueManager: s.name, Text: "rcdmqimg -m QM2 -t all '*'"},
		{Language: observe.CTL, QueueManager: s.name, Text: "rcdmqimg -m QM.1 -m QM2 -t all '*'"},
		{Language: observe.CTL, QueueManager: s.name, Text: "rcrmqobj -m QM.1 -t all '*'"},
		{Language: observe.CTL, QueueManager: s.name, Text: "rm x"},
		{Language: observe.MQSC, QueueManager: s.name, Text: "DISPLAY QMGR"},
		{Language: observe.MQSC, QueueManager: s.name, Text: "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000100.LOG)"},
		{Language: observe.CL, QueueManager: s.name, Text: "RCDMQMIMG MQMNAME(X)"},
	} {
		if _, state, err := s.writer().Do(t.Context(), c); state != plugins.Failed || !errors.As(err, new(*observe.Refused)) {
			t.Errorf("%s: %s, %v", c.Text, state, err)
		}
	}
	if after := s.calls(); !slices.Equal(before, after) {
		t.Errorf("ran %q", after)
	}
}

// Of every command one of three things is known.
func TestOutcomes(t *testing.T) {
	wants := map[standin.Behaviour]plugins.State{
		"": plugins.Done, standin.Refusing: plugins.Failed, standin.Failing: plugins.Failed,
		standin.Hanging: plugins.Unknown, standin.Stubborn: plugins.Unknown, standin.Half: plugins.Unknown,
		standin.German: plugins.Unknown, standin.Killed: plugins.Unknown, standin.Another: plugins.Unknown, standin.Garbage: plugins.Unknown,
	}
	type outcome struct {
		state plugins.State
		err   error
		late  bool
	}
	var mu sync.Mutex
	outcomes := map[standin.Behaviour]outcome{}
	var all sync.WaitGroup
	for how := range wants {
		s := newStation(t, case18())
		s.must(s.host.Behave("runmqsc", how))
		w := s.writer()
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if how == standin.Hanging || how == standin.Stubborn {
				ctx, cancel = context.WithTimeout(t.Context(), time.Second)
			}
			defer cancel()
			_, state, err := w.Do(ctx, mqscCommand(s.name, "RESET QMGR TYPE(ADVANCELOG)"))
			mu.Lock()
			defer mu.Unlock()
			outcomes[how] = outcome{state, err, ctx.Err() != nil}
		})
	}
	all.Wait()
	for how, want := range wants {
		got := outcomes[how]
		if got.state != want || (got.err == nil) != (want == plugins.Done) {
			t.Errorf("as %q: %s, %v", how, got.state, got.err)
		}
		if late := new(connect.Timeout); got.late && (!errors.As(got.err, &late) || !late.Ended) {
			t.Errorf("as %q: %v", how, got.err)
		}
	}
}

func TestClosedWriter(t *testing.T) {
	s := newStation(t, case18())
	w, err := s.dial.Writer(t.Context())
	s.must(err)
	s.must(errors.Join(w.Close(), w.Close()))
	if _, state, err := w.Remove(t.Context(), s.removal(100)); state != plugins.Failed || !errors.Is(err, connect.ErrNotSent) || !s.there(100) {
		t.Errorf("%s, %v", state, err)
	}
}
