package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// chained writes manifests: name, attach and detach time of day on 27 May, first and
// last number, and what VERIFIED says.
func chained(s *system, words ...string) *system {
	body := manifestHeader
	for _, w := range words {
		f := append(strings.Fields(w), "YES")
		body += "vault,QM1,LIBA,AMQA000" + f[0] + ",2026-05-27-" + f[1] + ".00.000000,2026-05-27-" + f[2] + ".00.000000," + f[3] + "," + f[4] + ",1000,6f1e," + f[5] + "\n"
	}
	return s.with("store", body)
}

// The store has copies of two lives of the queue manager: after it was put back
// to an older state receivers got the names of others, and one their attach time.
func TestTwoLives(t *testing.T) {
	starred := func() *system { return starred().edited(t, "receivers", ",1,500,", ",301,500,") }
	runCases(t, []journalCase{
		{name: "listed, and the copy is of the other life", strategy: recovery.Aggressive, system: chained(full(), "008 13.59 14.40 901 1100"),
			goes: "006 delete, 007 delete, 008 archive+delete, 009 archive+delete"},
		{name: "listed, with both copies", strategy: recovery.Aggressive, system: chained(full(), "008 13.59 14.40 901 1100", "008 13.59 15.00 901 1200"),
			goes: "006 delete, 007 delete, 008 delete, 009 archive+delete"},
		{name: "listed, and only the numbers tell", strategy: recovery.Aggressive, system: chained(full(), "008 13.59 15.00 901 1300"),
			goes: "006 delete, 007 delete, 008 archive+delete, 009 archive+delete"},
		{name: "attached, and the other life has ended it", strategy: recovery.Aggressive, system: chained(full(), "010 17.12 18.00 2001 2400"),
			goes: "006 delete, 007 delete, 008 archive+delete, 009 archive+delete"},
		{name: "absent, with both copies", strategy: recovery.FastStartup,
			system: chained(starred(), "004 08.00 09.00 101 200", "005 09.00 10.15 201 300", "005 09.00 11.00 201 300"),
			goes:   "006 archive+delete, 007 archive+delete, 008 archive+delete", line: "[005] 006 007 008 009 010"},
		{name: "absent, and the copy is of the other life", strategy: recovery.FastStartup,
			system: chained(starred(), "004 08.00 09.00 101 200", "005 09.00 11.00 201 300"), line: "[005] 006 007 008 009 010"},
		{name: "absent, and the numbers are those of the other life", strategy: recovery.FastStartup,
			system: chained(starred(), "004 08.00 09.00 101 200", "005 09.00 10.15 201 290"), line: "[005] 006 007 008 009 010"},
		{name: "absent, and two join alike: none is certain", strategy: recovery.FastStartup,
			system: chained(starred(), "005 09.00 10.15 201 300", "005 08.40 10.15 191 300"), line: "[***] 006 007 008 009 010"},
		{name: "absent, made anew under the name", strategy: recovery.FastStartup,
			system: chained(starred(), "004 01.00 02.00 301 400", "005 02.00 03.00 401 500", "005 09.00 10.15 201 300"),
			goes:   "006 archive+delete, 007 archive+delete, 008 archive+delete", line: "[005] 006 007 008 009 010"},
		{name: "in a break, with both copies", strategy: recovery.FastStartup, system: chained(gone(t, "008"), "008 13.59 14.40 901 1200", "008 13.59 15.00 901 1200"),
			goes: good, open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "in a break, and the copy is of the other life", strategy: recovery.FastStartup, system: chained(gone(t, "008"), "008 13.59 14.40 901 1200"),
			open: "chain-break", line: "006 007 [008] 009 010"},
		{name: "a break over which the clock went back", strategy: recovery.FastStartup, open: "chain-break clock-went-back", goes: "006 delete", line: "006 [007] [008] 009 010",
			system: chained(gone(t, "007", "008"), "007 12.20 23.50 501 900", "008 23.50 15.00 901 1200")},
		{name: "two in a break, one lost", strategy: recovery.FastStartup, open: "chain-break", line: "006 [007] [008] 009 010",
			system: chained(gone(t, "007", "008"), "007 12.20 13.59 501 900")},
		{name: "a damaged copy names what is lost", strategy: recovery.FastStartup,
			system: chained(starred(), "005 09.00 10.15 201 300 NO"), open: "copy-damaged", line: "[005] 006 007 008 009 010"},
		{name: "one copy damaged, one whole", strategy: recovery.FastStartup,
			system: chained(starred(), "005 09.00 10.15 201 300 NO", "005 09.00 10.15 201 300"), open: "copy-damaged", line: "[005] 006 007 008 009 010",
			goes: "006 archive+delete, 007 archive+delete, 008 archive+delete"},
	})
}

// What has no name in the list gets that of its damaged copy, and is lost.
func TestDamagedIsNamed(t *testing.T) {
	s := chained(starred().edited(t, "receivers", ",1,500,", ",301,500,"), "005 09.00 10.15 201 300 NO")
	decision := recovery.Decide([]recovery.Inventory{s.read(t).Inventory}, recovery.Promise{Strategy: recovery.FastStartup})
	text := ""
	for _, f := range decision.Findings {
		if f.Code == finding.ReceiverLost {
			text = f.Text
		}
	}
	if !strings.Contains(text, "LIBA/AMQA000005 is needed") {
		t.Errorf("%q, want that AMQA000005 is lost", text)
	}
}
