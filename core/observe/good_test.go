package observe

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// full is the journal of a queue manager on a system that tells all it can:
// AMQA000006 to 000010, of which 000010 is attached, 000006 is in the store as
// 000004 and 000005 are, which are not on the system. The restart point is in
// 000009, the media point in 000008. A remote journal lies beside it.
func full() *system {
	return &system{
		at: time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("", 7200)),
		answers: map[string]string{
			"ini": "AllQueueManagers:\n   DefaultPrefix=/QIBM/UserData/mqm\n\n" +
				"QueueManager:\n   Name=QM2\n   Library=LIBB\n\nQueueManager:\n  Name = QM1\n   Prefix=/QIBM/UserData/mqm\n   Library  =  LIBA  \n   Directory=QM1\n",
			"journal": "JOURNAL_NAME,JOURNAL_LIBRARY,JOURNAL_TYPE,ATTACHED_JOURNAL_RECEIVER_NAME,ATTACHED_JOURNAL_RECEIVER_LIBRARY,MESSAGE_QUEUE,MESSAGE_QUEUE_LIBRARY,DELETE_RECEIVER_OPTION,RECEIVER_MAXIMUM_SIZE,NUMBER_JOURNAL_RECEIVERS,NUMBER_REMOTE_JOURNALS\n" +
				"AMQBJRN,LIBA,*REMOTE,AMQB000003,LIBA,QSYSOPR,QSYS,NO,MAXOPT2,1,0\n" +
				"AMQAJRN,LIBA,*LOCAL,AMQA000010,LIBA,QSYSOPR,QSYS,NO,MAXOPT2,5,1\n",
			"space": "AMQA000008LIBA      20260527140535123\n",
			"messages": "MESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TEXT,MESSAGE_TOKENS\n" +
				"LIBA,QMQMMSG,AMQ7460,2026-05-27-12.30.00.100000,journal information,AMQA000007LIBA      20260527123000000\n" +
				"LIBA,QMQMMSG,AMQ7462,2026-05-27-12.30.00.200000,journal information,AMQA000006LIBA      20260527110000000\n" +
				"LIBA,QMQMMSG,AMQ7460,2026-05-27-17.30.00.100000,journal information,AMQA000009LIBA      20260527160000500\n" +
				"LIBA,QMQMMSG,AMQ7462,2026-05-27-17.30.00.200000,journal information,AMQA000008LIBA      20260527140535123\n",
			"status": "QMNAME(QM1)  STATUS(RUNNING)  CURRLOG(AMQA000010)  RECLOG(AMQA000009)  MEDIALOG(AMQA000008)\n",
			"receivers": "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,JOURNAL_LIBRARY,JOURNAL_NAME,STATUS,SIZE,FIRST_SEQUENCE_NUMBER,LAST_SEQUENCE_NUMBER,ATTACH_TIMESTAMP,DETACH_TIMESTAMP,PREVIOUS_JOURNAL_RECEIVER,PREVIOUS_JOURNAL_RECEIVER_LIBRARY,NEXT_JOURNAL_RECEIVER,NEXT_JOURNAL_RECEIVER_LIBRARY\n" +
				"LIBA,AMQA000006,LIBA,AMQAJRN,SAVED,100412,1,500,2026-05-27-10.15.00.000000,2026-05-27-12.20.00.000000,AMQA000005,LIBA,AMQA000007,LIBA\n" +
				"LIBA,AMQA000007,LIBA,AMQAJRN,SAVED,100412,501,900,2026-05-27-12.20.00.000000,2026-05-27-13.59.00.000000,AMQA000006,LIBA,AMQA000008,LIBA\n" +
				"LIBA,AMQB000003,LIBA,AMQBJRN,ATTACHED,100412,1,900,2026-05-27-12.20.00.000000,,,,,\n" +
				"LIBA,AMQA000008,LIBA,AMQAJRN,SAVED,100412,901,1200,2026-05-27-13.59.00.000000,2026-05-27-15.00.00.000000,AMQA000007,LIBA,AMQA000009,LIBA\n" +
				"LIBA,AMQA000009,LIBA,AMQAJRN,ONLINE,100412,1201,2000,2026-05-27-15.00.00.000000,2026-05-27-17.12.00.000000,AMQA000008,LIBA,AMQA000010,LIBA\n" +
				"LIBA,AMQA000010,LIBA,AMQAJRN,ATTACHED,1000,2001,2400,2026-05-27-17.12.00.000000,,AMQA000009,LIBA,,\n",
			"remote": "SOURCE_JOURNAL_LIBRARY,SOURCE_JOURNAL,REMOTE_DATABASE_NAME,REMOTE_JOURNAL_STATE,ESTIMATED_TIME_BEHIND\nLIBA,AMQAJRN,RDB2,*ACTIVE,0\n",
			"operator": "MESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TEXT\n" +
				"QSYS,QSYSOPR,CPI70E3,2026-05-20-01.00.00.000000,journal AMQAJRN in LIBA\n",
			"store": "STORE,QUEUE_MANAGER,LIBRARY,SEGMENT,OPENED,CLOSED,FIRST,LAST,BYTES,SHA256,VERIFIED\n" +
				"vault,QM1,LIBA,AMQA000004,2026-05-27-05.00.00.000000,2026-05-27-08.00.00.000000,1,2,102821888,6f1e,YES\n" +
				"vault,QM1,LIBA,AMQA000005,2026-05-27-08.00.00.000000,2026-05-27-10.15.00.000000,1,2,102821888,6f1e,YES\n" +
				"vault,QM1,LIBA,AMQA000006,2026-05-27-10.15.00.000000,2026-05-27-12.20.00.000000,1,500,102821888,6f1e,YES\n",
			"history": "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,unneeded,LIBA,AMQA000006,\n2026-05-27T20:00:00Z,restart,LIBA,AMQA000009,x\n",
		},
	}
}

// bare is the same journal on a system that tells the least that will do:
// codes of the API, no links, only counts, a recovery point without a name.
func bare() *system {
	return &system{answers: map[string]string{
		"ini":     full().answers["ini"],
		"journal": "JOURNAL_NAME,JOURNAL_LIBRARY,NUMBER_JOURNAL_RECEIVERS,NUMBER_REMOTE_JOURNALS\nAMQAJRN,LIBA,5,0\n",
		"space":   "          LIBA      20260527140535123\n",
		"receivers": "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,ATTACH_TIMESTAMP,DETACH_TIMESTAMP,STATUS\n" +
			"LIBA,AMQA000006,1260527101500,1260527122000,3\n" +
			"LIBA,AMQA000007,1260527122000,1260527135900,2\n" +
			"LIBA,AMQA000008,1260527135900,1260527150000,3\n" +
			"LIBA,AMQA000009,1260527150000,1260527171200,2\n" +
			"LIBA,AMQA000010,1260527171200,,1\n",
	}}
}

// archived is a queue manager under fast-startup on its thirtieth night: the
// media point lies in a receiver that is only in the store, and an operator
// holds one receiver.
func archived() *system {
	s := full()
	s.answers["space"] = "**********LIBA      20260527090000000\n"
	s.answers["messages"] = "MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TOKENS\n" +
		"AMQ7460,2026-05-27-17.30.00.100000,AMQA000009LIBA      20260527160000500\n" +
		"AMQ7462,2026-05-27-17.30.00.200000,**********LIBA      20260527090000000\n"
	s.answers["status"] = "QMNAME(QM1)  STATUS(RUNNING)\n"
	s.answers["holds"] = "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-27T08:00:00Z,2026-06-01T00:00:00Z,LIBA,AMQA000007,case 4711\n"
	return s
}

// The three systems are good: these are the plans that nothing broken may
// exceed.
func TestGoodSystems(t *testing.T) {
	tests := []struct {
		name     string
		system   *system
		strategy recovery.Strategy
		want     string
		open     string
		line     string
		needs    string
	}{
		{"full", full(), recovery.Conservative, "006 delete, 007 delete", "", "006 007 008 009 010",
			"published 008, restart 009, media 008, restart 009, media 008"},
		{"full", full(), recovery.FastStartup, "006 delete, 007 delete, 008 archive+delete", "", "006 007 008 009 010",
			"published 008, restart 009, media 008, restart 009, media 008"},
		{"full", full(), recovery.Aggressive, "006 delete, 007 delete, 008 archive+delete, 009 archive+delete", "", "006 007 008 009 010",
			"published 008, restart 009, media 008, restart 009, media 008"},
		{"bare", bare(), recovery.Conservative, "006 delete, 007 archive+delete", "mark-by-time", "006 007 008 009 010", "published 008"},
		{"bare", bare(), recovery.FastStartup, "", "mark-by-time", "006 007 008 009 010", "published 008"},
		{"bare", bare(), recovery.Aggressive, "006 delete, 007 archive+delete, 008 archive+delete, 009 archive+delete", "mark-by-time", "006 007 008 009 010", "published 008"},
		{"archived", archived(), recovery.Conservative, "", "", "[005] 006 007 008 009 010", "published 005, restart 009, media 005, hold 007"},
		{"archived", archived(), recovery.FastStartup, "006 delete", "", "[005] 006 007 008 009 010", "published 005, restart 009, media 005, hold 007"},
		{"archived", archived(), recovery.Aggressive, "006 delete", "", "[005] 006 007 008 009 010", "published 005, restart 009, media 005, hold 007"},
	}
	for _, test := range tests {
		t.Run(test.name+"/"+test.strategy.String(), func(t *testing.T) {
			facts := test.system.read(t)
			if got := lineOf(facts); got != test.line {
				t.Errorf("line %s, want %s", got, test.line)
			}
			if got := needsOf(facts); got != test.needs {
				t.Errorf("needs %s, want %s", got, test.needs)
			}
			if got := open(facts); got != test.open {
				t.Errorf("open %q, want %q: %v", got, test.open, facts.Inventory.Open)
			}
			test.system.spaces = 0
			if got := test.system.goesShort(t, test.strategy); got != test.want {
				t.Errorf("goes %s, want %s", got, test.want)
			}
		})
	}
}
