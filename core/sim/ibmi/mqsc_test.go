package ibmi

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// What runmqsc prints is read back by the reader that reads real answers.
func TestDisplays(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "A", map[string]string{"DESCR": "orders (of the day)"}))
	s.must(m.DefineQueue(s.ctx, "A.VERY.LONG.NAME.OF.A.QUEUE.THAT.TAKES.A.LINE", nil))
	for _, test := range []struct {
		question string
		objects  int               // that are shown
		first    map[string]string // attributes of the first
		missing  string            // an attribute that it has not
	}{
		{"DISPLAY QMSTATUS", 1, map[string]string{"QMNAME": "TEST", "STATUS": "RUNNING", "CURRLOG": "AMQA000000", "LOGPATH": "", "STARTDA": "2026-05-28", "STARTTI": "02.00.00"}, ""},
		{"DISPLAY QMSTATUS ALL", 1, map[string]string{"RECLOG": "AMQA000000", "MEDIALOG": "AMQA000000"}, ""},
		{"display qmstatus log", 1, map[string]string{"QMNAME": "TEST", "CURRLOG": "AMQA000000"}, "STARTDA"},
		{"DIS QMSTATUS CURRLOG", 1, map[string]string{"QMNAME": "TEST", "STATUS": "RUNNING"}, "RECLOG"},
		{"DISPLAY QMGR", 1, map[string]string{"QMNAME": "TEST", "PLATFORM": "OS400"}, ""},
		{"DISPLAY QLOCAL(A)", 1, map[string]string{"QUEUE": "A", "DESCR": "orders (of the day)", "MAXDEPTH": "5000"}, ""},
		{"DISPLAY QUEUE(A.*) TYPE(QLOCAL)", 1, map[string]string{"QUEUE": "A.VERY.LONG.NAME.OF.A.QUEUE.THAT.TAKES.A.LINE"}, ""},
		{"DISPLAY QLOCAL(A*) WHERE(DESCR LK orders*)", 0, nil, ""},
		{"DISPLAY QLOCAL(A*) WHERE(DESCR LK 'orders*')", 1, map[string]string{"QUEUE": "A"}, ""},
		{"DISPLAY QSTATUS(A*) TYPE(QUEUE) WHERE(CURDEPTH LT 10)", 2, map[string]string{"UNCOM": "NO", "CURDEPTH": "0"}, ""},
		{"DISPLAY QSTATUS(A*) WHERE(CURDEPTH GT 9)", 0, nil, ""},
		{"DISPLAY QLOCAL(a)", 1, map[string]string{"QUEUE": "A"}, ""},
		{"DISPLAY QLOCAL('a')", 0, nil, ""},
		{"DISPLAY CONN(*) ALL", 0, nil, ""},
	} {
		answer, err := mqsc.ParseAnswer([]byte(s.ask(observe.MQSC, "TEST", test.question)))
		if err != nil {
			t.Fatalf("%s: %v", test.question, err)
		}
		if len(answer.Objects) != test.objects || answer.SyntaxError() {
			t.Errorf("%s: %+v", test.question, answer)
			continue
		}
		if test.objects == 0 {
			if len(answer.Messages) != 1 {
				t.Errorf("%s: messages %+v", test.question, answer.Messages)
			}
			continue
		}
		for name, want := range test.first {
			if got, shown := answer.Objects[0].Get(name); got != want || !shown {
				t.Errorf("%s: %s(%s), not %s", test.question, name, got, want)
			}
		}
		if _, shown := answer.Objects[0].Get(test.missing); shown {
			t.Errorf("%s shows %s", test.question, test.missing)
		}
	}
}

func TestUnreadableDisplays(t *testing.T) {
	s := newStation(t)
	s.manager("TEST")
	for _, question := range []string{
		"DISPLAY QMSTATUS(X)", "DISPLAY QLOCAL", "DISPLAY QMSTATUS COLOUR", "DISPLAY QLOCAL(A) CURDEPTH(3)", "DISPLAY QSTATUS(A) TYPE(HANDLE)",
		"DISPLAY QLOCAL(A) WHERE(CURDEPTH GT)", "DISPLAY QLOCAL(A) WHERE(COLOUR EQ RED)", "DISPLAY QLOCAL(A) WHERE(CURDEPTH IS 3)",
		"DISPLAY CHSTATUS(*)",
	} {
		body := s.ask(observe.MQSC, "TEST", question)
		answer, err := mqsc.ParseAnswer([]byte(body))
		if err != nil || !answer.SyntaxError() || !strings.Contains(body, "AMQ8405I: ") {
			t.Errorf("%s: %v\n%s", question, err, body)
		}
	}
}

// Whatever the values are, the reader of real answers gets them back; quotes and
// brackets apart, which runmqsc prints so that nobody can tell.
func TestLayoutIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.StringMatching(`([A-Za-z0-9*.,/-]([A-Za-z0-9 *.,/-]{0,44}[A-Za-z0-9*.,/-])?)?`), 1, 8).Draw(t, "values")
		d := display{headline: "AMQ8409I: Display Queue details."}
		wanted := make([]bool, len(values))
		for i := range values {
			d.attributes = append(d.attributes, "ATTR"+string(rune('A'+i)))
			wanted[i] = true
		}
		answer, err := mqsc.ParseAnswer([]byte(d.headline + "\n" + d.layout(values, wanted)))
		if err != nil || len(answer.Objects) != 1 {
			t.Fatalf("%q: %+v, %v", values, answer, err)
		}
		for i, value := range values {
			if got, shown := answer.Objects[0].Get(d.attributes[i]); got != value || !shown {
				t.Errorf("%s is %q, not %q", d.attributes[i], got, value)
			}
		}
	})
}

// The layout is that of the reference, IBM i 7.5.
func TestTwoColumns(t *testing.T) {
	d := display{attributes: []string{"QMNAME", "STATUS", "CURRLOG", "LOGPATH", "DESCR", "MEDIALOG"}}
	wide := strings.Repeat("x", 40)
	got := d.layout([]string{"PAYROLL", "RUNNING", "AMQA100045", "", wide, "AMQA000043"}, []bool{true, true, true, true, true, true})
	want := "   QMNAME(PAYROLL)                         STATUS(RUNNING)\n" +
		"   CURRLOG(AMQA100045)                     LOGPATH( )\n" +
		"   DESCR(" + wide + ")\n" +
		"   MEDIALOG(AMQA000043)\n"
	if got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}
