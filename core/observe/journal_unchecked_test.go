package observe

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

// unchecked gives the text of the finding that says what was not checked.
func unchecked(facts JournalFacts) string {
	for _, f := range facts.Inventory.Open {
		if f.Code == finding.NotChecked {
			return f.Text
		}
	}
	return ""
}

// What a plan can do without is named when it could not be looked at, and
// keeps nothing.
func TestUnchecked(t *testing.T) {
	tests := []struct {
		name   string
		system *system
		want   string // a part of the finding; empty: there is none
	}{
		{"everything is answered", full(), ""},
		{"status", full().without("status"), "DISPLAY QMSTATUS"},
		{"a status that failed", full().failing("status", "AMQ9999"), "AMQ9999"},
		{"a status without STATUS", full().with("status", "QMNAME(QM1)\n"), "gave no STATUS"},
		{"messages that failed", full().failing("messages", "SQL0551"), "SQL0551"},
		{"messages", full().without("messages"), "AMQ7432"},
		{"the operator's messages", full().without("operator"), "CPI70E3"},
		{"delete option", full().edited(t, "journal", "DELETE_RECEIVER_OPTION", "OTHER"), "DELETE_RECEIVER_OPTION"},
		{"number of receivers", full().edited(t, "journal", "NUMBER_JOURNAL_RECEIVERS", "OTHER"), "NUMBER_JOURNAL_RECEIVERS"},
		{"remote journals", full().edited(t, "journal", "NUMBER_REMOTE_JOURNALS", "OTHER").without("remote"), "REMOTE_JOURNAL_INFO"},
		{"remote journals, by their own service", full().edited(t, "journal", "NUMBER_REMOTE_JOURNALS", "OTHER"), ""},
	}
	for _, test := range tests {
		facts := test.system.read(t)
		if got := unchecked(facts); (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q in it", test.name, got, test.want)
		}
		if worst, _ := finding.Worst(facts.Inventory.Open); worst == finding.Critical {
			t.Errorf("%s: %+v", test.name, facts.Inventory.Open)
		}
	}
	clockless := full()
	clockless.at = time.Time{}
	if got := unchecked(clockless.read(t)); !strings.Contains(got, "CLOCK") {
		t.Errorf("without a clock: %q", got)
	}
}

// A list that nothing shows to be whole is none: neither a count nor links.
// Without links the order is proved only by detach times that each meet the
// next attach time: an answer that was sorted rises whatever the clock did.
func TestWholeList(t *testing.T) {
	countless := bare().edited(t, "journal", ",NUMBER_JOURNAL_RECEIVERS", "").edited(t, "journal", ",5,0", ",0")
	timed := bare().with("receivers", "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS,ATTACH_TIMESTAMP,DETACH_TIMESTAMP\n"+
		"LIBA,AMQA000006,3,1260527101500,1260527122000\n"+
		"LIBA,AMQA000007,3,1260527122000,1260527135900\n"+
		"LIBA,AMQA000008,3,1260527135900,1260527150000\n"+
		"LIBA,AMQA000009,3,1260527150000,1260527171200\n"+
		"LIBA,AMQA000010,1,1260527171200,\n")
	// Really 09, 10, 11 (02:50, first pass), 12 (02:10, second pass), 13.
	sorted := bare().with("space", "AMQA000011LIBA      20261025025500000\n").with("receivers", "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS,ATTACH_TIMESTAMP\n"+
		"LIBA,AMQA000009,3,1261025003000\nLIBA,AMQA000010,3,1261025013000\nLIBA,AMQA000012,3,1261025021000\nLIBA,AMQA000011,3,1261025025000\nLIBA,AMQA000013,1,1261025050000\n")
	forgotten := func(name, count string) *system {
		var kept []string
		for _, line := range strings.SplitAfter(timed.answers["receivers"], "\n") {
			if !strings.Contains(line, name) {
				kept = append(kept, line)
			}
		}
		return timed.with("receivers", strings.Join(kept, "")).edited(t, "journal", ",5,", ","+count+",")
	}
	runCases(t, []journalCase{
		{name: "neither count nor links", system: countless, open: "mark-by-time list-incomplete"},
		{name: "links, no count", system: full().edited(t, "journal", "NUMBER_JOURNAL_RECEIVERS", "OTHER"), goes: good},
		{name: "times that meet", system: timed, goes: good, open: "mark-by-time"},
		{name: "one forgotten that is needed", system: forgotten("AMQA000009", "4"), open: "mark-by-time chain-order-unknown"},
		{name: "one forgotten that is not", system: forgotten("AMQA000007", "4"), open: "mark-by-time chain-order-unknown"},
		{name: "one forgotten, and the journal knows", system: forgotten("AMQA000009", "5"), open: "mark-by-time chain-order-unknown list-incomplete"},
		{name: "sorted by attach times, after the clock went back", system: sorted, open: "chain-order-unknown"},
		{name: "one detach time is blank", system: timed.edited(t, "receivers", "1260527122000,1260527135900", "1260527122000,"), open: "mark-by-time chain-order-unknown"},
	})
}

// The word SAVED counts with a save time after the detach; one in the same
// second may have begun before it.
func TestSaveTimes(t *testing.T) {
	saved := func(times ...string) *system {
		s := full().with("store", "")
		lines := strings.Split(s.answers["receivers"], "\n")
		lines[0] += ",SAVE_TIMESTAMP"
		for i := 1; i < len(lines)-1; i++ {
			stamp := "2026-05-27-23.00.00.000000"
			if i <= len(times) {
				stamp = times[i-1]
			}
			lines[i] += "," + stamp
		}
		return s.with("receivers", strings.Join(lines, "\n"))
	}
	doubted := "006 archive+delete, 007 delete"
	runCases(t, []journalCase{
		{name: "after", system: saved(), goes: good},
		{name: "in the second after", system: saved("2026-05-27-12.20.01.000000"), goes: good},
		{name: "in the second of the detach", system: saved("2026-05-27-12.20.00.900000"), goes: doubted, open: "save-doubtful"},
		{name: "before", system: saved("2026-05-27-12.19.59.000000"), goes: doubted, open: "save-doubtful"},
		{name: "none", system: saved(""), goes: doubted, open: "save-doubtful"},
		{name: "unreadable", system: saved("yesterday"), goes: doubted, open: "save-doubtful"},
		{name: "no detach time", system: saved().edited(t, "receivers", "2026-05-27-12.20.00.000000,AMQA000005", ",AMQA000005"), goes: doubted, open: "save-doubtful"},
		{name: "freed, and not known to be saved whole", system: saved("").edited(t, "receivers", "SAVED,100412,1,500", "FREED,100412,1,500"), goes: doubted, open: "save-doubtful"},
	})
}
