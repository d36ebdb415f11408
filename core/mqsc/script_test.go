package mqsc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// placed shows what a script gave: line-last: command, or the error.
func placed(body []byte) []string {
	var lines []string
	for statement, err := range Script(body) {
		if err != nil {
			lines = append(lines, fmt.Sprintf("%d-%d: ! %v", statement.Line, statement.Last, err))
			continue
		}
		lines = append(lines, fmt.Sprintf("%d-%d: %s", statement.Line, statement.Last, statement))
	}
	return lines
}

// The files are laid out as dmpmqcfg and people write them.
func TestScriptFiles(t *testing.T) {
	tests := map[string][]string{
		"dmpmqcfg.mqsc": {
			"9-26: ALTER QMGR CCSID(1208) CHLAUTH(ENABLED) CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) CUSTOM(' ') DEADQ(SYSTEM.DEAD.LETTER.QUEUE) DESCR('Orders (EU) - don''t purge; ask first') IMGINTVL(60) IMGLOGLN(OFF) IMGSCHED(AUTO) SSLKEYR('/var/mqm/qmgrs/ORDERS/ssl/key') FORCE",
			"28-44: DEFINE QLOCAL(ORDERS.IN) ACCTQ(QMGR) BOQNAME(' ') CUSTOM(' ') DEFPSIST(YES) DESCR('Auftr+äge; it''s +1 (or -1)') IMGRCOVQ(QMGR) MAXDEPTH(5000) NOTRIGGER SHARE USAGE(NORMAL) REPLACE",
			"45-51: DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('10.0.0.42(1414),qm2.example(1414)') XMITQ(QM2) SSLPEER(' ') REPLACE",
			"52-57: DEFINE NAMELIST(SPLIT) NAMES(A.B,C.D) DESCR('a long text that goes on in the next line, and in one more') REPLACE",
			"58-63: DEFINE SUB(ORDERS.AUDIT) TOPICSTR('orders/+/new/#') DEST(ORDERS.IN) SELECTOR('Country = ''DE'' AND (Amount > 100)') USERDATA(' ') REPLACE",
			"64-70: SET CHLAUTH(*) TYPE(BLOCKUSER) DESCR('Default rule to disallow privileged users') CUSTOM(' ') USERLIST(*MQADMIN) WARN(NO) ACTION(ADD)",
			"71-75: SET AUTHREC PROFILE(ORDERS.**) OBJTYPE(QUEUE) GROUP('pay admins') AUTHADD(BROWSE,GET,INQ,PUT)",
		},
		"dmpmqcfg_1line.mqsc": {
			"4-4: ALTER QMGR CCSID(1208) DESCR('Orders (EU) - don''t purge; ask first') IMGSCHED(AUTO) FORCE",
			"6-6: DEFINE QLOCAL(ORDERS.IN) DESCR('Aufträge') MAXDEPTH(5000) NOTRIGGER SHARE REPLACE",
			"7-7: SET CHLAUTH(*) TYPE(BLOCKUSER) USERLIST(*MQADMIN) WARN(NO) ACTION(ADD)",
			"8-8: SET AUTHREC PROFILE(ORDERS.**) OBJTYPE(QUEUE) GROUP('pay admins') AUTHADD(BROWSE,GET,INQ,PUT)",
		},
		"setmqaut.txt": {
			"4-4: ! 4:1: SETMQAUT is a control command and no MQSC: dmpmqcfg was asked for it with -o",
			"5-5: ! 5:1: SETMQAUT is a control command and no MQSC: dmpmqcfg was asked for it with -o",
		},
		"site.mqsc": {
			"3-3: DEFINE QL(ORDERS.IN) DESCR('first') REPLACE",
			"4-8: DEF QL('Orders.Out') DESCR('tab\tin it') MAXDEPTH(5000) PUT(ENABLED)",
			"10-10: ALTER QMGR CHLAUTH(DISABLED)",
			"10-10: REFRESH SECURITY(*) TYPE(AUTHSERV)",
			"11-11: DEF CHL(APP) CHLTYPE(SVRCONN) TRPTYPE(TCP) MCAUSER('app') DESCR('( unbalanced')",
			"12-12: DEF LISTENER(L1) TRPTYPE(TCP) CONTROL(QMGR) PORT(1414)",
			"13-13: START LISTENER(L1)",
		},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{string(body), strings.ReplaceAll(string(body), "\n", "\r\n"), "\ufeff" + string(body) + "\x1a"} {
				if diff := cmp.Diff(want, placed([]byte(text))); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// One bad command hides none of the others.
func TestScriptGoesOn(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"bad line":       {"DEF QL(A)\nDEF QL(\nDEF QL(B)", []string{"1-1: DEF QL(A)", "2-2: ! 2:7: a bracket is not closed", "3-3: DEF QL(B)"}},
		"bad, same line": {"DEF QL(A)) x ';' ; DEF QL(B)", []string{"1-1: ! 1:10: a keyword was expected", "1-1: DEF QL(B)"}},
		"open string":    {"DEF QL(A) DESCR('x; DEF QL(B)\nDEF QL(C)", []string{"1-1: ! 1:17: string not closed", "2-2: DEF QL(C)"}},
		"forgotten plus": {"DEF QL(A)\n   DESCR('x') +\n   REPLACE\nDEF QL(B)", []string{"1-1: DEF QL(A)", "2-3: ! 2:9: a blank is missing behind the verb", "4-4: DEF QL(B)"}},
		"banner":         {"5724-H72 (C) Copyright IBM Corp.\nDEF QL(A)\nAMQ8006I: IBM MQ queue created.", []string{"1-1: ! 1:1: a keyword was expected", "2-2: DEF QL(A)", "3-3: ! 3:9: a blank is missing behind the verb"}},
		"password":       {"s3cret!\nDEF QL(A)", []string{"1-1: ! 1:7: a blank is missing behind the verb", "2-2: DEF QL(A)"}},
		"twice":          {"DEF QL(A) DESCR('a') descr('b'); DEF QL(B)", []string{"1-1: ! 1:1: the keyword DESCR twice in one command", "1-1: DEF QL(B)"}},
		"control":        {"DEF QL(A) +\n DESCR('\x01') +\n REPLACE\n* \x02\nDEF QL(B)", []string{"1-3: ! 2:9: a control character", "5-5: DEF QL(B)"}},
		"torn":           {"DEF QL(A)\nDEF QL(B) +\n", []string{"1-1: DEF QL(A)", "2-2: ! 2:12: the line is continued, but nothing follows"}},
		"blank lines":    {"DEF QL(A) +\n\n  \t\n   REPLACE", []string{"1-4: DEF QL(A) REPLACE"}},
		"semicolon ends": {"DEF QL(A) +\n;\nDEF QL(B)", []string{"1-2: DEF QL(A)", "3-3: DEF QL(B)"}},
		"commas":         {",DEF, QL (A,) ,,NAMES(,B,,C ,)", []string{"1-1: DEF QL(A) NAMES(B,C)"}},
		"end":            {"DEF QL(A)\nend\n* note\n\n", []string{"1-1: DEF QL(A)"}},
		"behind the end": {"END\nDEF QL(A)\nDEF QL(B)", []string{"2-2: ! 2:1: a command behind the END of the script"}},
		"Windows-1252":   {"DEF QL(A) DESCR('Gr\xfc\x80')\nDEF QL(B) DESCR('ü')", []string{"1-1: DEF QL(A) DESCR('Grü€')", "2-2: DEF QL(B) DESCR('ü')"}},
		"no quotes":      {"DEF QL(A) DESCR(Grün)", []string{"1-1: DEF QL(A) DESCR('GRüN')"}},
		"long line":      {"DEF QL(A) DESCR('" + strings.Repeat("x", 4000) + "')", []string{"1-1: DEF QL(A) DESCR('" + strings.Repeat("x", 4000) + "')"}},
		"IBM i form":     {"GRTMQMAUT OBJ(A)\n", []string{"1-1: ! 1:1: GRTMQMAUT is a control command and no MQSC: dmpmqcfg was asked for it with -o"}},
		"nothing":        {"", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, placed([]byte(test.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScriptStops(t *testing.T) {
	for statement := range Script([]byte("DEF QL(A); DEF QL(B)\nDEF QL(C)")) {
		if statement.Name() != "A" {
			t.Fatal(statement)
		}
		break
	}
}

// dumped writes a command as dmpmqcfg does: one attribute a line, comments with
// what can't be set between them, and long values broken within their quotes.
func dumped(t *rapid.T, command Command) string {
	var b strings.Builder
	b.WriteString(command.Verb)
	for i, param := range command.Params {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{" +\n   ", " +\n*  ALTDATE(2026-05-20) 'x +\n   ", " +\n\n   ", " -\n ", ",+\n ,", " "}).Draw(t, "between"))
		} else {
			b.WriteString(" ")
		}
		text := param.String()
		if cut := strings.IndexByte(text, '\''); cut >= 0 && rapid.Bool().Draw(t, "broken") {
			text = text[:cut+1] + "-\n" + text[cut+1:]
		}
		b.WriteString(text)
	}
	return b.String() + rapid.SampledFrom([]string{"\n", "\r\n", ";\n", "\n\n* x\n"}).Draw(t, "end")
}

func TestScriptRoundTrip(t *testing.T) {
	keyword := rapid.StringMatching(`[A-Z][A-Z0-9]{0,11}`)
	value := rapid.OneOf(rapid.StringMatching(`[A-Z0-9._/%*]{1,20}`), rapid.StringMatching(`[ -~]{0,20}`), rapid.StringMatching(`[äöü '()*+;,-]{1,8}`))
	rapid.Check(t, func(t *rapid.T) {
		var text string
		var want []Command
		for range rapid.IntRange(0, 4).Draw(t, "commands") {
			command := Command{keyword.Filter(func(v string) bool { return len(v) > 4 }).Draw(t, "verb"), nil}
			for _, key := range rapid.SliceOfNDistinct(keyword, 0, 5, rapid.ID[string]).Draw(t, "keywords") {
				param := Param{Keyword: key}
				if rapid.Bool().Draw(t, "brackets") {
					param.Values = rapid.SliceOfN(value, 0, 3).Draw(t, "values")
				}
				command.Params = append(command.Params, param)
			}
			want = append(want, command)
			text += dumped(t, command)
		}
		got, err := parseCommands(text)
		if err != nil || !cmp.Equal(want, got) {
			t.Fatalf("%q: %v\n%s", text, err, cmp.Diff(want, got))
		}
	})
}

func FuzzScript(f *testing.F) {
	for _, name := range []string{"dmpmqcfg.mqsc", "dmpmqcfg_1line.mqsc", "setmqaut.txt", "site.mqsc"} {
		body, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add([]byte("DEF QL(\xfc) DESCR('a'; END\nA\x00 +"))
	f.Fuzz(func(t *testing.T, body []byte) {
		last := 0
		for statement, err := range Script(body) {
			var place *Error
			switch {
			case err != nil && (!errors.As(err, &place) || place.Line < 1 || place.Column < 1):
				t.Fatalf("error without a place: %v", err)
			case statement.Line < last || statement.Last < statement.Line:
				t.Fatalf("%+v behind line %d", statement, last)
			case err == nil:
				again, err := ParseCommand(statement.String())
				if err != nil || !cmp.Equal(statement.Command, again) {
					t.Fatalf("%q reads back differently: %v\n%s", statement.Command, err, cmp.Diff(statement.Command, again))
				}
			}
			last = statement.Line
		}
	})
}
