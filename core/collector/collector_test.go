package collector

import (
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func script(t *testing.T, o Options) string {
	t.Helper()
	got, err := Script(observe.IBMi, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestScriptGolden(t *testing.T) {
	golden(t, "orders.sql", script(t, Options{QueueManager: "ORDERS"}))
	golden(t, "saturn.sql", script(t, Options{
		QueueManager: "saturn.queue.manager", Library: "QMSATURN.Q", Zone: "Europe/Berlin", Output: "/home/mqadm/saturn.mqt",
	}))
}

func TestUnsupported(t *testing.T) {
	for _, platform := range []observe.Platform{observe.ZOS, "vms"} {
		_, err := Script(platform, Options{QueueManager: "ORDERS"})
		var unsupported *ErrUnsupported
		if !errors.As(err, &unsupported) || unsupported.Platform != platform || !strings.Contains(err.Error(), "there is one for ibmi, multiplatforms") {
			t.Errorf("%s: %v", platform, err)
		}
	}
}

func TestOptions(t *testing.T) {
	good := map[string]Options{
		"QMORDERS /home/YOU/mqhk-ORDERS.mqt": {QueueManager: "ORDERS"},
		"QMPAY /home/YOU/mqhk-Pay.Roll.mqt":  {QueueManager: "Pay.Roll", Library: "QMPAY"},
		"QMA /home/YOU/mqhk-a-b.mqt":         {QueueManager: "a/b", Library: "QMA"},
		"QMSATURN.Q /home/x/saturn-1.mqt":    {QueueManager: "saturn", Library: "QMSATURN.Q", Output: "/home/x/saturn-1.mqt"},
	}
	for want, o := range good {
		if got, err := o.checked(); err != nil || got.Library+" "+got.file() != want {
			t.Errorf("%+v: %+v, %v; want %s", o, got, err, want)
		}
	}
	bad := map[string]Options{
		"is not a name":         {QueueManager: "A'; DROP"},
		"queue manager \"\"":    {},
		"mqs.ini":               {QueueManager: "orders"},
		"library of LONGMANAGE": {QueueManager: "LONGMANAGER"},
		"name of CL":            {QueueManager: "A", Library: "QM'A"},
		"Area/City":             {QueueManager: "A", Zone: "Mars/Base"},
		"zone \"Local\"":        {QueueManager: "A", Zone: "Local"},
		"absolute path":         {QueueManager: "A", Output: "a.mqt"},
		"output \"/a b\"":       {QueueManager: "A", Output: "/a b"},
		"256 letters":           {QueueManager: "A", Output: "/" + strings.Repeat("a", 256)},
	}
	for want, o := range bad {
		if _, err := Script(observe.IBMi, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// TestScriptOnlyReads: the only effect is the writing of the output file,
// which is made anew and never replaced.
func TestScriptOnlyReads(t *testing.T) {
	for _, o := range []Options{{QueueManager: "ORDERS"}, longest} {
		got := withoutComments(script(t, o))
		if found := regexp.MustCompile(`\b(INSERT|UPDATE|DELETE FROM|DROP|CREATE|MERGE|GRANT|QCMDEXC|EXECUTE IMMEDIATE)\b`).FindString(got); found != "" {
			t.Errorf("the script has %s", found)
		}
		calls, writes := strings.Count(got, "CALL "), strings.Count(got, "CALL QSYS2.IFS_WRITE_UTF8(PATH_NAME => V_PATH,")
		if calls != writes || strings.Count(got, "SET V_PATH = ") != 1 {
			t.Errorf("%d calls, %d of them write the file", calls, writes)
		}
		modes := regexp.MustCompile(`OVERWRITE => '[A-Z]*'`).FindAllString(got, -1)
		if len(modes) != calls || modes[0] != "OVERWRITE => 'NONE'" || strings.Count(strings.Join(modes[1:], ""), "'APPEND'") != calls-1 {
			t.Errorf("the file is opened as %q", modes)
		}
	}
}

// longest has every value as long as it may be.
var longest = Options{
	QueueManager: strings.Repeat("q", 48), Library: "QMQQQQQQQQ", Zone: "America/North_Dakota/New_Salem",
	Output: "/" + strings.Repeat("o", 255),
}

// TestScriptFitsMargins: RUNSQLSTM reads 80 columns of a line and leaves out
// the rest without a word.
func TestScriptFitsMargins(t *testing.T) {
	long := longest
	long.Output = ""
	for _, o := range []Options{{QueueManager: "ORDERS"}, longest, long} {
		for i, line := range strings.Split(script(t, o), "\n") {
			if len(line) > lastColumn {
				t.Errorf("line %d has %d columns: %s", i+1, len(line), line)
			}
		}
	}
}

// TestScriptIsWellFormed: every literal ends on its own line, the whole is one
// compound statement that ends, parentheses of every prepared statement match.
func TestScriptIsWellFormed(t *testing.T) {
	got := withoutComments(script(t, Options{QueueManager: "ORDERS", Zone: "Europe/Berlin"}))
	for i, line := range strings.Split(got, "\n") {
		if strings.Count(line, "'")%2 != 0 {
			t.Errorf("line %d leaves a literal open: %s", i+1, line)
		}
	}
	begins, ends := regexp.MustCompile(`(?m)^ *BEGIN$`).FindAllString(got, -1), regexp.MustCompile(`(?m)^ *END;$`).FindAllString(got, -1)
	if len(begins) != len(ends) || strings.Count(got, "\nBEGIN\n") != 1 || !strings.HasSuffix(got, "\nEND;\n") {
		t.Errorf("%d BEGIN, %d END", len(begins), len(ends))
	}
	o, _ := longest.checked()
	for _, a := range append(beforeList(o), afterList(o)...) {
		for i, attempt := range a.Attempts {
			statement := expanded(attempt.Select)
			if strings.Count(statement, "(") != strings.Count(statement, ")") || strings.Count(statement, "'")%2 != 0 {
				t.Errorf("%s attempt %d does not close what it opens:\n%s", a.Question, i+1, statement)
			}
			if strings.Contains(attempt.Select, "\n") || len(statement) > 16000 || len(attempt.Columns) > 1000 || len(a.Header(o)) > 300 {
				t.Errorf("%s attempt %d does not fit into its variable", a.Question, i+1)
			}
		}
		if len(a.Attempts) > 9 {
			t.Errorf("%s: the script tells nine attempts apart", a.Question)
		}
	}
}

// expanded does what the script does with a statement before it is prepared.
func expanded(statement string) string {
	for _, k := range kinds {
		statement = strings.ReplaceAll(strings.ReplaceAll(statement, k.Letter+"<", k.Open), ">"+k.Letter, k.Close)
	}
	return strings.ReplaceAll(statement, shortComma, comma)
}

// TestMarksOfColumns: what the script puts in place of its marks is the
// expression of each column, and nothing else is taken for a mark.
func TestMarksOfColumns(t *testing.T) {
	got := expanded("SELECT " + row([]column{{"A", text}, {"B", number}, {"C", stamp}}) + " FROM X WHERE D <> 'Q' AND E > 1")
	want := `SELECT COALESCE('"' CONCAT REPLACE(RTRIM(A), '"', '""') CONCAT '"', '')` +
		` CONCAT ',' CONCAT COALESCE(VARCHAR(B), '') CONCAT ',' CONCAT COALESCE(VARCHAR(CAST(C AS TIMESTAMP)), '')` +
		` FROM X WHERE D <> 'Q' AND E > 1`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	o, _ := Options{QueueManager: "ORDERS"}.checked()
	for _, a := range append(beforeList(o), afterList(o)...) {
		for i, attempt := range a.Attempts {
			count := 0
			if attempt.Columns != "" {
				count = strings.Count(attempt.Columns, ",") + 1
			}
			for _, k := range kinds {
				count -= strings.Count(attempt.Select, k.Letter+"<")
				count += strings.Count(attempt.Select, ">"+k.Letter) - strings.Count(attempt.Select, k.Letter+"<")
			}
			if count != 0 {
				t.Errorf("%s attempt %d: marks that are no columns: %s", a.Question, i+1, attempt.Select)
			}
		}
	}
}

// TestMessageQueuesAreBounded: every attempt reads named queues only, and no
// more of them than fits; one that fails leaves an ERROR block of its own.
func TestMessageQueuesAreBounded(t *testing.T) {
	o, _ := Options{QueueManager: "ORDERS"}.checked()
	for _, a := range []answer{recoveryMessages(o), operatorMessages(), journalMessages(o)} {
		for i, attempt := range a.Attempts {
			if !strings.Contains(attempt.Select, "FETCH FIRST 500 ROWS ONLY") {
				t.Errorf("%s attempt %d has no limit", a.Question, i+1)
			}
			if last := i == len(a.Attempts)-1; strings.Contains(attempt.Select, "TABLE(QSYS2.MESSAGE_QUEUE_INFO(QUEUE_LIBRARY => ") == last {
				t.Errorf("%s attempt %d: the view walks all queues and comes last\n%s", a.Question, i+1, attempt.Select)
			}
		}
	}
}

// withoutComments drops the comments: apostrophes in them open nothing.
func withoutComments(sql string) string {
	return regexp.MustCompile(`(?m)^ *--.*$`).ReplaceAllString(sql, "")
}

// TestLiteral: what is prepared is the statement, and no line is too long.
func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		statement := rapid.StringMatching(`[A-Z', ]*`).Draw(t, "statement")
		indent := rapid.IntRange(0, 20).Draw(t, "indent")
		got := ""
		for piece := range strings.SplitSeq(literal(indent, statement), "\n"+strings.Repeat(" ", indent)+"CONCAT ") {
			inner := strings.TrimSuffix(strings.TrimPrefix(piece, "'"), "'")
			if strings.Count(inner, "'")%2 != 0 || len(piece)+indent+len("CONCAT ;") > lastColumn || got != "" && inner == "" {
				t.Fatalf("%s ends early or late", piece)
			}
			got += strings.ReplaceAll(inner, "''", "'")
		}
		if got != statement {
			t.Fatalf("%q, want %q", got, statement)
		}
	})
}

// TestAssignment: the variable has the value, however many lines it takes.
func TestAssignment(t *testing.T) {
	value := "/" + strings.Repeat("abcdefghi/", 25)
	got := ""
	for i, line := range strings.Split(assignment("F", value), "\n") {
		assigned, ok := strings.CutPrefix(line, "--     F=")
		if more, again := strings.CutPrefix(assigned, "${F}"); ok && again == (i > 0) {
			got += more
		}
	}
	if got != value {
		t.Errorf("%q, want %q", got, value)
	}
}
