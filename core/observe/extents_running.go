package observe

import (
	"cmp"
	"context"
	"errors"
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

// HostState says where a queue manager runs, as seen from the host that was asked.
type HostState uint8

// The states. Only where it plainly runs, or has plainly ended, is its log this
// host's to touch.
const (
	HostUnknown   HostState = iota // nothing tells, or two things tell different states
	HostRunning                    // it plainly runs here
	HostEnded                      // it has ended here, and runs nowhere that dspmq knows of
	HostElsewhere                  // another host runs it: standby, secondary, replica, elsewhere
)

// Beginnings of what dspmq prints of a queue manager that has ended, and of one
// that another host runs, in lower case. A start that fails has ended, too.
var (
	endedWords = []string{"ended "}
	otherHost  = []string{"running ", "replica", "recover", "disaster"}
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
	word, asked, why := g.processStatus()
	says := "dspmq says STATUS(" + word + ")"
	value, told := g.status.tells("STATUS")
	switch {
	case why != "":
	case isElsewhere(word):
		why = says + meaning(word)
		if g.status.kind == statusDown {
			why += " (" + g.status.says + ")"
		}
	case g.status.kind == statusDown:
		why = "the queue manager is not available: " + g.status.says
		if word != "" {
			why += ", and " + says
		}
	case told && value != running:
		why = "DISPLAY QMSTATUS says STATUS(" + value + ")"
	case g.status.kind == statusShown && !told && !asked:
		g.doubt("whether the queue manager plainly runs here: DISPLAY QMSTATUS gave no STATUS, and dspmq was not answered")
	case g.status.kind == statusShown && !told && word != runningHere:
		why = "DISPLAY QMSTATUS gives no STATUS, and " + cmp.Or(g.whyNot(g.dspmq()), says)
	case g.status.kind == statusShown || word == runningHere:
	case word != "":
		why = "DISPLAY QMSTATUS tells nothing (" + g.whyNoPoints() + "), and " + says + ", which is not known"
	default:
		why = "neither DISPLAY QMSTATUS nor dspmq says that it runs" + behindColon(g.whyNot(statusQuestion, statusOfLogQuestion, g.dspmq()))
	}
	g.runs, g.word = why == "", word
	g.facts.Log.Host, g.facts.Log.NotHere = g.hostState(word), why
	if !g.runs {
		g.open(finding.NotThisHost, "the queue manager does not plainly run on this host: %s", why)
	}
}

// meaning says what a person should know of a queue manager that dspmq shows to
// have ended: there is no other host to go to.
func meaning(word string) string {
	if strings.HasPrefix(strings.ToLower(word), "ended") {
		return ": it has ended, and nothing of its log goes until it runs again"
	}
	return ""
}

// behindColon puts a text that may be missing behind a colon.
func behindColon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// dspmq is the question for the state of the queue manager's processes.
func (g *extentGatherer) dspmq() string { return "dspmq -m " + g.target.Name + processState }

// processStatus gives the status that dspmq prints, and whether it was asked at
// all: one that failed was. The reason tells of an answer that can't be of this
// queue manager.
func (g *extentGatherer) processStatus() (word string, asked bool, why string) {
	q := Question{Language: CTL, QueueManager: g.target.Name, Text: g.dspmq()}
	told, err := g.asker.Ask(g.ctx, q)
	if g.silent(q, err); err != nil {
		return "", !errors.As(err, new(*NotAnswered)), ""
	}
	answer, err := mqsc.ParseAnswer(told.Body)
	switch {
	case err != nil:
		return "", true, "dspmq: " + err.Error()
	case len(answer.Objects) == 0:
		return "", true, "dspmq shows no queue manager: " + firstLine(told.Body)
	}
	for _, o := range answer.Objects {
		if attribute(o, "QMNAME") == g.target.Name {
			return attribute(o, "STATUS"), true, ""
		}
	}
	return "", true, "dspmq shows the queue manager " + attribute(answer.Objects[0], "QMNAME")
}

// hostState gives the state by what dspmq and DISPLAY QMSTATUS have said. One
// that answers and of which dspmq says that it has ended is in no state that is
// known.
func (g *extentGatherer) hostState(word string) HostState {
	silent := g.status.kind == statusNone || g.status.kind == statusDown || g.status.kind == statusFailed
	switch {
	case g.runs:
		return HostRunning
	case beginsLike(word, otherHost):
		return HostElsewhere
	case silent && beginsLike(word, endedWords):
		return HostEnded
	}
	return HostUnknown
}

// ReadHost finds out where a queue manager of Multiplatforms runs, as
// [ReadExtents] does, and why it is not plainly here; empty: it is.
func ReadHost(ctx context.Context, asker Asker, target Target) (state HostState, notHere string) {
	g := &extentGatherer{gathering: newGathering(ctx, asker, target)}
	g.inventory = &g.facts.Inventory
	g.setZone()
	g.status = g.readStatus(statusQuestion, statusOfLogQuestion)
	g.checkRunning()
	return g.facts.Log.Host, g.facts.Log.NotHere
}

func isElsewhere(word string) bool { return beginsLike(word, elsewhere) }

func beginsLike(word string, beginnings []string) bool {
	word = strings.ToLower(word)
	for _, begin := range beginnings {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return false
}
