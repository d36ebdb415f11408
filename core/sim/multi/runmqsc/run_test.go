package runmqsc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// A session as runmqsc 9.x prints it: numbers for commands, colons for comments
// and continued lines, END with a number and not counted.
func TestTranscript(t *testing.T) {
	f := newFake("9.4.0.0")
	out, code := Run(t.Context(), f, "QM1", []byte(strings.Join([]string{
		"* the queues of the day", "DEFINE QLOCAL(A) +", "   DESCR('it''s ours') +", "* no more", "   MAXDEPTH(10)", "",
		"DIS QL(A) MAXDEPTH; dis ql(B) descr", "DEFINE QLOCAL(B) COLOUR(RED)", "DISPLAY QMSTATUS CURRLOG", "end", "DISPLAY QMGR",
	}, "\n")))
	want := `5724-H72 (C) Copyright IBM Corp. 1994, 2024.
Starting MQSC for queue manager QM1.


       : * the queues of the day
     1 : DEFINE QLOCAL(A) +
       :    DESCR('it''s ours') +
       : * no more
       :    MAXDEPTH(10)
AMQ8006I: IBM MQ queue created.
       :
     2 : DIS QL(A) MAXDEPTH; dis ql(B) descr
AMQ8409I: Display Queue details.
   QUEUE(A)                                TYPE(QLOCAL)
   MAXDEPTH(10)
     3 : dis ql(B) descr
AMQ8147E: IBM MQ object B not found.
     4 : DEFINE QLOCAL(B) COLOUR(RED)
AMQ8405I: Syntax error detected at or near end of command segment below:-
DEFINE QLOCAL(B) COLOUR(RED)

     5 : DISPLAY QMSTATUS CURRLOG
AMQ8705I: Display Queue Manager Status Details.
   QMNAME(QM1)                             TYPE(QMGR)
   STATUS(RUNNING)                         CURRLOG(S0000130.LOG)
     6 : end
5 MQSC commands read.
One command has a syntax error.
One valid MQSC command could not be processed.
`
	var got []string
	for line := range strings.Lines(string(out)) {
		got = append(got, strings.TrimRight(line, " \n"))
	}
	if diff := cmp.Diff(want, strings.Join(got, "\n")+"\n"); diff != "" {
		t.Error(diff)
	}
	if code != SomeFailed {
		t.Error(code)
	}
}

// The second column begins at column 44 (reference, Multiplatforms 3.1 item
// 51), and what is too wide stands alone.
func TestColumns(t *testing.T) {
	f := newFake("9.4")
	f.define(engine.Queue, "A.VERY.LONG.NAME.OF.A.QUEUE.THAT.TAKES.A.LINE", nil)
	got := run(t, f, "DISPLAY QLOCAL(A.VERY*) CURDEPTH DESCR PUT").body()
	want := "AMQ8409I: Display Queue details.\n   QUEUE(A.VERY.LONG.NAME.OF.A.QUEUE.THAT.TAKES.A.LINE)\n   TYPE(QLOCAL)                            CURDEPTH(0)\n   DESCR( )                                PUT(ENABLED)"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// The counts at the end, and the exit codes.
func TestCounts(t *testing.T) {
	for _, test := range []struct {
		script []string
		want   string
		code   int
	}{
		{nil, "No MQSC commands read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n", AllDone},
		{[]string{"* nothing", "", "end"}, "No MQSC commands read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n", AllDone},
		{[]string{"PING QMGR"}, "One MQSC command read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n", AllDone},
		{[]string{"PING QMGR", "PING QMGR"}, "2 MQSC commands read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n", AllDone},
		{[]string{"PING", "PONG"}, "2 MQSC commands read.\n2 commands have a syntax error.\nAll valid MQSC commands were processed.\n", SomeFailed},
		{[]string{"DIS QL(A)", "DIS QL(B)"}, "2 MQSC commands read.\nNo commands have a syntax error.\n2 valid MQSC commands could not be processed.\n", SomeFailed},
	} {
		got := run(t, newFake("9.4"), test.script...)
		if !strings.HasSuffix(got.text, "\n"+test.want) || got.code != test.code {
			t.Errorf("%q: exit code %d\n%s", test.script, got.code, got.text)
		}
	}
}

func TestNotAvailable(t *testing.T) {
	f := newFake("9.4")
	f.status.State = qmgr.EndedNormally
	got := run(t, f, "DISPLAY QMSTATUS ALL")
	if got.ids() != "AMQ8146E" || got.code != NotRun || len(got.answer.Objects) > 0 || !strings.Contains(got.text, "Starting MQSC for queue manager QM1.\n") {
		t.Error(got.text)
	}
	if got := run(t, nil, "DISPLAY QMSTATUS ALL"); got.ids() != "AMQ8118E" || got.code != NotRun {
		t.Error(got.text)
	}
}

// A queue manager that ends under a script breaks it off.
func TestBroken(t *testing.T) {
	f := newFake("9.4")
	f.err = qmgr.ErrNotRunning
	got := run(t, f, "RESET QMGR TYPE(ADVANCELOG)", "PING QMGR")
	if got.ids() != "AMQ8145E" || got.code != NotRun || !strings.Contains(got.text, "One MQSC command read.") {
		t.Error(got.text)
	}
}

// Without the echo the answers are the same; with -v nothing happens but that a
// command that can't be read is told.
func TestOptions(t *testing.T) {
	f := newFake("9.4")
	script := []byte("* x\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(A) COLOUR(RED)\nRESET QMGR TYPE(ADVANCELOG)\nDISPLAY QLOCAL(A)\nend\n")
	out, code := Options{Verify: true}.Run(t.Context(), f, "QM1", script)
	text := string(out)
	if _, err := f.Object(engine.Ref{Kind: engine.Queue, Name: "A"}); err == nil || len(f.did) > 0 {
		t.Error("-v did something")
	}
	if code != SomeFailed || !strings.Contains(text, "AMQ8405I") || strings.Contains(text, "AMQ8006I") || strings.Contains(text, "AMQ8147E") || !strings.Contains(text, "One command has a syntax error.") {
		t.Errorf("%d\n%s", code, text)
	}
	out, _ = Options{NoEcho: true}.Run(t.Context(), f, "QM1", script)
	want := "AMQ8006I: IBM MQ queue created.\nAMQ8405I: Syntax error detected at or near end of command segment below:-\nDEFINE QLOCAL(A) COLOUR(RED)\n\nAMQ8005I"
	if text = string(out); !strings.Contains(text, want) || strings.Contains(text, " : ") {
		t.Error(text)
	}
}

// Messages and banner of earlier releases.
func TestReleases(t *testing.T) {
	got := run(t, newFake("7.5.0.9"), "DEFINE QLOCAL(A)", "DISPLAY QLOCAL(A) IMGRCOVQ").text
	for _, part := range []string{
		"1994, 2011.  ALL RIGHTS RESERVED.\n", "AMQ8006: WebSphere MQ queue created.\n", "AMQ8405: Syntax error", "DISPLAY QLOCAL(A) IMGRCOVQ\n\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing in\n%s", part, got)
		}
	}
}

// What can't be read, and what AMQ8405 shows of it: the command up to there.
func TestSyntax(t *testing.T) {
	f := newFake("9.4")
	f.define(engine.Queue, "A", nil)
	for _, test := range []struct{ command, segment string }{
		{"DISPLAY LOG", "DISPLAY LOG"},
		{"DISPLAY QMGR LOGTYPE", "DISPLAY QMGR LOGTYPE"},
		{"DISPLAY QMSTATUS RESTARTSZ ALL", "DISPLAY QMSTATUS RESTARTSZ"},
		{"DISPLAY QMSTATUS(X)", "DISPLAY QMSTATUS(X)"},
		{"DISPLAY QLOCAL", "DISPLAY QLOCAL"},
		{"DISPLAY QLOCAL(A) CURDEPTH(3) ALL", "DISPLAY QLOCAL(A) CURDEPTH(3)"},
		{"DISPLAY QUEUE(A) TYPE(QX)", "DISPLAY QUEUE(A) TYPE(QX)"},
		{"DISPLAY QLOCAL(A) WHERE(CURDEPTH GT)", "DISPLAY QLOCAL(A) WHERE(CURDEPTH GT)"},
		{"DISPLAY QLOCAL(A) WHERE(COLOUR EQ RED)", "DISPLAY QLOCAL(A) WHERE(COLOUR EQ RED)"},
		{"DISPLAY QLOCAL(A) WHERE(CURDEPTH IS 3)", "DISPLAY QLOCAL(A) WHERE(CURDEPTH IS 3)"},
		{"DISPLAY QSTATUS(A) TYPE(HANDLE)", "DISPLAY QSTATUS(A) TYPE(HANDLE)"},
		{"DISPLAY CONN(*) TYPE(HANDLE)", "DISPLAY CONN(*) TYPE(HANDLE)"},
		{"DEFINE QLOCAL(A B)", "DEFINE QLOCAL(A,B)"},
		{"DEFINE QLOCAL('A B')", "DEFINE QLOCAL('A B')"},
		{"DEFINE QLOCAL(" + strings.Repeat("A", 49) + ")", "DEFINE QLOCAL(" + strings.Repeat("A", 49) + ")"},
		{"DEFINE CHANNEL(A.CHANNEL.WITH.A.LONG.NAME) CHLTYPE(SDR)", "DEFINE CHANNEL(A.CHANNEL.WITH.A.LONG.NAME)"},
		{"DEFINE CHANNEL(A)", "DEFINE CHANNEL(A)"},
		{"DEFINE CHANNEL(A) CHLTYPE(ROUND)", "DEFINE CHANNEL(A) CHLTYPE(ROUND)"},
		{"DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(Q)", "DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(Q)"},
		{"DEFINE QUEUE(A)", "DEFINE QUEUE(A)"},
		{"DEFINE CLNTCONN(A)", "DEFINE CLNTCONN(A)"},
		{"DEFINE QMGR(A)", "DEFINE QMGR(A)"},
		{"DELETE QMGR", "DELETE QMGR"},
		{"DISPLAY CLNTCONN(A)", "DISPLAY CLNTCONN(A)"},
		{"DISPLAY QMSTATUS ALL TYPE(NATIVEHA)", "DISPLAY QMSTATUS ALL TYPE(NATIVEHA)"},
		{"DEFINE QLOCAL(B) CURDEPTH(3)", "DEFINE QLOCAL(B) CURDEPTH(3)"},
		{"DEFINE QLOCAL(B) MAXDEPTH(-1) PUT(ENABLED)", "DEFINE QLOCAL(B) MAXDEPTH(-1)"},
		{"DEFINE QLOCAL(B) PUT", "DEFINE QLOCAL(B) PUT"},
		{"DEFINE QLOCAL(B) SHARE(YES)", "DEFINE QLOCAL(B) SHARE(YES)"},
		{"DEFINE QREMOTE(B) GET(ENABLED)", "DEFINE QREMOTE(B) GET(ENABLED)"},
		{"ALTER QLOCAL(A) REPLACE", "ALTER QLOCAL(A) REPLACE"},
		{"ALTER TOPIC(A) TOPICSTR(x)", "ALTER TOPIC(A) TOPICSTR(X)"},
		{"DELETE QALIAS(A) PURGE", "DELETE QALIAS(A) PURGE"},
		{"CLEAR QLOCAL(A) NOW", "CLEAR QLOCAL(A) NOW"},
		{"CLEAR QALIAS(A)", "CLEAR QALIAS(A)"},
		{"ALTER QMGR IMGSCHED(SOMETIMES)", "ALTER QMGR IMGSCHED(SOMETIMES)"},
		{"ALTER QMGR PLATFORM(MVS)", "ALTER QMGR PLATFORM(MVS)"},
		{"SET LOG", "SET LOG"},
		{"SET LOG ARCHIVED", "SET LOG ARCHIVED"},
		{"RESET QMGR", "RESET QMGR"},
		{"RESET QMGR TYPE(COLOUR)", "RESET QMGR TYPE(COLOUR)"},
		{"RESET QMGR TYPE(ARCHLOG)", "RESET QMGR TYPE(ARCHLOG)"},
		{"RESET QMGR TYPE(REDUCELOG) REDUCE(0)", "RESET QMGR TYPE(REDUCELOG) REDUCE(0)"},
		{"RESET QMGR TYPE(ADVANCELOG) REDUCE(1)", "RESET QMGR TYPE(ADVANCELOG) REDUCE(1)"},
		{"PING QMGR NOW", "PING QMGR NOW"},
		{"DEFINE QLOCAL(B", "DEFINE QLOCAL("},
		{"DEFINE QLOCAL(B) DESCR('x", "DEFINE QLOCAL(B) DESCR('"},
		{"DEFINE QLOCAL(B) PUT(ENABLED) PUT(ENABLED)", "DEFINE QLOCAL(B) PUT(ENABLED) PUT(ENABLED)"},
		{"123", "123"},
	} {
		got := run(t, f, test.command)
		segment := strings.TrimSuffix(strings.TrimPrefix(got.body(), "AMQ8405I: Syntax error detected at or near end of command segment below:-\n"), "\n")
		if got.ids() != "AMQ8405I" || got.code != SomeFailed || segment != test.segment {
			t.Errorf("%s: %q\n%s", test.command, segment, got.text)
		}
	}
}
