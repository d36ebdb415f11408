package sim_test

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// Parameters of commands are seen in what they do.
func TestParametersOfCommands(t *testing.T) {
	media := func(want string) func(*bed) {
		return func(b *bed) {
			b.gives("", starts)
			if got := b.e.Status().Managers[0].Media.Receiver; got != want {
				b.Errorf("the media point is in %s, want %s", got, want)
			}
		}
	}
	messages := func(want int) func(*bed) {
		return func(b *bed) {
			if got := b.e.Status().Managers[0].Work; got.Messages != want || got.UnitsOfWork != 0 {
				b.Errorf("%+v, want %d messages", got, want)
			}
		}
	}
	const doubt, veto = "open-unit", "exit-veto"
	for name, c := range map[string]struct {
		fault []string
		give  string
		after func(*bed)
	}{
		"images at an end":   {nil, ends + " ENDCCTJOB(*YES)", media("AMQA000001")},
		"none, as was asked": {nil, ends + " ENDCCTJOB(*YES) RCDMQMIMG(*NO)", media("AMQA000000")},
		"none":               {nil, ends, media("AMQA000000")},
		"commit":             {[]string{doubt, "APP.ORDERS", "prepared"}, "RSVMQMTRN TRANNUM('0,1') MQMNAME(ORDERS) RESOLVE(*COMMIT)", messages(2)},
		"backout":            {[]string{doubt, "APP.ORDERS", "prepared"}, "RSVMQMTRN TRANNUM('0,1') MQMNAME(ORDERS) RESOLVE(*BACKOUT)", messages(1)},
		"past exit programs": {[]string{veto, "on"}, "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000) DLTOPT(*IGNINQMSG *IGNEXITPGM)", func(b *bed) {
			if got := b.e.Status().Managers[0].Receivers; got != 1 {
				b.Errorf("%d receivers", got)
			}
		}},
		"numbers from 1": {nil, nextOne + " SEQOPT(*RESET)", func(b *bed) {
			if err := b.put(10); err != nil {
				b.Error(err)
			}
			b.shows(observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_RECEIVER_NAME='AMQA000002'", ",1,1,")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
			on(t, dir, func(e *sim.Estate) {
				prepareFault(t, e, "")
				b := &bed{t, e}
				if err := b.put(5); err != nil {
					t.Fatal(err)
				}
				if c.fault != nil {
					if _, err := e.Fault(t.Context(), "ORDERS", c.fault[0], c.fault[1:]...); err != nil {
						t.Fatal(err)
					}
				}
				b.gives("", c.give)
				c.after(b)
			})
		})
	}
}

// Nothing that the applications of a full system began is left open once there
// is room again, however long that takes; and meanwhile they do not begin more
// and more.
func TestWorkOnAFullSystem(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 08:00:00")
	on(t, dir, func(e *sim.Estate) {
		if err := e.SetWorkload("ORDERS", office(t), 4); err != nil {
			t.Fatal(err)
		}
		advance(t, e, time.Hour)
		if _, err := e.Fault(t.Context(), "ORDERS", "sequence", "2147483136"); err != nil {
			t.Fatal(err)
		}
		advance(t, e, 12*time.Hour)
		if open := len(e.Manager("ORDERS").Engine().Units()); open > 10 {
			t.Errorf("%d units of work are open while journaling has stopped", open)
		}
		b := &bed{t, e}
		b.gives("", nextOne+" SEQOPT(*RESET)")
		worked := advance(t, e, 2*time.Hour)
		if worked[0].Report.Puts == 0 {
			t.Errorf("%+v", worked[0].Report)
		}
		if err := b.e.StopWorkload("ORDERS"); err != nil {
			t.Error(err)
		}
		if err := e.Manager("ORDERS").Browse("APP.ORDERS", func(engine.Message) bool { return false }); err == nil {
			t.Error("a queue that nobody defined")
		}
	})
}
