package ibmi

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

var update = flag.Bool("update", false, "write the answers into the scripts")

// A script holds lines that do something, and below each what came of it:
//
//	> CL command        its messages and print; "! " before an escape message, "? " for a job that waits
//	? LANGUAGE text     a question to the queue manager that was named last; "! " before its error
//	$ verb arguments    what no command does: see steps
//	# comment
//
// Sizes, which depend on the form of the log, are shown as #.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	used := map[string]bool{}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := &script{station: newStation(t), used: used}
			got := s.play(string(want))
			if *update {
				s.must(os.WriteFile(name, []byte(got), 0o600))
			} else if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, name := range Commands() {
		if !used[name] {
			t.Errorf("no script uses %s", name)
		}
	}
}

type script struct {
	*station
	used    map[string]bool
	manager *qmgr.Manager
	units   []*qmgr.Unit
}

var (
	sizes    = regexp.MustCompile(`(?m)(Size \(K\) . . :   |receivers \(in kilobytes\)[ .]*:   |ATTACHED|ONLINE|SAVED|FREED|PARTIAL|EMPTY) *\d+$`)
	firstOne = regexp.MustCompile(`[A-Za-z]+`)
)

// play gives the script with the answers that came.
func (s *script) play(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			out.WriteString(line + "\n" + s.command(line[2:]))
		case strings.HasPrefix(line, "? "):
			out.WriteString(line + "\n" + s.question(line[2:]))
		case strings.HasPrefix(line, "$ "):
			s.step(strings.Fields(line[2:]))
			out.WriteString(line + "\n")
		case line == "" || line[0] == '#':
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func (s *script) command(text string) string {
	s.used[strings.ToUpper(firstOne.FindString(text))] = true
	result, err := s.m.Run(s.ctx, s.job, text)
	s.clock.advance(2 * time.Second)
	out := strings.ReplaceAll(result.String(), "\n", "\n  ")
	var waiting *os400.Waiting
	var escaped *os400.Error
	switch {
	case errors.As(err, &waiting):
		out += "?? " + waiting.Message + " " + waiting.Object.String()
	case errors.As(err, &escaped):
		out += "! " + escaped.ID + ": " + escaped.Text
	case err != nil:
		s.t.Errorf("%s: no escape message: %v", text, err)
	}
	for _, note := range result.Messages {
		if note.Text == "" || strings.Contains(note.Text, "&") {
			s.t.Errorf("%s: message %s has the text %q", text, note.ID, note.Text)
		}
	}
	return indent(out)
}

func (s *script) question(text string) string {
	language, rest, _ := strings.Cut(text, " ")
	answer, err := s.m.AskAs(s.ctx, s.job.User, observe.Question{Language: observe.Language(language), QueueManager: s.manager.Name(), Text: rest})
	if err != nil {
		return indent("! " + err.Error())
	}
	return indent(string(answer.Body))
}

// indent puts two blanks before each line and takes those behind it away.
func indent(text string) string {
	var out strings.Builder
	for line := range strings.Lines(sizes.ReplaceAllString(strings.TrimRight(text, " \n"), "$1 #")) {
		out.WriteString(strings.TrimRight("  "+strings.TrimSpace(line), " ") + "\n")
	}
	return out.String()
}

// step does what no command does.
func (s *script) step(words []string) {
	s.t.Helper()
	sys := s.m.System()
	var err error
	switch args := words[1:]; words[0] {
	case "manager": // NAME: made with small receivers and started
		s.manager = s.station.manager(args[0])
	case "use": // NAME: the one that is meant from here on
		s.manager, err = s.m.Manager(args[0])
	case "fill": // QUEUE RECEIVERS
		n, _ := strconv.Atoi(args[1])
		s.fill(s.manager, args[0], n)
	case "put": // QUEUE
		_, err = s.manager.Put(s.ctx, args[0], engine.Message{Persistent: true, Body: []byte("order")})
	case "begin": // APPLICATION QUEUE: a unit of work with a put
		var unit *qmgr.Unit
		unit, err = s.manager.Begin(args[0])
		s.must(err)
		s.units = append(s.units, unit)
		_, err = unit.Put(s.ctx, args[1], engine.Message{Persistent: true, Body: []byte("order")})
	case "prepare": // the newest unit of work
		err = s.units[len(s.units)-1].Prepare(s.ctx, []byte("XID"))
	case "volatile": // QUEUE: a message that is not persistent
		_, err = s.manager.Put(s.ctx, args[0], engine.Message{Body: []byte("order")})
	case "crash":
		err = s.manager.Crash(s.ctx)
	case "damage": // QUEUE, *MQM or *CTLG
		err = s.manager.Damage(s.ctx, args[0])
	case "lock": // RECEIVER
		err = sys.Lock(os400.ID{Library: s.manager.Library(), Name: args[0]}, "000002/QSECOFR/CDC")
	case "unlock":
		err = sys.Unlock(os400.ID{Library: s.manager.Library(), Name: args[0]}, "000002/QSECOFR/CDC")
	case "lose": // RECEIVER
		err = sys.Remove(os400.ID{Library: s.manager.Library(), Name: args[0]})
	case "pass": // DURATION
		var d time.Duration
		d, err = time.ParseDuration(args[0])
		s.must(err)
		s.tick(d)
	case "job":
		s.job = &os400.Job{Name: fmt.Sprintf("%06d/QMQM/%s", len(args[0]), args[0]), User: "QMQM"}
	case "user": // NAME: whose job it is from here on
		s.job = &os400.Job{Name: "000003/" + args[0] + "/NIGHTLY", User: args[0]}
	default:
		s.t.Fatalf("no step %q", words)
	}
	s.must(err)
}
