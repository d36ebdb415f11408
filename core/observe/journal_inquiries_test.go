package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

const operatorHeader = "MESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TYPE,MESSAGE_TIMESTAMP,MESSAGE_KEY,ASSOCIATED_MESSAGE_KEY,FROM_JOB,MESSAGE_TEXT,MESSAGE_TOKENS\n"

// Inquiries that wait are told, with what a person needs to answer them, and
// keep nothing: where space has run out deleting may be what helps.
func TestInquiries(t *testing.T) {
	const stopped = "Entry not journaled to journal AMQAJRN in LIBA, receiver AMQA000010 in LIBA. Reason code 1. (C R)"
	const unsaved = "Receiver AMQA000009 in LIBA never fully saved. (I C)"
	row := func(id, kind, clock, key, of, job, text string) string {
		return "QSYS,QSYSOPR," + id + "," + kind + ",2026-05-27-" + clock + ".000000," + key + "," + of + "," + job + ",\"" + text + "\",\n"
	}
	asked := row("CPA7025", "INQUIRY", "18.00.00", "0A", "", "1/QMQM/PRUNE", unsaved)
	tests := []struct {
		name string
		rows string
		code finding.Code // empty: none
		want string       // the text
	}{
		{"journaling has stopped", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "1/QMQM/AMQZLAA0", stopped), finding.JournalingStopped,
			"no entry could be written to LIBA/AMQAJRN (reason 1: there is no space): CPA7090 on QSYS/QSYSOPR, sent 2026-05-27 18:00:00 by job 1/QMQM/AMQZLAA0"},
		{"sequence numbers", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", strings.ReplaceAll(stopped, "code 1", "code 4")), finding.JournalingStopped, "(reason 4: the sequence numbers are used up): CPA7090 on QSYS/QSYSOPR, sent 2026-05-27 18:00:00"},
		{"a reason that is not known", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", strings.ReplaceAll(stopped, "code 1", "code 77")), finding.JournalingStopped, "(reason 77: not known to mqhk)"},
		{"in another language", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", "Eintrag in AMQAJRN in LIBA nicht aufgezeichnet. Ursachencode 1."), finding.JournalingStopped, "LIBA/AMQAJRN: CPA7090"},
		{"several jobs", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", stopped) + row("CPA7090", "INQUIRY", "18.30.00", "0B", "", "", stopped), finding.JournalingStopped, "sent 2026-05-27 18:30:00; 1 more wait like it"},
		{"answered", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", stopped) + row("", "REPLY", "18.01.00", "0B", "0a", "", "R"), "", ""},
		{"another was answered", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", stopped) + row("", "REPLY", "18.01.00", "0B", "09", "", "R"), finding.JournalingStopped, ""},
		{"recovery points came after it", row("CPA7090", "INQUIRY", "17.29.59", "0A", "", "", stopped), "", ""},
		{"of another journal", row("CPA7090", "INQUIRY", "18.00.00", "0A", "", "", strings.ReplaceAll(stopped, "LIBA", "LIBAB")), "", ""},
		{"the sender's copy", row("CPA7090", "SENDER", "18.00.00", "0A", "", "", stopped), "", ""},

		{"a delete waits", asked, finding.JobWaits, "job 1/QMQM/PRUNE waits about LIBA/AMQA000009, which was never saved; reply I deletes it, C leaves it: CPA7025 on QSYS/QSYSOPR, sent 2026-05-27 18:00:00"},
		{"a delete waits for a remote journal", row("CPA705E", "INQUIRY", "18.00.00", "0A", "", "", "Receiver AMQA000009 in LIBA is attached to an inactive remote journal."), finding.JobWaits, "a job waits about LIBA/AMQA000009, which an inactive remote journal may lack"},
		{"two about one", asked + row("CPA7025", "INQUIRY", "18.30.00", "0B", "", "2/QMQM/PRUNE", unsaved), finding.JobWaits, "job 2/QMQM/PRUNE waits about LIBA/AMQA000009"},
		{"it was answered", asked + row("", "REPLY", "18.01.00", "0B", "0A", "", "C"), "", ""},
		{"it has gone", strings.ReplaceAll(asked, "AMQA000009", "AMQA000003"), "", ""},
		{"before it was attached: another of the name", strings.ReplaceAll(asked, "18.00", "14.59"), "", ""},
		{"of another library", strings.ReplaceAll(asked, "LIBA", "LIBZ"), "", ""},
		{"by its substitution data", "QSYS,QSYSOPR,CPA7025,INQUIRY,2026-05-27-18.00.00.000000,0A,,,nie gesichert,AMQA000009LIBA      \n", finding.JobWaits, "LIBA/AMQA000009"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := full().with("operator", operatorHeader+test.rows)
			if got := s.goesShort(t, recovery.Conservative); got != good {
				t.Errorf("goes %q", got)
			}
			s.spaces = 0
			facts := s.read(t)
			if open(facts) != string(test.code) || test.code != "" && !strings.Contains(facts.Inventory.Open[0].Text, test.want) {
				t.Errorf("%v\nwant %s: %s", facts.Inventory.Open, test.code, test.want)
			}
		})
	}
}

// Without the columns that show a reply an inquiry counts as open, and says
// so. The journal's own queue is looked at too.
func TestInquiriesOfWhichNoReplyShows(t *testing.T) {
	s := full().edited(t, "journal", "AMQA000010,LIBA,QSYSOPR,QSYS", "AMQA000010,LIBA,JRNMSGQ,LIBA").
		with("journal queue", "MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TEXT\nCPA7090,2026-05-27-18.00.00,AMQAJRN in LIBA\n")
	facts := s.read(t)
	if want := "CPA7090 on LIBA/JRNMSGQ, sent 2026-05-27 18:00:00 (it may have been answered: the columns that would show that are missing)"; open(facts) != "journaling-stopped" || !strings.HasSuffix(facts.Inventory.Open[0].Text, want) {
		t.Errorf("%v", facts.Inventory.Open)
	}
}
