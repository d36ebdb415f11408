package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// logPoints has the error log tell the recovery points, and the queue manager
// none.
func (s *extentSite) logPoints(restart, media string) {
	s.t.Helper()
	var b strings.Builder
	for _, text := range []string{
		"AMQ7467I: The oldest log file required to start queue manager QM1 is\n" + restart + ".",
		"AMQ7468I: The oldest log file required to perform media recovery of queue\nmanager QM1 is " + media + ".",
	} {
		now := s.now().UTC()
		fmt.Fprintf(&b, "%s - Process(1.1) User(mqm) Program(amqzmuc0)\n                    Host(h) Installation(Installation1)\n                    VRMF(9.1.0.0) QMgr(QM1)\n                    Time(%s)\n\n%s\n\nEXPLANATION:\nx\nACTION:\nNone.\n----- amqzmuc0.c : 1 ----------------------------------------------------------\n",
			now.Format("01/02/2006 03:04:05 PM"), now.Format("2006-01-02T15:04:05.000Z"), text)
	}
	for name, text := range map[string]string{"AMQERR01.LOG": b.String(), "AMQERR02.LOG": "", "AMQERR03.LOG": ""} {
		s.must(os.WriteFile(filepath.Join(s.manager().Data, "errors", name), []byte(text), 0o600))
	}
	s.change(func(m *standin.Manager) { m.Mute = true })
}

// No policy has a part in a prune, so that none trusts the error log there: what
// it tells is no bound for what leaves a store.
func TestExtentPruneByTheErrorLog(t *testing.T) {
	s := archived(t)
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	s.logPoints("S0000119.LOG", "S0000118.LOG")
	seen := s.look()
	if why := seen.whole(); why != "" {
		t.Fatalf("the points are not known: %s", why)
	}
	told := false
	for _, f := range seen.inventories[0].Open {
		told = told || f.Code == finding.PointsLogged
	}
	if !told {
		t.Fatal("the points are not those of the error log")
	}
	before := digest(t, s.vault)
	for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
		fates, err := s.prune(mode)
		if !errors.Is(err, ErrUnbounded) || !strings.Contains(err.Error(), "only the error log tells") || len(fates) > 0 {
			t.Errorf("mode %d: %s, %v", mode, fatesText(fates), err)
		}
	}
	if digest(t, s.vault) != before {
		t.Error("the store is not what it was")
	}
}

// A level that begins to tell since when the log is written is no other log: what
// was archived before leaves the store as before.
func TestExtentPruneAfterAnUpgrade(t *testing.T) {
	s := archived(t)
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	s.change(func(m *standin.Manager) { m.Begun = "LOGSTRDA(2026-05-01) LOGSTRTI(08.00.00)" })
	dry, err := s.prune(connect.Plan)
	if want := each(100, 107, "N goes") + ", " + each(108, 114, "N stays"); err != nil || fatesText(dry) != want {
		t.Errorf("%s, %v\nwant %s", fatesText(dry), err, want)
	}
	// The next are archived with the moment, those before are without it.
	s.must(s.host.Advance("QM1", 6))
	s.change(func(m *standin.Manager) { m.Restart, m.Media = 119, 110 })
	s.shift.Add(int64(time.Hour))
	s.wants(s.apply("fast-startup"), each(115, 118, "archive N done", "delete N done"))
	fates, err := s.prune(connect.Apply)
	if want := each(100, 109, "N gone") + ", " + each(110, 118, "N stays"); err != nil || fatesText(fates) != want {
		t.Errorf("%s, %v\nwant %s", fatesText(fates), err, want)
	}
	list, err := s.restoreFor(connect.Apply, 0)
	if err != nil || len(list) != 9 || !strings.Contains(restoredNumbers(list), "110 done") || strings.Contains(restoredNumbers(list), "failed") {
		t.Errorf("%s, %v", restoredNumbers(list), err)
	}

}

// Copies are placed in a log by its numbers, around their end too (case 17), and
// only those that are surely of it: by what both tell, since a later level tells
// more. Receivers are placed as they join the chain.
func TestEndsIn(t *testing.T) {
	const log = "log=/var/mqm/log/QM1/"
	const earlier, now = "qmid=QM1_A; " + log, "qmid=QM1_A; " + log + "; begun=2026-05-01 08.00.00"
	segment := func(name string, at recovery.Position, state recovery.State) recovery.Segment {
		return recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Name: name}, From: at, To: at, State: state}
	}
	copyOf := func(name, incarnation string) recovery.Copy {
		return recovery.Copy{Segment: recovery.SegmentID{QueueManager: "QM1", Name: name}, Store: "vault", Verified: true, Incarnation: incarnation}
	}
	inv := recovery.Inventory{QueueManager: "QM1", Incarnation: now, Segments: []recovery.Segment{
		segment("S9999999.LOG", 1000, recovery.Absent), segment("S0000000.LOG", 1001, recovery.Online), segment("S0000001.LOG", 1002, recovery.Current),
	}}
	for _, joined := range []bool{true, false} {
		for name, test := range map[string]struct {
			incarnation string
			at          recovery.Position
		}{
			"the same":                 {now, 1000},
			"of before the upgrade":    {earlier, 1000},
			"begun at another time":    {earlier + "; begun=2026-05-27 05.00.00", 0},
			"another queue manager":    {"qmid=QM1_B; " + log, 0},
			"only its folder is told":  {log, 0},
			"nothing is told":          {"", 0},
			"another of both, no more": {"qmid=QM1_B", 0},
		} {
			c := copyOf("S9999999.LOG", test.incarnation)
			inv.Copies = nil
			if joined {
				inv.Copies = []recovery.Copy{c}
			}
			if at, known := endsIn(inv)(c); at != test.at || known != (test.at > 0) {
				t.Errorf("%s, joined %t: %d, %t; want %d", name, joined, at, known, test.at)
			}
		}
	}
	if at, known := endsIn(inv)(copyOf("S9999990.LOG", earlier)); at != 991 || !known {
		t.Errorf("before all that is there: %d, %t", at, known)
	}
	journal := recovery.Inventory{QueueManager: "ORDERS", Incarnation: "QMORDERS/AMQAJRN", Segments: []recovery.Segment{segment("AMQA000003", 3, recovery.Online)}}
	receiver := copyOf("AMQA000003", "")
	if _, known := endsIn(journal)(receiver); known {
		t.Error("a receiver that does not join the chain has a place")
	}
	journal.Copies = []recovery.Copy{receiver}
	if at, known := endsIn(journal)(receiver); at != 3 || !known {
		t.Errorf("a receiver: %d, %t", at, known)
	}
}
