package logged

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/wal"
)

// The example of the reference, Multiplatforms 1.4 item 26.
func TestLSN(t *testing.T) {
	if got := LSN(0x8fe70); got != "<0:0:8:65136>" {
		t.Error(got)
	}
	for _, text := range []string{"<0:0:8:65136>", "0:0:8:65136"} {
		if got, err := ParseLSN(text); got != 0x8fe70 || err != nil {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1:2", "0:0:0:65536", "0:0:0:x", "0:0:0:0:0", "-1:0:0:0", "0:0:0:"} {
		if got, err := ParseLSN(text); err == nil {
			t.Errorf("%q is %s", text, got)
		}
	}
}

// What is printed is read back.
func TestLSNRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := wal.LSN(rapid.Uint64().Draw(t, "position"))
		if got, err := ParseLSN(LSN(at)); got != at || err != nil {
			t.Fatalf("%s: %s, %v", at, got, err)
		}
	})
}

// FuzzParseLSN: any text is read or refused.
func FuzzParseLSN(f *testing.F) {
	for _, text := range []string{"<0:0:8:65136>", "0:0:0:0", "::::", "<>", "65535:65535:65535:65535"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseLSN(text)
		if err != nil {
			return
		}
		if again, err := ParseLSN(LSN(at)); again != at || err != nil {
			t.Errorf("%q: %s, then %s, %v", text, at, again, err)
		}
	})
}
