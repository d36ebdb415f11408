package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

func TestMarksReadTwice(t *testing.T) {
	again := func(space string) *system { return full().with("space again", space) }
	runCases(t, []journalCase{
		{name: "the same", system: again("AMQA000008LIBA      20260527140535123"), goes: good},
		{name: "moved forward: the first decides", system: again("AMQA000009LIBA      20260527160000500"), goes: good, open: "mark-moved"},
		{name: "moved forward in the same receiver", system: again("AMQA000008LIBA      20260527140535124"), goes: good, open: "mark-moved"},
		{name: "moved back", system: again("AMQA000008LIBA      20260527140535122"), open: "mark-went-back"},
		{name: "moved back to another receiver", system: again("AMQA000007LIBA      20260527130000000"), open: "mark-went-back"},
		{name: "turned to asterisks", system: again("**********LIBA      20260527140535123"), open: "mark-went-back"},
		{name: "turned to asterisks and forward", system: again("**********LIBA      20260527160000500"), open: "mark-went-back"},
		{name: "another receiver at the same time", system: again("AMQA000009LIBA      20260527140535123"), open: "mark-went-back"},
		{name: "another library at the same time", system: again("AMQA000008LIBB      20260527140535123"), open: "mark-went-back"},
		{name: "not to be read any more", system: again("AMQA000008LIBA      2026052714053512"), open: "mark-unreadable"},
		{name: "asterisks both times", system: archived(), strategy: recovery.FastStartup, goes: "006 delete"},
		{name: "asterisks, and then a receiver", system: archived().with("space again", "AMQA000005LIBA      20260527090000000"), strategy: recovery.FastStartup, open: "mark-went-back"},
	})
}

func TestMarkPlaces(t *testing.T) {
	space := func(text string) *system {
		return full().with("space", text).without("messages").without("status")
	}
	runCases(t, []journalCase{
		{name: "by name and time", system: space("AMQA000008LIBA      20260527140535123"), goes: good, needs: "published 008"},
		{name: "in the second of the attach: one more is kept (case 2)", system: space("AMQA000008LIBA      20260527135900900"), goes: "006 delete", open: "mark-tie", needs: "published 007"},
		{name: "in the second of the first attach: the one before it is in the store", system: space("AMQA000006LIBA      20260527101500500"), open: "mark-tie", needs: "published 005"},
		{name: "name older than the time", system: space("AMQA000007LIBA      20260527140535123"), goes: "006 delete", open: "marks-disagree", needs: "published 007"},
		{name: "time older than the name", system: space("AMQA000009LIBA      20260527140535123"), goes: good, open: "marks-disagree", needs: "published 008"},
		{name: "time older than all that is known", system: space("AMQA000009LIBA      20260520140535123"), open: "marks-disagree"},
		{name: "a receiver that is nowhere", system: space("AMQA000003LIBA      20260527040535123"), open: "receiver-not-listed", line: "[003] [004] [005] 006 007 008 009 010"},
		{name: "the name in another library", system: space("AMQA000008LIBB      20260527140535123"), open: "receiver-not-listed"},
		{name: "no library", system: space("AMQA000008          20260527140535123"), goes: good},
		{name: "by time", system: space("          LIBA      20260527140535123"), goes: good, open: "mark-by-time", needs: "published 008"},
		{name: "by time, a tie", system: space("          LIBA      20260527135900900"), goes: "006 delete", open: "mark-by-time mark-tie", needs: "published 007"},
		{name: "by time, older than all that is known", system: space("          LIBA      20260526140535123"), open: "mark-by-time"},
		{name: "in the future", system: space("AMQA000010LIBA      20260528030000001"), open: "mark-unreadable"},
		{name: "an hour ahead: the clock went back", system: space("AMQA000010LIBA      20260528030000000"), goes: "006 delete, 007 delete, 008 delete, 009 archive+delete"},
		{name: "asterisks, and the time points to the store", system: space("**********LIBA      20260527090000000"), open: "", needs: "published 005"},
		{name: "asterisks, and the time points to one that is there", system: space("**********LIBA      20260527140535123"), open: "mark-not-in-chain"},
		{name: "asterisks, older than all that is known (case 4)", system: space("**********LIBA      20260401080000000"), open: ""},
		{name: "asterisks, restored and held since", strategy: recovery.Conservative,
			system: space("**********LIBA      20260527110000000").with("holds", "ID,UNTIL,SEGMENT,REASON\nr1,,AMQA000006,restored\n"), open: "", needs: "published 006, hold 006"},
	})
}

func TestMarksOfMessages(t *testing.T) {
	fast := recovery.FastStartup
	all := "006 delete, 007 delete, 008 archive+delete"
	runCases(t, []journalCase{
		{name: "the newest pair", system: full(), strategy: fast, goes: all},
		{name: "RECLOG is enough", system: full().without("messages"), strategy: fast, goes: all},
		{name: "AMQ7460 is enough", system: full().without("status"), strategy: fast, goes: all},
		{name: "neither", system: full().without("status").without("messages"), strategy: fast},
		{name: "older than AMQJRNINF", system: full().edited(t, "messages", "AMQA000008LIBA      20260527140535123", "AMQA000007LIBA      20260527123500000").without("status"),
			goes: "006 delete", open: "marks-disagree"},
		{name: "newer than AMQJRNINF", system: full().edited(t, "messages", "AMQA000008LIBA      20260527140535123", "AMQA000009LIBA      20260527153500000").without("status").without("history"),
			goes: good, open: "marks-disagree"},
		{name: "two receivers in one text", system: full().edited(t, "messages", "20260527140535123", "AMQA000007"), open: "mark-unreadable"},
		{name: "a message without a time of its own", system: full().edited(t, "messages", "2026-05-27-17.30.00.200000", ""), open: "facts-unreadable"},
		{name: "in the future", system: full().edited(t, "messages", "20260527160000500", "20260529160000500"), open: "mark-unreadable"},
		{name: "no pair at all", system: full().with("messages", messageHeader+
			"LIBA,QMQMMSG,AMQ7460,2026-05-27-17.30.00.100000,AMQA000009LIBA\nLIBA,QMQMMSG,AMQ7462,2026-05-27-16.30.00.200000,AMQA000008LIBA\n"), open: "mark-unreadable"},
	})
}

func TestQueueManagerStatus(t *testing.T) {
	fast := recovery.FastStartup
	all := "006 delete, 007 delete, 008 archive+delete"
	status := func(text string) *system { return full().without("messages").with("status", text) }
	runCases(t, []journalCase{
		{name: "one attribute a line", strategy: fast, goes: all, system: status("     1 : DISPLAY QMSTATUS ALL\nAMQ8705I: Display Queue Manager Status Details.\n   QMNAME(QM1)                             STATUS(RUNNING)\n   RECLOG(AMQA000009)\n   MEDIALOG(AMQA000008)\n")},
		{name: "blank RECLOG", strategy: fast, system: status("QMNAME(QM1) STATUS(RUNNING) RECLOG( ) MEDIALOG( )")},
		{name: "names of the other platforms", strategy: fast, system: status("QMNAME(QM1) STATUS(RUNNING) RECLOG(S0000000.LOG) MEDIALOG(S0000000.LOG)")},
		{name: "no attributes of the log", strategy: fast, system: status("QMNAME(QM1) STATUS(RUNNING)")},
		{name: "a longer name", strategy: fast, system: status("QMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA0000099)")},
		{name: "starting", strategy: fast, open: "queue-manager-not-running", system: status("QMNAME(QM1) STATUS(STARTING) RECLOG(AMQA000009)")},
		{name: "quiescing", strategy: fast, open: "queue-manager-not-running", system: status("QMNAME(QM1) STATUS(QUIESCING) RECLOG(AMQA000009)")},
		{name: "another queue manager", strategy: fast, open: "facts-unreadable", system: status("QMNAME(QM2) STATUS(STARTING) RECLOG(AMQA000009)")},
		{name: "a message alone", strategy: fast, open: "facts-unreadable", system: status("AMQ8146E: IBM MQ queue manager not available.\n")},
		{name: "nothing at all", strategy: fast, open: "facts-unreadable", system: status("")},
		{name: "torn", strategy: fast, open: "facts-unreadable", system: status("QMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA0000")},
		{name: "a level that has no such command", strategy: fast, system: status("AMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QMSTATUS\n")},
		{name: "refused", strategy: fast, system: full().without("messages").failing("status", "AMQ8135")},
		{name: "RECLOG is older than the rest", strategy: fast, goes: "006 delete", system: full().without("history").edited(t, "status", "RECLOG(AMQA000009)", "RECLOG(AMQA000007)")},
		{name: "RECLOG is older than an earlier run saw the restart point", strategy: fast, open: "mark-went-back", system: full().edited(t, "status", "RECLOG(AMQA000009)", "RECLOG(AMQA000007)")},
		{name: "the queue manager is not there", open: "queue-manager-not-running", system: full().failing("status", "AMQ8146E: IBM MQ queue manager not available.")},
		{name: "the media point is older than an earlier run saw it", open: "mark-went-back", system: full().with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,media,LIBA,AMQA000009,x\n")},
		{name: "it moved forward", goes: good, system: full().with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,media,LIBA,AMQA000007,x\n")},
		{name: "AMQJRNINF is older than both messages: it may be the restart point", strategy: fast, goes: "006 delete", open: "marks-disagree", system: full().without("history").with("space", "AMQA000007LIBA      20260527130000000\n")},
		{name: "RECLOG names one that is not there", strategy: fast, open: "receiver-not-listed", system: status("QMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA000099)").without("history")},
	})
}

func TestNotices(t *testing.T) {
	notice := func(line string) *system {
		s := full()
		return s.with("messages", s.answers["messages"]+line)
	}
	runCases(t, []journalCase{
		{name: "AMQ7432 after the newest pair", system: notice("LIBA,QMQMMSG,AMQ7432,2026-05-27-18.00.00.000000,entry not available,\n"), open: "recovery-failed"},
		{name: "AMQ7432 in the very moment", system: notice("LIBA,QMQMMSG,AMQ7432,2026-05-27-17.30.00.200000,entry not available,\n"), open: "recovery-failed"},
		{name: "AMQ7432 before the newest pair", system: notice("LIBA,QMQMMSG,AMQ7432,2026-05-27-17.29.00.000000,entry not available,\n"), goes: good},
		{name: "AMQ7432 of another queue", system: notice("LIBB,QMQMMSG,AMQ7432,2026-05-27-18.00.00.000000,entry not available,\n"), goes: good},
		{name: "AMQ7472 blocks nothing", system: notice("LIBA,QMQMMSG,AMQ7472E,2026-05-27-18.00.00.000000,object Q1 damaged,\n"), goes: good},
		{name: "AMQ7432 and no recovery point", system: full().with("messages", messageHeader+"LIBA,QMQMMSG,AMQ7432,2026-05-27-10.00.00.000000,x\n"), open: "recovery-failed"},
	})
	damaged := notice("LIBA,QMQMMSG,AMQ7472E,2026-05-27-17.00.00.000000,object Q0 damaged,\nLIBA,QMQMMSG,AMQ7472E,2026-05-27-18.00.00.000000,object Q1 damaged,\n").read(t).Messages.Damaged
	if len(damaged) != 1 || damaged[0] != "AMQ7472 sent 2026-05-27 18:00:00 object Q1 damaged" {
		t.Errorf("%q", damaged)
	}
}

// The hour after a publication in the night in which summer time ends may be
// the one before it.
func TestMissingEntryWhenTheHourCameTwice(t *testing.T) {
	s := full().with("messages", messageHeader+
		"LIBA,QMQMMSG,AMQ7460,2026-05-27-02.50.00.000000,AMQA000009LIBA\nLIBA,QMQMMSG,AMQ7462,2026-05-27-02.50.00.000000,AMQA000008LIBA\n"+
		"LIBA,QMQMMSG,AMQ7432,2026-05-27-02.10.00.000000,\n")
	if facts := s.read(t); !hasCode(facts, finding.RecoveryFailed) {
		t.Error(open(facts))
	}
	s.spaces = 0
	berlin := theTarget
	berlin.Zone = "Europe/Berlin" // where no hour comes twice in May
	if facts := s.readAs(t, berlin); hasCode(facts, finding.RecoveryFailed) {
		t.Error(open(facts))
	}
}

func TestSourcesOfMarks(t *testing.T) {
	if sources := SourcesOfMarks(); len(sources) != 3 || !strings.HasPrefix(sources[0], "AMQJRNINF") {
		t.Error(sources)
	}
}
