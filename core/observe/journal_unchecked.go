package observe

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
)

// checks are what a plan can do without but a person should know was not
// looked at: the beginning of the question, and what it would have shown.
var checks = []struct{ question, what string }{
	{"DISPLAY QMSTATUS", "whether the queue manager runs (DISPLAY QMSTATUS)"},
	{"QSYS2.MESSAGE_QUEUE_INFO", "AMQ7460 and AMQ7462, and whether a recovery missed an entry (AMQ7432), no receiver could be attached (CPI70E3), journaling has stopped (CPA7090) or a job waits (CPA7025, CPA705E) (MESSAGE_QUEUE_INFO)"},
}

// unheard is a question of try that had no answer, and why.
type unheard struct {
	text string
	why  string // empty: nobody answered
}

// silent notes a question of try without an answer: one that failed tells no
// more than one that nobody answered.
func (g *gathering) silent(q Question, err error) {
	switch {
	case err == nil:
	case errors.As(err, new(*NotAnswered)):
		g.unanswered = append(g.unanswered, unheard{text: q.Text})
	default:
		g.unanswered = append(g.unanswered, unheard{q.Text, err.Error()})
	}
}

// whyNot says why some questions of try had no answer, each reason once; empty:
// none of them is among those.
func (g *gathering) whyNot(questions ...string) string {
	var list, reasons []string
	for _, u := range g.unanswered {
		reason := strings.Replace(u.why, u.text, "", 1)
		if !slices.Contains(questions, u.text) || reason != "" && slices.Contains(reasons, reason) {
			continue
		}
		reasons, list = append(reasons, reason), append(list, cmp.Or(u.why, "nobody answered "+u.text))
	}
	return strings.Join(list, "; ")
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
