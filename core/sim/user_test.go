package sim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// A user profile has what it was granted, in commands and in questions, also
// when the estate was closed in between. Without one it is QMQM who asks.
func TestUserOfAnEstate(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	list := observe.Question{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.JOURNAL_RECEIVER_INFO"}
	shown := func(e *sim.Estate, user string) int {
		t.Helper()
		answer, err := e.AskAs(t.Context(), user, list)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(answer.Body), "AMQA00")
	}
	give := func(e *sim.Estate, user, text string) error {
		_, err := e.CL(t.Context(), "ORDERS", e.JobOf(user), text)
		return err
	}
	on(t, dir, func(e *sim.Estate) {
		var escaped *os400.Error
		if err := give(e, "MQHK", "CHKOBJ OBJ(QGPL) OBJTYPE(*LIB)"); !errors.As(err, &escaped) || escaped.ID != "CPF2204" {
			t.Errorf("a user who is not there: %v", err)
		}
		for _, text := range []string{
			"CRTUSRPRF USRPRF(MQHK)", "GRTOBJAUT OBJ(QMORDERS) OBJTYPE(*LIB) USER(MQHK) AUT(*EXECUTE)",
			"GRTOBJAUT OBJ(QMORDERS/AMQAJRN) OBJTYPE(*JRN) USER(MQHK) AUT(*OBJOPR)",
		} {
			if err := give(e, "", text); err != nil {
				t.Fatal(err)
			}
		}
		if got := shown(e, "MQHK"); got != 0 {
			t.Errorf("MQHK sees receivers in %d places", got)
		}
		if err := give(e, "", "GRTOBJAUT OBJ(QMORDERS/AMQA*) OBJTYPE(*JRNRCV) USER(MQHK) AUT(*OBJOPR *READ)"); err != nil {
			t.Fatal(err)
		}
	})
	on(t, dir, func(e *sim.Estate) {
		if got, want := shown(e, "MQHK"), shown(e, ""); got != want || got == 0 {
			t.Errorf("MQHK sees receivers in %d places of %d", got, want)
		}
		if err := give(e, "MQHK", "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)"); !strings.Contains(errText(err), "CPF2189") {
			t.Errorf("error %v", err)
		}
	})
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
