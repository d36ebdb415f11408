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
	for _, platform := range []observe.Platform{observe.Multiplatforms, observe.ZOS, "vms"} {
		_, err := Script(platform, Options{QueueManager: "ORDERS"})
		var unsupported *ErrUnsupported
		if !errors.As(err, &unsupported) || unsupported.Platform != platform || !strings.Contains(err.Error(), "there is one for ibmi") {
			t.Errorf("%s: %v", platform, err)
		}
	}
}

func TestOptions(t *testing.T) {
	good := map[string]Options{
		"QMORDERS /tmp/mqhk-ORDERS.mqt":   {QueueManager: "ORDERS"},
		"QMPAY /tmp/mqhk-Pay.Roll.mqt":    {QueueManager: "Pay.Roll", Library: "QMPAY"},
		"QMA /tmp/mqhk-a-b.mqt":           {QueueManager: "a/b", Library: "QMA"},
		"QMSATURN.Q /home/x/saturn-1.mqt": {QueueManager: "saturn", Library: "QMSATURN.Q", Output: "/home/x/saturn-1.mqt"},
	}
	for want, o := range good {
		if got, err := o.checked(); err != nil || got.Library+" "+got.Output != want {
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
	}
	for want, o := range bad {
		if _, err := Script(observe.IBMi, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// TestScriptOnlyReads: the only effect is the writing of the output file.
func TestScriptOnlyReads(t *testing.T) {
	got := withoutComments(script(t, Options{QueueManager: "ORDERS"}))
	for _, call := range regexp.MustCompile(`CALL [^(]*\(PATH_NAME => '[^']*'`).FindAllString(got, -1) {
		if call != "CALL QSYS2.IFS_WRITE_UTF8(PATH_NAME => '/tmp/mqhk-ORDERS.mqt'" {
			t.Errorf("%s", call)
		}
	}
	if found := regexp.MustCompile(`\b(INSERT|UPDATE|DELETE FROM|DROP|CREATE|MERGE|GRANT|QCMDEXC|EXECUTE IMMEDIATE)\b`).FindString(got); found != "" {
		t.Errorf("the script has %s", found)
	}
	if calls, of := strings.Count(got, "CALL "), strings.Count(got, "CALL QSYS2.IFS_WRITE_UTF8("); calls != of {
		t.Errorf("%d calls, %d of them write the file", calls, of)
	}
	if n := strings.Count(got, "OVERWRITE => 'REPLACE'"); n != 1 {
		t.Errorf("the file is replaced %d times", n)
	}
}

// TestScriptIsWellFormed: every literal ends on its own line, every compound
// statement ends, parentheses of every prepared statement match.
func TestScriptIsWellFormed(t *testing.T) {
	got := withoutComments(script(t, Options{QueueManager: "ORDERS", Zone: "Europe/Berlin"}))
	for i, line := range strings.Split(strings.ReplaceAll(got, "\n FROM QSYS2.SYSTEM_VALUE_INFO", " FROM QSYS2.SYSTEM_VALUE_INFO"), "\n") {
		if strings.Count(line, "'")%2 != 0 {
			t.Errorf("line %d leaves a literal open: %s", i+1, line)
		}
	}
	if begins, ends := len(regexp.MustCompile(`(?m)^ *BEGIN$`).FindAllString(got, -1)), len(regexp.MustCompile(`(?m)^ *END;$`).FindAllString(got, -1)); begins != ends || begins == 0 {
		t.Errorf("%d BEGIN, %d END", begins, ends)
	}
	o, _ := Options{QueueManager: "ORDERS"}.checked()
	for _, a := range append(beforeList(o), afterList(o)...) {
		for i, attempt := range a.Attempts {
			if strings.Count(attempt.Select, "(") != strings.Count(attempt.Select, ")") || strings.Count(attempt.Select, "'")%2 != 0 {
				t.Errorf("%s attempt %d does not close what it opens:\n%s", a.Header, i+1, attempt.Select)
			}
			if strings.Count(attempt.Select, "\n") != strings.Count(attempt.Select, "\n ") {
				t.Errorf("%s attempt %d: words run together where a line ends", a.Header, i+1)
			}
			if len(attempt.Select) > 16000 || len(attempt.Columns) > 1000 {
				t.Errorf("%s attempt %d does not fit into its variable", a.Header, i+1)
			}
		}
	}
}

// withoutComments drops the comments: apostrophes in them open nothing.
func withoutComments(sql string) string {
	return regexp.MustCompile(`(?m)^ *--.*$`).ReplaceAllString(sql, "")
}

// TestLiteral: what is prepared is the statement.
func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		statement := rapid.StringMatching(`[A-Z' \n]*`).Draw(t, "statement")
		got := ""
		for piece := range strings.SplitSeq(literal(statement), "\n        CONCAT ") {
			inner := strings.TrimSuffix(strings.TrimPrefix(piece, "'"), "'")
			if strings.Count(inner, "'")%2 != 0 {
				t.Fatalf("%s ends early", piece)
			}
			got += strings.ReplaceAll(inner, "''", "'")
		}
		if want := strings.ReplaceAll(statement, "\n", ""); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
