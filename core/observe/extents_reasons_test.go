package observe_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// refusing is an asker some of whose questions end in an error.
type refusing struct {
	observe.Asker
	errors map[string]error
}

func (r refusing) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if err, ok := r.errors[q.String()]; ok {
		return observe.Answer{}, err
	}
	return r.Asker.Ask(ctx, q)
}

// A question without an answer leaves its reason in the finding that follows from
// it: a person sees what was refused, and why.
func TestReasonsOfWhatIsMissing(t *testing.T) {
	ask := func(header string) observe.Question {
		language, rest, _ := strings.Cut(header, " ")
		manager, text, _ := strings.Cut(rest, ": ")
		return observe.Question{Language: observe.Language(language), QueueManager: manager, Text: text}
	}
	const statusOfLog = "MQSC QM1: DISPLAY QMSTATUS LOG"
	all := func(err func(observe.Question) error) map[string]error {
		return map[string]error{qmstatus: err(ask(qmstatus)), statusOfLog: err(ask(statusOfLog))}
	}
	wrapped := func(why string) func(observe.Question) error {
		return func(q observe.Question) error { return fmt.Errorf("%s: %w", q, errors.New(why)) }
	}
	failed := func(body string) func(observe.Question) error {
		return func(q observe.Question) error { return &observe.Failed{Question: q, Body: []byte(body)} }
	}
	banner := "5724-H72 (C) Copyright IBM Corp. 1994, 2024.\nStarting MQSC for queue manager QM1.\n\n"
	u := usual()
	managed := func(how string) script {
		return u.edit(t, qmini, "   LogBufferPages", "   LogManagement="+how+"\n   LogBufferPages")
	}
	for _, c := range []struct {
		name   string
		log    script
		errors map[string]error
		code   string
		wants  []string
		once   string // stands once in the text
	}{
		{"another language", u, all(wrapped("the answer is not in English")), "facts-unreadable", []string{"DISPLAY QMSTATUS ALL: the answer is not in English"}, "not in English"},
		{"too late", u, all(func(q observe.Question) error { return &observe.TimedOut{Question: q, After: 30 * time.Second} }), "facts-unreadable", []string{"no answer within 30s"}, "within"},
		{"half", u, all(wrapped("the answer is not whole")), "facts-unreadable", []string{"the answer is not whole"}, "whole"},
		{"another queue manager", u, all(wrapped(`queue manager "QM2" answered, not QM1`)), "facts-unreadable", []string{`"QM2" answered`}, "QM2"},
		{"not authorised, behind the banner", u, all(failed(banner + "AMQ8135E: Not authorized.\n")), "mark-missing", []string{"AMQ8135E: Not authorized.", "nobody answered /var/mqm/qmgrs/QM1/errors/AMQERR01.LOG"}, "AMQ8135E"},
		{"a level that can't read it", u.with(qmstatus, banner+"     1 : DISPLAY QMSTATUS ALL\nAMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QMSTATUS ALL\n"), nil, "mark-missing", []string{"can't read the command: AMQ8405I: Syntax error"}, "AMQ8405I"},
		{"nobody answers", u.without(qmstatus), nil, "mark-missing", []string{"nobody answered DISPLAY QMSTATUS ALL"}, "STATUS ALL"},
		{"it does not show them", u.edit(t, qmstatus, "RECLOG(S0000112.LOG)", "").edit(t, qmstatus, "MEDIALOG(S0000104.LOG)", ""), nil, "mark-missing", []string{"it shows neither RECLOG nor MEDIALOG"}, "neither"},
		{"the error log tells instead", u.with(errorLog, loggedText), all(failed(banner + "AMQ8135E: Not authorized.\n")), "points-from-error-log", []string{"AMQ8135E: Not authorized."}, "AMQ8135E"},
		{"nothing says that it runs", u, map[string]error{qmstatus: wrapped("Permission denied")(ask(qmstatus)), statusOfLog: wrapped("Permission denied")(ask(statusOfLog)), dspmq: wrapped("no such program")(ask(dspmq))}, "not-this-host", []string{"Permission denied", "dspmq -m QM1 -o status -x: no such program"}, "Permission denied"},
		{"dspmq has a word that is not known", u.edit(t, dspmq, "STATUS(Running)", "STATUS(Aktiv)"), all(wrapped("the answer is not in English")), "not-this-host", []string{"not in English", "STATUS(Aktiv)"}, "Aktiv"},
		{"qm.ini may not be read", u, map[string]error{qmini: wrapped("permission denied")(ask(qmini))}, "log-kind-unknown", []string{"LogManagement", "qm.ini: permission denied"}, "permission denied"},
		{"nor mqs.ini, so that the place of qm.ini is a guess", u.without(qmini), map[string]error{mqsini: wrapped("permission denied")(ask(mqsini))}, "log-kind-unknown", []string{"mqs.ini: permission denied", "nobody answered dspmqinf QM1", "nobody answered /var/mqm/qmgrs/QM1/qm.ini"}, "permission denied"},
		{"the second reading", u.with(qmstatus, u.body(t, qmstatus), banner+"AMQ8146E: IBM MQ queue manager not available.\n"), nil, "facts-unreadable", []string{"AMQ8146E: IBM MQ queue manager not available."}, "AMQ8146E"},
		{"under Archive too", managed("Archive").without(qmstatus), nil, "mark-missing", []string{"nobody answered DISPLAY QMSTATUS ALL"}, "STATUS ALL"},
	} {
		facts, err := observe.ReadExtents(t.Context(), refusing{c.log.player(t), c.errors}, observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range facts.Inventory.Open {
			if string(f.Code) == c.code {
				text += f.Text + "\n"
			}
		}
		for _, want := range c.wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, text)
			}
		}
		if strings.Count(text, c.once) != 1 {
			t.Errorf("%s: %q does not stand once in\n%s", c.name, c.once, text)
		}
	}
}

const loggedText = `05/28/2026 01:50:00 AM - Process(1.1) User(mqm) Program(amqzmuc0)
                    Host(h) Installation(Installation1)
                    VRMF(9.1.0.0) QMgr(QM1)
                    Time(2026-05-27T23:50:00.000Z)

AMQ7467I: The oldest log file required to start queue manager QM1 is
S0000112.LOG.

EXPLANATION:
x
ACTION:
None.
----- amqzmuc0.c : 1 ----------------------------------------------------------
05/28/2026 01:50:00 AM - Process(1.1) User(mqm) Program(amqzmuc0)
                    Host(h) Installation(Installation1)
                    VRMF(9.1.0.0) QMgr(QM1)
                    Time(2026-05-27T23:50:00.000Z)

AMQ7468I: The oldest log file required to perform media recovery of queue
manager QM1 is S0000104.LOG.

EXPLANATION:
x
ACTION:
None.
----- amqzmuc0.c : 1 ----------------------------------------------------------
`

// A queue manager that has ended runs on no other host: its own word is told.
func TestNotThisHostSaysWhat(t *testing.T) {
	const down = "AMQ8146E: IBM MQ queue manager not available.\n"
	u := usual()
	says := func(word string) script {
		return u.edit(t, dspmq, "STATUS(Running)", "STATUS("+word+")").with(qmstatus, down)
	}
	const prefix = "QM1: the queue manager does not plainly run on this host: "
	for _, c := range []struct {
		name string
		log  script
		want string
	}{
		{"ended", says("Ended normally"), "dspmq says STATUS(Ended normally): it has ended, and nothing of its log goes until it runs again (AMQ8146E: IBM MQ queue manager not available.)"},
		{"ended badly", says("Ended unexpectedly"), "dspmq says STATUS(Ended unexpectedly): it has ended, and nothing of its log goes until it runs again (AMQ8146E: IBM MQ queue manager not available.)"},
		{"elsewhere", says("Running elsewhere"), "dspmq says STATUS(Running elsewhere) (AMQ8146E: IBM MQ queue manager not available.)"},
		{"a standby that is asked nothing", u.edit(t, dspmq, "STATUS(Running)", "STATUS(Running as standby)"), "dspmq says STATUS(Running as standby)"},
		{"a word that is not known", says("Beendet"), "the queue manager is not available: AMQ8146E: IBM MQ queue manager not available., and dspmq says STATUS(Beendet)"},
		{"dspmq is not asked", u.without(dspmq).with(qmstatus, down), "the queue manager is not available: AMQ8146E: IBM MQ queue manager not available."},
	} {
		facts := c.log.read(t)
		if len(facts.Inventory.Open) != 1 || facts.Inventory.Open[0].Text != prefix+c.want {
			t.Errorf("%s: %+v\nwant %s", c.name, facts.Inventory.Open, prefix+c.want)
		}
	}
}

// A queue manager made anew under its name numbers its extents from the beginning:
// copies of the older one are of no use to it, and somebody who finds them in the
// store should know.
func TestCopiesOfAnotherLog(t *testing.T) {
	u := usual().with(active, files(107, 130))
	other := strings.Replace(thisLog, "QM1_2024", "QM1_2020", 1)
	rows := func(incarnation string, numbers ...int) (text string) {
		for _, n := range numbers {
			text += manifestWith(n, 16785408, "YES", incarnation)
		}
		return text
	}
	for _, c := range []struct {
		name, rows, open string
		count            string
	}{
		{"none", "", "", ""},
		{"of what is missing and of what is not", rows(other, 103, 104, 105, 106, 107, 120), "copies-of-another-log", "3 copies"},
		{"of this log too", rows(other, 104, 105) + rows(thisLog, 104, 106), "copies-of-another-log", "1 copy"},
		{"of this log all", rows(other, 104, 105, 106) + rows(thisLog, 104, 105, 106), "", ""},
		{"of what nothing needs", rows(other, 100, 101), "", ""},
		{"damaged", manifestWith(104, 16785408, "NO", other), "copy-damaged", ""},
	} {
		facts := u.with(manifests, manifestColumns+c.rows).read(t)
		if openCodes(facts) != c.open || c.count != "" && !strings.Contains(facts.Inventory.Open[0].Text, c.count+" of another log") {
			t.Errorf("%s: %+v", c.name, facts.Inventory.Open)
		}
	}
}
