package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
)

const journalHeader = "JOURNAL_NAME,JOURNAL_LIBRARY,JOURNAL_TYPE\n"

// Which library, which journal: each row changes a good system.
func TestFindJournal(t *testing.T) {
	tests := []struct {
		name    string
		system  *system
		library string // configured
		journal string // found; empty: none
		open    finding.Code
	}{
		{"mqs.ini", full(), "", "LIBA/AMQAJRN", ""},
		{"configured", full().without("ini"), "LIBA", "LIBA/AMQAJRN", ""},
		{"configured, and mqs.ini says another", full().edited(t, "ini", "LIBA", "LIBZ"), "LIBA", "", finding.LibraryUnknown},
		{"configured, and mqs.ini is silent", full().without("ini"), "LIBA", "LIBA/AMQAJRN", ""},
		{"configured, no name of a library", full(), "LIBA' OR '1'='1", "", finding.LibraryUnknown},
		{"mqs.ini without the queue manager", full().edited(t, "ini", "Name = QM1", "Name = QM3"), "", "", finding.LibraryUnknown},
		{"mqs.ini compares in case", full().edited(t, "ini", "Name = QM1", "Name = qm1"), "", "", finding.LibraryUnknown},
		{"mqs.ini without a library", full().edited(t, "ini", "Library  =  LIBA", "# Library=LIBA"), "", "", finding.LibraryUnknown},
		{"mqs.ini with a library that is none", full().edited(t, "ini", "LIBA", "LIB A"), "", "", finding.LibraryUnknown},
		{"mqs.ini with two libraries", full().with("ini", "QueueManager:\nName=QM1\nLibrary=LIBA\nQueueManager:\nName=QM1\nLibrary=LIBB\n"), "", "", finding.LibraryUnknown},
		{"mqs.ini with the stanza twice", full().with("ini", "QueueManager:\nName=QM1\nLibrary=LIBA\nQueueManager:\nName=QM1\nLibrary=LIBA\n"), "", "LIBA/AMQAJRN", ""},
		{"mqs.ini with CRLF and tabs", full().with("ini", "; x\r\n\tQueueManager:\r\n\tLibrary=LIBA\r\n\tName\t= QM1\r\n"), "", "LIBA/AMQAJRN", ""},
		{"another stanza with that name", full().with("ini", "ServiceComponent:\nName=QM1\nLibrary=LIBA\n"), "", "", finding.LibraryUnknown},
		{"mqs.ini empty", full().with("ini", ""), "", "", finding.LibraryUnknown},
		{"by convention", full().without("ini").edited(t, "journal", ",LIBA,*LOCAL", ",QMQM1,*LOCAL"), "", "QMQM1/AMQAJRN", ""},
		{"by convention, mqs.ini not to be read", full().failing("ini", "CPFA09C").edited(t, "journal", ",LIBA,*LOCAL", ",QMQM1,*LOCAL"), "", "QMQM1/AMQAJRN", ""},
		{"by convention, and no journal there", full().without("ini"), "", "", finding.JournalUnknown},
		{"one local", full().with("journal", journalHeader+"AMQAJRN,LIBA,*LOCAL\n"), "", "LIBA/AMQAJRN", ""},
		{"without the asterisk", full().with("journal", journalHeader+"AMQAJRN,LIBA,LOCAL\n"), "", "LIBA/AMQAJRN", ""},
		{"letter B", full().with("journal", journalHeader+"AMQBJRN,LIBA,LOCAL\n"), "", "LIBA/AMQBJRN", ""},
		{"local beside remote", full().with("journal", journalHeader+"AMQAJRN,LIBA,*REMOTE\nAMQBJRN,LIBA,*LOCAL\n"), "", "LIBA/AMQBJRN", ""},
		{"two local", full().with("journal", journalHeader+"AMQAJRN,LIBA,*LOCAL\nAMQBJRN,LIBA,*LOCAL\n"), "", "", finding.JournalUnknown},
		{"remote alone", full().with("journal", journalHeader+"AMQAJRN,LIBA,*REMOTE\n"), "", "", finding.JournalUnknown},
		{"none", full().with("journal", journalHeader), "", "", finding.JournalUnknown},
		{"type not told", full().with("journal", "JOURNAL_NAME,JOURNAL_LIBRARY\nAMQAJRN,LIBA\n"), "", "LIBA/AMQAJRN", ""},
		{"type left empty", full().with("journal", journalHeader+"AMQAJRN,LIBA,\n"), "", "", finding.JournalUnknown},
		{"type not told, two", full().with("journal", "JOURNAL_NAME,JOURNAL_LIBRARY\nAMQAJRN,LIBA\nAMQBJRN,LIBA\n"), "", "", finding.JournalUnknown},
		{"of another library", full().with("journal", journalHeader+"AMQAJRN,LIBB,*LOCAL\n"), "", "", finding.JournalUnknown},
		{"other journals do not count", full().with("journal", journalHeader+"QSQJRN,LIBA,*LOCAL\nAMQAJRN2,LIBA,*LOCAL\nAMQAJRN,LIBA,*LOCAL\n"), "", "LIBA/AMQAJRN", ""},
		{"no column of libraries", full().with("journal", "JOURNAL_NAME\nAMQAJRN\n"), "", "", finding.ServiceMissing},
		{"a count that is none", full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,five,1"), "", "", finding.FactsUnreadable},
		{"a count beyond all sense", full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,99999999999,1"), "", "", finding.FactsUnreadable},
		{"remote journals that are no number", full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,5,-1"), "", "", finding.FactsUnreadable},
		{"half a row: no count", full().edited(t, "journal", "MAXOPT2,5,1", "MAXOPT2,,1"), "", "", finding.FactsUnreadable},
		{"half a row: no attached receiver", full().edited(t, "journal", "AMQA000010,LIBA", ",LIBA"), "", "", finding.FactsUnreadable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			target := theTarget
			target.Library = test.library
			facts := test.system.readAs(t, target)
			if got := facts.Inventory.Incarnation; got != test.journal {
				t.Errorf("journal %q, want %q: %v", got, test.journal, facts.Inventory.Open)
			}
			if test.open != "" && (len(facts.Inventory.Open) != 1 || facts.Inventory.Open[0].Code != test.open || !strings.HasPrefix(facts.Inventory.Open[0].Text, "QM1: ")) {
				t.Errorf("open %v, want %s", facts.Inventory.Open, test.open)
			}
			if test.journal == "" && len(facts.Inventory.Segments) > 0 {
				t.Errorf("%d segments of no journal", len(facts.Inventory.Segments))
			}
		})
	}
}

// A name that CRTMQM would not turn into QM and the name has no conventional
// library.
func TestUnconventionalName(t *testing.T) {
	for _, name := range []string{"saturn.queue.manager", "qm1", "NINELONGS", "A.B", ""} {
		facts := full().without("ini").readAs(t, Target{Name: name, Platform: IBMi})
		if !hasCode(facts, finding.LibraryUnknown) {
			t.Errorf("%q: %v", name, facts.Inventory.Open)
		}
	}
}

func TestJournalFacts(t *testing.T) {
	j := full().read(t).Journal
	if j.Library != "LIBA" || j.Name != "AMQAJRN" || j.Attached.Name != "AMQA000010" || j.MessageQueue.String() != "QSYS/QSYSOPR" ||
		j.SystemDeletes || j.SizeOption != "MAXOPT2" || j.Receivers != 5 || j.RemoteJournals != 1 {
		t.Errorf("%+v", j)
	}
	j = full().edited(t, "journal", "NO,MAXOPT2", "*YES,*MAXOPT3").read(t).Journal
	if !j.SystemDeletes || j.SizeOption != "MAXOPT3" {
		t.Errorf("%+v", j)
	}
	if j = bare().read(t).Journal; j.RemoteJournals != 0 || j.Receivers != 5 {
		t.Errorf("%+v", j)
	}
}

func TestZone(t *testing.T) {
	target := theTarget
	target.Zone = "Europe/Berlin"
	facts := full().readAs(t, target)
	if facts.Inventory.Observed.Location().String() != "Europe/Berlin" || len(facts.Inventory.Open) > 0 {
		t.Errorf("%v, %v", facts.Inventory.Observed, facts.Inventory.Open)
	}
	target.Zone = "Europe/Atlantis"
	if facts = full().readAs(t, target); open(facts) != "facts-unreadable" {
		t.Errorf("%v", facts.Inventory.Open)
	}
}
