package cl

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	word := func(text string) Value { return Value{Text: text} }
	one := func(keyword, text string) Param { return Param{keyword, []Value{word(text)}} }
	tests := map[string]struct {
		text string
		want Command
	}{
		"lower case":     {"dltjrnrcv jrnrcv(qmtest/amqa000007)", Command{Name: "DLTJRNRCV", Params: []Param{one("JRNRCV", "QMTEST/AMQA000007")}}},
		"qualifier":      {"QSYS/DSPOBJD OBJ(A)", Command{Library: "QSYS", Name: "DSPOBJD", Params: []Param{one("OBJ", "A")}}},
		"library list":   {"*LIBL/DSPOBJD A", Command{Library: "*LIBL", Name: "DSPOBJD", Params: []Param{one("", "A")}}},
		"label":          {"AGAIN: CHGJRN A/B *GEN", Command{Label: "AGAIN", Name: "CHGJRN", Params: []Param{one("", "A/B"), one("", "*GEN")}}},
		"label tight":    {"AGAIN:CHGJRN", Command{Label: "AGAIN", Name: "CHGJRN"}},
		"dotted library": {"DSPLIB LIB(QMSATURN.Q)", Command{Name: "DSPLIB", Params: []Param{one("LIB", "QMSATURN.Q")}}},
		"generic":        {"SAVOBJ OBJ(AMQA0000*)", Command{Name: "SAVOBJ", Params: []Param{one("OBJ", "AMQA0000*")}}},
		"not a comment":  {"DSPOBJD OBJ(QMTEST/*ALL) OBJTYPE(*JRNRCV)", Command{Name: "DSPOBJD", Params: []Param{one("OBJ", "QMTEST/*ALL"), one("OBJTYPE", "*JRNRCV")}}},
		"comments":       {"/* first */ DSPLIB /* it's */ LIB(A/* b*/) /**/", Command{Name: "DSPLIB", Params: []Param{one("LIB", "A")}}},
		"plus":           {"DSPLIB LIB(QM+\n     TEST)", Command{Name: "DSPLIB", Params: []Param{one("LIB", "QMTEST")}}},
		"minus":          {"DSPLIB LIB(A -\r\n B)", Command{Name: "DSPLIB", Params: []Param{{"LIB", []Value{word("A"), word("B")}}}}},
		"in quotes":      {"SNDMSG MSG('a+\n  b -\n  c''s')", Command{Name: "SNDMSG", Params: []Param{{"MSG", []Value{{Kind: Text, Text: "ab   c's"}}}}}},
		"sign, comment":  {"DSPLIB + /* the */ /* library */\n  LIB(A)", Command{Name: "DSPLIB", Params: []Param{one("LIB", "A")}}},
		"long comment":   {"DSPLIB /* the +\n  library */ LIB(A)", Command{Name: "DSPLIB", Params: []Param{one("LIB", "A")}}},
		"empty value":    {"CHGJRN MNGRCV()", Command{Name: "CHGJRN", Params: []Param{{Keyword: "MNGRCV"}}}},
		"hex":            {"CALL PARM(x'c1C2')", Command{Name: "CALL", Params: []Param{{"PARM", []Value{{Kind: Hex, Text: "C1C2"}}}}}},
		"quoted name":    {`DSPLIB LIB("a/b")`, Command{Name: "DSPLIB", Params: []Param{one("LIB", `"a/b"`)}}},
		"needless":       {`"DSPLIB" LIB("A"/B)`, Command{Name: "DSPLIB", Params: []Param{one("LIB", "A/B")}}},
		"nested": {"X1 A((B C)(D) 'e')", Command{Name: "X1", Params: []Param{{"A", []Value{
			{Kind: List, Values: []Value{word("B"), word("C")}}, {Kind: List, Values: []Value{word("D")}}, {Kind: Text, Text: "e"}}}}}},
		"command within": {"SBMJOB CMD(DLTJRNRCV JRNRCV(A/B))", Command{Name: "SBMJOB", Params: []Param{{"CMD", []Value{
			word("DLTJRNRCV"), {Kind: Keyed, Text: "JRNRCV", Values: []Value{word("A/B")}}}}}}},
		"expression": {"IF COND(%SST(&A 1 2) *EQ ' ') THEN(RETURN)", Command{Name: "IF", Params: []Param{
			{"COND", []Value{{Kind: Keyed, Text: "%SST", Values: []Value{word("&A"), word("1"), word("2")}}, word("*EQ"), {Kind: Text, Text: " "}}},
			one("THEN", "RETURN")}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			again, err := Parse(got.String())
			if err != nil || !cmp.Equal(got, again) {
				t.Errorf("%q reads back as %v, %v", got, again, err)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":          {" /* only */ \n", "1:1: there is no command"},
		"second":           {"DSPLIB LIB(A)\n\n  DLTLIB LIB(A)", "3:3: a second command"},
		"semicolon":        {"DSPLIB A;DLTLIB A", "1:9: a blank is missing between two parameters"},
		"open quote":       {"SNDMSG MSG('a)\nDLTLIB LIB('A')", "1:12: quoted text is not closed"},
		"open comment":     {"DSPLIB A /* b\nDLTLIB A */", "1:10: a comment is not closed"},
		"slash in comment": {"DSPLIB A /*/", "1:10: a comment is not closed"},
		"open bracket":     {"DSPLIB LIB((A)", "1:11: a bracket is not closed"},
		"close bracket":    {"DSPLIB LIB(A))", "1:14: a blank is missing between two parameters"},
		"after keyword":    {"DSPLIB LIB(A) B", "1:16: a parameter without a keyword behind one that has a keyword"},
		"twice":            {"DSPLIB LIB(A) LIB(B)", "1:21: the keyword LIB twice"},
		"nothing follows":  {"DSPLIB +", "1:9: the line is continued, but nothing follows"},
		"prompt":           {"?DSPLIB", "1:1: prompting needs a person at a screen"},
		"continued":        {"DSPLIB +\n  LIB(A +\n  'b'c)", "3:6: a blank is missing between two values"},
		"no name":          {"1DSP", "1:5: no command's name"},
		"two qualifiers":   {"A/B/C", "1:6: no command's name"},
		"not ASCII":        {"DSPLIB LIB(Ä)", "1:12: a value or a name was expected"},
		"control":          {"DSPLIB\x00", "1:7: a control character"},
		"lone return":      {"DSPLIB A\rDLTLIB A", "1:9: a control character"},
		"next line":        {"DSPLIB A\u0085DLTLIB A", "1:9: a control character"},
		"hex":              {"CALL A X'C'", "1:12: no pairs of hexadecimal digits"},
		"deep":             {"A " + strings.Repeat("(", 100), "1:68: too many brackets"},
		"long":             {"DSPLIB '" + strings.Repeat("A", 33000) + "'", "1:1: a command is longer than 32702 characters"},
		"not UTF-8":        {"DSPLIB \xff", "1:1: the text is not UTF-8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.text)
			var place *Error
			if !errors.As(err, &place) || err.Error() != test.want {
				t.Errorf("%v, %v; want %s", got, err, test.want)
			}
		})
	}
}

func TestParseScript(t *testing.T) {
	got, err := ParseScript("/* nightly */\nCHGJRN QMA/AMQAJRN *GEN\n\nRCDMQMIMG OBJ(*ALL) +\n  OBJTYPE(*ALL)\n")
	if err != nil || len(got) != 2 || got[1].String() != "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL)" {
		t.Fatalf("%v, %v", got, err)
	}
	if _, err := ParseScript("DSPLIB A\nDSPLIB (A"); err == nil || err.Error() != "2:8: a bracket is not closed" {
		t.Fatal(err)
	}
}

func TestCommandReading(t *testing.T) {
	command, err := Parse("DLTJRNRCV QMTEST/AMQA000007 DLTOPT(*IGNINQMSG *IGNTGTRCV)")
	if err != nil {
		t.Fatal(err)
	}
	receiver, ok := command.Positional()[0].Qualified()
	if !ok || receiver != (Qualified{"QMTEST", "AMQA000007"}) || receiver.String() != "QMTEST/AMQA000007" {
		t.Errorf("receiver %v %v", receiver, ok)
	}
	options, ok := command.Get("dltopt")
	if !ok || options.Kind != List || len(options.Values) != 2 || !options.Values[1].Is("*igntgtrcv") {
		t.Errorf("options %v %v", options, ok)
	}
	if _, ok := command.Get("JRNRCV"); ok {
		t.Error("a positional value has a keyword")
	}
	for text, want := range map[string]Qualified{"A": {"", "A"}, `"a/b"/*ALL`: {`"a/b"`, "*ALL"}} {
		if got, ok := (Value{Text: text}).Qualified(); !ok || got != want {
			t.Errorf("%s: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "A/", "/A", "1/QMQM/JOB"} {
		if got, ok := (Value{Text: text}).Qualified(); ok {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command := Command{Name: name().Draw(t, "name")}
		command.Params = append(command.Params, rapid.SliceOfN(positional(), 0, 3).Draw(t, "positional")...)
		for _, keyword := range rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z][A-Z0-9]{0,9}`), 0, 4, rapid.ID).Draw(t, "keywords") {
			command.Params = append(command.Params, Param{keyword, values().Draw(t, "values")})
		}
		got, err := Parse(command.String())
		if err != nil || !cmp.Equal(command, got) {
			t.Fatalf("%q\n%v\n%s", command, err, cmp.Diff(command, got))
		}
	})
}

func name() *rapid.Generator[string] { return rapid.StringMatching(`[A-Z$#@][A-Z0-9$#@_.]{0,9}`) }

func atomic() *rapid.Generator[Value] {
	return rapid.OneOf(
		rapid.Map(name(), func(text string) Value { return Value{Text: text} }),
		rapid.Map(rapid.StringMatching(`[A-Z]{1,5}/\*[A-Z]{1,5}|[A-Z]{2}\*|&[A-Z]{1,5}`), func(text string) Value { return Value{Text: text} }),
		rapid.Map(rapid.StringMatching(`[ -~]{0,20}`), func(text string) Value { return Value{Kind: Text, Text: text} }),
		rapid.Map(rapid.StringMatching(`([0-9A-F]{2}){0,4}`), func(text string) Value { return Value{Kind: Hex, Text: text} }),
	)
}

func positional() *rapid.Generator[Param] {
	return rapid.Map(atomic(), func(value Value) Param { return Param{Values: []Value{value}} })
}

func values() *rapid.Generator[[]Value] {
	list := func(of *rapid.Generator[Value]) *rapid.Generator[[]Value] {
		return rapid.Map(rapid.SliceOfN(of, 0, 3), func(values []Value) []Value {
			if len(values) == 0 {
				return nil
			}
			return values
		})
	}
	return list(rapid.OneOf(atomic(),
		rapid.Map(list(atomic()), func(values []Value) Value { return Value{Kind: List, Values: values} }),
		rapid.Map(list(atomic()), func(values []Value) Value { return Value{Kind: Keyed, Text: "CMD", Values: values} })))
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"DLTJRNRCV JRNRCV(QMTEST/AMQA000007) DLTOPT(*NONE)", "LBL: QSYS/CHGJRN +\n JRN(A/B) - \n JRNRCV(*GEN)",
		"SAVOBJ OBJ(A B) LIB(\"x y\") /* c */", "SNDMSG 'it''s' ((A)(B X'40'))", "DSPOBJD L/*ALL *JRNRCV/* c */ + /* d */\n A",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseScript(text); err != nil {
			var place *Error
			if !errors.As(err, &place) || place.Line < 1 || place.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
		}
		command, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(command.String())
		if err != nil || !cmp.Equal(command, again) {
			t.Fatalf("%q reads back differently: %v\n%s", command, err, cmp.Diff(command, again))
		}
	})
}
