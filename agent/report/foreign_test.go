package report

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"AMQA000001": "AMQA000001", "a\tb\r\nc": "a b  c", "\x1b[31m": `\x1b[31m`, "\u009b": `\x9b`,
		"\u202e": `\u202e`, "\U000e0041": `\U000e0041`, "\xff": `\xff`, "täglich": "täglich", "\ufffd": "\ufffd",
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
	if got := ascii("täglich"); got != `t\xe4glich` {
		t.Errorf("got %q", got)
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"a|b`c":               "a\\|b\\`c",
		"<img src=x>":         "&lt;img src=x&gt;",
		"[a](http://b)":       `\[a\](http\://b)`,
		"- x":                 `\- x`,
		"1. x":                `1\. x`,
		"784.4 MiB":           "784.4 MiB",
		"www.example.com":     `www\.example.com`,
		"QM#1 $ **":           `QM\#1 \$ \*\*`,
		"two\nlines":          "two lines",
		"AMQA000001 .. &amp;": "AMQA000001 .. &amp;amp;",
	} {
		if got := escape(text); got != want {
			t.Errorf("escape(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFigureFenceIsLongerThanItsContent(t *testing.T) {
	var d document
	d.figure([]string{"a ```` b"})
	if got := renderMarkdown(d); !strings.HasPrefix(got, "```````text\n") {
		t.Errorf("got %q", got)
	}
}

// FuzzForeign holds what the renderers promise of any text: one line, nothing
// that acts, and a comment that ends where it should.
func FuzzForeign(f *testing.F) {
	for _, seed := range []string{"", "AMQA000001", "\x1b]0;x\a", "*/ DLTLIB QM */", "**//", "a\u202eb", "\xc2", "x -", "|`<&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range ascii(text) {
			if c < ' ' || c > '~' {
				t.Fatalf("ascii leaves %q", c)
			}
		}
		if strings.ContainsAny(escape(text), "\n\r\x1b<>") {
			t.Fatalf("escape leaves %q", escape(text))
		}
		s := scriptWriter{syntax: blockComment}
		s.comment(text)
		for _, l := range strings.Split(strings.TrimSuffix(s.out.String(), "\n"), "\n") {
			if !strings.HasPrefix(l, "/* ") || strings.Index(l, "*/") != len(l)-2 || strings.Count(l, "/*") != 1 {
				t.Fatalf("comment %q", l)
			}
		}
		if why := unsafeStatement("CL", text); why == "" {
			if joined := strings.Join(strings.Fields(strings.ReplaceAll(foldCL(text), " +\n", " ")), " "); joined != strings.Join(strings.Fields(text), " ") {
				t.Fatalf("folded %q into %q", text, joined)
			}
		}
	})
}
