package sim_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// faultCase is a fault with what is seen of it from outside.
type faultCase struct {
	args  []string
	after func(*bed)
}

// countdown is a context that ends after it was asked so often.
type countdown struct {
	context.Context

	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// bed is an estate with a fault in it: AMQA000000 is detached, AMQA000001
// attached, APP.ORDERS a queue.
type bed struct {
	*testing.T
	e *sim.Estate
}

// gives carries out CL; an id that is not empty is that of the error it must
// end with.
func (b *bed) gives(id, text string) {
	b.Helper()
	_, err := b.e.CL(b.Context(), "ORDERS", b.e.Job(), text)
	var escape *os400.Error
	var waits *os400.Waiting
	switch {
	case id == "" && err != nil:
		b.Errorf("%s: %v", text, err)
	case id != "" && errors.As(err, &waits) && waits.Message == id:
	case id != "" && (!errors.As(err, &escape) || escape.ID != id):
		b.Errorf("%s: %v, want %s", text, err, id)
	}
}

// shows asks a question whose answer must hold a text.
func (b *bed) shows(language observe.Language, question, text string) {
	b.Helper()
	answer, err := b.e.Ask(b.Context(), observe.Question{Language: language, QueueManager: "ORDERS", Text: question})
	if err != nil || !strings.Contains(string(answer.Body), text) {
		b.Errorf("%s: %v: %q is not in %s", question, err, text, answer.Body)
	}
}

const (
	deleteFirst = "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000) DLTOPT(*IGNINQMSG)"
	nextOne     = "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"
	starts      = "STRMQM MQMNAME(ORDERS)"
	ends        = "ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)"
)

// put puts a persistent message of some bytes.
func (b *bed) put(bytes int) error {
	_, err := b.e.Manager("ORDERS").Put(b.Context(), "APP.ORDERS", engine.Message{Persistent: true, Body: make([]byte, bytes)})
	return err
}

// Every fault does what it says: it is seen from outside.
func TestFaults(t *testing.T) {
	cases := map[string][]faultCase{
		"crash": {{nil, func(b *bed) {
			if got := b.e.Status().Managers[0]; got.State != string(qmgr.Crashed) || got.Work != nil {
				b.Errorf("%+v", got)
			}
			b.gives("", starts)
		}}},
		"ipl": {{nil, func(b *bed) {
			if got := b.e.Status().Managers[0]; got.State != string(qmgr.Crashed) || got.Attached != "AMQA000002" {
				b.Errorf("%+v", got)
			}
			b.gives("", starts)
			b.shows(observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_RECEIVER_NAME='AMQA000002'", ",1,")
		}}},
		"damage": {{[]string{"APP.ORDERS"}, func(b *bed) {
			if got := b.e.Status().Managers[0].Work.Damaged; got != 1 {
				b.Errorf("%d damaged", got)
			}
			if err := b.put(1); !errors.Is(err, engine.ErrDamaged) {
				b.Error(err)
			}
			b.shows(observe.SQL, "QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QMORDERS'", "AMQ7472")
		}}},
		"lose-receiver": {{[]string{"AMQA000000"}, func(b *bed) {
			if _, err := b.e.Fault(b.Context(), "ORDERS", "damage", "APP.ORDERS"); err != nil {
				b.Error(err)
			}
			b.gives("AMQ7432", "RCRMQMOBJ OBJ(APP.ORDERS) OBJTYPE(*LCLQ) MQMNAME(ORDERS)")
			if _, err := b.e.Fault(b.Context(), "ORDERS", "crash"); err != nil {
				b.Error(err)
			}
			b.gives("AMQ7432", starts)
		}}},
		"flip-byte": {{[]string{"AMQA000000", "8200"}, func(b *bed) {
			for at := 9000; at < 40000; at += 100 { // one of them is in what a start reads
				if _, err := b.e.Fault(b.Context(), "ORDERS", "flip-byte", "AMQA000000", strconv.Itoa(at)); err != nil {
					b.Error(err)
				}
			}
			if _, err := b.e.Fault(b.Context(), "ORDERS", "crash"); err != nil {
				b.Error(err)
			}
			b.gives("AMQ7432", starts)
		}}},
		"damage-receiver": {{[]string{"amqa000000"}, func(b *bed) {
			b.gives("", nextOne)
			b.gives("CPF7021", "DLTJRNRCV JRNRCV(QMORDERS/AMQA000001) DLTOPT(*IGNINQMSG)") // in the middle
			if _, err := b.e.Fault(b.Context(), "ORDERS", "damage-receiver", "AMQA000001"); err != nil {
				b.Error(err)
			}
			b.gives("", "DLTJRNRCV JRNRCV(QMORDERS/AMQA000001) DLTOPT(*IGNINQMSG)") // damaged it may go
		}}},
		"lock": {
			{[]string{"AMQA000000"}, func(b *bed) { b.gives("CPF9803", deleteFirst) }},
			{[]string{"QMORDERS/AMQA000000", "000001/ME/SAVE"}, func(b *bed) { b.gives("CPF9803", deleteFirst) }},
		},
		"unlock": {{[]string{"AMQA000000"}, func(b *bed) { b.gives("", deleteFirst) }}},
		"remote": {
			{[]string{"active", "100"}, func(b *bed) { b.gives("", deleteFirst) }}, // it catches up at once
			{[]string{"inactive", "100"}, func(b *bed) {
				b.shows(observe.SQL, "QSYS2.REMOTE_JOURNAL_INFO", "INACTIVE")
				b.gives("CPA705E", "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)")
			}},
		},
		"exit-veto": {
			{[]string{"on"}, func(b *bed) { b.gives("CPF7023", deleteFirst) }},
		},
		"name-clash": {{nil, func(b *bed) {
			b.gives("CPF7010", nextOne)
			for range 3 {
				if err := b.put(300 << 10); err != nil {
					b.Error(err)
				}
			}
			if got := b.e.Status().Managers[0].Attached; got != "AMQA000001" {
				b.Errorf("attached is %s", got)
			}
			b.shows(observe.SQL, "QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QSYS'", "CPI70E3")
		}}},
		"sequence": {{[]string{"2147483136"}, func(b *bed) {
			_ = b.put(1) // the last number may still be free
			var escape *os400.Error
			if err := b.put(1); !errors.As(err, &escape) || escape.ID != "CPA7090" {
				b.Error(err)
			}
		}}},
		"asp": {
			{[]string{"128"}, func(b *bed) {
				var escape *os400.Error
				if err := b.put(1 << 20); !errors.As(err, &escape) || escape.ID != "CPA7090" {
					b.Error(err)
				}
				if _, err := b.e.Fault(b.Context(), "ORDERS", "asp", "none"); err != nil {
					b.Error(err)
				}
				if err := b.put(1 << 20); err != nil {
					b.Error(err)
				}
			}},
		},
		"clock-back": {{[]string{"1h"}, func(b *bed) {
			if st := b.e.Status(); st.Managers[0].Clock.Sub(st.Time) != -time.Hour {
				b.Errorf("%s and %s", st.Managers[0].Clock, st.Time)
			}
		}}},
		"clock-forward": {{[]string{"90m"}, func(b *bed) {
			if st := b.e.Status(); st.Managers[0].Clock.Sub(st.Time) != 90*time.Minute {
				b.Errorf("%s and %s", st.Managers[0].Clock, st.Time)
			}
		}}},
		"open-unit": {
			{[]string{"APP.ORDERS"}, func(b *bed) { b.shows(observe.MQSC, "DISPLAY CONN(*) ALL", "AMQA000001") }},
			{[]string{"APP.ORDERS", "prepared"}, func(b *bed) {
				b.gives("", ends)
				b.gives("", starts)
				if got := b.e.Status().Managers[0].Work.UnitsOfWork; got != 1 {
					b.Errorf("%d in doubt", got)
				}
			}},
		},
		"end-unit": {{[]string{"1", "commit"}, func(b *bed) {
			if got := b.e.Status().Managers[0].Work; got.UnitsOfWork != 0 || got.Messages != 1 {
				b.Errorf("%+v", got)
			}
		}}},
	}
	for _, k := range sim.Faults(observe.IBMi) {
		if len(cases[k.Name]) == 0 {
			t.Errorf("fault %s has no test", k.Name)
		}
		for _, c := range cases[k.Name] {
			t.Run(k.Name, func(t *testing.T) {
				dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
				on(t, dir, func(e *sim.Estate) {
					prepareFault(t, e, k.Name)
					done, err := e.Fault(t.Context(), "ORDERS", k.Name, c.args...)
					if err != nil || done == "" {
						t.Errorf("%v: %q, %v", c.args, done, err)
					}
					if _, err := e.Fault(t.Context(), "ORDERS", k.Name, "a", "b", "c"); !errors.Is(err, sim.ErrUsage) {
						t.Errorf("three arguments: %v", err)
					}
				})
				on(t, dir, func(e *sim.Estate) { c.after(&bed{t, e}) }) // also in the next command
			})
		}
	}
}

// A fault that there is not, and one that happens to nobody.
func TestFaultsThatThereAreNot(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	on(t, dir, func(e *sim.Estate) {
		if _, err := e.Fault(t.Context(), "ORDERS", "meteor"); !errors.Is(err, sim.ErrUsage) || !strings.Contains(err.Error(), "crash") {
			t.Error(err)
		}
		if _, err := e.Fault(t.Context(), "PAYMENTS", "crash"); !errors.Is(err, sim.ErrNoManager) {
			t.Error(err)
		}
	})
}

// prepareFault gives the fault something to happen to.
func prepareFault(t *testing.T, e *sim.Estate, name string) {
	t.Helper()
	commands := []string{"CRTMQMQ QNAME(APP.ORDERS) QTYPE(*LCL) MQMNAME(ORDERS)", "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"}
	switch name {
	case "remote":
		commands = append(commands, "ADDMQMJRN MQMNAME(ORDERS) JRN(*DFT) RMTJRNRDB(OTHER) RMTJRNSTS(*ACTIVE)")
	case "end-unit":
		defer func() {
			if _, err := e.Fault(t.Context(), "ORDERS", "open-unit", "APP.ORDERS"); err != nil {
				t.Fatal(err)
			}
		}()
	case "unlock":
		if _, err := e.Fault(t.Context(), "ORDERS", "lock", "AMQA000000"); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range commands {
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), text); err != nil {
			t.Fatal(text, err)
		}
	}
}
