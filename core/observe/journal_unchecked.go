package observe

import (
	"strings"

	"github.com/mqhk/mqhk/core/finding"
)

// checks are what a plan can do without but a person should know was not
// looked at: the beginning of the question, and what it would have shown.
var checks = []struct{ question, what string }{
	{"DISPLAY QMSTATUS", "whether the queue manager runs (DISPLAY QMSTATUS)"},
	{"QSYS2.MESSAGE_QUEUE_INFO", "AMQ7460 and AMQ7462, and whether a recovery missed an entry (AMQ7432), no receiver could be attached (CPI70E3), journaling has stopped (CPA7090) or a job waits (CPA7025, CPA705E) (MESSAGE_QUEUE_INFO)"},
}

// noteUnchecked says what could not be checked, in one finding: verdicts do
// not depend on it, but a person would have looked.
func (g *gatherer) noteUnchecked() {
	var list []string
	for _, c := range checks {
		for _, u := range g.unanswered {
			if !strings.HasPrefix(u.text, c.question) {
				continue
			}
			if u.why != "" {
				list = append(list, c.what+", since it "+u.why)
			} else {
				list = append(list, c.what)
			}
			break
		}
	}
	if g.stateless {
		list = append(list, "whether the queue manager runs, since DISPLAY QMSTATUS gave no STATUS")
	}
	if !g.facts.Journal.deletesSaid {
		list = append(list, "whether the system deletes receivers itself (DELETE_RECEIVER_OPTION)")
	}
	if g.facts.Journal.RemoteJournals < 0 && !g.remotesSeen {
		list = append(list, "whether a remote journal still wants receivers (NUMBER_REMOTE_JOURNALS, REMOTE_JOURNAL_INFO)")
	}
	if g.facts.Journal.Receivers == 0 {
		list = append(list, "how many receivers the journal has (NUMBER_JOURNAL_RECEIVERS)")
	}
	if g.observed.IsZero() {
		list = append(list, "when the answers were given, so that a recovery point of the future would not be noticed (CLOCK)")
	}
	if len(list) > 0 {
		g.open(finding.NotChecked, "not checked: %s", strings.Join(list, "; "))
	}
}
