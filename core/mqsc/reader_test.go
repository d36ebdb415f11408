package mqsc

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseCommand(t *testing.T) {
	tests := map[string]struct {
		text string
		want Command
	}{
		"display":     {"DISPLAY QMSTATUS ALL", Command{"DISPLAY", []Param{{"QMSTATUS", nil}, {"ALL", nil}}}},
		"lower case":  {"dis cfstatus(appl1) type(backup)", Command{"DIS", []Param{{"CFSTATUS", []string{"APPL1"}}, {"TYPE", []string{"BACKUP"}}}}},
		"quotes":      {"ALTER QLOCAL('Orders.In') DESCR('don''t (purge)')", Command{"ALTER", []Param{{"QLOCAL", []string{"Orders.In"}}, {"DESCR", []string{"don't (purge)"}}}}},
		"list":        {"RECOVER CFSTRUCT(A, B C)", Command{"RECOVER", []Param{{"CFSTRUCT", []string{"A", "B", "C"}}}}},
		"where":       {"DIS CFSTRUCT(*) WHERE(RECOVER EQ YES)", Command{"DIS", []Param{{"CFSTRUCT", []string{"*"}}, {"WHERE", []string{"RECOVER", "EQ", "YES"}}}}},
		"blank value": {"DIS USAGE CMDSCOPE(' ') PSID( )", Command{"DIS", []Param{{"USAGE", nil}, {"CMDSCOPE", []string{" "}}, {"PSID", []string{}}}}},
		"blanks":      {"DIS  QUEUE (X)ALL", Command{"DIS", []Param{{"QUEUE", []string{"X"}}, {"ALL", nil}}}},
		"brackets":    {"DEF CHL(A) CONNAME(10.0.0.42(1414))", Command{"DEF", []Param{{"CHL", []string{"A"}}, {"CONNAME", []string{"10.0.0.42(1414)"}}}}},
		"plus":        {"SET LOG ARCH+\n   IVED(S0000001.LOG)", Command{"SET", []Param{{"LOG", nil}, {"ARCHIVED", []string{"S0000001.LOG"}}}}},
		"minus":       {"DIS QMGR -\r\nDESCR", Command{"DIS", []Param{{"QMGR", nil}, {"DESCR", nil}}}},
		"in a string": {"ALTER QMGR DESCR('a +\n   b-\n * c')", Command{"ALTER", []Param{{"QMGR", nil}, {"DESCR", []string{"a b * c"}}}}},
		"comments":    {"* first\n\n  DIS QMGR +\n* between\n  DESCR;\n*last", Command{"DIS", []Param{{"QMGR", nil}, {"DESCR", nil}}}},
		"semicolons":  {";; END ;", Command{Verb: "END"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseCommand(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if again, err := ParseCommand(got.String()); err != nil || !cmp.Equal(got, again) {
				t.Errorf("%q reads back as %v, %v", got, again, err)
			}
		})
	}
}

func TestParseCommandErrors(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":         {"* only a comment\n", "1:1: there is no command"},
		"second line":     {"DIS QMGR\n  ALTER QMGR", "2:3: a second command"},
		"second, same":    {"DIS QMGR; ALTER QMGR", "1:11: a second command"},
		"empty line":      {"DIS QMGR +\n\nALTER QMGR", "3:1: a second command"},
		"string":          {"ALTER QMGR +\n  DESCR('a)\nDIS QMGR", "2:9: string not closed"},
		"bracket":         {"DIS QUEUE(X", "1:10: a bracket is not closed"},
		"inner bracket":   {"DIS QUEUE(X(1)", "1:10: a bracket is not closed"},
		"close":           {"DIS QUEUE(X))", "1:13: a keyword was expected"},
		"commas":          {"REC CFSTRUCT(A,,B)", "1:16: a value was expected"},
		"comma at end":    {"REC CFSTRUCT(A,)", "1:16: a value was expected"},
		"strings":         {"DIS QUEUE('a'b)", "1:14: a comma or a blank is missing between two values"},
		"double quotes":   {`DIS QUEUE("a")`, "1:11: a value was expected"},
		"verb":            {"DISPLAY(X)", "1:8: a blank is missing behind the verb"},
		"pipe":            {"DIS QMGR | rm x", "1:10: a keyword was expected"},
		"nothing follows": {"DIS QMGR +", "1:11: the line is continued, but nothing follows"},
		"control":         {"DIS QMGR\x00", "1:9: a control character"},
		"in a comment":    {"* a\rALTER QMGR\nDIS QMGR", "1:4: a control character"},
		"deep":            {"DIS Q(A" + strings.Repeat("(", 20), "1:24: too many brackets"},
		"not UTF-8":       {"DIS \xff", "1:1: the text is not UTF-8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseCommand(test.text)
			var place *Error
			if !errors.As(err, &place) || err.Error() != test.want {
				t.Errorf("%v, %v; want %s", got, err, test.want)
			}
		})
	}
}

// parseCommands gives all commands of a script, or its first error.
func parseCommands(text string) ([]Command, error) {
	var commands []Command
	for statement, err := range Script([]byte(text)) {
		if err != nil {
			return nil, err
		}
		commands = append(commands, statement.Command)
	}
	return commands, nil
}

func TestCommandsOfAScript(t *testing.T) {
	got, err := parseCommands("* script\nDIS QMGR; dis qmstatus +\n  log\n\nEND\n")
	if err != nil || len(got) != 2 || got[1].String() != "DIS QMSTATUS LOG" {
		t.Fatalf("%v, %v", got, err)
	}
	if got, err := parseCommands("DIS QMGR\nDIS Q("); err == nil || got != nil {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestCommandReading(t *testing.T) {
	command, err := ParseCommand("DIS CFSTATUS(APPL1) TYPE(BACKUP)")
	if err != nil || command.Object() != "CFSTATUS" || command.Name() != "APPL1" {
		t.Fatalf("%v, %v", command, err)
	}
	if values, ok := command.Get("type"); !ok || !cmp.Equal(values, []string{"BACKUP"}) {
		t.Errorf("%v %v", values, ok)
	}
	if _, ok := command.Get("LOGS"); ok || (Command{}).Object() != "" || (Command{}).Name() != "" {
		t.Error("something out of nothing")
	}
}

func TestCommandRoundTrip(t *testing.T) {
	keyword := rapid.StringMatching(`[A-Z][A-Z0-9]{0,11}`)
	value := rapid.OneOf(rapid.StringMatching(`[A-Z0-9._/%*+-]{1,20}`), rapid.StringMatching(`[ -~]{0,20}`), rapid.StringMatching(`[äöü '()*+-]{1,8}`))
	param := rapid.Custom(func(t *rapid.T) Param {
		param := Param{Keyword: keyword.Draw(t, "keyword")}
		if rapid.Bool().Draw(t, "brackets") {
			param.Values = rapid.SliceOfN(value, 0, 3).Draw(t, "values")
		}
		return param
	})
	rapid.Check(t, func(t *rapid.T) {
		command := Command{keyword.Draw(t, "verb"), nil}
		command.Params = append(command.Params, rapid.SliceOfN(param, 0, 5).Draw(t, "params")...)
		got, err := ParseCommand(command.String())
		if err != nil || !cmp.Equal(command, got) {
			t.Fatalf("%q: %v\n%s", command, err, cmp.Diff(command, got))
		}
	})
}

func FuzzParseCommand(f *testing.F) {
	for _, seed := range []string{
		"DISPLAY QMSTATUS ALL", "* c\nDIS CFSTATUS(X) +\n TYPE(BACKUP);", "ALTER QMGR DESCR('don''t -\n x')", "DIS Q(*) WHERE(CURDEPTH GT 0) CONNAME(a(1))",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseCommands(text); err != nil {
			var place *Error
			if !errors.As(err, &place) || place.Line < 1 || place.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
		}
		command, err := ParseCommand(text)
		if err != nil {
			return
		}
		again, err := ParseCommand(command.String())
		if err != nil || !cmp.Equal(command, again) {
			t.Fatalf("%q reads back differently: %v\n%s", command, err, cmp.Diff(command, again))
		}
	})
}
