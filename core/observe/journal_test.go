package observe

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// journalCase changes a good system and says what becomes of it.
type journalCase struct {
	name     string
	system   *system
	strategy recovery.Strategy // none: conservative
	goes     string
	open     string // codes
	line     string // not compared when empty
	needs    string // likewise
}

func runCases(t *testing.T, tests []journalCase) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			strategy := test.strategy
			if strategy == recovery.NoStrategy {
				strategy = recovery.Conservative
			}
			if got := test.system.goesShort(t, strategy); got != test.goes {
				t.Errorf("goes %q, want %q", got, test.goes)
			}
			test.system.spaces = 0
			facts := test.system.read(t)
			if got := open(facts); got != test.open {
				t.Errorf("open %q, want %q", got, test.open)
			}
			if got := lineOf(facts); test.line != "" && got != test.line {
				t.Errorf("line %s, want %s", got, test.line)
			}
			if got := needsOf(facts); test.needs != "" && got != test.needs {
				t.Errorf("needs %s, want %s", got, test.needs)
			}
			if t.Failed() {
				t.Log(facts.Inventory.Open)
			}
		})
	}
}

const good = "006 delete, 007 delete"

// rowStarting is the line of the receivers of full that begins so.
func rowStarting(t *testing.T, prefix string) string {
	t.Helper()
	for line := range strings.Lines(full().answers["receivers"]) {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	t.Fatal(prefix)
	return ""
}

// row is what full says of a receiver of its journal.
func row(t *testing.T, number string) string {
	t.Helper()
	return rowStarting(t, "LIBA,AMQA000"+number)
}

func TestCompleteness(t *testing.T) {
	noJournal := func(s *system) *system {
		return s.edited(t, "receivers", "JOURNAL_LIBRARY,JOURNAL_NAME", "X,Y").edited(t, "receivers", rowStarting(t, "LIBA,AMQB000003"), "")
	}
	runCases(t, []journalCase{
		{name: "as many as the journal says", system: full(), goes: good},
		{name: "fewer than it says", system: full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,6,1"), open: "list-incomplete"},
		{name: "more: one came since", system: full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,4,1"), goes: good},
		{name: "more, and no journal beside them", system: noJournal(full()).edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,4,1"), open: "facts-unreadable"},
		{name: "no journal beside them, and as many", system: noJournal(full()), goes: good},
		{name: "the attached one is not listed", system: full().edited(t, "journal", "AMQA000010,LIBA", "AMQA000011,LIBA"), open: "list-incomplete"},
		{name: "the attached one is in another library", system: full().edited(t, "journal", "AMQA000010,LIBA", "AMQA000010,LIBB"), open: "list-incomplete"},
		{name: "none is listed", system: full().with("receivers", strings.SplitAfter(full().answers["receivers"], "\n")[0]), open: "list-incomplete"},
		{name: "one that was never attached does not make up for one that is missing",
			system: full().edited(t, "receivers", row(t, "007"), "LIBA,AMQA000011,LIBA,AMQAJRN,EMPTY,0,,,,,,,,\n"), open: "list-incomplete chain-break"},
		{name: "one that was never attached is left alone", system: full().edited(t, "receivers", row(t, "006"), row(t, "006")+"LIBA,AMQA000011,LIBA,AMQAJRN,EMPTY,0,,,,,,,,\n"),
			goes: good, line: "006 007 008 009 010 011"},
		{name: "nothing is attached", system: full().edited(t, "receivers", "ATTACHED", "ONLINE"), open: "attached-unknown"},
		{name: "two are attached", system: full().edited(t, "receivers", "ONLINE", "ATTACHED"), open: ""},
		{name: "an older one is attached", system: full().edited(t, "receivers", "AMQAJRN,ATTACHED", "AMQAJRN,FREED").edited(t, "receivers", "ONLINE", "ATTACHED"), open: "attached-unknown"},
		{name: "a break in what is not needed", system: full().edited(t, "receivers", row(t, "007"), "").edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,4,1"),
			goes: "006 delete", open: "chain-break", line: "006 [007] 008 009 010"},
		{name: "a break in what is needed", system: full().edited(t, "receivers", row(t, "009"), "").edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,4,1"),
			open: "chain-break", line: "006 007 008 [009] 010"},
	})
}

// A system that has none of the SQL services says so in one finding each.
func TestWithoutServices(t *testing.T) {
	s := &system{answers: map[string]string{"ini": full().answers["ini"]}, errors: map[string]string{"journal": "SQL0204: JOURNAL_INFO in QSYS2 type *FILE not found.\nmore"}}
	facts := s.read(t)
	if open(facts) != "sql-service-missing" || !strings.Contains(facts.Inventory.Open[0].Text, "SQL QM1: QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='LIBA': SQL0204: JOURNAL_INFO in QSYS2 type *FILE not found.") {
		t.Errorf("%v", facts.Inventory.Open)
	}
}

// Every kind of error that an asker gives keeps everything, and an ended
// context is returned.
func TestAskerErrors(t *testing.T) {
	for want, err := range map[finding.Code]error{
		finding.NotAnswered:     &NotAnswered{},
		finding.FactsUnreadable: &TimedOut{After: time.Second},
		finding.ServiceMissing:  &Failed{Body: []byte("SQL0206")},
	} {
		s := full()
		s.refuse = err
		target := theTarget
		target.Library = "LIBA"
		if facts := s.readAs(t, target); open(facts) != string(want) {
			t.Errorf("%v: %s", err, open(facts))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadJournal(ctx, full(), theTarget); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "QM1") {
		t.Errorf("%v", err)
	}
}
