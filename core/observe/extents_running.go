package observe

import (
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
)

// The states of a queue manager that plainly runs here: STATUS of DISPLAY
// QMSTATUS, and that of dspmq, which has others that begin alike (reference,
// Multiplatforms, trap 18).
const (
	running      = "RUNNING"
	runningHere  = "Running"
	processState = " -o status -x"
)

// elsewhere are the beginnings of what dspmq prints of a queue manager that does
// not plainly run here, in lower case. What it prints in other languages is not
// known, and proves nothing either way.
var elsewhere = []string{
	"running ", "replica", "starting", "quiescing", "ending", "ended", "recover", "disaster", "not available", "status not available", "being deleted",
}

// checkRunning finds out whether the queue manager plainly runs on this host.
// Two hosts that clean one log do not know of each other.
//
// That runmqsc answers in bindings mode proves more than a word of dspmq. STANDBY
// of DISPLAY QMSTATUS tells whether standby instances are permitted, not that
// this is one.
func (g *extentGatherer) checkRunning() {
	word, why := g.processStatus()
	value, told := g.status.tells("STATUS")
	switch {
	case why != "":
	case g.status.kind == statusDown:
		why = "the queue manager is not available: " + g.status.says
	case told && value != running:
		why = "DISPLAY QMSTATUS says STATUS(" + value + ")"
	case isElsewhere(word):
		why = "dspmq says STATUS(" + word + ")"
	case g.status.kind == statusShown && !told && word != runningHere:
		g.doubt("whether the queue manager plainly runs here: DISPLAY QMSTATUS gave no STATUS, and dspmq tells nothing")
	case g.status.kind == statusShown || word == runningHere:
	case word != "":
		why = "DISPLAY QMSTATUS tells nothing, and dspmq says STATUS(" + word + "), which is not known"
	default:
		why = "neither DISPLAY QMSTATUS nor dspmq says that it runs"
	}
	g.runs = why == ""
	if !g.runs {
		g.open(finding.NotThisHost, "the queue manager does not plainly run on this host: %s", why)
	}
}

// processStatus gives the status that dspmq prints; empty when it was not
// answered. The reason tells of an answer that can't be of this queue manager.
func (g *extentGatherer) processStatus() (word, why string) {
	body, ok := g.try(CTL, "dspmq -m "+g.target.Name+processState)
	if !ok {
		return "", ""
	}
	answer, err := mqsc.ParseAnswer(body)
	switch {
	case err != nil:
		return "", "dspmq: " + err.Error()
	case len(answer.Objects) == 0:
		return "", "dspmq shows no queue manager: " + firstLine(body)
	}
	for _, o := range answer.Objects {
		if attribute(o, "QMNAME") == g.target.Name {
			return attribute(o, "STATUS"), ""
		}
	}
	return "", "dspmq shows the queue manager " + attribute(answer.Objects[0], "QMNAME")
}

func isElsewhere(word string) bool {
	for _, begin := range elsewhere {
		if strings.HasPrefix(strings.ToLower(word), begin) {
			return true
		}
	}
	return false
}
