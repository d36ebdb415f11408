package observe

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/mqhk/mqhk/core/recovery"
)

// ebcdicOf writes text in CCSID 37.
func ebcdicOf(text string) string {
	encoded, err := charmap.CodePage037.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

func TestParseUserSpace(t *testing.T) {
	tests := []struct {
		name, body    string
		receiver, lib string
		gone          bool
		entry         string
	}{
		{"text", "AMQA000008QMMP1     20030527140535123", "AMQA000008", "QMMP1", false, "2003-05-27 14:05:35.123"},
		{"line end behind it", "AMQA000008LIBA      20260527140535123\r\n", "AMQA000008", "LIBA", false, "2026-05-27 14:05:35.123"},
		{"blanks and NULs behind it", "AMQA000008LIBA      20260527140535123  \x00\x00", "AMQA000008", "LIBA", false, "2026-05-27 14:05:35.123"},
		{"library of ten characters", "AMQA000008QMSATURN.Q20260527140535123", "AMQA000008", "QMSATURN.Q", false, "2026-05-27 14:05:35.123"},
		{"asterisks", "**********LIBA      20260401080000000", "", "LIBA", true, "2026-04-01 08:00:00"},
		{"blank name", "          LIBA      20260401080000000", "", "LIBA", false, "2026-04-01 08:00:00"},
		{"blank library", "AMQA000008          20260401080000000", "AMQA000008", "", false, "2026-04-01 08:00:00"},
		{"leap day", "AMQA000008LIBA      20240229000000000", "AMQA000008", "LIBA", false, "2024-02-29 00:00:00"},
		{"EBCDIC", ebcdicOf("AMQA000008QMSATURN.Q20260527140535123"), "AMQA000008", "QMSATURN.Q", false, "2026-05-27 14:05:35.123"},
		{"EBCDIC, asterisks, filled up", ebcdicOf("**********QM_$#@19  20260527140535123  ") + "\x00\x00", "", "QM_$#@19", true, "2026-05-27 14:05:35.123"},
		{"EBCDIC, every letter", ebcdicOf("AJRZISBKTL") + ebcdicOf("CDEFGHMNOP") + ebcdicOf("20260527140535123"), "AJRZISBKTL", "CDEFGHMNOP", false, "2026-05-27 14:05:35.123"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := parseUserSpace([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if m.kind != recovery.Published || m.name != test.receiver || m.library != test.lib || m.gone != test.gone || m.entry.String() != test.entry {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestParseUserSpaceWrong(t *testing.T) {
	tests := []struct{ name, body, says string }{
		{"empty", "", "0 characters instead of 37"},
		{"36 characters", "AMQA000008LIBA      2026052714053512", "36 characters"},
		{"36 characters in EBCDIC", ebcdicOf("AMQA000008LIBA      2026052714053512"), "36 characters"},
		{"38 characters", "AMQA000008LIBA      202605271405351234", "38 characters"},
		{"a second entry behind it", "AMQA000008LIBA      20260527140535123\nAMQA000004LIBA      20260527140535123\n", "75 characters"},
		{"junk behind it", "AMQA000008LIBA      20260527140535123 x", "39 characters"},
		{"junk behind it in EBCDIC", ebcdicOf("AMQA000008LIBA      20260527140535123 X"), "39 characters"},
		{"partial asterisks", "*********8LIBA      20260527140535123", "no name of a receiver"},
		{"nine asterisks", "********* LIBA      20260527140535123", "no name of a receiver"},
		{"lower case", "amqa000008LIBA      20260527140535123", "no name of a receiver"},
		{"a digit in front", "0AMQA00008LIBA      20260527140535123", "no name of a receiver"},
		{"a blank within", "AMQA 00008LIBA      20260527140535123", "no name of a receiver"},
		{"NULs for a name", strings.Repeat("\x00", 10) + "LIBA      20260527140535123", "no name of a receiver"},
		{"asterisks for a library", "AMQA000008**********20260527140535123", "no name of a library"},
		{"blank date", "AMQA000008LIBA                       ", "14 characters"},
		{"zero date", "AMQA000008LIBA      00000000000000000", "no time of an entry"},
		{"asterisks for a date", "AMQA000008LIBA      *****************", "no time of an entry"},
		{"30 February", "AMQA000008LIBA      20260230140535123", "no time of an entry"},
		{"hour 24", "AMQA000008LIBA      20260227240535123", "no time of an entry"},
		{"other form of time", "AMQA000008LIBA      2026-05-27-14.05.", "no time of an entry"},
		{"EBCDIC with a foreign character", ebcdicOf("AMQA00000") + "\x81" + ebcdicOf("LIBA      20260527140535123"), "no name of a receiver"},
	}
	for _, test := range tests {
		if m, err := parseUserSpace([]byte(test.body)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %+v, %v", test.name, m, err)
		}
	}
}

func TestObjectName(t *testing.T) {
	for name, want := range map[string]bool{
		"A": true, "QMSATURN.Q": true, "$A_1": true, "#1": true, "@": true,
		"": false, "ABCDEFGHIJK": false, "1A": false, ".A": false, "_A": false, "A B": false, "a": false, "A*": false, "\u00c4": false,
	} {
		if objectName(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
}

func TestMarkString(t *testing.T) {
	entry, err := ParseStamp("20260527140535123")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mark mark
		want string
	}{
		{mark{name: "AMQA000008", entry: entry}, "AMQA000008 2026-05-27 14:05:35.123"},
		{mark{gone: true, entry: entry}, "********** 2026-05-27 14:05:35.123"},
		{mark{name: "AMQA000008"}, "AMQA000008"},
		{mark{}, ""},
	} {
		if got := c.mark.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
