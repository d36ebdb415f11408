package observe

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

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
