package runmqsc

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// asker answers what a run asks, by runmqsc and the files of the station.
type asker struct{ *station }

func (a asker) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	answer := observe.Answer{At: a.at}
	var err error
	switch {
	case q.Language == observe.MQSC:
		out, code := Run(a.Context(), a.m, "QM1", []byte(q.Text+"\nend\n"))
		if answer.Body = out; code != AllDone {
			return observe.Answer{}, &observe.Failed{Question: q, Body: out}
		}
		return answer, nil
	case q.Language == observe.CTL && strings.HasPrefix(q.Text, "dspmq "):
		answer.Body = []byte("QMNAME(QM1)                                               STATUS(Running)\n    INSTANCE(h1) MODE(Active)\n")
		return answer, nil
	case q.Language == observe.File && q.Text == "/var/mqm/mqs.ini":
		answer.Body = []byte("QueueManager:\n   Name=QM1\n   Prefix=" + a.root + "/var/mqm\n   Directory=QM1\n   InstallationName=Installation1\n")
		return answer, nil
	case q.Language == observe.File:
		if answer.Body, err = os.ReadFile(q.Text); err == nil {
			return answer, nil
		}
	case q.Language == observe.LogDir:
		if answer.Body, err = listing(q.Text); err == nil {
			return answer, nil
		}
	case q.Language.OfHost():
		return answer, nil
	}
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

// listing lists a folder as the queue manager's own user has it.
func listing(folder string) ([]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		mode := "-rw-rw----"
		if e.IsDir() {
			mode = "drwxrws---"
		}
		fmt.Fprintf(&b, "%s %d %s mqm:mqm %s\n", e.Name(), info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano), mode)
	}
	return []byte(b.String()), nil
}

// What a run makes of the answers: kind, management and points are those of the
// queue manager, the plan is free of doubts, and what it lets go is older than
// both points.
func TestReadExtents(t *testing.T) {
	for _, release := range []string{"9.1.0.0", "9.4.2.0"} {
		s := newStation(t, release, linear(extents.Manual))
		s.good("DEFINE QLOCAL(A)")
		s.fill("A", 4)
		_, err := s.m.Image(t.Context(), qmgr.Selection{Type: "all", Name: "*"})
		s.must(err)
		s.must(s.m.Checkpoint(t.Context()))
		facts, err := observe.ReadExtents(t.Context(), asker{s}, observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
		s.must(err)
		status := s.m.Status()
		if log := facts.Log; log.Type != observe.Linear || log.Management != observe.Manual || log.Current != status.CurrLog || log.Restart != status.RecLog || log.Media != status.MediaLog {
			t.Errorf("%s: %+v", release, log)
		}
		for _, finding := range facts.Inventory.Open {
			t.Errorf("%s: %s: %s", release, finding.Code, finding.Text)
		}
		manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}).Managers[0]
		goes := 0
		for i, segment := range manager.Inventory.Segments {
			if manager.Verdicts[i].Kind.Goes() {
				goes++
				if segment.ID.Name >= min(status.RecLog, status.MediaLog) {
					t.Errorf("%s: %s goes", release, segment.ID.Name)
				}
			}
		}
		if goes < 3 {
			t.Errorf("%s: %d extents go; current %s, restart %s, media %s", release, goes, status.CurrLog, status.RecLog, status.MediaLog)
		}
	}
}
