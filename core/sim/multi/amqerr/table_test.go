package amqerr

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/level"
)

var (
	form   = regexp.MustCompile(`^AMQ\d{4}$`)
	insert = regexp.MustCompile(`\{[^}]*\}`)
)

// Each id stands once, in order, has one of the severities, and uses no
// inserts but those that there are.
func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(Table, func(a, b Text) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the table is not sorted by id")
	}
	for i, row := range Table {
		if i > 0 && Table[i-1].ID == row.ID {
			t.Errorf("%s stands twice", row.ID)
		}
		if !form.MatchString(row.ID) || row.Text == "" || row.Source == "" || levels[row.Severity] == "" {
			t.Errorf("%+v", row)
		}
		for _, found := range insert.FindAllString(row.Text+row.Explanation+row.Action, -1) {
			if !slices.Contains([]string{"{A1}", "{A2}", "{C1}", "{C2}", "{C3}", "{P}"}, found) {
				t.Errorf("%s has no insert %s", row.ID, found)
			}
		}
	}
	if Known("AMQ0000") || !Known("AMQ7467") {
		t.Error("what is known is not what the table has")
	}
}

// Each message is told or printed by something: a row that nothing uses is one
// that nobody would mend.
func TestEveryMessageIsUsed(t *testing.T) {
	var source strings.Builder
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(entry.Name(), "table_") {
			return err
		}
		content, err := os.ReadFile(name)
		source.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range Table {
		if !strings.Contains(source.String(), `"`+row.ID+`"`) {
			t.Errorf("nothing tells %s", row.ID)
		}
	}
}

// The forms of releases: the letter of the severity since 9.0.4, and the name
// of the product since 9.0.
func TestSay(t *testing.T) {
	for release, want := range map[string]string{
		"9.4.0": "AMQ8005I: IBM MQ queue manager changed.", "9.0.0": "AMQ8005: IBM MQ queue manager changed.", "7.5.0": "AMQ8005: WebSphere MQ queue manager changed.",
	} {
		l, err := level.Parse(release)
		if err != nil {
			t.Fatal(err)
		}
		if got := Say(l, "AMQ8005", Inserts{}); got != want {
			t.Errorf("%s: %s", release, got)
		}
	}
	l := level.Level{Version: 7, Release: 5}
	if got := Prose(l, "AMQ7086", Inserts{C1: "QL.A", C2: "qlocal"}); got != "Media image for object QL.A, type qlocal recorded." {
		t.Error(got)
	}
}

// The messages of the log, as they were seen (reference, Multiplatforms 2.1).
func TestTexts(t *testing.T) {
	l := level.Level{Version: 9, Release: 4}
	for _, test := range []struct {
		id   string
		with Inserts
		want string
	}{
		{"AMQ7467", Inserts{C1: "NHARAPP", C2: "S0000011.LOG"}, "AMQ7467I: The oldest log file required to start queue manager NHARAPP is S0000011.LOG."},
		{"AMQ7468", Inserts{C1: "NHARAPP", C2: "S0000000.LOG"}, "AMQ7468I: The oldest log file required to perform media recovery of queue manager NHARAPP is S0000000.LOG."},
		{"AMQ7490", Inserts{A1: 1, A2: 8, C1: "0"}, "AMQ7490I: Log extent statistics: 1 created. 8 reused. 0 deleted."},
		{"AMQ7472", Inserts{C1: "QL.A", C2: "qlocal"}, "AMQ7472E: Object QL.A, type qlocal damaged."},
		{"AMQ5782", Inserts{Percent: 14.49, A2: 512, C1: "/var/mqm/log"}, "AMQ5782I: The file system containing '/var/mqm/log' is 14.49% used, with 512 MB free."},
	} {
		if got := Say(l, test.id, test.with); got != test.want {
			t.Error(got)
		}
	}
}
