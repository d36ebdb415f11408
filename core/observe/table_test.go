package observe

import (
	"slices"
	"strings"
	"testing"
)

func TestReadTable(t *testing.T) {
	tests := []struct {
		name, body string
		want       string // cells of columns A and B and the lines
	}{
		{"plain", "A,B\n1,2\n3,4\n", "1|2@2 3|4@3"},
		{"no line end at the end", "A,B\n1,2", "1|2@2"},
		{"byte order mark", "\xef\xbb\xbfA,B\n1,2\n", "1|2@2"},
		{"CRLF", "A,B\r\n1,2\r\n", "1|2@2"},
		{"other order", "B,A\n2,1\n", "1|2@2"},
		{"more columns", "A,X,B\n1,x,2\n", "1|2@2"},
		{"a column fewer", "A\n1\n", "1|@2"},
		{"lower case and blanks in the header", " a , B\n1,2\n", "1|2@2"},
		{"quoted, with a comma, a quote and a line end", "A,B\n\"1,\"\"\n1\",2\n3,4\n", "1,\"\n1|2@2 3|4@4"},
		{"blanks around", "A,B\n 1 ,  2\n", "1|2@2"},
		{"nulls", "A,B\n,NULL\n-,null\n", "|@2 |@3"},
		{"an empty line between", "A,B\n\n1,2\n", "1|2@3"},
		{"header only", "A,B\n", ""},
		{"header only, no line end", "A,B", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table, err := ReadTable([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, row := range table.Rows() {
				rows = append(rows, row.Text("A")+"|"+row.Text("B")+"@"+string(rune('0'+row.Line)))
			}
			if got := strings.Join(rows, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestReadTableWrong(t *testing.T) {
	tests := []struct{ name, body, names string }{
		{"empty", "", "empty"},
		{"a byte order mark alone", "\xef\xbb\xbf", "empty"},
		{"line ends alone", "\n\r\n", "empty"},
		{"ragged: fewer", "A,B\n1,2\n3\n", "line 3"},
		{"ragged: more", "A,B\n1,2,3\n", "line 2"},
		{"half-written last row", "A,B,C\n1,2,3\n4,5", "line 3"},
		{"quote never closed", "A,B\n1,\"2\n3,4\n", "line"},
		{"quote in the middle", "A,B\n1,2\"3\n", "line 2"},
		{"text behind a quoted cell", "A,B\n1,\"2\"3\n", "line 2"},
		{"a column twice", "A,B,A\n", "column A stands twice"},
		{"a column twice in other case", "A,b,B\n", "column B stands twice"},
		{"a column without a name", "A,\n1,2\n", "column 2 has no name"},
	}
	for _, test := range tests {
		if table, err := ReadTable([]byte(test.body)); err == nil || !strings.Contains(err.Error(), test.names) {
			t.Errorf("%s: %v, %v", test.name, table, err)
		}
	}
}

func TestTableColumns(t *testing.T) {
	table, err := ReadTable([]byte("JRNRCV,SYS_DNAME,STATUS\n AMQA000001 ,LIBA,\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !table.Has("JOURNAL_RECEIVER_NAME") || !table.Has("JOURNAL_LIBRARY") || table.Has("SIZE") {
		t.Error("system names of columns")
	}
	if missing := table.Missing("STATUS", "SIZE", "JOURNAL_NAME"); !slices.Equal(missing, []string{"SIZE", "JOURNAL_NAME"}) {
		t.Error(missing)
	}
	row := table.Rows()[0]
	if row.Text("JOURNAL_RECEIVER_NAME") != "AMQA000001" || row.Raw("JRNRCV") != "AMQA000001 " || row.Raw("SIZE") != "" {
		t.Errorf("%q %q", row.Text("JOURNAL_RECEIVER_NAME"), row.Raw("JRNRCV"))
	}
	for _, c := range []struct {
		column, value string
		want          bool
	}{
		{"JOURNAL_LIBRARY", "LIBA", true},
		{"JOURNAL_LIBRARY", "LIBB", false},
		{"STATUS", "SAVED", false},    // null says nothing, and is not the value
		{"JOURNAL_NAME", "AMQ", true}, // not there: does not contradict
	} {
		if row.Is(c.column, c.value) != c.want {
			t.Errorf("Is(%s, %s)", c.column, c.value)
		}
	}
	if empty := (&Table{}); empty.Has("A") || len(empty.Rows()) != 0 {
		t.Error("the empty table")
	}
}
