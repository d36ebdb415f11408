package qmgr

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"
)

func at(ms int) time.Time { return time.Date(2003, 5, 27, 14, 5, 35, ms*1_000_000, time.UTC) }

// Reference, IBM i 2.3: 37 bytes, in EBCDIC.
func TestInformation(t *testing.T) {
	for _, c := range []struct {
		point Point
		want  string // in hexadecimal
	}{
		{
			Point{Receiver: "AMQA000008", Library: "QMMP1", Time: at(123)},
			"C1D4D8C1F0F0F0F0F0F8" + "D8D4D4D7F14040404040" + "F2F0F0F3F0F5F2F7" + "F1F4F0F5F3F5" + "F1F2F3",
		},
		{
			Point{Receiver: Gone, Library: "QMSATURN.Q", Time: at(7)},
			"5C5C5C5C5C5C5C5C5C5C" + "D8D4E2C1E3E4D9D54BD8" + "F2F0F0F3F0F5F2F7" + "F1F4F0F5F3F5" + "F0F0F7",
		},
	} {
		want, err := hex.DecodeString(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := information(c.point); !bytes.Equal(got, want) || len(got) != spaceLength {
			t.Errorf("%X, want %X", got, want)
		}
	}
}

func TestEbcdicSigns(t *testing.T) {
	if got := ebcdic("IJRSZ$#@_ \u20ac"); !bytes.Equal(got, []byte{0xC9, 0xD1, 0xD9, 0xE2, 0xE9, 0x5B, 0x7B, 0x7C, 0x6D, 0x40, 0x3F}) {
		t.Errorf("%X", got)
	}
}

// Reference, IBM i 2.1: the later form carries receiver and time, the old one
// the time alone.
func TestForms(t *testing.T) {
	f := Point{Receiver: "AMQA000008", Library: "QMMP1", Time: at(123)}.fields()
	for _, id := range []string{"AMQ7460", "AMQ7462"} {
		later, old := message(id, f, false), message(id, f, true)
		if later.Tokens != "AMQA000008QMMP1     20030527140535123" || old.Tokens != "20030527140535123" {
			t.Errorf("%s carries %q and %q", id, later.Tokens, old.Tokens)
		}
		const stamp = "2003-05-27 14.05.35.123"
		if !strings.Contains(later.Text, stamp) || !strings.Contains(later.Text, "AMQA000008") {
			t.Errorf("%s says %q", id, later.Text)
		}
		if !strings.Contains(old.Text, stamp) || strings.Contains(old.Text+old.Help, "AMQA") {
			t.Errorf("%s of old says %q", id, old.Text)
		}
	}
}

// Every message of a queue manager is filled in whole.
func TestMessagesAreWhole(t *testing.T) {
	f := fields{}
	for _, name := range []string{"receiver", "library", "object", "type", "detail", "purpose"} {
		f[name] = strings.ToUpper(name)
	}
	f = f.at(at(0))
	for _, id := range []string{"AMQ7432", "AMQ7460", "AMQ7461", "AMQ7462", "AMQ7472"} {
		for _, old := range []bool{false, true} {
			m := message(id, f, old)
			if strings.ContainsAny(m.Text+m.Help+m.Tokens, "&{}") || m.Text == "" || m.Help == "" || m.Tokens == "" {
				t.Errorf("%s: %+v", id, m)
			}
		}
	}
}
