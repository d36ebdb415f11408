package observe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// withMarks is full with other recovery points, written shortly: names by
// their last three digits, *** for ten asterisks, times of that day. Blank
// sources are not there.
func withMarks(space, startup, media, reclog, medialog string) *system {
	tokens := func(words string) string {
		name, clock, _ := strings.Cut(words, " ")
		if name = "AMQA000" + name; name == "AMQA000***" {
			name = goneName
		}
		return fmt.Sprintf("%-10s%-10s20260527%s000", name, "LIBA", clock)
	}
	s := full().with("space", tokens(space)).without("messages").without("history")
	if startup != "" {
		s = s.with("messages", messageHeader+"LIBA,QMQMMSG,AMQ7460,2026-05-27-17.30.00.100000,"+tokens(startup)+"\n"+
			"LIBA,QMQMMSG,AMQ7462,2026-05-27-17.30.00.200000,"+tokens(media)+"\n")
	}
	status := "QMNAME(QM1) STATUS(RUNNING)"
	for name, value := range map[string]string{"RECLOG": reclog, "MEDIALOG": medialog} {
		if value != "" {
			status += fmt.Sprintf(" %s(AMQA000%s)", name, value)
		}
	}
	return s.with("status", status).with("store", "")
}

// Every missing receiver is one hole, in the order of the entries; names
// decide where nothing else does. Full lists AMQA000006, which names AMQA000005
// as its previous one.
func TestMissingReceivers(t *testing.T) {
	runCases(t, []journalCase{
		{name: "two, named by all", system: withMarks("003 050000", "005 090000", "003 050000", "005", "003"),
			open: "receiver-not-listed receiver-not-listed", line: "[003] [005] 006 007 008 009 010", needs: "published 003, restart 005, media 003, restart 005, media 003"},
		{name: "times order, whatever the names", system: withMarks("004 050000", "002 090000", "004 050000", "002", "004"),
			open: "receiver-not-listed receiver-not-listed", line: "[004] [002] 006 007 008 009 010"},
		{name: "both in one", system: withMarks("005 083000", "005 090000", "005 083000", "005", "005"),
			open: "receiver-not-listed", line: "[005] 006 007 008 009 010"},
		{name: "asterisks for what QMSTATUS names", system: withMarks("*** 050000", "005 090000", "*** 050000", "005", "003"),
			open: "receiver-not-listed receiver-not-listed", line: "[003] [005] 006 007 008 009 010", needs: "published 003, restart 005, media 003, restart 005, media 003"},
		{name: "asterisks that nobody names", system: withMarks("*** 050000", "005 090000", "*** 050000", "005", ""),
			open: "receiver-not-listed", line: "[***] [005] 006 007 008 009 010", needs: "published ***, restart 005, media ***, restart 005"},
		{name: "asterisks for both, which may be one", system: withMarks("*** 050000", "*** 090000", "*** 050000", "", ""),
			line: "[***] 006 007 008 009 010", needs: "published ***, restart ***, media ***"},
		{name: "asterisks since, for an entry that has a name", system: withMarks("*** 050000", "009 160000", "003 050000", "009", "003"),
			open: "receiver-not-listed", line: "[003] 006 007 008 009 010", needs: "published 003, restart 009, media 003, restart 009, media 003"},
		{name: "names alone: by their numbers", system: withMarks("*** 050000", "", "", "004", "002"),
			open: "receiver-not-listed receiver-not-listed", line: "[002] [004] 006 007 008 009 010", needs: "published 002, restart 004, media 002"},
		{name: "names alone: the chain knows the newest", system: withMarks("*** 050000", "", "", "005", "999"),
			open: "receiver-not-listed receiver-not-listed", line: "[999] [005] 006 007 008 009 010", needs: "published 999, restart 005, media 999"},
		{name: "names alone, one of them known", system: withMarks("*** 050000", "", "", "004", ""),
			open: "receiver-not-listed", line: "[***] [004] 006 007 008 009 010"},
		{name: "QMSTATUS names another than the message", system: withMarks("003 050000", "009 160000", "003 050000", "009", "004"),
			open: "receiver-not-listed receiver-not-listed", line: "[003] [004] 006 007 008 009 010"},
		{name: "a name that is there, and a time before everything", system: withMarks("008 010000", "009 160000", "008 010000", "009", "008"),
			open: "marks-disagree marks-disagree", line: "[***] 006 007 008 009 010"},
	})
}

// One finding names all who name a receiver.
func TestNotListedNamesItsSources(t *testing.T) {
	for _, f := range withMarks("003 050000", "009 160000", "003 050000", "009", "003").read(t).Inventory.Open {
		if want := "AMQJRNINF in LIBA; AMQ7462 in LIBA/QMQMMSG, sent 2026-05-27 17.30.00; MEDIALOG of DISPLAY QMSTATUS name AMQA000003, which"; f.Code == finding.ReceiverNotListed && !strings.Contains(f.Text, want) {
			t.Error(f.Text)
		}
	}
}

// Whatever the sources say of missing receivers: each name stands once, each
// recovery point has a place, and of two points with times the later one is
// not read from further back.
func TestMissingReceiversProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gatherer{gathering: gathering{target: theTarget, inventory: new(recovery.Inventory)}, facts: JournalFacts{Journal: Journal{Library: "LIBA"}}, shelf: newShelf(nil, nil)}
		g.chain.receivers = []Receiver{{ID: recovery.SegmentID{QueueManager: "QM1", Library: "LIBA", Name: "AMQA000006"}, Previous: recovery.SegmentID{QueueManager: "QM1", Library: "LIBA", Name: "AMQA000005"}}}
		for i := range rapid.IntRange(1, 7).Draw(t, "marks") {
			m := mark{kind: rapid.SampledFrom([]recovery.NeedKind{recovery.Published, recovery.Restart, recovery.Media}).Draw(t, "kind"), source: fmt.Sprint("source ", i)}
			if number := rapid.IntRange(1, 5).Draw(t, "number"); rapid.Bool().Draw(t, "named") {
				m.name = fmt.Sprintf("AMQA%06d", number)
				m.library = rapid.SampledFrom([]string{"", "LIBA"}).Draw(t, "library")
				if rapid.Bool().Draw(t, "timed") { // a receiver's entries are its own
					m.entry = Stamp{at("05:00:00").Add(time.Duration(number)*time.Hour + time.Duration(i)*time.Minute)}
				}
			} else {
				m.gone, m.entry = true, Stamp{at("05:00:00").Add(time.Duration(rapid.IntRange(60, 400).Draw(t, "minute")) * time.Minute)}
			}
			g.marks = append(g.marks, m)
		}
		places, line := g.placeMarks(nil)
		seen := map[string]bool{}
		for _, p := range line {
			if name := p.segment.ID.Name; name != goneName && seen[name] {
				t.Fatalf("%s stands twice: %+v", name, g.marks)
			} else {
				seen[name] = true
			}
		}
		for i, m := range g.marks {
			if places[i] < 0 || places[i] >= len(line) || m.name != "" && line[places[i]].segment.ID.Name != m.name {
				t.Fatalf("%s lies in %d of %+v", m, places[i], line)
			}
			for j, other := range g.marks {
				previous := line[places[i]].segment.ID.Name == "AMQA000005" || line[places[j]].segment.ID.Name == "AMQA000005" // the chain's word goes before times
				if !m.entry.IsZero() && m.entry.Before(other.entry.Time) && places[i] > places[j] && !previous {
					t.Fatalf("%s lies in %d, %s in %d", m, places[i], other, places[j])
				}
			}
		}
	})
}

// A tie is read from one receiver earlier; the need keeps the name that MQ
// gives, and an earlier run that saw the same is no step back.
func TestTieKeepsTheName(t *testing.T) {
	s := withMarks("008 135900", "009 160000", "008 135900", "009", "").
		with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T20:00:00Z,media,LIBA,AMQA000008,\n").with("store", full().answers["store"])
	facts := s.read(t)
	if open(facts) != "mark-tie mark-tie" || !strings.Contains(facts.Inventory.Open[0].Text, "LIBA/AMQA000008 was attached in the second of the entry, 2026-05-27 13:59:00, so the entry may lie in LIBA/AMQA000007") {
		t.Errorf("%v", facts.Inventory.Open)
	}
	for _, n := range facts.Inventory.Needs {
		if n.Kind != recovery.Restart && n.Name != "AMQA000008" {
			t.Errorf("%+v", n)
		}
	}
	verdicts := recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: recovery.Conservative}).Managers[0].Verdicts
	if want := "needed from the media point in AMQA000008 (its entry may lie in AMQA000007) and"; !strings.HasPrefix(verdicts[1].Why, want) {
		t.Errorf("%v", verdicts)
	}
}

// A time alone, in the second in which the oldest receiver on the system was
// attached, may be that of the one before it, which is gone: nobody may be told
// that a recovery finds all it needs.
func TestTieWithWhatIsGone(t *testing.T) {
	s := full().with("space", "          LIBA      20260527101500700\n").without("messages").without("history").with("status", "QMNAME(QM1) STATUS(RUNNING)\n").with("store", "")
	facts := s.read(t)
	if !strings.Contains(open(facts), "mark-tie") {
		t.Errorf("%v", facts.Inventory.Open)
	}
	out := recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: recovery.Conservative}).Managers[0].Outlook
	if out.Rebuild.Missing == 0 {
		t.Errorf("%+v", out)
	}
}
