package ibmi

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// The pairs are those of the reference, IBM i 2.3; 2100 is wrong there too,
// since the published program asks for the first digit of the year alone.
func TestCompareForm(t *testing.T) {
	for stamp, want := range map[string]string{
		"20030527140535123": "1030527140535",
		"19991231235959999": "0991231235959",
		"20240229000000000": "1240229000000",
		"21000101000000000": "1000101000000",
	} {
		got, err := compareForm("AMQA000008QMMP1     " + stamp)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, not %s", stamp, got, err, want)
		}
	}
	for _, wrong := range []string{"", "AMQA000008QMMP1     2003052714053512", "AMQA000008QMMP1     2003052714053512 ", "AMQA000008QMMP1     ****************"} {
		if got, err := compareForm(wrong); err == nil {
			t.Errorf("%q: %q", wrong, got)
		}
	}
}

// The vector is that of the published screen shot (reference, IBM i 4.2): 008
// to 010 are kept. A mark in the second of an attach time keeps one more, and
// one older than all keeps all.
func TestPublishedVector(t *testing.T) {
	attached := []string{
		"1020920165108", "1021003163448", "1021118110720", "1021212230121", "1021213060151", "1030112125640", "1030204170314",
		"1030415090717", "1030513114823", "1030527143015", "1030527145449",
	}
	var receivers []os400.Receiver
	for i, form := range attached {
		at, err := time.Parse("20060102150405", "20"+form[1:])
		if err != nil || attachForm(at) != form {
			t.Fatalf("%s is written %s: %v", form, attachForm(at), err)
		}
		receivers = append(receivers, os400.Receiver{ID: os400.ID{Library: "QMMP1", Name: fmt.Sprintf("AMQA%06d", i)}, Attach: at})
	}
	for mark, kept := range map[string]int{
		"1030527140535": 8, "1030527145449": 9, "1030527145450": 10, "1021003163448": 0, "1020920165108": 0, "0991231235959": 0,
	} {
		for i, r := range receivers {
			if got := mayGo(receivers, r.ID, mark); got != (i < kept) {
				t.Errorf("with mark %s %s may go: %v", mark, r.Name, got)
			}
		}
	}
}

func TestAttachForm(t *testing.T) {
	for want, attach := range map[string]time.Time{
		"1030527143015": time.Date(2003, 5, 27, 14, 30, 15, 0, time.UTC),
		"0991231235959": time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC),
		"0000000000000": {},
	} {
		if got := attachForm(attach); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

func TestFromEBCDIC(t *testing.T) {
	const text = "AMQA000008QMSATURN.Q20260527140535123"
	content, err := charmap.CodePage037.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := fromEBCDIC(content); got != text {
		t.Errorf("%q, not %q", got, text)
	}
}
