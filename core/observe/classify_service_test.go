package observe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseService(t *testing.T) {
	tests := map[string]struct {
		text    string
		service string
		want    []Condition
	}{
		"alone":      {" QSYS2.JOURNAL_INFO ", "QSYS2.JOURNAL_INFO", nil},
		"lower case": {"qsys2.journal_info", "QSYS2.JOURNAL_INFO", nil},
		"no schema":  {"ASP_INFO", "ASP_INFO", nil},
		"one":        {"X A='b'", "X", []Condition{{"A", "b"}}},
		"blanks":     {"X  A = 'b c'   D='e'", "X", []Condition{{"A", "b c"}, {"D", "e"}}},
		"and":        {"X a='b' and d='AND E=''f'''", "X", []Condition{{"A", "b"}, {"D", "AND E='f'"}}},
		"empty":      {"X A=''", "X", []Condition{{"A", ""}}},
		"named and":  {"X AND='b'", "X", []Condition{{"AND", "b"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			service, conditions, err := ParseService(test.text)
			if err != nil || service != test.service {
				t.Fatalf("%q, %v", service, err)
			}
			if diff := cmp.Diff(test.want, conditions); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseServiceErrors(t *testing.T) {
	tests := map[string]string{
		"":                       "no name",
		"1X":                     "no name",
		"\"X\"":                  "no name",
		"A.":                     "a schema without a service",
		"A.B.C":                  "where a blank was expected",
		"select 1":               "begins a statement",
		"WITH":                   "begins a statement",
		"X WHERE A='b'":          "no = behind the column WHERE",
		"X A=b":                  "not in quotes",
		"X A='b":                 "not closed",
		"X A='b'C='d'":           "where a blank was expected",
		"X AND A='b'":            "no = behind the column AND",
		"X A='b' OR C='d'":       "no = behind the column OR",
		"X A='b' --":             "where a column was expected",
		"X A='b'; DROP":          "where a blank was expected",
		"X(1)":                   "where a blank was expected",
		"X A='b' AND":            "no = behind the column AND",
		"X A='b\nc'":             "line end",
		"X\tA='b'":               "control character",
		"X A='b' UNION SELECT 1": "no = behind the column UNION",
	}
	for text, want := range tests {
		if service, _, err := ParseService(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", text, service, err, want)
		}
	}
}

func TestParseServiceRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		condition := rapid.Custom(func(t *rapid.T) Condition {
			return Condition{rapid.StringMatching(`[A-Z][A-Z0-9_]{0,9}`).Draw(t, "column"), rapid.StringMatching(`[ -~äß]{0,12}`).Draw(t, "value")}
		})
		want := rapid.SliceOfN(condition, 1, 4).Draw(t, "conditions")
		text := "QSYS2.X"
		for i, c := range want {
			if i > 0 && (c.Column == "AND" || rapid.Bool().Draw(t, "and")) {
				text += " AND"
			}
			text += fmt.Sprintf(" %s='%s'", c.Column, strings.ReplaceAll(c.Value, "'", "''"))
		}
		_, got, err := ParseService(text)
		if err != nil || !cmp.Equal(want, got) {
			t.Fatalf("%q: %v\n%s", text, err, cmp.Diff(want, got))
		}
	})
}

func TestFold(t *testing.T) {
	if got := Fold("  dis\tqmgr \n 'a  b' "); got != "DIS QMGR 'A B'" {
		t.Errorf("%q", got)
	}
}

func TestVerbObject(t *testing.T) {
	tests := []struct {
		language   Language
		text, form string
		only       bool
	}{
		{MQSC, "DISPLAY QMSTATUS", "DISPLAY QMSTATUS", true},
		{MQSC, "dis qmstatus all", "DISPLAY QMSTATUS", false},
		{MQSC, "DIS QMSTATUS TYPE(QMGR) LOG", "DISPLAY QMSTATUS", false},
		{MQSC, "DIS Q(A) CURDEPTH", "DISPLAY QUEUE", false},
		{MQSC, "DISPLAY CFSTATUS TYPE(BACKUP)", "DISPLAY CFSTATUS TYPE(BACKUP)", true},
		{MQSC, "DISPLAY CFSTATUS(X) TYPE(backup)", "DISPLAY CFSTATUS TYPE(BACKUP)", false},
		{MQSC, "DISPLAY CFSTATUS(X)", "DISPLAY CFSTATUS", false},
		{MQSC, "DISPLAY", "", false},
		{MQSC, "FOO BAR", "", false},
		{SQL, "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='X'", "QSYS2.JOURNAL_INFO", false},
		{SQL, "journal_info", "QSYS2.JOURNAL_INFO", true},
		{DB2, "ADMIN_B_STRBACKUP", "CSQ.ADMIN_B_STRBACKUP", true},
		{SQL, "SELECT 1", "", false},
		{CL, "WRKJRNA JRN(A/B) OUTPUT(*PRINT)", "WRKJRNA", false},
		{CL, "DSPMQMVER", "DSPMQMVER", true},
		{CTL, "dspmq -m QM1", "DSPMQ", false},
		{CTL, "dspmq", "DSPMQ", true},
		{IDCAMS, "LISTC ENT(A)", "LISTCAT", false},
		{IDCAMS, "LISTCAT", "LISTCAT", true},
		{MVS, "D XCF,STRUCTURE", "DISPLAY XCF", false},
		{MVS, "D XCF", "DISPLAY XCF", true},
		{LogDir, "/var/mqm", "", false},
		{Store, "", "", false},
	}
	for _, test := range tests {
		if form := VerbObject(test.language, test.text); form != test.form {
			t.Errorf("%s %q: %q, want %q", test.language, test.text, form, test.form)
		}
		if only := OnlyVerbObject(test.language, test.text); only != test.only {
			t.Errorf("%s %q: only is %v", test.language, test.text, only)
		}
	}
}
