package local

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// answering is a machine whose commands the test answers.
type answering struct {
	root            string
	looked, changed int
	closed          int
	given           []string // command lines with their input
	ended           connect.Ended
	err             error
	size, free      int64
	refuse          error
}

type answeringRunner struct {
	*answering
}

func (a *answering) Look(context.Context) (connect.Runner, error) {
	a.looked++
	return answeringRunner{a}, a.refuse
}

func (a *answering) Change(context.Context) (connect.Runner, error) {
	a.changed++
	return answeringRunner{a}, a.refuse
}

func (r answeringRunner) Run(_ context.Context, argv []string, input []byte) (connect.Ended, error) {
	line := strings.Join(argv, " ") + "|" + string(input)
	r.given = append(r.given, line)
	return r.ended, r.err
}

func (r answeringRunner) Now() time.Time             { return time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC) }
func (r answeringRunner) DataRoot() string           { return r.root }
func (r answeringRunner) Room() (int64, int64, bool) { return r.size, r.free, r.size > 0 }
func (r answeringRunner) Close() error               { r.closed++; return nil }

// said is what runmqsc prints around a text.
func said(text string) connect.Ended {
	return connect.Ended{Output: []byte("Starting MQSC for queue manager QM1.\n\n     1 : x\n" + text + "\nOne MQSC command read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n")}
}

func askOf(t *testing.T, d connect.Dialer, language observe.Language, text string) (observe.Answer, error) {
	t.Helper()
	reader, err := d.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := reader.Ask(t.Context(), observe.Question{Language: language, QueueManager: "QM1", Text: text})
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	return answer, err
}

// Questions go to what is looked at, with the machine's own time; nothing is
// opened to be changed for them, and all is closed again.
func TestQuestionsOfASimulatedMachine(t *testing.T) {
	a := &answering{root: t.TempDir(), ended: said("AMQ8408I: Display Queue Manager details.\n   QMNAME(QM1)")}
	d := Dial(Settings{Commands: a, Bin: "/opt/mqm/bin", Prefix: []string{"docker"}, DataRoot: "/elsewhere"})
	answer, err := askOf(t, d, observe.MQSC, "DISPLAY QMGR QMID")
	if err != nil || !strings.Contains(string(answer.Body), "QMNAME(QM1)") || answer.At.Year() != 2026 {
		t.Errorf("%s %q: %v", answer.At, answer.Body, err)
	}
	if a.looked != 1 || a.changed != 0 || a.closed != 1 || a.given[0] != "runmqsc QM1|DISPLAY QMGR QMID\nend\n" {
		t.Errorf("looked %d times, changed %d, closed %d: %q", a.looked, a.changed, a.closed, a.given)
	}
	a.ended = connect.Ended{Output: []byte("QMNAME(QM1)  STATUS(Running)\n")}
	if _, err := askOf(t, d, observe.CTL, "dspmq -m QM1 -o status -x"); err != nil || a.given[1] != "dspmq -m QM1 -o status -x|" {
		t.Errorf("%q: %v", a.given, err)
	}
	a.ended = connect.Ended{Said: []byte("AMQ7048E: The queue manager name is either not valid or not known.\n"), Code: 72}
	var failed *observe.Failed
	if _, err := askOf(t, d, observe.CTL, "dspmqinf QM1"); !errors.As(err, &failed) || !strings.Contains(string(failed.Body), "AMQ7048E") {
		t.Errorf("exit code 72: %v", err)
	}
}

// Files are those of this machine, below the data root of the simulated one.
func TestFilesOfASimulatedMachine(t *testing.T) {
	a := &answering{root: t.TempDir()}
	if err := os.WriteFile(filepath.Join(a.root, "mqs.ini"), []byte("QueueManager:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := Dial(Settings{Commands: a})
	if answer, err := askOf(t, d, observe.File, "/var/mqm/mqs.ini"); err != nil || string(answer.Body) != "QueueManager:\n" {
		t.Errorf("%q: %v", answer.Body, err)
	}
	if answer, err := askOf(t, d, observe.Space, a.root); err != nil || !strings.HasPrefix(string(answer.Body), "size ") {
		t.Errorf("the room of this machine: %q: %v", answer.Body, err)
	}
	a.size, a.free = 8192, 4096
	if answer, err := askOf(t, d, observe.Space, a.root); err != nil || string(answer.Body) != "size 8192\nfree 4096\n" {
		t.Errorf("the room of a simulated file system: %q: %v", answer.Body, err)
	}
}

// Changes go to what may be changed, and what was never begun is told apart
// from what nobody knows.
func TestChangesOfASimulatedMachine(t *testing.T) {
	a := &answering{root: t.TempDir()}
	d := Dial(Settings{Commands: a})
	w, err := d.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := plugins.Command{Language: observe.CTL, QueueManager: "QM1", Text: "rcdmqimg -m QM1 -t all '*'"}
	if _, state, err := w.Do(t.Context(), c); state != plugins.Done || err != nil || a.given[0] != "rcdmqimg -m QM1 -t all *|" {
		t.Errorf("%s %q: %v", state, a.given, err)
	}
	a.ended.Code = 132
	if _, state, _ := w.Do(t.Context(), c); state != plugins.Failed {
		t.Errorf("exit code 132: %s", state)
	}
	a.ended.Code, a.err = 0, connect.ErrNotSent
	if _, state, err := w.Do(t.Context(), c); state != plugins.Failed || !errors.Is(err, connect.ErrNotSent) {
		t.Errorf("not sent: %s, %v", state, err)
	}
	a.err = io.ErrUnexpectedEOF
	if _, state, _ := w.Do(t.Context(), c); state != plugins.Unknown {
		t.Errorf("an error in between: %s", state)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if a.looked != 0 || a.changed != 1 || a.closed != 1 {
		t.Errorf("looked %d times, changed %d, closed %d", a.looked, a.changed, a.closed)
	}
}

// What can't be opened is the error of the connection.
func TestASimulatedMachineThatIsNotThere(t *testing.T) {
	d := Dial(Settings{Commands: &answering{refuse: os.ErrNotExist}})
	if _, err := d.Reader(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reader: %v", err)
	}
	if _, err := d.Writer(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("writer: %v", err)
	}
}
