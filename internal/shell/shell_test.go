package shell

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestWord(t *testing.T) {
	for _, test := range []struct {
		word, want string
		ok         bool
	}{
		{"mqm", "mqm", true},
		{"/var/mqm/log/PAY.1/active", "/var/mqm/log/PAY.1/active", true},
		{"/var/mqm/log/PAY!1/active", "'/var/mqm/log/PAY!1/active'", true},
		{"**", "'**'", true},
		{"", "''", true},
		{"~", "'~'", true},
		{"a b", "'a b'", true},
		{"$HOME", "'$HOME'", true},
		{"it's", `"it's"`, true},
		{"it's $5", `'it'\''s $5'`, true},
		{"DISPLAY QLOCAL('Q')", `"DISPLAY QLOCAL('Q')"`, true},
		{"Müller", "'Müller'", true},

		{"r\x00\x7ft", "", false},
		{"a\nb", "", false},
		{"a\rb", "", false},
		{"a\tb", "", false},
		{"\x1b[2K", "", false},
		{"a\x7fb", "", false},
		{"a\u0085b", "", false}, // a line end of EBCDIC systems
		{"a\u2028b", "", false}, // line separator
		{"a\u202eb", "", false}, // what follows shows backwards
		{"a\u200bb", "", false}, // no width
		{"a\ufffdb", "", false}, // something that could not be decoded
		{"a\xffb", "", false},   // no UTF-8
	} {
		if got, ok := Word(test.word); got != test.want || ok != test.ok {
			t.Errorf("%q: %s, %t", test.word, got, ok)
		}
	}
}

func TestLine(t *testing.T) {
	if line, ok := Line("usermod", "-aG", "mqm", "r t"); !ok || line != "usermod -aG mqm 'r t'" {
		t.Errorf("%q, %t", line, ok)
	}
	if line, ok := Line("usermod", "-aG", "mqm", "r\x00\x7ft"); ok || line != "" {
		t.Errorf("%q, %t", line, ok)
	}
}

// A shell reads a line back as its words.
func TestLineIsReadBack(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ -~äöü€]{0,20}`), 1, 20).Draw(t, "words")
		line, ok := Line(words...)
		if !ok {
			t.Fatalf("%q can't be written", words)
		}
		got, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+line).Output()
		if want := strings.Join(words, "\n") + "\n"; err != nil || string(got) != want {
			t.Fatalf("%q became %q, %v", words, got, err)
		}
	})
}

// FuzzLine: whatever the words hold, the line is one line that shows all of it.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{"", "a b", "it's", "r\x00\x7ft", "a\nb", "\u202e", "\xff", "-", "$(x)", "a=b"} {
		f.Add(seed, "mqm")
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		line, ok := Line(one, other)
		if ok != (Printable(one) && Printable(other)) || ok == (line == "") {
			t.Fatalf("%q %q: %q, %t", one, other, line, ok)
		}
		if strings.ContainsFunc(line, unicode.IsControl) || !Printable(line) {
			t.Fatalf("%q", line)
		}
	})
}
