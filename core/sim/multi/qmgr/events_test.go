package qmgr

import (
	"encoding/binary"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// loggerEvents takes the events from their queue, and reads them as any program
// reads PCF: by the lengths that stand in it.
func (s *station) loggerEvents() []map[uint32]string {
	s.Helper()
	var all []map[uint32]string
	for {
		msg, err := s.m.Get(s.ctx, loggerEventQueue)
		if Reason(err) == NoMessage {
			return all
		}
		s.must(err)
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(msg.Body[at:]) }
		if number(0) != 7 || number(4) != 36 || number(12) != 91 || number(24) != 1 || number(28) != 2411 {
			s.Fatalf("no logger event: % x", msg.Body[:36])
		}
		fields, at := map[uint32]string{}, 36
		for range number(32) {
			if number(at) != 4 || number(at+4)%4 != 0 {
				s.Fatalf("no string at %d: % x", at, msg.Body)
			}
			fields[number(at+8)] = string(msg.Body[at+20 : at+20+int(number(at+16))])
			at += int(number(at + 4))
		}
		if at != len(msg.Body) {
			s.Fatalf("%d bytes behind the event", len(msg.Body)-at)
		}
		all = append(all, fields)
	}
}

// Logger events: their occasions and their fields (reference, Multiplatforms 3.3
// items 60 and 61).
func TestLoggerEvents(t *testing.T) {
	for _, management := range []extents.Management{extents.Manual, extents.Archive} {
		s := inMemory(t, Spec{Log: small(extents.Linear, management)})
		s.start()
		s.define("FILL")
		s.must(s.m.AdvanceLog(s.ctx))
		none := func(what string) {
			t.Helper()
			if got := s.loggerEvents(); len(got) != 0 {
				t.Errorf("%s: %v", what, got)
			}
		}
		one := func(what string) {
			t.Helper()
			status := s.m.Status()
			want := map[uint32]string{2015: "QM1", 3071: status.CurrLog, 3072: status.RecLog, 3073: status.MediaLog, 3074: status.LogPath}
			got := s.loggerEvents()
			if len(got) != 1 {
				t.Fatalf("%s: %d events", what, len(got))
			}
			archive, there := got[0][3208]
			delete(got[0], 3208)
			for id, value := range want {
				if got[0][id] != value {
					t.Errorf("%s: %d is %q, wanted %q", what, id, got[0][id], value)
				}
			}
			if there != (management == extents.Archive) || archive != status.Log.Archived || len(got[0]) != len(want) {
				t.Errorf("%s: %v", what, got)
			}
		}
		none("they are off")
		alterManager("LOGGEREV", "ENABLED")(s)
		one("switched on")
		alterManager("DESCR", "x")(s)
		s.put("FILL", "x")
		none("nothing has happened")
		s.must(s.m.AdvanceLog(s.ctx))
		one("a new extent")
		_, err := s.m.Image(s.ctx, Selection{"all", "*"})
		s.must(err)
		one("media images")
		s.must(s.m.Crash())
		s.start()
		one("a start")
		s.fill(1)
		if got := len(s.loggerEvents()); got == 0 {
			t.Error("no event while messages fill an extent")
		}
		alterManager("LOGGEREV", "DISABLED")(s)
		s.must(s.m.AdvanceLog(s.ctx))
		none("switched off")
	}
}

// A queue that takes no event is nothing that an application meets, and one that
// is persistent survives.
func TestLoggerEventsThatAreLost(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	alterManager("LOGGEREV", "ENABLED")(s)
	s.loggerEvents()
	queue := func(attributes ...string) {
		s.must(s.m.AlterObject(s.ctx, queueRef(loggerEventQueue), with(nil, attributes...)))
	}
	queue("PUT", "DISABLED")
	s.must(s.m.AdvanceLog(s.ctx))
	queue("MAXDEPTH", "0")
	s.must(s.m.AdvanceLog(s.ctx))
	queue("DEFPSIST", "YES")
	s.must(s.m.AdvanceLog(s.ctx))
	s.must(s.m.DeleteObject(s.ctx, queueRef("SYSTEM.ADMIN.QMGR.EVENT"), true))
	s.must(s.m.Crash())
	s.start()
	if got := s.loggerEvents(); len(got) != 2 { // of the last extent, and of the start
		t.Errorf("%d events", len(got))
	}
	s.must(s.m.DeleteObject(s.ctx, queueRef(loggerEventQueue), true))
	s.must(s.m.AdvanceLog(s.ctx))
	circular := inMemory(t, Spec{Log: small(extents.Circular, "")})
	circular.start()
	alterManager("LOGGEREV", "ENABLED")(circular)
	if got := circular.loggerEvents(); got != nil {
		t.Errorf("%v", got)
	}
}
