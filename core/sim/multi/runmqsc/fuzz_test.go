package runmqsc

import (
	"os"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
)

// Whatever a script holds, nothing panics; every command that is read is
// counted, the exit code says whether all were done, and the reply is one that
// the reader of replies takes for whole.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{
		"DISPLAY QMSTATUS ALL", "DIS QL(*) WHERE(CURDEPTH GT 0)", "DEFINE QLOCAL(A) DESCR('x')\nDIS QL(A) DESCR\nDELETE QLOCAL(A)", "end\nDISPLAY QMGR",
		"DEFINE QLOCAL(A) +\n* no\n MAXDEPTH(3) ; DIS QL(A)", "ALTER QMGR DESCR(')) ((')\nDISPLAY QMGR", "* x", "\xff\xfe", "DEFINE NAMELIST(N) NAMES(A,B,C)\nDIS NL(N)",
		"SET LOG ARCHIVED(S0000001.LOG)", "RESET QMGR TYPE(REDUCELOG) REDUCE(3)", "DIS CONN(*) ALL", "AMQ8409I: x", "DEFINE QL(B) DESCR('AMQ8409I: QUEUE(X) TYPE(QLOCAL)')\nDIS QL(B)",
	} {
		f.Add([]byte(seed))
	}
	if body, err := os.ReadFile("../../../mqsc/testdata/dmpmqcfg.mqsc"); err == nil {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		m := newFake("9.4")
		m.define(engine.Queue, "A", nil).Depth = 3
		out, code := Run(t.Context(), m, "QM1", script)
		// Texts are printed without quotes: one whose brackets don't balance may
		// look torn, as that of a real queue manager does.
		if _, err := mqsc.ParseAnswer(out); err != nil && !strings.Contains(string(script), "'") {
			t.Errorf("%v\n%s", err, out)
		}
		text := string(out)
		whole := strings.Contains(text, "No commands have a syntax error.\nAll valid MQSC commands were processed.\n")
		if code != AllDone && code != SomeFailed || whole != (code == AllDone) {
			t.Errorf("exit code %d\n%s", code, text)
		}
		commands := 0
		for _, err := range mqsc.Script(script) {
			if err != nil && strings.HasSuffix(err.Error(), mqsc.BehindEnd) {
				break
			}
			commands++
		}
		if want := count(commands, "No MQSC commands read.", "One MQSC command read.", "%d MQSC commands read."); !strings.Contains(text, "\n"+want) {
			t.Errorf("%d commands\n%s", commands, text)
		}
	})
}
