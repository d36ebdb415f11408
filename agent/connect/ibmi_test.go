package connect

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/plugins"
)

func command(name, text string) plugins.Command {
	return plugins.Command{Language: observe.CL, QueueManager: name, Text: text}
}

// A release is refused however it is wrapped, and so are commands that only a
// person gives, questions, and what nobody can read. Nothing is sent: no byte
// of the estate is another.
func TestOnlyChangesAreSent(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	w := s.writer("ORDERS")
	texts := []string{
		"DLTJRNRCV JRNRCV(QMORDERS/AMQA000000) DLTOPT(*IGNINQMSG)",
		"dltjrnrcv jrnrcv(qmorders/amqa000000) dltopt(*igninqmsg)",
		"QSYS/DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)",
		"OTHERLIB/DLTJRNRCV QMORDERS/AMQA000000",
		"/* housekeeping */ DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)",
		"LABEL: DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)",
		"DLTJRN+\nRCV JRNRCV(QMORDERS/AMQA000000)",
		"DLTJRNRCV +\n JRNRCV(QMORDERS/AMQA000000)",
		"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)\nDLTJRNRCV JRNRCV(QMORDERS/AMQA000000)",
		"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN); DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)",
		"CALL PGM(QCMDEXC) PARM('DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)' 45)",
		"CALL QCMDEXC ('DLTJRNRCV QMORDERS/AMQA000000' 29)",
		"SBMJOB CMD(DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)) JOB(X)",
		"RUNSQL SQL('CALL QSYS2.QCMDEXC(''DLTJRNRCV QMORDERS/AMQA000000'')')",
		"QSH CMD('system \"DLTJRNRCV QMORDERS/AMQA000000\"')",
		"SAVOBJ OBJ(AMQA000000) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/X) STG(*FREE)",
		"savobj obj(amqa000000) lib(qmorders) dev(*savf) savf(mqvault/x) stg('*free')",
		"DLTOBJ OBJ(QMORDERS/AMQA000000) OBJTYPE(*JRNRCV)",
		"CHGJRN JRN(QMORDERS/AMQAJRN) DLTRCV(*YES)",
		"DLTF FILE(MQVAULT/AMQA000000)",
		"RSTOBJ OBJ(AMQA000000) SAVLIB(QMORDERS) DEV(*SAVF) SAVF(MQVAULT/X)",
		"RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS)",
		"ENDMQM MQMNAME(ORDERS)",
		"DLTMQM MQMNAME(ORDERS)",
		"DSPJRNRCVA JRNRCV(QMORDERS/AMQA000000)",
		"CLRLIB LIB(QMORDERS)",
		"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(PAY) DSPJRNDTA(*YES)",
		"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(*DFT)",
		"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL)",
		"CHGJRN JRN(QMPAY/AMQAJRN) JRNRCV(*GEN)", // says ORDERS, and PAY gets a new receiver
		"SAVOBJ OBJ(*ALL) LIB(QMPAY) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/X)",
		"CRTSAVF FILE(QMQM/X)",
		"CHGJRN JRN(QMORDERS",
		"",
	}
	commands := []plugins.Command{
		command("PAY", "CHGJRN JRN(QMPAY/AMQAJRN) JRNRCV(*GEN)"), // another target's
		{Language: observe.MQSC, QueueManager: "ORDERS", Text: "ALTER QMGR LOGGEREV(ENABLED)"},
		{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.QCMDEXC COMMAND='DLTJRNRCV'"},
		{Language: "", QueueManager: "ORDERS", Text: "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)"},
	}
	for _, text := range texts {
		commands = append(commands, command("ORDERS", text))
	}
	before := s.digest()
	for _, c := range commands {
		answer, state, err := w.Do(t.Context(), c)
		if !errors.As(err, new(*observe.Refused)) || state != plugins.Failed || len(answer.Body) > 0 {
			t.Errorf("%s %q: state %s, error %v, answer %q", c.Language, c.Text, state, err, answer.Body)
		}
	}
	if s.digest() != before {
		t.Error("the estate is another")
	}
}

// Segments of other targets don't get to the connection either.
func TestOnlyItsOwnSegments(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	w := s.writer("ORDERS")
	before := s.digest()
	_, state, removed := w.Remove(t.Context(), Removal{Segment: rcv("PAY", 0), Unsaved: true})
	_, saved := w.Save(t.Context(), rcv("PAY", 0), vault)
	_, restored := w.Restore(t.Context(), recovery.Copy{Segment: rcv("PAY", 0)}, vault, strings.NewReader(""))
	for what, err := range map[string]error{
		"remove": removed, "save": saved, "restore": restored, "discard": w.Discard(t.Context(), rcv("PAY", 0), vault),
	} {
		if !errors.Is(err, ErrElsewhere) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if state != plugins.Failed || s.digest() != before {
		t.Errorf("state %s, or the estate is another", state)
	}
}

// A member of a group is changed through the group's writer.
func TestMembersAreTheTargets(t *testing.T) {
	g := &gated{target: observe.Target{Name: "QSG1", Group: true, Members: []string{"QM01", "QM02"}}}
	for name, want := range map[string]bool{"QSG1": true, "QM02": true, "QM03": false, "qm01": false, "": false} {
		if g.own(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func TestDo(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name, text string
		ctx        context.Context
		want       plugins.State
		told       string // part of the answer or of the error
	}{
		{"done", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", t.Context(), plugins.Done, "CPC7013"},
		{"refused", "CHGJRN JRN(QMORDERS/NONE) JRNRCV(*GEN)", t.Context(), plugins.Failed, "CPF9801"},
		{"no time", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", ended, plugins.Failed, "it was not sent"},
	}
	for _, test := range tests {
		answer, state, err := w.Do(test.ctx, command("ORDERS", test.text))
		told := string(answer.Body)
		if err != nil {
			told += err.Error()
		}
		if state != test.want || (err == nil) != (state == plugins.Done) || !strings.Contains(told, test.told) {
			t.Errorf("%s: state %s, error %v, answer %q", test.name, state, err, answer.Body)
		}
		var message *MessageError
		if errors.As(err, &message) && (message.ID != "CPF9801" || !strings.Contains(string(answer.Body), "CPF9801: ")) {
			t.Errorf("%s: %+v, answer %q", test.name, message, answer.Body)
		}
	}
	if got := s.receivers("ORDERS"); got != "0O 1O 2O 3O 4A" {
		t.Errorf("receivers %s", got)
	}
}

// An error that is not the system's leaves open what was done.
func TestDiskFull(t *testing.T) {
	s := newStation(t, "ORDERS")
	s.on(func(e *sim.Estate) {
		s.cl(e, "ORDERS", "CRTSAVF FILE(MQVAULT/X)")
		if _, err := e.Fault(t.Context(), "ORDERS", "asp", "1"); err != nil {
			t.Fatal(err)
		}
	})
	w := s.writer("ORDERS")
	_, state, err := w.Do(t.Context(), command("ORDERS", "SAVOBJ OBJ(AMQA000000) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/X)"))
	if state != plugins.Unknown || err == nil || errors.As(err, new(*MessageError)) {
		t.Errorf("state %s, error %v", state, err)
	}
	if _, err := w.Save(t.Context(), rcv("ORDERS", 0), vault); err == nil {
		t.Error("it was saved without room")
	}
	if got := s.files("MQVAULT"); got != "X.SAVF" {
		t.Errorf("save files %s", got)
	}
}

func TestClosedWriter(t *testing.T) {
	s := newStation(t, "ORDERS")
	w, err := s.gate.Writer(t.Context(), s.target("ORDERS"))
	s.must(err)
	s.must(w.Close())
	s.must(w.Close())
	if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", 0), Unsaved: true}); state != plugins.Failed || !errors.Is(err, ErrNotSent) {
		t.Errorf("state %s, error %v", state, err)
	}
	if _, err := w.Save(t.Context(), rcv("ORDERS", 0), vault); !errors.Is(err, ErrNotSent) {
		t.Error(err)
	}
	if got := s.receivers("ORDERS"); got != "0O 1O 2O 3A" {
		t.Errorf("receivers %s", got)
	}
}

func TestRemove(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	for _, test := range []struct {
		id   recovery.SegmentID
		want string // message; empty: it goes
	}{
		{rcv("ORDERS", 3), "CPF7022"}, // attached
		{rcv("ORDERS", 1), "CPF7021"}, // not the first
		{rcv("ORDERS", 0), ""},
		{rcv("ORDERS", 0), "CPF2105"}, // gone
		{rcv("ORDERS", 1), ""},
	} {
		_, state, err := w.Remove(t.Context(), Removal{Segment: test.id, Unsaved: true})
		var message *MessageError
		if test.want == "" && state == plugins.Done && err == nil {
			continue
		}
		if state != plugins.Failed || !errors.As(err, &message) || message.ID != test.want {
			t.Errorf("%s: state %s, error %v, want %s", test.id, state, err, test.want)
		}
	}
	if _, state, err := w.Remove(t.Context(), Removal{Segment: recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA*"}, Unsaved: true}); state != plugins.Failed || err == nil {
		t.Errorf("a generic name: state %s, error %v", state, err)
	}
	if got := s.receivers("ORDERS"); got != "2O 3A" {
		t.Errorf("receivers %s", got)
	}
}

// A receiver that was never saved has the job wait. It is ended when the time
// is over, the receiver is still there and not locked (case 6).
func TestRemoveThatWaits(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	short, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, ctx := range []context.Context{short, t.Context()} {
		_, state, err := w.Remove(ctx, Removal{Segment: rcv("ORDERS", 0)})
		var timeout *Timeout
		var message *MessageError
		if state != plugins.Unknown || !errors.As(err, &timeout) || !timeout.Ended || !errors.As(err, &message) || message.ID != "CPA7025" {
			t.Fatalf("state %s, error %v", state, err)
		}
		if timeout.After < 4*time.Minute || timeout.After > mostWaiting || timeout.Command.Text != "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000) DLTOPT(*NONE)" {
			t.Errorf("%+v", timeout)
		}
		if got := s.receivers("ORDERS"); got != "0O 1O 2O 3A" {
			t.Fatalf("receivers %s", got)
		}
	}
	if answer, state, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", 0), Unsaved: true}); state != plugins.Done || !strings.Contains(string(answer.Body), "CPC2191") {
		t.Errorf("state %s, error %v, answer %q", state, err, answer.Body)
	}
	_ = s.keep(w, rcv("ORDERS", 1)) // a copy of mqhk's is no save of the site's
	if got := s.receivers("ORDERS"); got != "1O 2O 3A" {
		t.Errorf("receivers %s", got)
	}
	for _, text := range []string{"CRTSAVF FILE(QGPL/NIGHT)", "SAVOBJ OBJ(AMQA000001) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/NIGHT)"} {
		_, _, err := w.Do(t.Context(), command("ORDERS", text))
		s.must(err)
	}
	if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", 1)}); state != plugins.Done { // saved: no question
		t.Errorf("state %s, error %v", state, err)
	}
}
