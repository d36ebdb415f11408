package connect

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// The messages that tell why something can't be used. Others tell nothing.
var (
	notAuthorized  = []string{"CPF9802", "CPF2189", "CPF2217", "CPF222E", "CPFA09C", "AMQ8135"}
	libraryClosed  = []string{"CPF9820", "CPF2182"}
	notThere       = []string{"CPF9801", "CPF9810", "CPF2105", "CPF2110", "CPFA0A9", "SQL0204"}
	messageID      = regexp.MustCompile(`^\s*((?:CPF|AMQ|SQL|CPD)[0-9A-F]{4})`)
	closedToTheAsk = "its library is closed to the user"
)

// reason is why a question failed, as far as a message tells.
type reason int

const (
	noReason reason = iota
	forbidden
	closed  // the library
	missing // what was asked for
)

// reasonOf reads why a question failed, and what the system said.
func reasonOf(err error) (reason, string) {
	var failed *observe.Failed
	var refused *observe.Refused
	switch {
	case errors.As(err, new(*observe.NotAnswered)):
		return noReason, "not answered"
	case errors.As(err, &refused):
		return noReason, "refused: " + refused.Why
	case !errors.As(err, &failed):
		return noReason, err.Error()
	}
	line := firstLine(failed.Body)
	found := messageID.FindStringSubmatch(line)
	switch {
	case found == nil:
		return noReason, line
	case slices.Contains(notAuthorized, found[1]):
		return forbidden, line
	case slices.Contains(libraryClosed, found[1]):
		return closed, line
	case slices.Contains(notThere, found[1]):
		return missing, line
	default:
		return noReason, line
	}
}

func firstLine(body []byte) string {
	for i, b := range body {
		if b == '\n' || b == '\r' {
			return string(body[:i])
		}
	}
	return string(body)
}

// testAuthority asks CHKOBJ of a row's objects.
func (c *checker) testAuthority(a authority, s site) (Checked, bool) {
	words, uses := a.words(c.needs)
	if len(uses) == 0 {
		return Checked{}, false
	}
	row := Checked{What: fmt.Sprintf("%s %s %s %s", a.what, a.object, a.object.kind, strings.Join(words, " ")), For: uses, Wanted: a.wanted, Verdict: Yes}
	objects := []object{a.object}
	if a.object.kind == "*JRNRCV" {
		objects = a.each
		c.judgeList(&row, s)
	}
	for _, o := range objects {
		c.test(&row, a, o, words)
	}
	if row.Verdict == No && len(row.Grant) == 0 && a.object.kind == "*JRNRCV" {
		c.grant(&row, a, words)
	}
	return row, true
}

// judgeList judges the list of receivers: one that the user may not see is
// missing from it (reference, IBM i, trap 32).
func (c *checker) judgeList(row *Checked, s site) {
	switch {
	case s.listed == 0:
		row.Verdict, row.Detail = Unknown, "no receiver was listed, so none could be tested"
		if s.counted > 0 {
			row.Verdict, row.Detail = No, fmt.Sprintf("none of %d receivers is listed", s.counted)
		}
	case s.counted > s.listed:
		row.Verdict, row.Detail = No, fmt.Sprintf("%d of %d receivers are listed", s.listed, s.counted)
	case s.listed > len(s.receivers):
		row.Detail = fmt.Sprintf("%d of %d were tested", len(s.receivers), s.listed)
	}
}

// test asks CHKOBJ of one object. The worst answer counts.
func (c *checker) test(row *Checked, a authority, o object, words []string) {
	if o.name == deleteCommand {
		c.testCommand(row, a, words)
		return
	}
	text, err := checkObject(o, words)
	if err == nil {
		_, err = c.ask(row, observe.CL, text)
	}
	if err == nil || row.Verdict == No {
		return
	}
	why, said := reasonOf(err)
	row.Detail = said
	switch why {
	case forbidden:
		row.Verdict = No
		c.grant(row, a, words)
	case missing:
		row.Verdict = No
		if o.kind == "*LIB" && a.grant != "" {
			row.Grant = []string{a.grant}
			if text, err := grantObject(a.object, c.who.name, words); err == nil {
				row.Grant = append(row.Grant, text)
			}
		}
	case closed:
		row.Verdict, row.Detail = Unknown, closedToTheAsk
	default:
		row.Verdict = Unknown
	}
}

// grant notes what gives an authority.
func (c *checker) grant(row *Checked, a authority, words []string) {
	if a.object.kind == "*CMD" && a.grant != "" {
		row.Grant = []string{a.grant}
		return
	}
	if text, err := grantObject(a.object, c.who.name, words); err == nil {
		row.Grant = []string{text}
	}
}
