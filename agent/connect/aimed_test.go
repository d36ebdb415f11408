package connect

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
)

func TestAimed(t *testing.T) {
	orders := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	tests := []struct {
		text string
		want string // part of the error; empty: it is aimed
	}{
		{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", ""},
		{"qsys/chgjrn jrn(qmorders/amqajrn) jrnrcv(*gen)", ""},
		{`CHGJRN JRN("QMORDERS"/AMQAJRN) JRNRCV(*GEN)`, ""},
		{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(QMORDERS/AMQA000009)", ""},
		{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*SAME) TEXT('QMPAY/AMQAJRN')", ""},
		{"CHGJRN JRN(QMPAY/AMQAJRN) JRNRCV(*GEN)", "CHGJRN JRN(QMPAY/AMQAJRN) is no journal of the library QMORDERS of queue manager ORDERS"},
		{"CHGJRN JRN(QMORDERS/AMQAJRN QMPAY/AMQAJRN) JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN(AMQAJRN) JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN(*LIBL/AMQAJRN) JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN(*CURLIB/AMQAJRN) JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN('QMORDERS/AMQAJRN') JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN(QMORDERS/*ALL) JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRN() JRNRCV(*GEN)", "is no journal"},
		{"CHGJRN JRNRCV(*GEN)", "CHGJRN without JRN is no journal"},
		{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(QMPAY/AMQA000009)", "JRNRCV(QMPAY/AMQA000009) is no receiver"},
		{"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN QMPAY/AMQA000009)", "is no receiver"},

		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)", ""},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME('ORDERS')", ""},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(PAYROLL)", "RCDMQMIMG MQMNAME(PAYROLL) does not name queue manager ORDERS"},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME('orders')", "does not name"},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS PAY)", "does not name"},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(*DFT)", "does not name"},
		{"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL)", "RCDMQMIMG without MQMNAME does not name"},

		{"SAVOBJ OBJ(AMQA*) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/NIGHT)", ""},
		{"SAVOBJ OBJ(AMQA*) LIB(QMORDERS) DEV(TAP01) OBJTYPE(*JRNRCV)", ""},
		{"SAVOBJ OBJ(*ALL) LIB(PAYROLL) DEV(*SAVF) SAVF(QGPL/NIGHT)", "SAVOBJ LIB(PAYROLL) is not the library QMORDERS"},
		{"SAVOBJ OBJ(*ALL) LIB(QMORDERS PAYROLL) DEV(*SAVF) SAVF(QGPL/NIGHT)", "is not the library"},
		{"SAVOBJ OBJ(*ALL) LIB(*ALL) DEV(TAP01)", "is not the library"},
		{"SAVOBJ OBJ(*ALL) DEV(TAP01)", "SAVOBJ without LIB is not"},
		{"SAVOBJ OBJ(*ALL) LIB(QMORDERS) DEV(*SAVF) SAVF(QSYS/NIGHT)", "in a library of the system or of MQ"},
		{"SAVOBJ OBJ(*ALL) LIB(QMORDERS) DEV(*SAVF) SAVF(NIGHT)", "with its library"},

		{"CRTSAVF FILE(QGPL/NIGHT) TEXT('x')", ""},
		{"CRTSAVF FILE(QSYS/NIGHT)", "in a library of the system or of MQ"},
		{"CRTSAVF FILE(QSYS2/NIGHT)", "in a library of the system or of MQ"},
		{"CRTSAVF FILE(QMQM/NIGHT)", "in a library of the system or of MQ"},
		{"CRTSAVF FILE(QMQM1/NIGHT)", "in a library of the system or of MQ"},
		{"CRTSAVF FILE(*CURLIB/NIGHT)", "with its library"},
		{"CRTSAVF FILE(NIGHT)", "with its library"},
		{"CRTSAVF FILE(QGPL/A QGPL/B)", "does not name a save file"},
		{"CRTSAVF FILE(QGPL/MQHKNK6WOS)", "a name that the copies of mqhk have"},
		{"CRTSAVF FILE(QGPL/MQHKNK6WO1)", ""},
		{"CRTSAVF", "CRTSAVF without FILE does not name a save file"},

		{"DLTLIB LIB(QMORDERS)", "it is not known what DLTLIB acts on"},
		{"CHGJRN JRN(QMORDERS", "bracket"},
	}
	for _, test := range tests {
		err := Aimed(orders, "QMORDERS", command("ORDERS", test.text))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.text, err, test.want)
		}
	}
}

// What the text says is not all: whom it is for, in which language, and what
// is known of the target count too.
func TestAimedAt(t *testing.T) {
	orders := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	attach, record := "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)"
	for _, test := range []struct {
		name    string
		target  observe.Target
		library string
		command plugins.Command
		want    string
	}{
		{"for another", orders, "QMORDERS", command("PAY", attach), `queue manager "PAY"`},
		{"no CL", orders, "QMORDERS", plugins.Command{Language: observe.MQSC, QueueManager: "ORDERS", Text: attach}, "CL commands"},
		{"library not known", orders, "", command("ORDERS", attach), "library of queue manager ORDERS is not known"},
		{"library not known, save", orders, "", command("ORDERS", "SAVOBJ OBJ(A) LIB(QMORDERS) DEV(*SAVF) SAVF(QGPL/A)"), "is not known"},
		{"library not needed", orders, "", command("ORDERS", record), ""},
		{"another platform", observe.Target{Name: "QM1", Platform: observe.Multiplatforms}, "",
			plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "ALTER QMGR LOGGEREV(ENABLED)"}, ""},
	} {
		err := Aimed(test.target, test.library, test.command)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// Where no library is configured the writer asks the system, and sends what is
// aimed there; where the system does not tell, nothing is sent.
func TestLibraryIsAsked(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	target := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	w, err := s.gate.Writer(t.Context(), target)
	s.must(err)
	if _, state, err := w.Do(t.Context(), command("ORDERS", "CHGJRN JRN(QMPAY/AMQAJRN) JRNRCV(*GEN)")); state != plugins.Failed || !errors.As(err, new(*observe.Refused)) {
		t.Errorf("state %s, error %v", state, err)
	}
	if _, state, err := w.Do(t.Context(), command("ORDERS", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")); state != plugins.Done {
		t.Errorf("state %s, error %v", state, err)
	}
	s.must(w.Close())
	if s.receivers("PAY") != "0O 1O 2O 3A" || s.receivers("ORDERS") != "0O 1O 2O 3O 4A" {
		t.Errorf("receivers %s, %s", s.receivers("PAY"), s.receivers("ORDERS"))
	}

	silent, err := transcript.Parse("t", strings.NewReader(">>> QMGR ORDERS ibmi\n"), nil)
	s.must(err)
	sent := 0
	gate := New(Apply, map[string]Dialer{"ORDERS": counted{Transcript(silent), &sent}})
	w, err = gate.Writer(t.Context(), target)
	s.must(err)
	_, state, err := w.Do(t.Context(), command("ORDERS", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"))
	if state != plugins.Failed || !errors.As(err, new(*observe.Refused)) || !strings.Contains(err.Error(), "library of queue manager ORDERS is not known") || sent != 0 {
		t.Errorf("state %s, error %v, %d sent", state, err, sent)
	}
}

// counted is a connection whose writer counts what it is told.
type counted struct {
	Dialer
	sent *int
}

func (c counted) Writer(context.Context) (Writer, error) { return counter{sent: c.sent}, nil }

type counter struct {
	Writer
	sent *int
}

func (c counter) Do(context.Context, plugins.Command) (observe.Answer, plugins.State, error) {
	*c.sent++
	return observe.Answer{}, plugins.Done, nil
}

// No text is aimed at two queue managers, but for one that makes a save file.
func FuzzAimed(f *testing.F) {
	for _, seed := range []string{
		"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", "CHGJRN JRN((QMORDERS/AMQAJRN)) JRNRCV(*GEN QMORDERS/X)",
		"RCDMQMIMG MQMNAME(ORDERS)", "RCDMQMIMG MQMNAME('PAY')", "SAVOBJ LIB(QMORDERS QMPAY) SAVF(\"a b\"/C)", "CRTSAVF FILE(A/B)",
		"X: QSYS/SAVOBJ LIB(QMPAY) +\n SAVF(A/B)", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		orders := Aimed(observe.Target{Name: "ORDERS", Platform: observe.IBMi}, "QMORDERS", command("ORDERS", text))
		pay := Aimed(observe.Target{Name: "PAY", Platform: observe.IBMi}, "QMPAY", command("PAY", text))
		if orders == nil && pay == nil && !strings.Contains(strings.ToUpper(text), "CRTSAVF") {
			t.Errorf("%q is aimed at both", text)
		}
	})
}

// A control command names the target behind -m, once; -mNAME would count too.
func TestAimedControl(t *testing.T) {
	target := observe.Target{Name: "QM.1", Platform: observe.Multiplatforms}
	for text, aimed := range map[string]bool{
		"rcdmqimg -m QM.1 -t all '*'":          true,
		"rcdmqimg -z -l -m QM.1 -t qlocal A":   true,
		"rcdmqimg -t all '*'":                  false,
		"rcdmqimg -m PAY -t all '*'":           false,
		"rcdmqimg -m qm.1 -t all '*'":          false,
		"rcdmqimg -m QM.1 -m PAY -t all '*'":   false,
		"rcdmqimg -m QM.1 -mPAY -t all '*'":    false,
		"rcdmqimg -m QM.1 -m QM.1 -t all '*'":  false,
		"rcdmqimg -t all '*' -m":               false,
		"rcdmqimg -m QM.1 -t all '*'; rm -r /": false,
	} {
		err := Aimed(target, "", plugins.Command{Language: observe.CTL, QueueManager: "QM.1", Text: text})
		if (err == nil) != aimed {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := Aimed(target, "", plugins.Command{Language: observe.MQSC, QueueManager: "QM.1", Text: "ALTER QMGR DESCR('x')"}); err != nil {
		t.Error(err)
	}
}
