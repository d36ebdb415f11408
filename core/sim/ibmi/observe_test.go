package ibmi

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// hosted asks a machine as the agent does: what the host answers is empty.
type hosted struct{ *Machine }

func (h hosted) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return observe.Answer{}, nil
	}
	return h.Machine.Ask(ctx, q)
}

// target is how the agent knows a queue manager of the test.
func target(m *qmgr.Manager) observe.Target {
	return observe.Target{Name: m.Name(), Platform: observe.IBMi, Library: m.Library()}
}

// What package observe reads from a machine is what the machine has: marks,
// receivers and their order. Nothing is open on a healthy system.
func TestReadJournal(t *testing.T) {
	s := newStation(t)
	s.clock.step = 1500 * time.Millisecond
	m := s.manager("TEST")
	other := s.manager("OTHER")
	for _, manager := range []*qmgr.Manager{m, other} {
		s.must(manager.DefineQueue(s.ctx, "DEEP", nil))
	}
	s.fill(m, "DEEP", 4)
	s.fill(other, "DEEP", 1)
	s.cl("CHGJRN JRN(QMTEST/AMQAJRN) JRNRCV(*GEN)")
	s.cl("RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(TEST) DSPJRNDTA(*YES)")
	s.fill(m, "DEEP", 2)
	s.compare(m)
	s.must(s.m.Suspend(s.ctx))
	s.compare(m)
	s.reopen()
	suspended, err := s.m.Manager("TEST")
	s.must(err)
	s.compare(suspended)
	s.must(s.m.Resume(s.ctx))
	s.fill(suspended, "DEEP", 1)
	s.compare(suspended)
}

// compare reads the journal of a queue manager and holds it against the truth.
func (s *station) compare(m *qmgr.Manager) {
	s.t.Helper()
	facts, err := observe.ReadJournal(s.ctx, hosted{s.m}, target(m))
	s.must(err)
	for _, f := range facts.Inventory.Open {
		s.t.Errorf("%s: finding %s: %s", m.Name(), f.Code, f.Text)
	}
	var listed []string
	for _, r := range facts.Receivers {
		listed = append(listed, r.ID.Name+" "+r.Status)
	}
	var there []string
	for _, r := range s.m.System().Receivers(m.Journal()) {
		there = append(there, r.Name+" "+string(r.Status))
	}
	if !slices.Equal(listed, there) || len(facts.Breaks) > 0 {
		s.t.Errorf("%s: receivers %v, breaks %v, not %v", m.Name(), listed, facts.Breaks, there)
	}
	points := m.Points()
	want := map[recovery.NeedKind]string{recovery.Restart: points.Startup.Receiver, recovery.Media: points.Media.Receiver}
	for kind, receiver := range want {
		if !slices.ContainsFunc(facts.Inventory.Needs, func(n recovery.Need) bool { return n.Kind == kind && n.Name == receiver }) {
			s.t.Errorf("%s: no need of kind %s names %s: %+v", m.Name(), kind, receiver, facts.Inventory.Needs)
		}
	}
}

// What goes wrong on the system is seen through its answers.
func TestReadTrouble(t *testing.T) {
	s := newStation(t)
	s.clock.step = 1500 * time.Millisecond
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	s.cl("ADDMQMJRN TEST RMTJRNRDB(PAY2) RMTJRNSTS(*INACTIVE)")
	s.fill(m, "DEEP", 1)
	facts, err := observe.ReadJournal(s.ctx, hosted{s.m}, target(m))
	s.must(err)
	for _, segment := range facts.Inventory.Segments {
		if !strings.Contains(segment.Pin, "PAY2 is inactive") {
			t.Errorf("%s is pinned by %q", segment.ID, segment.Pin)
		}
	}
	sys := s.m.System()
	s.must(sys.CreateReceiver(sys.NextName(s.receivers(m)[1].ID), 64))
	for range 40 {
		_, err := m.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: make([]byte, 6000)})
		s.must(err)
	}
	facts, err = observe.ReadJournal(s.ctx, hosted{s.m}, target(m))
	s.must(err)
	if len(facts.Inventory.Open) != 1 || facts.Inventory.Open[0].Code != finding.NameClash {
		t.Errorf("findings with a name that is taken: %+v", facts.Inventory.Open)
	}
	s.must(m.Crash(s.ctx))
	facts, err = observe.ReadJournal(s.ctx, hosted{s.m}, target(m))
	s.must(err)
	if !slices.ContainsFunc(facts.Inventory.Open, func(f finding.Finding) bool { return f.Code == finding.ManagerNotRunning }) {
		t.Errorf("findings after a crash: %+v", facts.Inventory.Open)
	}
}

// An open unit of work and a queue without a newer image show what they pin.
func TestReadPins(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	unit, err := m.Begin("order.exe")
	s.must(err)
	_, err = unit.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: []byte("order")})
	s.must(err)
	first := s.receivers(m)[0].Name
	s.fill(m, "DEEP", 3)
	var restart, media []string
	for _, pin := range observe.ReadPins(s.ctx, s.m, target(m)) {
		switch pin.Kind {
		case recovery.Restart:
			restart = append(restart, pin.Segment+" "+pin.What)
		case recovery.Media:
			media = append(media, pin.Segment+" "+pin.What)
		}
	}
	if len(restart) != 1 || !strings.HasPrefix(restart[0], first+" ") || !strings.Contains(restart[0], "order.exe") {
		t.Errorf("pins of the startup point: %q, not %s", restart, first)
	}
	for _, q := range m.Queues() {
		if !slices.ContainsFunc(media, func(pin string) bool {
			return strings.HasPrefix(pin, q.MediaReceiver+" ") && strings.Contains(pin, "queue "+q.Name+" ")
		}) {
			t.Errorf("no pin of queue %s, whose image is in %s: %q", q.Name, q.MediaReceiver, media)
		}
	}
	s.must(unit.Commit(s.ctx))
	if pins := observe.ReadPins(s.ctx, s.m, target(m)); slices.ContainsFunc(pins, func(p observe.Pin) bool { return p.Kind == recovery.Restart }) {
		t.Errorf("pins after the commit: %+v", pins)
	}
}

// jrnmaint, registered as an exit program, makes DLTRCV(*YES) safe: what a
// restart or a rebuild needs stays (reference, IBM i 3.6).
func TestMaintenanceExit(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	s.fill(m, "DEEP", 5)
	s.cl("CHGJRN JRN(QMTEST/AMQAJRN) JRNRCV(*GEN)")
	s.cl("RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(TEST) DSPJRNDTA(*YES)")
	s.fill(m, "DEEP", 1)
	needed := m.Points().Media.Receiver
	before := s.receivers(m)
	cut := slices.IndexFunc(before, func(r os400.Receiver) bool { return r.Name == needed })
	if cut < 2 {
		t.Fatalf("%s is receiver %d: nothing to delete", needed, cut)
	}
	s.cl("ADDEXITPGM QIBM_QJO_DLT_JRNRCV DRCV0100 *LOW MQJRNMNT/JRNMAINT")
	for i, r := range before[:len(before)-1] {
		_, err := s.m.Run(s.ctx, s.job, "DLTJRNRCV "+r.ID.String()+" DLTOPT(*IGNINQMSG)")
		if (err == nil) != (i < cut) {
			t.Errorf("deleting receiver %s, while %s is needed: %v", r.Name, needed, err)
		}
		if err != nil {
			break
		}
	}
	s.must(m.Crash(s.ctx))
	_, err := m.Start(s.ctx)
	s.must(err)
	s.tick(time.Minute)
	s.compare(m)
}
