package transcript

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// TestHostBlocksAreAskedFor: a hold that nobody would ask for is an error,
// since no hold means that nothing is held.
func TestHostBlocksAreAskedFor(t *testing.T) {
	const declared = ">>> QMGR ORDERS ibmi\n>>> QSG QSG1 zos\n>>> MEMBER QM01 QSG1 active\n"
	tests := map[string]struct {
		text string
		line int    // 0: no error
		say  string // part of the message
	}{
		"named":                {">>> HOLD ORDERS: holds\na\n", 0, ""},
		"folded":               {">>> HOLD ORDERS:   Holds \na\n", 0, ""},
		"left out":             {">>> HOLD ORDERS\n>>> NOTE ORDERS\n>>> STORE ORDERS\n>>> HISTORY ORDERS\n", 0, ""},
		"all four":             {">>> STORE ORDERS: manifests\n>>> NOTE ORDERS: notes\n>>> HISTORY ORDERS: segments\n", 0, ""},
		"of a member":          {">>> HOLD QM01: holds\na\n", 0, ""},
		"of a group":           {">>> HOLD QSG1: holds\na\n", 0, ""},
		"comment":              {">>> HOLD ORDERS: holds # all\na\n", 0, ""},
		"same twice":           {">>> HOLD ORDERS: holds\na\n\n>>> HOLD ORDERS\na\n", 0, ""},
		"two queue managers":   {">>> HOLD ORDERS: holds\na\n>>> HOLD QM01: holds\nb\n", 0, ""},
		"another language":     {">>> MQSC orders: DISPLAY QMSTATUS\na\n", 0, ""},
		"typo":                 {">>> HOLD ORDERS: hold\na\n", 4, `nobody asks HOLD ORDERS: hold, so it would count as none; the question is written "holds"`},
		"glued comment":        {">>> HOLD ORDERS: holds #all\na\n", 4, `nobody asks HOLD ORDERS: holds #all`},
		"word of another":      {">>> STORE ORDERS: notes\na\n", 4, `the question is written "manifests"`},
		"notes":                {">>> NOTE ORDERS: note\na\n", 4, `the question is written "notes"`},
		"history":              {">>> HISTORY ORDERS: receivers\na\n", 4, `the question is written "segments"`},
		"failed and misspelt":  {">>> ERROR HOLD ORDERS: hold\na\n", 4, `the question is written "holds"`},
		"other case":           {">>> HOLD orders: holds\na\n", 4, "HOLD of orders, which no QMGR, QSG or MEMBER line declares, so it would count as none; did you mean ORDERS?"},
		"nobody's":             {">>> STORE PAYROLL\na\n", 4, "STORE of PAYROLL, which no QMGR"},
		"twice, not the same":  {">>> HOLD ORDERS: holds\na\n>>> HOLD ORDERS: holds\nb\n", 6, "HOLD ORDERS stands twice"},
		"once empty":           {">>> HOLD ORDERS\n>>> HOLD ORDERS: holds\nb\n", 5, "HOLD ORDERS stands twice"},
		"once failed":          {">>> HOLD ORDERS: holds\na\n>>> ERROR HOLD ORDERS: holds\na\n", 6, "HOLD ORDERS stands twice"},
		"third, not the same":  {">>> NOTE ORDERS\na\n>>> NOTE ORDERS\na\n>>> NOTE ORDERS: notes\nb\n", 8, "NOTE ORDERS stands twice"},
		"BASE64, not the same": {">>> HOLD ORDERS BASE64\nYQo=\n>>> HOLD ORDERS BASE64\nYgo=\n", 6, "HOLD ORDERS stands twice"},
		"BASE64, the same":     {">>> HOLD ORDERS\na\n>>> HOLD ORDERS BASE64\nYQo=\n", 0, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := read(declared+test.text, nil)
			var syntax *SyntaxError
			switch {
			case test.line == 0 && err != nil:
				t.Errorf("error %v", err)
			case test.line > 0 && (!errors.As(err, &syntax) || syntax.Line != test.line || !strings.Contains(err.Error(), test.say)):
				t.Errorf("error %v, want line %d and %q", err, test.line, test.say)
			}
		})
	}
}

// TestHostMistakesAreNotWritten: what would not be read is not written.
func TestHostMistakesAreNotWritten(t *testing.T) {
	transcript := &Transcript{entries: []entry{&block{language: observe.HoldOn, manager: "ORDERS", text: "holds"}}}
	var out strings.Builder
	if n, err := transcript.WriteTo(&out); err == nil || n != 0 || !strings.Contains(err.Error(), "HOLD of ORDERS") {
		t.Errorf("%v, wrote %q", err, out.String())
	}
}

// TestRecorderKeepsOneAnswerOfTheHost: two that differ could not be read back.
// A failure counts more than an answer, the later more than the earlier.
func TestRecorderKeepsOneAnswerOfTheHost(t *testing.T) {
	q := observe.Question{Language: observe.HoldOn, QueueManager: "QM1", Text: "holds"}
	other := observe.Question{Language: observe.HoldOn, QueueManager: "QM1", Text: "others"}
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	said := func(text string) reply { return reply{q: q, body: []byte(text), at: at} }
	failed := reply{q: q, err: &observe.Failed{Question: q, Body: []byte("gone\n")}}
	for name, test := range map[string]struct {
		replies []reply
		want    []string
	}{
		"changed":        {[]reply{said("a\n"), said("b\n")}, []string{`HOLD QM1: holds "b\n"`}},
		"never changed":  {[]reply{said("a\n"), said("a\n")}, []string{`HOLD QM1: holds "a\n"`, `HOLD QM1: holds "a\n"`}},
		"failed":         {[]reply{said("a\n"), failed, said("b\n")}, []string{`ERROR HOLD QM1: holds "gone\n"`}},
		"empty stranger": {[]reply{{q: other}, said("b\n")}, []string{`HOLD QM1: holds "b\n"`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRecorder(&script{replies: test.replies}, []observe.Target{{Name: "QM1", Platform: observe.IBMi}})
			for _, reply := range test.replies {
				_, _ = r.Ask(t.Context(), reply.q)
			}
			again, err := read(written(t, r.Transcript()), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(dump(again), func(line string) bool { return !strings.Contains(line, "HOLD") })
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestErrorsShowNoControls: words of the file come out so that a terminal only
// shows them.
func TestErrorsShowNoControls(t *testing.T) {
	const escape = "\x1b[31m"
	for name, text := range map[string]string{
		"name":          ">>> QMGR A" + escape + " ibmi\n",
		"zone":          ">>> QMGR A ibmi\n>>> ZONE A Eu" + escape + "rope\n",
		"language":      ">>> S" + escape + "QL A: x\n",
		"file":          ">>> SQL A: x = fi" + escape + "le\n",
		"words":         ">>> CLOCK 2026" + escape + "\n",
		"direction":     ">>> QMGR A\u202e ibmi\n",
		"C1 control":    ">>> QMGR A\u009b31m ibmi\n",
		"hold of":       ">>> QMGR A ibmi\n>>> HOLD A: ho" + escape + "lds\n",
		"question":      ">>> SQL A: " + escape + "\n",
		"platform":      ">>> QMGR A ib" + escape + "mi\n",
		"carriage":      ">>> QMGR A\rB ibmi\n",
		"line break":    ">>> QMGR A\u2028B ibmi vms\n",
		"form feed":     ">>> QMGR A\fB ibmi vms\n",
		"member":        ">>> MEMBER A" + escape + " B active\n",
		"name of a log": ">>> FILE A: /x = \x07\n",
	} {
		_, err := read(text, nil)
		if err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r != ' ' && unwritable(r) || r == '\u2028' }) {
			t.Errorf("%s: %q", name, err)
		}
	}
	_, err := Parse("na"+escape+"me", strings.NewReader(">>> X\n"), nil)
	if want := `na\x1b[31mme:1: header: "X" is neither a language nor a directive`; err == nil || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	got, err := Parse("na"+escape+"me", strings.NewReader(">> QMGR A ibmi\n"), nil)
	if err != nil || len(got.Warnings()) != 1 || strings.Contains(got.Warnings()[0], escape) {
		t.Errorf("%q, %v", got.Warnings(), err)
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain \u00fc \"'\\": "plain \u00fc \"'\\", "\x1b[0m\n": `\x1b[0m\n`, "a\xffb": `a\xffb`, "\ufffd": "\ufffd", "\u202e": `\u202e`,
	} {
		if got := visible(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// What a collector wrote on the system has nothing that the host knew.
func TestSaysHost(t *testing.T) {
	for text, want := range map[string]bool{
		">>> QSG QSG1 zos\n>>> MEMBER QMA1 QSG1 active\n>>> MQSC QSG1: DISPLAY GROUP\na\n": false,
		">>> QSG QSG1 zos\n>>> MEMBER QMA1 QSG1 active\n>>> NOTE QMA1: notes\nID\n":        true,
		">>> QSG QSG1 zos\n>>> HOLD QSG1\n":                                                true,
	} {
		parsed, err := Parse("t", strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed.SaysHost(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
