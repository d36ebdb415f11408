package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// outside is everything that a person sees of a queue manager.
func (s *station) outside() string {
	s.t.Helper()
	messages, err := s.sys.Messages(s.m.MessageQueue())
	s.must(err)
	space, err := s.sys.Space(s.m.Space())
	s.must(err)
	status := s.m.Status()
	return fmt.Sprintln(status.Name, status.State, status.CurrLog, status.RecLog, status.MediaLog, status.Started.UnixNano(),
		s.m.Points().Published.UnixNano(), s.receivers(), len(messages), space, seenQueues(s.m.Queues()), seenTransactions(s.m.Transactions()))
}

func seenQueues(all []Queue) (text string) {
	for _, q := range all {
		text += fmt.Sprintln(q.Name, q.Depth, q.Uncommitted, q.MediaReceiver, q.MediaTime.UnixNano(), q.Damaged, q.Attributes)
	}
	return text
}

func seenTransactions(all []Transaction) (text string) {
	for _, t := range all {
		text += fmt.Sprintln(t.Number, t.State, t.Application, t.Job, t.Started.UnixNano(), t.Receiver, t.Changes, t.XID)
	}
	return text
}

// Between two commands of the simulator nothing is seen of its absence.
func TestSuspensionIsInvisible(t *testing.T) {
	s := station1(t)
	s.fill("A", 1)
	u, doubt := s.begin("LONG"), s.begin("PAYROLL")
	s.unitPut(u, "B", "open")
	s.unitPut(doubt, "B", "prepared")
	s.must(doubt.Prepare(t.Context(), []byte("xid")))
	_, err := s.m.Put(t.Context(), "A", engine.Message{Body: []byte("not persistent")})
	s.must(err)
	s.must(s.m.Damage(t.Context(), "SYSTEM.CHANNEL.INITQ"))
	before, contents, marks := s.outside(), s.contents(), s.marks()

	s.must(s.m.Suspend(t.Context()))
	if got := s.outside(); got != before {
		t.Errorf("suspended:\n%s\nwas\n%s", got, before)
	}
	s.open()
	if got := s.outside(); got != before || !s.m.Suspended() {
		t.Errorf("in another process:\n%s\nwas\n%s", got, before)
	}
	if _, err := s.m.Start(t.Context()); !errors.Is(err, ErrRunning) {
		t.Errorf("start of a suspended one: %v", err)
	}
	if _, err := s.m.Put(t.Context(), "A", text("x")); !errors.Is(err, ErrNotRunning) {
		t.Errorf("put on a suspended one: %v", err)
	}
	s.must(s.m.Resume(t.Context()))
	if got := s.outside(); got != before || s.marks() != marks || s.m.Suspended() {
		t.Errorf("resumed:\n%s\nwas\n%s", got, before)
	}
	if got := s.contents(); fmt.Sprint(got) != fmt.Sprint(contents) {
		t.Error("messages are not the same")
	}
	u, err = s.m.Unit(u.Number())
	s.must(err)
	s.unitPut(u, "B", "and more")
	s.must(u.Commit(t.Context()))
	if got := s.bodies("B"); !slices.Equal(got, []string{"open", "and more"}) {
		t.Errorf("%q", got)
	}
	s.fill("A", 2)
	s.entriesAgree()
}

// What was due when it was suspended is due when it goes on.
func TestDueOverSuspension(t *testing.T) {
	s := station1(t)
	s.fill("A", 1)
	published := len(s.messages("AMQ7460"))
	s.m.owner.changed.Store(true)
	s.must(s.m.Suspend(t.Context()))
	s.open()
	s.must(s.m.Resume(t.Context()))
	s.must(s.m.Tick(t.Context()))
	if n := len(s.messages("AMQ7460")); n != published+1 {
		t.Errorf("published %d times", n-published)
	}
}

// A process that dies after it has resumed leaves a crash, one that dies while
// suspended leaves nothing.
func TestDeathAroundSuspension(t *testing.T) {
	s := station1(t)
	s.put("A", text("1"))
	s.must(s.m.Suspend(t.Context()))
	s.disk.Crash()
	s.open()
	s.must(s.m.Resume(t.Context()))
	s.power()
	if s.m.Suspended() || s.m.Status().State != string(Crashed) {
		t.Errorf("%+v", s.m.Status())
	}
	if err := s.m.Resume(t.Context()); !errors.Is(err, ErrNotSuspended) {
		t.Errorf("%v", err)
	}
	s.start()
	if got := s.bodies("A"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("%q", got)
	}
	// A crash is a fault that a suspended one can have too.
	s.must(s.m.Suspend(t.Context()))
	s.must(s.m.Crash(t.Context()))
	s.start()
	s.rebuildAll()
}

// A change of receivers while it is suspended: it goes on in the new one.
func TestChangeWhileSuspended(t *testing.T) {
	s := station1(t)
	s.put("A", text("1"))
	s.must(s.m.Suspend(t.Context()))
	s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN"}))
	s.open()
	s.must(s.m.Resume(t.Context()))
	s.put("A", text("2"))
	all := s.sys.Receivers(s.m.Journal())
	if last := all[len(all)-1]; last.Start == 0 || last.Name != s.m.Status().CurrLog {
		t.Errorf("%+v", last)
	}
	s.power()
	s.start()
	if got := s.bodies("A"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("%q", got)
	}
	s.entriesAgree()
}

// A disk that fails stops the queue manager: it can't be suspended, has
// crashed then, and starts when the disk is well.
func TestFailedDisk(t *testing.T) {
	s := station1(t)
	s.put("A", text("1"))
	s.disk.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Sync && strings.HasSuffix(op.Name, ".JRNRCV") {
			return syscall.EIO
		}
		return nil
	})
	if _, err := s.m.Put(t.Context(), "A", text("2")); !errors.Is(err, engine.ErrStopped) || !errors.Is(err, syscall.EIO) {
		t.Errorf("put: %v", err)
	}
	if err := s.m.Suspend(t.Context()); !errors.Is(err, engine.ErrStopped) || s.m.Status().State != string(Crashed) {
		t.Errorf("suspend: %v, %s", err, s.m.Status().State)
	}
	s.disk.Fault(nil)
	s.start()
	if got := s.bodies("A"); len(got) == 0 || got[0] != "1" {
		t.Errorf("%q", got)
	}
}
