package observe

import (
	"strings"
	"testing"
)

func TestNameClash(t *testing.T) {
	queue := "MESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TEXT\n"
	tests := []struct {
		name   string
		system *system
		want   string // queue and time
	}{
		{"before the attached one was", full(), ""},
		{"since", full().edited(t, "operator", "2026-05-20-01", "2026-05-27-18"), "QSYS/QSYSOPR 2026-05-27 18:00:00"},
		{"of another journal", full().edited(t, "operator", "2026-05-20-01", "2026-05-27-18").edited(t, "operator", "AMQAJRN", "AMQBJRN"), ""},
		{"naming no journal", full().edited(t, "operator", "2026-05-20-01", "2026-05-27-18").edited(t, "operator", "journal AMQAJRN in LIBA", "no receiver"), "QSYS/QSYSOPR 2026-05-27 18:00:00"},
		{"on the journal's own queue", full().edited(t, "journal", "AMQA000010,LIBA,QSYSOPR,QSYS", "AMQA000010,LIBA,JRNMSG,LIBA").
			with("journal queue", queue+"LIBA,JRNMSG,CPI70E3,2026-05-27-19.00.00,AMQAJRN\n"), "LIBA/JRNMSG 2026-05-27 19:00:00"},
		{"a queue without times", full().with("operator", "MESSAGE_ID\nCPI70E3\n"), ""},
		{"a queue that can't be read", full().failing("operator", "CPF9802"), ""},
	}
	for _, test := range tests {
		facts := test.system.read(t)
		got := strings.TrimSpace(facts.Messages.ClashQueue + " " + facts.Messages.Clash.String())
		wantOpen := ""
		if test.want != "" {
			wantOpen = "name-clash"
		}
		if got != test.want || open(facts) != wantOpen {
			t.Errorf("%s: %q, open %s", test.name, got, open(facts))
		}
	}
}

func TestRemoteJournals(t *testing.T) {
	remote := func(rows string) *system {
		return full().with("remote", "SOURCE_JOURNAL_LIBRARY,SOURCE_JOURNAL,REMOTE_DATABASE_NAME,REMOTE_JOURNAL_STATE,ESTIMATED_TIME_BEHIND\n"+rows)
	}
	uncounted := bare().edited(t, "journal", ",NUMBER_REMOTE_JOURNALS", "").edited(t, "journal", ",5,0", ",5")
	none := full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,5,0")
	runCases(t, []journalCase{
		{name: "active and not behind", system: full(), goes: good},
		{name: "without the asterisk", system: remote("LIBA,AMQAJRN,R,ACTIVE,0.000\n"), goes: good},
		{name: "not told how far behind", system: remote("LIBA,AMQAJRN,R,*ACTIVE,\n"), goes: good},
		{name: "behind", system: remote("LIBA,AMQAJRN,R,*ACTIVE,12\n")},
		{name: "inactive", system: remote("LIBA,AMQAJRN,R,*INACTIVE,0\n")},
		{name: "state not known", system: remote("LIBA,AMQAJRN,R,,0\n")},
		{name: "one of two is behind", system: remote("LIBA,AMQAJRN,R,*ACTIVE,0\nLIBA,AMQAJRN,S,*CTLINACT,0\n")},
		{name: "one of two is not listed", system: full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,5,2"), open: "list-incomplete"},
		{name: "those of another journal", system: remote("LIBA,AMQBJRN,R,*INACTIVE,0\nLIBA,AMQAJRN,R,*ACTIVE,0\n"), goes: good},
		{name: "nobody can tell", system: full().without("remote")},
		{name: "asking fails", system: full().failing("remote", "SQL0204")},
		{name: "there are none", system: none.without("remote"), goes: good},
		{name: "the journal says there are none, the service shows one", system: none.with("remote", remote("LIBA,AMQAJRN,R,*INACTIVE,0\n").answers["remote"])},
		{name: "there are none", system: none.without("remote"), goes: good},
		{name: "nobody says whether there are any: the never saved wait", system: uncounted, goes: "006 delete", open: "mark-by-time"},
		{name: "nobody says how many, one is behind", system: uncounted.with("remote", remote("LIBA,AMQAJRN,R,*INACTIVE,0\n").answers["remote"]), open: "mark-by-time"},
	})
}
