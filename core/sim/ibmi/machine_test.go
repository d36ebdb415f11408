package ibmi

import (
	"errors"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// A suspended machine can be looked at, and goes on where it was: with the
// unit of work that was open. One that was not suspended has crashed.
func TestSuspendAndResume(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	unit, err := m.Begin("order.exe")
	s.must(err)
	_, err = unit.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: []byte("order")})
	s.must(err)
	s.must(s.m.Suspend(s.ctx))
	s.must(s.m.Suspend(s.ctx)) // one that is suspended stays it
	s.reopen()
	s.must(s.m.Tick(s.ctx))
	if _, err := s.m.Run(s.ctx, s.job, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL)"); !isEscape(err, "AMQ8146") {
		t.Errorf("a command to a suspended queue manager: %v", err)
	}
	s.must(s.m.Resume(s.ctx))
	s.must(s.m.Resume(s.ctx))
	m, err = s.m.Manager("TEST")
	s.must(err)
	unit, err = m.Unit(unit.Number())
	s.must(err)
	s.must(unit.Commit(s.ctx))
	if _, err := m.Get(s.ctx, "DEEP"); err != nil {
		t.Errorf("getting what was committed: %v", err)
	}
	s.reopen()
	m, err = s.m.Manager("TEST")
	s.must(err)
	if got := m.Status().State; got != string(qmgr.Crashed) {
		t.Errorf("a queue manager that nobody suspended is %s", got)
	}
}

func isEscape(err error, id string) bool {
	var escaped *os400.Error
	return errors.As(err, &escaped) && escaped.ID == id
}

func TestManagerNames(t *testing.T) {
	s := newStation(t)
	s.manager("TEST")
	if _, err := s.m.Manager("OTHER"); !isEscape(err, "AMQ8118") {
		t.Errorf("a queue manager that is not there: %v", err)
	}
	if _, err := s.m.Create(s.ctx, qmgr.Spec{Name: "TEST"}); !isEscape(err, "AMQ8110") {
		t.Errorf("a queue manager that is there: %v", err)
	}
	if _, err := s.m.Create(s.ctx, qmgr.Spec{Name: "a b"}); !isEscape(err, "AMQ7048") {
		t.Errorf("a name that is none: %v", err)
	}
	if all := s.m.Managers(); len(all) != 1 {
		t.Errorf("%d queue managers", len(all))
	}
}

// A full ASP is no error of the tick; with room again everything goes on.
func TestTickWithFullASP(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	s.must(s.m.System().SetCapacity(s.m.System().Storage().Used + 64<<10))
	full := false
	for range 100 {
		if _, err := m.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: make([]byte, 6000)}); err != nil {
			full = isEscape(err, "CPA7090")
			break
		}
	}
	if !full {
		t.Fatal("the ASP did not fill")
	}
	s.tick(time.Hour)
	s.must(s.m.System().SetCapacity(0))
	s.tick(time.Hour)
	if _, err := m.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: []byte("order")}); err != nil {
		t.Errorf("putting with room again: %v", err)
	}
}
