package os400

import (
	"testing"
	"time"
)

// A remote journal without a full copy keeps a receiver from automatic
// deletion, be it active or not (reference, IBM i 1.7).
func TestAutomaticDeletionAndRemotes(t *testing.T) {
	b := newBench(t, JournalSpec{DeleteReceivers: true}, Settings{})
	remote := Remote{ID: ID{library, "AMQBJRN"}, Database: "BACKUP", Active: true}
	b.must(b.sys.AddRemote(jrn, remote))
	b.fill(2)
	tick := func() {
		b.now = b.now.Add(11 * time.Minute)
		b.must(b.sys.Tick(t.Context()))
	}
	b.must(b.sys.SetRemote(jrn, remote.ID, false, 3)) // all but the last three entries
	tick()
	b.want("000001O 000002A") // it has all of 000000 and lacks one of 000001
	if n := b.sent(operator, "CPI70E6"); n != 1 {
		t.Errorf("%d times CPI70E6", n)
	}
	tick()
	b.want("000001O 000002A")
	if n := b.sent(operator, "CPI70E6"); n != 2 {
		t.Errorf("%d times CPI70E6", n)
	}
	b.must(b.sys.SetRemote(jrn, remote.ID, true, 3))
	tick() // it catches up
	b.want("000002A")
	if len(b.sys.Waiting()) != 0 {
		t.Error("a job waits")
	}
}
