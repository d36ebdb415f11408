package qmgr

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// What an application meets by the attributes of a queue and of the queue
// manager, with the reason codes of MQPUT and MQGET.
func TestAttributesThatApplicationsMeet(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	define := func(name string, attributes ...string) {
		s.must(s.m.DefineObject(s.ctx, queueRef(name), with(nil, attributes...)))
	}
	put := func(queue string, msg engine.Message) error { _, err := s.m.Put(s.ctx, queue, msg); return err }
	define("NONE", "MAXDEPTH", "0")
	s.reason(put("NONE", text("x")), QueueFull)
	define("TWO", "MAXDEPTH", "2")
	u, err := s.m.Begin("app")
	s.must(err)
	for range 2 {
		_, err = u.Put(s.ctx, "TWO", text("x"))
		s.must(err)
	}
	s.reason(put("TWO", text("x")), QueueFull)
	s.must(u.Commit(s.ctx))
	define("CLOSED", "PUT", "DISABLED", "GET", "DISABLED")
	s.reason(put("CLOSED", text("x")), PutInhibited)
	_, err = s.m.Get(s.ctx, "CLOSED")
	s.reason(err, GetInhibited)
	define("SHORT", "MAXMSGL", "10")
	s.must(put("SHORT", text("0123456789")))
	s.reason(put("SHORT", text("0123456789a")), TooBigForQueue)
	s.must(s.m.AlterManager(s.ctx, with(s.m.Attributes(), "MAXMSGL", "32768", "MAXUMSGS", "3")))
	define("LONG", "MAXMSGL", "104857600")
	s.reason(put("LONG", text(long(32769))), TooBigForManager)
	s.reason(put("LONG", engine.Message{Priority: 10}), PriorityError)
	if u, err = s.m.Begin("app"); err == nil {
		for range 3 {
			_, err = u.Put(s.ctx, "LONG", text("x"))
			s.must(err)
		}
		_, err = u.Put(s.ctx, "LONG", text("x"))
	}
	s.reason(err, SyncpointLimit)
	s.must(u.Commit(s.ctx))

	define("FIFO", "MSGDLVSQ", "FIFO", "DEFPRTY", "4")
	define("PRIORITY", "DEFPRTY", "4", "DEFPSIST", "YES")
	for _, q := range []string{"FIFO", "PRIORITY"} {
		for _, p := range []int{1, engine.PriorityAsQueue, 8} {
			s.must(put(q, engine.Message{AsQueue: true, Priority: p, Body: []byte{byte('a' + p)}}))
		}
	}
	if got := strings.Join(s.bodies("FIFO"), ""); got != "b`i" {
		t.Errorf("FIFO: %s", got)
	}
	if got := strings.Join(s.bodies("PRIORITY"), ""); got != "i`b" {
		t.Errorf("PRIORITY: %s", got)
	}
	s.must(s.m.Crash())
	s.start()
	if got := strings.Join(s.bodies("PRIORITY"), "") + strings.Join(s.bodies("FIFO"), ""); got != "i`b" {
		t.Errorf("after a restart: %s", got)
	}
}
