package connect

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// mqsIni is where IBM i keeps the library of each queue manager.
const mqsIni = "/QIBM/UserData/mqm/mqs.ini"

// fact is a row of the table of facts: a question that has to be answered.
type fact struct {
	what     string
	uses     []Use
	wanted   bool
	language observe.Language
	text     string
	// judge says what is wrong with an answer; empty: nothing. nil: any
	// answer will do.
	judge func([]byte) string
	// grant is what opens it, where it is closed and no authority of the
	// table of authorities opens it.
	grant string
}

// facts is the table of what has to be learned (docs/ibmi.md, "What it asks"),
// in the words in which core/observe asks it, so that a transcript answers.
func (s site) facts(who profile) []fact {
	plan := []Use{ForPlan}
	rows := []fact{
		{what: "mqs.ini", uses: plan, wanted: true, language: observe.File, text: mqsIni,
			grant: "CHGAUT OBJ('" + mqsIni + "') USER(" + who.name + ") DTAAUT(*R)"},
		{what: "JOURNAL_INFO shows the journal", uses: plan, language: observe.SQL,
			text:  "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='" + s.library + "'",
			judge: tableWith(1, "JOURNAL_NAME", "JOURNAL_LIBRARY", "NUMBER_JOURNAL_RECEIVERS")},
		{what: "JOURNAL_RECEIVER_INFO lists the receivers", uses: plan, language: observe.SQL,
			text:  "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='" + s.library + "' JOURNAL_NAME='" + s.journal + "'",
			judge: s.whole},
		{what: "AMQJRNINF can be read", uses: plan, language: observe.UsrSpc, text: s.library + "/AMQJRNINF", judge: published},
		{what: "MESSAGE_QUEUE_INFO answers", uses: plan, wanted: true, language: observe.SQL,
			text:  "QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='" + s.library + "' MESSAGE_QUEUE_NAME='QMQMMSG'",
			judge: tableWith(0, "MESSAGE_ID", "MESSAGE_TEXT", "MESSAGE_TIMESTAMP")},
		{what: "the queue manager tells its status", uses: plan, wanted: true, language: observe.MQSC, text: "DISPLAY QMSTATUS ALL", grant: who.join()},
		{what: "the queues tell their depth", uses: []Use{ForImages}, language: observe.MQSC,
			text: "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", grant: who.join()},
		{what: "room in the ASP", uses: []Use{ForImages}, language: observe.Space, text: "*SYSTEM"},
	}
	return rows
}

// tableWith judges an answer of a service: it has these columns, and so many
// rows at least.
func tableWith(rows int, columns ...string) func([]byte) string {
	return func(body []byte) string {
		t, err := observe.ReadTable(body)
		switch {
		case err != nil:
			return err.Error()
		case len(t.Missing(columns...)) > 0:
			return "it has no column " + strings.Join(t.Missing(columns...), ", ")
		case len(t.Rows()) < rows:
			return "it shows none: there is none, or the user may not see it"
		}
		return ""
	}
}

// whole judges the list of receivers.
func (s site) whole(body []byte) string {
	if wrong := tableWith(1, "JOURNAL_RECEIVER_LIBRARY", "JOURNAL_RECEIVER_NAME", "STATUS", "ATTACH_TIMESTAMP")(body); wrong != "" {
		return wrong
	}
	if s.counted > s.listed {
		return fmt.Sprintf("%d of %d are listed: the user may not see the others", s.listed, s.counted)
	}
	return ""
}

// published judges AMQJRNINF (reference, IBM i 2.3). What is in it is for the
// plan to read.
func published(body []byte) string {
	if len(body) < 37 {
		return fmt.Sprintf("it has %d characters, not 37", len(body))
	}
	return ""
}

// testFact asks the question of a row.
func (c *checker) testFact(f fact) (Checked, bool) {
	row := Checked{What: f.what, Wanted: f.wanted, Verdict: Yes}
	for _, u := range f.uses {
		if c.needs.uses(u) {
			row.For = append(row.For, u)
		}
	}
	if len(row.For) == 0 {
		return row, false
	}
	body, err := c.ask(&row, f.language, f.text)
	if err == nil {
		if f.judge != nil {
			row.Detail = f.judge(body)
		}
		if row.Detail != "" {
			row.Verdict = No
		}
		return row, true
	}
	why, said := reasonOf(err)
	row.Detail, row.Verdict = said, Unknown
	if why != noReason {
		row.Verdict = No
	}
	if why == forbidden && f.grant != "" {
		row.Grant = []string{f.grant}
	}
	return row, true
}

// ibmi checks a queue manager on IBM i: who asks, the facts, the authorities.
func (c *checker) ibmi() []Checked {
	rows := []Checked{c.identify()}
	facts, err := observe.ReadJournal(c.ctx, c.reader, c.target)
	if err != nil {
		return nil // the context has ended
	}
	s := siteOf(c.target, facts)
	for _, f := range s.facts(c.who) {
		if row, ok := c.testFact(f); ok {
			rows = append(rows, row)
		}
	}
	for _, a := range s.authorities(c.needs.Stores, c.who) {
		if row, ok := c.testAuthority(a, s); ok {
			rows = append(rows, row)
		}
	}
	return rows
}
