package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFinderSplit(t *testing.T) {
	f := &finder{}
	for _, name := range []string{"ACMEBANK", "ACMEBANK.IN", "AB", "QMACMEBANK", "4711", "10.1.2.3"} {
		f.add(name, false)
	}
	f.add("SIEMENS", true)
	for text, want := range map[string]string{
		"acmebank":             "<acmebank>",
		"ACMEBANK.IN":          "<ACMEBANK.IN>",
		"ACMEBANK.OUT":         "<ACMEBANK>.OUT",
		"xAcmeBank2":           "x<AcmeBank>2",
		"AB-cab_ab ABC":        "<AB>-cab_<ab> ABC",
		"to.siemens siemens2":  "to.<siemens> siemens2",
		"4711 10.1.2.3":        "4711 10.1.2.3",
		"AMQA000037QMACMEBANK": "[AMQA000037]<QMACMEBANK>",
		"AMQA000037AB":         "[AMQA000037]<AB>",
		"**********AB":         "[**********]<AB>",
		"S0000112.LOG.":        "[S0000112.LOG].",
		"\u00fcACMEBANK\u00fc": "\u00fc<ACMEBANK>\u00fc",
		"":                     "",
	} {
		var got strings.Builder
		for _, part := range f.split(text) {
			got.WriteString(map[spanKind][2]string{knownName: {"<", ">"}, logPiece: {"[", "]"}}[part.kind][0] + part.text)
			got.WriteString(map[spanKind][2]string{knownName: {"<", ">"}, logPiece: {"[", "]"}}[part.kind][1])
		}
		if got.String() != want {
			t.Errorf("%q was split as %s, want %s", text, got.String(), want)
		}
	}
}

// TestFinderLosesNothing: the parts are the text.
func TestFinderLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &finder{}
		for _, name := range rapid.SliceOf(rapid.StringMatching(`[AB.]{1,6}`)).Draw(t, "names") {
			f.add(name, rapid.Bool().Draw(t, "label"))
		}
		text := rapid.OneOf(rapid.StringMatching(`[aAbB .]{0,20}`), rapid.String()).Draw(t, "text")
		var got strings.Builder
		for _, part := range f.split(text) {
			got.WriteString(part.text)
		}
		if diff := cmp.Diff(strings.ToValidUTF8(text, "\ufffd"), got.String()); diff != "" {
			t.Fatal(diff)
		}
	})
}
