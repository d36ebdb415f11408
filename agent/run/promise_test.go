package run

import (
	"context"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// What a recovery finds is held against each of the three promises. Better than
// promised is kept, and what is not known breaks none.
func TestBrokenPromise(t *testing.T) {
	const once, first, never = "at once", "restore first", "impossible"
	tests := []struct {
		promised, found [3]string // restart, rebuild, start-up damage
		says            string
	}{
		{[3]string{once, once, once}, [3]string{once, once, once}, ""},
		{[3]string{once, once, first}, [3]string{once, once, once}, ""},
		{[3]string{first, first, first}, [3]string{first, once, first}, ""},
		{[3]string{once, once, once}, [3]string{"unknown", "unknown", "unknown"}, ""},
		{[3]string{"unknown", "unknown", "unknown"}, [3]string{first, never, first}, ""},
		{[3]string{once, once, first}, [3]string{first, once, first}, "restart: promised at once, and it is restore first now"},
		{[3]string{once, once, once}, [3]string{once, first, once}, "rebuild of a damaged object: promised at once"},
		{[3]string{once, once, once}, [3]string{once, once, first}, "restart with a start-up object damaged: promised at once"},
		{[3]string{first, first, first}, [3]string{first, never, first}, "rebuild of a damaged object: promised restore first, and it is impossible now"},
	}
	for _, test := range tests {
		promise := ledger.Promise{Restart: test.promised[0], Rebuild: test.promised[1], StartUpDamage: test.promised[2]}
		var found ledger.Outlook
		found.Restart.Ready, found.Rebuild.Ready, found.StartUpDamage.Ready = test.found[0], test.found[1], test.found[2]
		if got := brokenPromise(promise, found); (got == "") != (test.says == "") || !strings.HasPrefix(got, test.says) {
			t.Errorf("promised %v, found %v: %q, want %q", test.promised, test.found, got, test.says)
		}
	}
}

// A receiver that a restart reads is gone when all is done, by whomever: the
// run says that what its policy promises does not hold.
func TestPromiseIsReadBack(t *testing.T) {
	s := ready(t)
	needed := s.receivers()[len(s.receivers())-1]
	s.cl(changeReceiver) // what a restart reads begins in the one before the attached
	plan := s.run(connect.Plan, "unsaved")
	deletes, removed := len(plan.Targets[0].Actions), 0
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.answer = func(q observe.Question, a observe.Answer) observe.Answer {
			if removed == deletes && q.Language == observe.SQL && strings.HasPrefix(q.Text, "QSYS2.JOURNAL_RECEIVER_INFO") {
				a.Body = without(a.Body, "QMORDERS,"+needed+",")
			}
			return a
		}
		return w
	}
	h := s.watch()
	h.remove = func(context.Context, recovery.SegmentID, bool) { removed++ }
	record := s.run(connect.Apply, "unsaved")
	target := record.Targets[0]
	if removed == 0 || removed != deletes {
		t.Fatalf("%d of %d were deleted: %v", removed, deletes, target.Findings)
	}
	if f := target.Findings[0]; f.Code != finding.PromiseBroken || !strings.Contains(f.Text, "restart: promised at once, and it is impossible now") || record.Run.Outcome != InPart {
		t.Errorf("%s: %v, %+v", record.Run.Outcome, f, *target.ReadBack)
	}
}

// without leaves out the lines that begin so.
func without(body []byte, begin string) []byte {
	var kept []string
	for line := range strings.Lines(string(body)) {
		if !strings.HasPrefix(line, begin) {
			kept = append(kept, line)
		}
	}
	return []byte(strings.Join(kept, ""))
}
