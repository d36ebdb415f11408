package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
)

// read parses a transcript whose bodies may stand in the given files.
func read(text string, files map[string]string) (*Transcript, error) {
	return Parse("t.mqt", strings.NewReader(text), func(name string) ([]byte, error) {
		body, ok := files[name]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(body), nil
	})
}

func ask(t *testing.T, p *Player, language observe.Language, manager, text string) string {
	t.Helper()
	got, err := p.Ask(context.Background(), observe.Question{Language: language, QueueManager: manager, Text: text})
	if err != nil {
		t.Fatalf("%s %s: %s: %v", language, manager, text, err)
	}
	return string(got.Body)
}

// TestGrammar holds each sentence on the format against the reader.
func TestGrammar(t *testing.T) {
	const header = ">>> FILE QM1: /etc/x\n"
	tests := map[string]struct {
		text string
		want string
	}{
		"comment before the first block":       {"words\n\\words\n# words\n" + header + "a\n", "a\n"},
		"words after a leading directive":      {">>> CLOCK 2026-05-28T02:00:00Z\nwords\n" + header + "a\n", "a\n"},
		"comment in a header":                  {">>> FILE QM1: /etc/x \t# it's this\na\n", "a\n"},
		"no comment without blanks around":     {">>> FILE QM1: /etc/x#y\nb\n" + header + "a\n", "a\n"},
		"a comment's sign in a body":           {header + "# a # b\n", "# a # b\n"},
		"escaped mark":                         {header + "\\>>> a\n", ">>> a\n"},
		"escaped backslash":                    {header + "\\\\a\n", "\\a\n"},
		"backslash within a line":              {header + "C:\\a\n", "C:\\a\n"},
		"mark within a line":                   {header + " >>> a\n", " >>> a\n"},
		"body in a file":                       {">>> FILE QM1: /etc/x = BODY.LOG   # beside\n", "from a file"},
		"nothing but comment after it":         {">>> FILE QM1: /etc/x = BODY.LOG\n\n# words\n", "from a file"},
		"BASE64":                               {">>> FILE QM1: /etc/x BASE64\nAAH/\n", "\x00\x01\xff"},
		"BASE64 in lines":                      {">>> FILE QM1: /etc/x BASE64\nAA\n\nH/\n", "\x00\x01\xff"},
		"BASE64 in a file":                     {">>> FILE QM1: /etc/x = PACKED BASE64\n", "\x00\x01\xff"},
		"byte order mark":                      {"\xef\xbb\xbf" + header + "a\n", "a\n"},
		"carriage returns":                     {">>> FILE QM1: /etc/x\r\na\r\nb\r\n", "a\nb\n"},
		"last line without an end":             {header + "a", "a\n"},
		"empty lines belong to the body":       {header + "a\n\n", "a\n\n"},
		"no body":                              {header, ""},
		"UTF-8":                                {header + "Gr\u00fc\u00dfe\n", "Gr\u00fc\u00dfe\n"},
		"a directive ends a body":              {header + "a\n>>> CLOCK 2026-05-28T02:00:00Z\n\n# words\n", "a\n"},
		"white space in a header":              {">>>  FILE\tQM1 :   /etc/x  \na\n", "a\n"},
		"an equals sign that belongs to words": {">>> FILE QM1: a = 'b'\nx\n" + header + "a\n", "a\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := read(test.text, map[string]string{"BODY.LOG": "from a file", "PACKED": "AAH/"})
			if err != nil {
				t.Fatal(err)
			}
			if body := ask(t, got.Player(), observe.File, "QM1", "/etc/x"); body != test.want {
				t.Errorf("body %q, want %q", body, test.want)
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := map[string]struct {
		text string
		line int
		say  string
	}{
		"unknown language":      {"\n>>> RPG QM1: X\n", 2, `"RPG" is neither a language nor a directive`},
		"lower case language":   {">>> sql QM1: X\n", 1, "neither a language"},
		"empty header":          {">>>\n", 1, "says nothing"},
		"no queue manager":      {">>> MQSC : DISPLAY QMGR\n", 1, "names no queue manager"},
		"two words for a name":  {">>> MQSC QM 1: DISPLAY QMGR\n", 1, "one word"},
		"no question":           {">>> MQSC QM1\n", 1, "asks nothing"},
		"path for a file":       {">>> FILE Q: x = a/b\n", 1, "not a plain file name"},
		"parent for a file":     {">>> FILE Q: x = ..\n", 1, "not a plain file name"},
		"backslash for a file":  {">>> FILE Q: x = a\\b\n", 1, "not a plain file name"},
		"absolute file":         {">>> FILE Q: x = /etc/passwd\n", 1, "not a plain file name"},
		"two files":             {">>> FILE Q: x = A = B\n", 1, "ends with more"},
		"BASE64 twice":          {">>> FILE Q: x BASE64 BASE64\nAAH/\n", 1, "ends with more"},
		"missing file":          {"\n\n>>> FILE Q: x = GONE\n", 3, "file GONE: file does not exist"},
		"body under a file":     {">>> FILE Q: x = BODY\na\n", 2, "the body is in the file BODY"},
		"cut in BASE64":         {">>> FILE Q: x BASE64\nAAH\n", 1, "was the file cut?"},
		"cut at a group":        {">>> FILE Q: x BASE64\nAAH/", 1, "ends inside this BASE64 body"},
		"cut before BASE64":     {">>> FILE Q: x BASE64\n", 1, "was the file cut?"},
		"not UTF-8":             {">>> FILE Q: x\na\n\xff\n", 3, "not UTF-8"},
		"lost backslash":        {">>> FILE Q: x\n\\a\n", 2, `written with another \`},
		"two queue managers":    {">>> QMGR Q ibmi\n>>> QMGR Q zos\n", 2, "Q is declared twice"},
		"group and manager":     {">>> QMGR Q zos\n>>> QSG Q zos\n", 2, "Q is declared twice"},
		"platform":              {">>> QMGR Q vms\n", 1, "vms"},
		"group not on zos":      {">>> QSG Q ibmi\n", 1, "on zos"},
		"platform missing":      {">>> QMGR Q\n", 1, "QMGR is written"},
		"clock without offset":  {">>> CLOCK 2026-05-28T02:00:00\n", 1, "is not a time"},
		"clock of nothing":      {">>> CLOCK\n", 1, "CLOCK is written"},
		"clock of no day":       {">>> CLOCK Q 2026-02-30T02:00:00Z\n", 1, "is not a time"},
		"zone":                  {">>> QMGR Q ibmi\n>>> ZONE Q Europe/Nowhere\n", 2, "zone of Q"},
		"zone of the reader":    {">>> QMGR Q ibmi\n>>> ZONE Q Local\n", 2, "Local"},
		"zone of nobody":        {">>> ZONE Q Europe/Berlin\n", 1, "zone of Q"},
		"member of nothing":     {">>> MEMBER Q G active\n", 1, "no QSG line"},
		"member in a strange":   {">>> QSG G zos\n>>> MEMBER Q G asleep\n", 2, "MEMBER is written"},
		"member twice":          {">>> QSG G zos\n>>> MEMBER Q G ended\n>>> MEMBER Q G active\n", 3, "twice"},
		"words after directive": {">>> FILE Q: x\n>>> CLOCK 2026-05-28T02:00:00Z\nwords\n", 3, "a directive has no body"},
		"error of nothing":      {">>> ERROR\n", 1, "neither a language"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := read(test.text, map[string]string{"BODY": "x"})
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("error %v, want a SyntaxError", err)
			}
			if syntax.File != "t.mqt" || syntax.Line != test.line || !strings.Contains(err.Error(), test.say) {
				t.Errorf("error %v, want line %d and %q", err, test.line, test.say)
			}
		})
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := Parse("t", strings.NewReader(">>> FILE Q: x = NAME\n"), nil); err == nil {
		t.Error("a body from a file was read without a folder")
	}
}

func TestOpenReadsBesideAndNowhereElse(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("AMQERR01.LOG", "log\n")
	write("good.mqt", ">>> FILE Q: x = AMQERR01.LOG\n")
	write("link.mqt", ">>> FILE Q: x = LINK\n")
	write("dir.mqt", ">>> FILE Q: x = DIR\n")
	if err := os.Symlink("AMQERR01.LOG", filepath.Join(folder, "LINK")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "DIR"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Open(filepath.Join(folder, "good.mqt"))
	if err != nil {
		t.Fatal(err)
	}
	if body := ask(t, got.Player(), observe.File, "Q", "x"); body != "log\n" {
		t.Errorf("body %q", body)
	}
	for _, name := range []string{"link.mqt", "dir.mqt", "gone.mqt"} {
		if _, err := Open(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestTargets(t *testing.T) {
	got, err := read(`>>> QSG QSG1 zos
>>> MEMBER QM01 QSG1 active
>>> MEMBER QM02 QSG1 ended
>>> ZONE QM01 Europe/Berlin
>>> ZONE QM02 Europe/Berlin
>>> QMGR ORDERS ibmi
>>> ZONE ORDERS Europe/Paris
>>> QMGR QM1 multiplatforms
>>> USRSPC ORDERS: qmpay/amqjrninf
x
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []observe.Target{
		{Name: "QSG1", Platform: observe.ZOS, Group: true, Members: []string{"QM01", "QM02"}, Zone: "Europe/Berlin"},
		{Name: "ORDERS", Platform: observe.IBMi, Zone: "Europe/Paris", Library: "QMPAY"},
		{Name: "QM1", Platform: observe.Multiplatforms},
	}
	if diff := cmp.Diff(want, got.Targets()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Member{{"QM01", true}, {"QM02", false}}, got.Members("QSG1")); diff != "" {
		t.Error(diff)
	}
}

func TestClock(t *testing.T) {
	got, err := read(">>> CLOCK 2026-05-28T02:00:00+02:00\n>>> CLOCK Q 2026-05-28T03:00:00Z\n>>> CLOCK 2026-05-28T04:00:00Z\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for manager, want := range map[string]string{"Q": "2026-05-28T03:00:00Z", "R": "2026-05-28T04:00:00Z"} {
		if at, ok := got.Clock(manager); !ok || at.Format(time.RFC3339) != want {
			t.Errorf("clock of %s: %s, want %s", manager, at, want)
		}
	}
	if _, ok := (&Transcript{}).Clock("Q"); ok {
		t.Error("a transcript without CLOCK knows the time")
	}
}

func TestSyntaxErrorUnwraps(t *testing.T) {
	_, err := read(">>> FILE Q: x = GONE\n", nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v does not wrap the cause", err)
	}
}

// written gives the canonical form.
func written(t interface{ Fatal(...any) }, transcript *Transcript) string {
	var out bytes.Buffer
	if _, err := transcript.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func FuzzParse(f *testing.F) {
	sample, err := os.ReadFile("testdata/orders.mqt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sample))
	f.Add(">>> FILE Q: x BASE64\nAAH/\n>>> ERROR MQSC Q: DISPLAY LOG # x\n\\>>> y\n")
	f.Add("\xef\xbb\xbf>>> QSG G zos\r\n>>> MEMBER A G ended\r\n>>> ZONE A UTC\r\n>>> HOLD A\r\n>>> SYSLOG A = B\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := read(text, map[string]string{"B": "b"})
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("not a SyntaxError: %v", err)
			}
			return
		}
		once := written(t, first)
		second, err := Parse("again", strings.NewReader(once), nil)
		if err != nil {
			t.Fatalf("canonical form is not read: %v\n%s", err, once)
		}
		if diff := cmp.Diff(fmt.Sprintf("%+v", dump(first)), fmt.Sprintf("%+v", dump(second))); diff != "" {
			t.Fatal(diff)
		}
		if again := written(t, second); again != once {
			t.Fatal(cmp.Diff(once, again))
		}
	})
}

// dump gives the entries by value.
func dump(t *Transcript) []string {
	var out []string
	for _, e := range t.entries {
		line := headerLine(e)
		if b, ok := e.(*block); ok {
			line += fmt.Sprintf(" %q", b.body)
		}
		out = append(out, line)
	}
	return out
}
