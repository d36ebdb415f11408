package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

func TestQuestions(t *testing.T) { either(t, case18(), testQuestions) }

func testQuestions(t *testing.T, s *station) {
	body, err := s.ask(observe.MQSC, "DISPLAY QMSTATUS ALL")
	s.must(err)
	answer, err := mqsc.ParseAnswer(body)
	s.must(err)
	for name, want := range map[string]string{
		"QMNAME": "QM.1", "CURRLOG": "S0000130.LOG", "RECLOG": "S0000112.LOG", "MEDIALOG": "S0000120.LOG",
		"LOGTYPE": "LINEAR", "ARCHLOG": "", "LOGPATH": s.log + "/",
	} {
		if got, ok := answer.Objects[0].Get(name); !ok || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, test := range []struct {
		language observe.Language
		text     string
		want     string
	}{
		{observe.MQSC, "DISPLAY QMGR QMID", "QMID(QM.1_"},
		{observe.MQSC, "DISPLAY CONN(*) ALL", "UOWLOG( )"},
		{observe.MQSC, "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", "MEDIALOG(S0000120.LOG)"},
		{observe.MQSC, "DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE", "MAXMSGL("},
		{observe.CTL, "dspmq -m QM.1 -o status -x", "STATUS(Running)"},
		{observe.CTL, "dspmqinf QM.1", "Directory=QM!1"},
		{observe.CTL, "id", "uid="},
		{observe.File, "/var/mqm/mqs.ini", "Name=QM.1"},
		{observe.File, filepath.Join(s.host.Root, "qmgrs/QM!1/qm.ini"), "LogManagement=Manual"},
		{observe.Space, s.log, "size "},
		{observe.Store, "manifests", ""},
	} {
		body, err := s.ask(test.language, test.text)
		if err != nil || !strings.Contains(string(body), test.want) {
			t.Errorf("%s: %v, %q", test.text, err, body)
		}
	}
}

// What is no display, and what nobody here knows, is not run.
func TestQuestionsThatAreNotAsked(t *testing.T) {
	s := newStation(t, case18())
	for _, test := range []struct {
		language observe.Language
		text     string
		want     any
	}{
		{observe.MQSC, "SET LOG ARCHIVED(S0000100.LOG)", new(*observe.Refused)},
		{observe.MQSC, "DISPLAY QMSTATUS\nDELETE QLOCAL(A)", new(*observe.Refused)},
		{observe.CTL, "rcdmqimg -m QM.1 -t all '*'", new(*observe.Refused)},
		{observe.CTL, "sh -c 'rm x'", new(*observe.Refused)},
		{observe.CTL, "dspmq; rm x", new(*observe.Refused)},
		{observe.CTL, "dmpmqlog -m QM.1", new(*observe.NotAnswered)}, // it prints message bodies
		{observe.SQL, "QSYS2.JOURNAL_INFO", new(*observe.NotAnswered)},
		{observe.File, "/no/such/file", new(*observe.NotAnswered)},
		{observe.File, s.log, new(*observe.Failed)}, // a folder
		{observe.LogDir, "/no/such/folder", new(*observe.Failed)},
	} {
		if _, err := s.ask(test.language, test.text); !errors.As(err, test.want) {
			t.Errorf("%s: %v, want %T", test.text, err, test.want)
		}
	}
	s.name = "QM1;rm"
	if _, err := s.ask(observe.MQSC, "DISPLAY QMSTATUS"); !errors.As(err, new(*observe.Refused)) {
		t.Errorf("a name that is none: %v", err)
	}
	if calls := s.calls(); len(calls) > 0 {
		t.Errorf("it ran %q", calls)
	}
}

// What is not a whole answer of this queue manager, in English and in time, is
// none: it ends within the time limit and the grace, and nothing of it comes
// through.
func TestAnswersThatAreNone(t *testing.T) {
	tests := []struct {
		how   standin.Behaviour
		limit time.Duration
		want  any
		words string
	}{
		{standin.German, 20 * time.Second, new(*observe.Failed), "English"},
		{standin.Half, 20 * time.Second, new(*observe.Failed), "not whole"},
		{standin.Killed, 20 * time.Second, new(*observe.Failed), "signal"},
		{standin.Garbage, 20 * time.Second, new(*observe.Failed), "no line names the queue manager"},
		{standin.Another, 20 * time.Second, new(*observe.Failed), `"OTHER"`},
		{standin.Refusing, 20 * time.Second, new(*observe.Failed), "AMQ8135E: Not authorized. (exit code 10)"},
		{standin.Failing, 20 * time.Second, new(*observe.Failed), "AMQ8146E: IBM MQ queue manager not available. (exit code 20)"},
		{standin.Forking, 20 * time.Second, new(*observe.Failed), "holds its output open"},
		{standin.Flooding, 60 * time.Second, new(*observe.Failed), "more than 64 MiB"},
		{standin.Hanging, time.Second, new(*observe.TimedOut), "1s"},
		{standin.Stubborn, time.Second, new(*observe.TimedOut), "1s"},
		{standin.Dripping, time.Second, new(*observe.TimedOut), "1s"},
	}
	asked := make([]waited, len(tests))
	var all sync.WaitGroup
	for i, test := range tests {
		if testing.Short() && test.how == standin.Flooding {
			continue // 64 MiB take their time under the race detector
		}
		s := newStation(t, case18(), within(test.limit))
		s.must(s.host.Behave("runmqsc", test.how))
		all.Go(func() { asked[i] = s.wait(observe.MQSC, "DISPLAY QMSTATUS ALL") })
	}
	all.Wait()
	for i, test := range tests {
		got := asked[i]
		if got.took == 0 {
			continue
		}
		if !errors.As(got.err, test.want) || !contains(got.err, test.words) || len(got.body) > 0 {
			t.Errorf("%s: %v, %d bytes", test.how, got.err, len(got.body))
		}
		if got.took > test.limit+grace+15*time.Second {
			t.Errorf("%s: it took %s", test.how, got.took)
		}
	}
}

// waited is what came of a question that is asked beside others, since most of
// its time is spent waiting.
type waited struct {
	body []byte
	err  error
	took time.Duration
}

func (s *station) wait(language observe.Language, text string) waited {
	began := time.Now()
	reader, err := s.dial.Reader(s.t.Context())
	if err != nil {
		return waited{nil, err, time.Since(began)}
	}
	answer, err := reader.Ask(s.t.Context(), observe.Question{Language: language, QueueManager: s.name, Text: text})
	return waited{answer.Body, errors.Join(err, reader.Close()), time.Since(began)}
}

// In a container a command has a time limit of its own, since a signal to the
// prefix does not get to it.
func TestTimeLimitInContainer(t *testing.T) {
	hows := []standin.Behaviour{standin.Hanging, standin.Stubborn}
	asked := make([]waited, len(hows))
	var all sync.WaitGroup
	for i, how := range hows {
		s := newStation(t, case18(), within(time.Second), func(s *Settings) { s.Prefix = []string{"env"} })
		s.must(s.host.Behave("dspmq", how))
		all.Go(func() { asked[i] = s.wait(observe.CTL, "dspmq -m QM.1 -o status -x") })
	}
	all.Wait()
	for i, how := range hows {
		if err := asked[i].err; !errors.As(err, new(*observe.TimedOut)) {
			t.Errorf("%s: %v", how, err)
		}
	}
	m := newMachine(Settings{Prefix: []string{"docker", "exec", "-i", "mq"}, Timeout: 10 * time.Second, Bin: "/opt/mqm/bin"})
	want := "docker exec -i mq timeout -k 2 9.000 env LC_ALL=C LANG=C LANGUAGE=C /opt/mqm/bin/dspmq"
	if got := strings.Join(m.wrapped(context.Background(), []string{m.program("dspmq")}), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// German attributes of a control command are the same; its words are not
// trusted by who reads them. What fails says its exit code.
func TestControlCommandsThatFail(t *testing.T) {
	s := newStation(t, case18())
	s.must(s.host.Behave("dspmq", standin.Another))
	if _, err := s.ask(observe.CTL, "dspmq -m QM.1 -o status -x"); !errors.As(err, new(*observe.Failed)) || !contains(err, `"OTHER"`) {
		t.Errorf("%v", err)
	}
	if _, err := s.ask(observe.CTL, "dspmqinf NONE"); !contains(err, "AMQ7048E", "exit code 36") {
		t.Errorf("%v", err)
	}
	s.change(func(m *standin.Manager) { m.Ended = true })
	if _, err := s.ask(observe.MQSC, "DISPLAY QMSTATUS ALL"); !contains(err, "AMQ8146E", "exit code 20") {
		t.Errorf("%v", err)
	}
}

// That nothing was found is an answer; a syntax error is none, whatever its
// severity says (reference, Multiplatforms, trap 29).
func TestJudge(t *testing.T) {
	around := func(text string) string {
		return "5724-H72 (C) Copyright IBM Corp. 1994, 2024.\nStarting MQSC for queue manager QM1.\n\n\n     1 : X\n" + text + "\nOne MQSC command read.\n"
	}
	for name, test := range map[string]struct {
		code int
		text string
		want string // in the error; empty: it is an answer
	}{
		"nothing found":      {10, around("AMQ8147E: IBM MQ object NONE not found."), ""},
		"nothing found, old": {10, around("AMQ8147: WebSphere MQ object NONE not found."), ""},
		"syntax":             {0, around("AMQ8405I: Syntax error detected at or near end of command segment below:-\nLOGTYPE"), "AMQ8405I"},
		"refused, old":       {10, around("AMQ8135: Not authorized."), "exit code 10"},
		"severe":             {0, around("AMQ6004S: An error occurred."), "AMQ6004S"},
		"another object":     {0, around("AMQ8705I: Display Queue Manager Status Details.\n   QMNAME(QM2)       STATUS(RUNNING)"), `"QM2"`},
		"torn":               {0, around("AMQ8705I: Display Queue Manager Status Details.\n   QMNAME(QM1)       LOGPATH(/var\n\n"), "torn"},
		"no trailer":         {0, strings.TrimSuffix(around("AMQ8005I: done."), "One MQSC command read.\n"), "not whole"},
		"a channel":          {0, around("AMQ8417I: Display Channel Status details.\n   CHANNEL(A)    RQMNAME(QM2)"), ""},
		"Japanese":           {0, "キュー・マネージャー QM1 に対して MQSC を開始中です。\nAMQ8705I: x\n   QMNAME(QM1)\n1 つの MQSC コマンドが読み取られました。\n", "English"},
	} {
		_, err := judge("QM1", ended{output: []byte(test.text), code: test.code})
		if test.want == "" && err != nil || test.want != "" && !contains(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add([]byte("Starting MQSC for queue manager QM1.\n   QMNAME(QM1)\nOne MQSC command read.\n"), 0)
	f.Add([]byte("Starting MQSC for queue manager QM2.\nAMQ8147E: x\nNo MQSC commands read.\n"), 10)
	f.Fuzz(func(t *testing.T, output []byte, code int) {
		said, err := judge("QM1", ended{output: output, code: code})
		if err == nil && otherManager(said, "QM1") != "" {
			t.Errorf("an answer of another queue manager: %q", output)
		}
	})
}

// The context of who asks goes before the time limit of the connection.
func TestAskerGivesUp(t *testing.T) {
	s := newStation(t, case18())
	s.must(s.host.Behave("runmqsc", standin.Hanging))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	reader, err := s.dial.Reader(ctx)
	s.must(err)
	if _, err := reader.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: s.name, Text: "DISPLAY QMSTATUS"}); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*observe.TimedOut)) {
		t.Errorf("%v", err)
	}
}

// Of what a command starts nothing is left behind the time limit.
func TestGroupIsEnded(t *testing.T) {
	folder := t.TempDir()
	script := "#!/bin/sh\nsleep 300 &\necho $! > '" + folder + "/pid'\nwait\n"
	if err := os.WriteFile(filepath.Join(folder, "dspmq"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	m := newMachine(Settings{Bin: folder, Timeout: time.Second})
	_, err := reader{m}.Ask(t.Context(), observe.Question{Language: observe.CTL, QueueManager: "QM1", Text: "dspmq"})
	if !errors.As(err, new(*observe.TimedOut)) {
		t.Fatal(err)
	}
	pid, err := os.ReadFile(filepath.Join(folder, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; {
		state, err := exec.CommandContext(t.Context(), "ps", "-o", "stat=", "-p", strings.TrimSpace(string(pid))).Output()
		if err != nil || strings.HasPrefix(string(state), "Z") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the child %s is still there: %s", pid, state)
		}
	}
}

// A command gets no variable that leads it elsewhere, and speaks English.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"MQSERVER", "MQCHLLIB", "MQ_CONNECT_TYPE", "SECRET"} {
		t.Setenv(name, "x")
	}
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	t.Setenv("MQ_INSTALLATION_PATH", "/opt/mqm2")
	env := strings.Join(newMachine(Settings{}).environment(), "\n")
	for _, name := range []string{"MQSERVER", "MQCHLLIB", "MQ_CONNECT_TYPE", "SECRET", "de_DE"} {
		if strings.Contains(env, name) {
			t.Errorf("it has %s", name)
		}
	}
	for _, want := range []string{"LC_ALL=C", "MQ_INSTALLATION_PATH=/opt/mqm2", "PATH="} {
		if !strings.Contains(env, want) {
			t.Errorf("it lacks %s: %s", want, env)
		}
	}
}

// Without the program nothing was asked.
func TestProgramIsMissing(t *testing.T) {
	m := newMachine(Settings{Bin: t.TempDir()})
	_, err := reader{m}.Ask(t.Context(), observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS"})
	if !errors.As(err, new(*observe.Failed)) || !contains(err, "runmqsc can't be run") {
		t.Errorf("%v", err)
	}
}

// A file that is rotated while it is read is read through its handle; a pipe is
// no file, and holds nobody.
func TestFilesThatAreNone(t *testing.T) {
	s := newStation(t, case18(), within(20*time.Second))
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	if _, err := s.ask(observe.File, pipe); !errors.As(err, new(*observe.Failed)) || !contains(err, "no regular file") {
		t.Errorf("%v", err)
	}
	large := filepath.Join(t.TempDir(), "large")
	s.must(os.WriteFile(large, nil, 0o600))
	s.must(os.Truncate(large, mostOutput+1))
	if _, err := s.ask(observe.File, large); !contains(err, fmt.Sprint(mostOutput+1)) {
		t.Errorf("%v", err)
	}
}
