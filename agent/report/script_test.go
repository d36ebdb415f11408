package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// submitted gives the lines of a CL script that are not comments.
func submitted(text string) []string {
	var result []string
	for _, l := range strings.Split(text, "\n") {
		if l != "" && !strings.HasPrefix(l, "/*") {
			result = append(result, l)
		}
	}
	return result
}

func TestScriptIsTheStatements(t *testing.T) {
	got := submitted(render(t, figure1(), Options{Format: Script}))
	want := []string{
		"DLTJRNRCV JRNRCV(QMORDERS/AMQA000001) DLTOPT(*NONE)",
		"DLTJRNRCV JRNRCV(QMORDERS/AMQA000002) DLTOPT(*NONE)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// What mqhk would not do, a script does not make a person do.
func TestScriptOfWhatMustNotBeDone(t *testing.T) {
	change := func(f func(*ledger.Target)) ledger.Record {
		r := figure1()
		f(&r.Targets[0])
		return r
	}
	for name, r := range map[string]ledger.Record{
		"several policies": sideBySide(),
		"a critical finding": change(func(t *ledger.Target) {
			t.Findings = []finding.Finding{finding.New(finding.MarkMissing, "AMQ7462 is not known.")}
		}),
		"no plan":             change(func(t *ledger.Target) { t.Error = "killed" }),
		"done already":        change(func(t *ledger.Target) { t.Actions[0].Outcome, t.Actions[1].Outcome = "done", "done" }),
		"unknown outcome":     change(func(t *ledger.Target) { t.Actions[0].Outcome = "unknown" }),
		"no statement":        change(func(t *ledger.Target) { t.Actions[0].Command = "" }),
		"no language":         change(func(t *ledger.Target) { t.Actions[0].Language = "" }),
		"two lines":           change(func(t *ledger.Target) { t.Actions[0].Command += "\nDLTLIB QMORDERS" }),
		"after what is not":   change(func(t *ledger.Target) { t.Actions[0].After = []string{"nothing"} }),
		"a circle":            change(func(t *ledger.Target) { t.Actions[0].After = []string{t.Actions[1].ID} }),
		"no actions":          change(func(t *ledger.Target) { t.Actions = nil }),
		"a comment left open": change(func(t *ledger.Target) { t.Actions[0].Command += " /* and" }),
		"the store saves it": change(func(t *ledger.Target) {
			save := ledger.Action{ID: "save", Kind: "archive", Object: t.Actions[0].Object, QueueManager: t.Name}
			t.Actions = append([]ledger.Action{save}, t.Actions...)
		}),
	} {
		if got := submitted(render(t, r, Options{Format: Script})); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A save stands before the delete that relies on it, wherever the plan has it.
func TestScriptSavesFirst(t *testing.T) {
	r := archived()
	actions := r.Targets[0].Actions
	slices.Reverse(actions)
	got := submitted(render(t, r, Options{Format: Script}))
	var verbs []string
	for _, l := range got {
		if !strings.HasPrefix(l, " ") {
			verbs = append(verbs, strings.Fields(l)[0])
		}
	}
	if !slices.Equal(verbs, []string{"SAVOBJ", "DLTJRNRCV", "SAVOBJ", "DLTJRNRCV"}) {
		t.Errorf("got %q", got)
	}
}

func TestScriptComments(t *testing.T) {
	for _, test := range []struct {
		language observe.Language
		text     string
		want     string
	}{
		{observe.CL, "x */ DLTLIB */ /* y\nz", "/* x * / DLTLIB * / / * y z */\n"},
		{observe.CL, "**//*/", "/* ** // * / */\n"},
		{observe.MQSC, "ends in +", "* ends in + .\n"},
		{observe.CTL, `ends in \`, "# ends in \\ .\n"},
		{observe.CTL, "a\r\nrm x", "# a  rm x\n"},
	} {
		s := scriptWriter{syntax: syntaxOf(test.language)}
		s.comment(test.text)
		if got := s.out.String(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(test.want), " ") || strings.Count(got, "\n") != 1 {
			t.Errorf("%q became %q", test.text, got)
		}
	}
}

func TestUnsafeStatement(t *testing.T) {
	for _, test := range []struct {
		language observe.Language
		text     string
		safe     bool
	}{
		{observe.CL, "DLTJRNRCV JRNRCV(QMSATURN.Q/AMQA000001) DLTOPT(*NONE)", true},
		{observe.CL, "SAVOBJ OBJ(A) LIB(QMA) TEXT('a /* b')", true},
		{observe.CL, "DSPOBJD OBJ(QMA/*ALL)", true},
		{observe.CL, "DLTJRNRCV JRNRCV(A) /*", false},
		{observe.CL, "DLTJRNRCV JRNRCV(A", false},
		{observe.CL, "DLTJRNRCV JRNRCV('A)", false},
		{observe.CL, "DLTJRNRCV JRNRCV(A) +", false},
		{observe.CL, "DLTJRNRCV JRNRCV(A)\x1b", false},
		{observe.MQSC, "SET LOG ARCHIVED(S0000001.LOG)", true},
		{observe.MQSC, "SET LOG ARCHIVED(S0000001.LOG); DELETE QLOCAL(X)", false},
		{observe.MQSC, "* comment", false},
		{observe.CTL, "rcdmqimg -m QM1 -t all '*'", true},
		{observe.CTL, "rcdmqimg -m QM1; rm x", false},
		{observe.CTL, "rcdmqimg -m $(x)", false},
		{observe.MVS, "D GRS", false},
		{"", "X", false},
	} {
		if why := unsafeStatement(test.language, test.text); (why == "") != test.safe {
			t.Errorf("%s %q: %q", test.language, test.text, why)
		}
	}
}

// A folded statement is the statement: joined as CL joins lines, it is the
// same text.
func TestFoldCL(t *testing.T) {
	text := "SAVOBJ OBJ(AMQA000001 AMQA000002) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQHK/AMQA000001) TEXT('it''s  (one') CLEAR(*ALL)"
	folded := foldCL(text)
	joined := ""
	for _, l := range strings.Split(folded, "\n") {
		if len(l) > foldWidth+1 {
			t.Errorf("%d columns: %q", len(l), l)
		}
		joined += strings.TrimSuffix(strings.TrimLeft(l, " "), "+")
	}
	if joined != text || !strings.Contains(folded, "\n") {
		t.Errorf("got %q", folded)
	}
}

// Several languages in one plan: each statement is announced.
func TestScriptOfSeveralLanguages(t *testing.T) {
	target := ledger.Target{Name: "QM1", Platform: "multiplatforms", Policy: "p", Actions: []ledger.Action{
		{ID: "1", Kind: "command", QueueManager: "QM1", Language: "CTL", Command: "rcdmqimg -m QM1 -t all '*'"},
		{ID: "2", Kind: "command", QueueManager: "QM1", Language: "MQSC", Command: "ALTER QMGR DESCR(x)", After: []string{"1"}},
	}}
	golden(t, "languages.script", render(t, record(target), Options{Format: Script}))
}
