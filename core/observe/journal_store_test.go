package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

const manifestHeader = "STORE,QUEUE_MANAGER,LIBRARY,SEGMENT,OPENED,CLOSED,FIRST,LAST,BYTES,SHA256,VERIFIED\n"

// manifest writes a row of the store: name, attach and detach time of day.
func manifest(words string) string {
	f := strings.Fields(words)
	day := func(clock string) string {
		if clock == "-" {
			return ""
		}
		return "2026-05-27-" + clock + ".00.000000"
	}
	numbers := "1,2"
	switch f[0] { // as the list has them
	case "007":
		numbers = "501,900"
	case "008":
		numbers = "901,1200"
	}
	verified := "YES"
	if len(f) > 3 {
		verified = f[3]
	}
	return "vault,QM1,LIBA,AMQA000" + f[0] + "," + day(f[1]) + "," + day(f[2]) + "," + numbers + ",1000,6f1e," + verified + "\n"
}

func stored(s *system, words ...string) *system {
	body := manifestHeader
	for _, w := range words {
		body += manifest(w)
	}
	return s.with("store", body)
}

// gone gives full without some of its receivers, as the journal says too.
func gone(t *testing.T, names ...string) *system {
	s := full()
	for _, name := range names {
		s = s.edited(t, "receivers", row(t, name), "")
	}
	return s.edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,"+string(rune('5'-len(names)))+",1")
}

// starred is full with the media point in a receiver of half past nine that
// is not on the system, and no other source of it.
func starred() *system {
	return archived().without("holds").with("space", "**********LIBA      20260527093000000").without("status").
		with("messages", "MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TOKENS\nAMQ7460,2026-05-27-17.30.00.100000,AMQA000009LIBA\n")
}

func TestStore(t *testing.T) {
	fast := recovery.FastStartup
	archives := "006 archive+delete, 007 archive+delete, 008 archive+delete"
	runCases(t, []journalCase{
		{name: "needed and archived", strategy: fast, system: stored(starred(), "005 08.00 10.15"), goes: archives, line: "[005] 006 007 008 009 010"},
		{name: "attached and detached in one second", strategy: fast, system: stored(starred(), "004 08.00 10.15", "005 10.15 10.15"), goes: archives, line: "[004] [005] 006 007 008 009 010"},
		{name: "asterisks since, and the entry in the second of an attach", strategy: fast, goes: archives, line: "[004] [005] 006 007 008 009 010",
			system: stored(archived().without("holds"), "004 08.00 09.00", "005 09.00 10.15").with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,media,LIBA,AMQA000005,2026-05-27 09:00:00\n")},
		{name: "asterisks since, and another entry than an earlier run saw", strategy: fast, line: "[004] [005] 006 007 008 009 010", open: "mark-went-back",
			system: stored(archived().without("holds"), "004 08.00 09.00", "005 09.00 10.15").with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,media,LIBA,AMQA000005,2026-05-27 09:40:00\n")},
		{name: "needed and archived, conservative", system: stored(starred(), "005 08.00 10.15"), line: "[005] 006 007 008 009 010"},
		{name: "needed and in no store", strategy: fast, system: stored(starred()), line: "[***] 006 007 008 009 010"},
		{name: "the store is empty", strategy: fast, system: starred().with("store", ""), line: "[***] 006 007 008 009 010"},
		{name: "not verified", strategy: fast, system: stored(starred(), "005 08.00 10.15 NO"), line: "[005] 006 007 008 009 010", open: "copy-damaged"},
		{name: "verified as 1", strategy: fast, system: stored(starred(), "005 08.00 10.15 1"), goes: archives},
		{name: "not known to be whole: no detach time", strategy: fast, system: stored(starred(), "005 08.00 -"), line: "[***] 006 007 008 009 010"},
		{name: "a gap to what is on the system", strategy: fast, system: stored(starred(), "004 08.00 09.50"), line: "[004] [005] 006 007 008 009 010"},
		{name: "a gap within", strategy: fast, system: stored(starred(), "004 08.00 09.50", "005 09.55 10.15"), line: "[***] [005] 006 007 008 009 010"},
		{name: "a gap within, with room", strategy: fast, system: stored(starred(), "003 08.00 09.00", "005 09.55 10.15"), line: "[***] [005] 006 007 008 009 010"},
		{name: "a gap before what is needed", strategy: fast, system: stored(starred(), "003 05.00 06.00", "005 08.00 10.15"), goes: archives, line: "[005] 006 007 008 009 010"},
		{name: "two that join", strategy: fast, system: stored(starred(), "005 09.40 10.15", "004 08.00 09.40"), goes: archives, line: "[004] [005] 006 007 008 009 010"},
		{name: "of another queue manager", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "QM1", "QM2")), line: "[***] 006 007 008 009 010"},
		{name: "no queue manager named", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "QM1", "")), open: "facts-unreadable"},
		{name: "of no store", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "vault", "")), open: "facts-unreadable"},
		{name: "of another library", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "LIBA", "LIBZ")), line: "[***] 006 007 008 009 010"},
		{name: "of a name that this journal does not give", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "AMQA000005", "ZZZ")), line: "[***] 006 007 008 009 010"},
		{name: "of another name than the links give", strategy: fast, system: starred().with("store", strings.ReplaceAll(stored(full(), "005 08.00 10.15").answers["store"], "AMQA000005", "AMQA000003")), line: "[***] 006 007 008 009 010"},

		{name: "on the system and copied", strategy: fast, system: stored(full(), "008 13.59 15.00"), goes: "006 delete, 007 delete, 008 delete"},
		{name: "another of the name, by its attach time (case 5)", strategy: fast, system: stored(full(), "008 03.59 15.00"), goes: "006 delete, 007 delete, 008 archive+delete"},
		{name: "copied before it was detached", strategy: fast, system: stored(full(), "008 13.59 14.30"), goes: "006 delete, 007 delete, 008 archive+delete"},
		{name: "copied while it was attached", strategy: fast, system: stored(full(), "008 13.59 -"), goes: "006 delete, 007 delete, 008 archive+delete"},
		{name: "other sequence numbers", strategy: fast, system: full().with("store", strings.ReplaceAll(stored(full(), "008 13.59 15.00").answers["store"], "901,1200", "901,1199")), goes: "006 delete, 007 delete, 008 archive+delete"},
		{name: "two copies, one of another", strategy: fast, system: stored(full(), "008 13.59 16.00", "008 13.59 15.00"), goes: "006 delete, 007 delete, 008 delete"},
		{name: "two copies that would join alike", strategy: fast, system: stored(full(), "008 03.59 15.00", "008 13.59 15.00"), goes: "006 delete, 007 delete, 008 archive+delete", open: "copy-ambiguous"},

		{name: "a break that the store fills", strategy: fast, system: stored(gone(t, "008"), "008 13.59 15.00"), goes: good, open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break that the store fills in part", strategy: fast, system: stored(gone(t, "008"), "008 13.59 14.30"), open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break that the store fills from before what is needed", strategy: fast, system: stored(gone(t, "008"), "008 14.02 15.00"), open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break that the store fills too late", strategy: fast, system: stored(gone(t, "008"), "008 14.10 15.00"), open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break of two", strategy: fast, system: stored(gone(t, "007", "008"), "008 13.59 15.00", "007 12.20 13.59"), goes: "006 delete", open: "chain-break", line: "006 [007] [008] 009 010"},
		{name: "another of the name is no filling", strategy: fast, system: stored(gone(t, "008"), "008 03.59 05.00"),
			open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break that another fills", strategy: fast, system: gone(t, "008").with("store", strings.ReplaceAll(stored(full(), "008 13.59 15.00").answers["store"], "AMQA000008", "AMQA000003")), open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "no store", strategy: fast, system: gone(t, "008").with("store", ""), open: "chain-break", line: "006 007 [008] 009 010"},

		{name: "wrong time", strategy: fast, system: full().edited(t, "store", "08.00.00", "28.00.00"), open: "facts-unreadable facts-unreadable"},
		{name: "wrong size", strategy: fast, system: full().edited(t, "store", "102821888", "much"), open: "facts-unreadable facts-unreadable facts-unreadable"},
		{name: "no name", strategy: fast, system: full().edited(t, "store", "AMQA000004", "**********"), open: "facts-unreadable"},
		{name: "a column is missing", strategy: fast, system: full().edited(t, "store", "VERIFIED", "CHECKED"), open: "facts-unreadable"},
	})
}

func TestCopiesAreThoseInTheLine(t *testing.T) {
	facts := stored(gone(t, "008"), "008 03.59 05.00", "006 10.15 12.20", "007 01.00 02.00").read(t)
	for _, c := range facts.Inventory.Copies {
		if c.Segment.Name == "AMQA000007" {
			t.Errorf("a copy of another receiver of the name: %+v", c)
		}
	}
	lost := false
	for _, v := range recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: recovery.Aggressive}).Managers[0].Verdicts {
		lost = lost || v.Kind == recovery.Lost
	}
	if !lost {
		t.Errorf("the break passes for archived: %+v", facts.Inventory.Copies)
	}
}

func TestHolds(t *testing.T) {
	held := func(rows string) *system { return full().with("holds", "ID,UNTIL,LIBRARY,SEGMENT,REASON\n"+rows) }
	runCases(t, []journalCase{
		{name: "the whole target", system: held("7,,,,case 4711\n"), needs: "published 008, restart 009, media 008, restart 009, media 008, hold 006"},
		{name: "one receiver", system: held("7,,LIBA,AMQA000007,x\n"), goes: "006 delete"},
		{name: "one receiver, library not said", system: held("7,,,AMQA000007,x\n"), goes: "006 delete"},
		{name: "one in lower case, qualified", system: held("7,,,liba/amqa000007,x\n"), goes: "006 delete", needs: "published 008, restart 009, media 008, restart 009, media 008, hold 007"},
		{name: "one receiver of another library: a mistake holds everything", system: held("7,,LIBB,AMQA000007,x\n"), open: "on-hold"},
		{name: "one that is not there: a mistake holds everything", system: held("7,,LIBA,AMQA000003,x\n"), open: "on-hold"},
		{name: "a special word", system: held("7,,,*ALL,x\n"), open: "on-hold"},
		{name: "until later", system: held("7,2026-05-28T00:00:01Z,,,x\n")},
		{name: "expired this moment", system: held("7,2026-05-28T00:00:00Z,,,x\n"), goes: good},
		{name: "one expired, one not", system: held("7,2026-05-27T00:00:00Z,,,x\n8,2026-05-29T00:00:00Z,LIBA,AMQA000007,x\n"), goes: "006 delete"},
		{name: "unreadable end", system: held("7,tomorrow,LIBA,AMQA000009,x\n"), open: "facts-unreadable"},
		{name: "an end without an offset", system: held("7,2026-05-27T00:00:00,LIBA,AMQA000009,x\n"), open: "facts-unreadable"},
		{name: "a column is missing", system: full().with("holds", "ID,LIBRARY,SEGMENT,REASON\n"), open: "facts-unreadable"},
		{name: "no clock: it has not expired", system: func() *system {
			s := held("7,2026-05-27T00:00:00Z,,,x\n")
			s.at = bare().at
			return s
		}()},
	})
}

func TestHistory(t *testing.T) {
	history := func(rows string) *system { return full().with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n"+rows) }
	tests := []struct{ name, rows, unneeded string }{
		{"seen once", "2026-05-27T20:00:00Z,unneeded,LIBA,AMQA000006,\n", "2026-05-27T20:00:00Z"},
		{"the first counts, whatever the order", "2026-05-27T22:00:00Z,unneeded,LIBA,AMQA000006,\n2026-05-27T20:00:00Z,UNNEEDED,LIBA,AMQA000006,\n", "2026-05-27T20:00:00Z"},
		{"before it was attached: another of the name", "2026-05-27T08:14:59Z,unneeded,LIBA,AMQA000006,\n", ""},
		{"just after it was attached, by the system's clock", "2026-05-27T08:15:01Z,unneeded,LIBA,AMQA000006,\n", "2026-05-27T08:15:01Z"},
		{"of another library", "2026-05-27T20:00:00Z,unneeded,LIBB,AMQA000006,\n", ""},
		{"of another kind", "2026-05-27T20:00:00Z,restart,LIBA,AMQA000006,\n", ""},
	}
	for _, test := range tests {
		facts := history(test.rows).read(t)
		got := ""
		if at := facts.Inventory.Segments[0].Unneeded; !at.IsZero() {
			got = at.UTC().Format("2006-01-02T15:04:05Z")
		}
		if got != test.unneeded || open(facts) != "" {
			t.Errorf("%s: %q, want %q; open %s", test.name, got, test.unneeded, open(facts))
		}
	}
	if facts := history("yesterday,unneeded,LIBA,AMQA000006,\n").read(t); open(facts) != "facts-unreadable" {
		t.Error(open(facts))
	}
	seen := history("2026-05-27T20:00:00Z,media,LIBA,AMQA000008,p\n2026-05-26T20:00:00Z,restart,LIBA,AMQA000007,q\n").read(t).Seen
	if len(seen) != 2 || seen[0].Kind != recovery.Restart || seen[0].Segment != "AMQA000007" || seen[0].Position != "q" || seen[1].Kind != recovery.Media {
		t.Errorf("%+v", seen)
	}
}

func TestMinAge(t *testing.T) {
	promise := recovery.Promise{Strategy: recovery.Conservative, MinAge: 4 * 3600e9}
	verdicts := recovery.Decide([]recovery.Inventory{full().read(t).Inventory}, promise).Managers[0].Verdicts
	if verdicts[0].Kind != recovery.Delete || verdicts[1].Reason != "min-age" {
		t.Errorf("%+v", verdicts[:2])
	}
	promise.MinAge++
	if verdicts = recovery.Decide([]recovery.Inventory{full().read(t).Inventory}, promise).Managers[0].Verdicts; verdicts[0].Reason != "min-age" {
		t.Errorf("%+v", verdicts[:2])
	}
}
