package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

func TestMain(m *testing.M) {
	standin.Main()
	remove := standin.Prepare()
	code := m.Run()
	remove()
	os.Exit(code)
}

// station is a machine of stand-ins with one queue manager, and a connection to
// it.
type station struct {
	t    *testing.T
	host *standin.Host
	dial connect.Dialer
	name string
	log  string // folder of the extents
}

// case18 is the log of case 18: restart older than media.
func case18() standin.Manager {
	return standin.Manager{Name: "QM.1", First: 100, Current: 130, Restart: 112, Media: 120}
}

func newStation(t *testing.T, m standin.Manager, settings ...func(*Settings)) *station {
	t.Helper()
	host, err := standin.New(filepath.Join(t.TempDir(), "with blanks"))
	if err != nil {
		t.Fatal(err)
	}
	m, err = host.Create(m)
	if err != nil {
		t.Fatal(err)
	}
	with := Settings{Bin: host.Bin, DataRoot: host.Root, Timeout: 20 * time.Second}
	for _, set := range settings {
		set(&with)
	}
	return &station{t, host, Dial(with), m.Name, m.Active()}
}

func within(d time.Duration) func(*Settings) { return func(s *Settings) { s.Timeout = d } }

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) ask(language observe.Language, text string) ([]byte, error) {
	s.t.Helper()
	reader, err := s.dial.Reader(s.t.Context())
	s.must(err)
	answer, err := reader.Ask(s.t.Context(), observe.Question{Language: language, QueueManager: s.name, Text: text})
	s.must(reader.Close())
	return answer.Body, err
}

func (s *station) writer() connect.Writer {
	s.t.Helper()
	w, err := s.dial.Writer(s.t.Context())
	s.must(err)
	s.t.Cleanup(func() { s.must(w.Close()) })
	return w
}

// folder opens the folder of the extents as the connection does.
func (s *station) folder() folder {
	s.t.Helper()
	f, err := s.dial.(*machine).files.open(s.t.Context(), s.log)
	s.must(err)
	s.t.Cleanup(func() { s.must(f.Close()) })
	return f
}

func (s *station) id(number int) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: s.name, Name: observe.ExtentName(number)}
}

// removal is an extent with the fingerprint that the listing gives it.
func (s *station) removal(number int) connect.Removal {
	s.t.Helper()
	info, err := os.Lstat(s.path(number))
	s.must(err)
	return connect.Removal{Segment: s.id(number), Fingerprint: fingerprintOf(info)}
}

func (s *station) path(number int) string { return filepath.Join(s.log, observe.ExtentName(number)) }

func (s *station) there(number int) bool {
	_, err := os.Lstat(s.path(number))
	return err == nil
}

// names gives what is in the folder of the extents.
func (s *station) names() []string {
	s.t.Helper()
	entries, err := os.ReadDir(s.log)
	s.must(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (s *station) change(f func(*standin.Manager)) {
	s.t.Helper()
	s.must(s.host.Change(s.name, f))
}

func (s *station) calls() []string {
	s.t.Helper()
	calls, err := s.host.Calls()
	s.must(err)
	return calls
}

func mqscCommand(name, text string) plugins.Command {
	return plugins.Command{Language: observe.MQSC, QueueManager: name, Text: text}
}

// gated gives the writer as a run has it.
func (s *station) gated() connect.Writer {
	s.t.Helper()
	target := observe.Target{Name: s.name, Platform: observe.Multiplatforms}
	w, err := connect.New(connect.Apply, map[string]connect.Dialer{s.name: s.dial}).Writer(context.Background(), target)
	s.must(err)
	s.t.Cleanup(func() { s.must(w.Close()) })
	return w
}

// A dry run never gets to the connection.
func TestDryRunHasNoWriter(t *testing.T) {
	s := newStation(t, case18())
	target := observe.Target{Name: s.name, Platform: observe.Multiplatforms}
	for _, mode := range []connect.Mode{connect.NoMode, connect.Plan} {
		if _, err := connect.New(mode, map[string]connect.Dialer{s.name: s.dial}).Writer(t.Context(), target); !errors.Is(err, connect.ErrDryRun) {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	if calls := s.calls(); len(calls) > 0 {
		t.Errorf("it ran %q", calls)
	}
}

// contains tells whether an error's text holds all of some words.
func contains(err error, words ...string) bool {
	return err != nil && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(err.Error(), w) })
}
