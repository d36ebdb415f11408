package bsds_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/bsds"
)

func TestParse(t *testing.T) {
	cases := []struct {
		text, want string
		width      bsds.Width
	}{
		{"000000529193", "000000529193", bsds.Six},
		{"00000089c1e1", "00000089C1E1", bsds.Six},
		{"0000000000529193", "0000000000529193", bsds.Eight},
		{"B713 3C72 22C5", "B7133C7222C5", bsds.Six},
		{"  00DE 3F00 A000 0000 ", "00DE3F00A0000000", bsds.Eight},
		{"FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF", bsds.Eight},
	}
	for _, c := range cases {
		rba, err := bsds.ParseRBA(c.text)
		if err != nil || rba.String() != c.want || rba.Width() != c.width {
			t.Errorf("ParseRBA(%q) = %s of %d bytes, %v, want %s", c.text, rba, rba.Width(), err, c.want)
		}
		lrsn, err := bsds.ParseLRSN(c.text)
		if err != nil || lrsn.String() != c.want || lrsn.Width() != c.width {
			t.Errorf("ParseLRSN(%q) = %s of %d bytes, %v, want %s", c.text, lrsn, lrsn.Width(), err, c.want)
		}
	}
	for _, text := range []string{"", " ", "529193", "00000052919", "0000005291930", "00000052919G", "+00000529193", "0X0000529193", "000000529１93", "00000000000000529193"} {
		var wrong *bsds.AddressError
		if rba, err := bsds.ParseRBA(text); !errors.As(err, &wrong) || rba.Known() {
			t.Errorf("ParseRBA(%q) = %s, %v, want an AddressError", text, rba, err)
		}
	}
}

// The six examples of the reference (5.4), and those of case 54.
func TestRecoveryLRSN(t *testing.T) {
	cases := []struct {
		name string
		ends []string
		want string
	}{
		{"IBM's example", []string{"B713 3C72 22C5", "B713 3D45 2123"}, "B7133C7222C4"},
		{"borrow over eight digits", []string{"DC4A10000001", "DC4A10000000"}, "DC4A0FFFFFFF"},
		{"numbers, not texts", []string{"DC4AFFFFFFFF", "DC4B00000000"}, "DC4AFFFFFFFE"},
		{"borrow over all groups", []string{"D00000000000", "D00000000000"}, "CFFFFFFFFFFF"},
		{"borrow over a group's edge", []string{"DE3F00A00000", "DE3F00A0FFFF", "DE3F00A00100"}, "DE3F009FFFFF"},
		{"leading zeros stay", []string{"00DE3F00A0000000", "00DE3F00A0010000"}, "00DE3F009FFFFFFF"},
		{"case 54", []string{"E1B40A000000", "E1B40A000001", "E1B40A771234"}, "E1B409FFFFFF"},
		{"one member", []string{"B7133D452123"}, "B7133D452122"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := bsds.RecoveryLRSN(lrsns(t, c.ends...))
			if err != nil || got.String() != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestRecoveryLRSNRefuses(t *testing.T) {
	cases := []struct {
		name   string
		ends   []string
		member int
	}{
		{"no member", nil, -1},
		{"not known", []string{"B7133C7222C5", ""}, 1},
		{"zero", []string{"000000000000", "B7133C7222C5"}, 0},
		{"still written", []string{"B7133C7222C5", "FFFFFFFFFFFF"}, 1},
		{"two widths", []string{"B7133C7222C5", "00B7133C7222C500"}, 1},
		{"nothing before it", []string{"000000000001"}, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := bsds.RecoveryLRSN(lrsns(t, c.ends...))
			var refused *bsds.EndError
			if !errors.As(err, &refused) || refused.Member != c.member || got.Known() {
				t.Errorf("got %s, %v, want an EndError of member %d", got, err, c.member)
			}
		})
	}
}

func TestCheckRecovery(t *testing.T) {
	to := lrsns(t, "B7133C7222C4")[0]
	cases := []struct {
		name            string
		backups, starts []string
		fine            bool
	}{
		{"nothing to check", nil, nil, true},
		{"backups before, logs around", []string{"B7133C7222C3"}, []string{"B7133C7222C4", "B71300000000"}, true},
		{"backup at it", []string{"B7133C7222C4"}, nil, false},
		{"backup behind it", []string{"B71300000000", "B7133D000000"}, nil, false},
		{"backup not known", []string{""}, nil, false},
		{"a newest log begins behind it", nil, []string{"B7133C7222C5"}, false},
		{"another width", []string{"00B7130000000000"}, nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := bsds.CheckRecovery(to, lrsns(t, c.backups...), lrsns(t, c.starts...))
			if (err == nil) != c.fine {
				t.Errorf("got %v, want fine %v", err, c.fine)
			}
		})
	}
}

// An LRSN counts units of 16 microseconds from 1900 on (reference 3.5, case 54).
func TestLRSNTime(t *testing.T) {
	cases := []struct{ text, want string }{
		{"B7133C7222C5", "2002-01-22 12:39:01.99"},
		{"B7133D452123", "2002-01-22 12:42:43.24"},
	}
	for _, c := range cases {
		at, ok := lrsns(t, c.text)[0].Time()
		if got := at.Round(10 * time.Millisecond).Format("2006-01-02 15:04:05.00"); !ok || got != c.want {
			t.Errorf("%s is %s, %v, want %s", c.text, got, ok, c.want)
		}
	}
	for _, text := range []string{"", "000000000000", "FFFFFFFFFFFF", "00B7133C7222C500"} {
		if at, ok := lrsns(t, text)[0].Time(); ok {
			t.Errorf("%q has the time %s, want none", text, at)
		}
	}
	lost, ok := bsds.Lost(lrsns(t, "B7133C7222C5", "B7133D452123"))
	if got := lost.Round(10 * time.Millisecond); !ok || got != 221240*time.Millisecond {
		t.Errorf("lost %s, %v, want 3m41.24s", got, ok)
	}
	// The log that the sample of the reference (1.2) reads: 54 minutes.
	lost, ok = bsds.Lost(lrsns(t, "CC56D01026CC", "CC56DC368924"))
	if got := lost.Round(10 * time.Millisecond); !ok || got != 3261470*time.Millisecond {
		t.Errorf("lost %s, %v, want 54m21.47s", got, ok)
	}
}

func TestLRSNAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := bsds.NewLRSN(rapid.Uint64Range(1, 0xFFFFFFFFFFFE).Draw(t, "value"), bsds.Six)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := l.Time()
		if back, too := bsds.LRSNAt(at); !ok || !too || back != l {
			t.Fatalf("%s is %s, which is %s", l, at, back)
		}
	})
	for _, at := range []time.Time{{}, time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2043, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if l, ok := bsds.LRSNAt(at); ok {
			t.Errorf("%s is %s, want none", at, l)
		}
	}
}

// Case 53: the byte behind the newest archive, with its carry.
func TestTruncationRBA(t *testing.T) {
	cases := []struct{ last, want string }{
		{"000000062FFF", "000000063000"},
		{"00000000FFFF", "000000010000"},
		{"0000FFFFFFFF", "000100000000"},
		{"FFFFFFFFEFFF", "FFFFFFFFF000"},
		{"0000FFFFFFFFFFFF", "0001000000000000"}, // does not fit six bytes, but these are eight
		{"FFFFFFFFFFFF", ""},                     // does not fit a version 1 BSDS
		{"FFFFFFFFFFFFFFFF", ""},
		{"000000062FFE", ""}, // ends no block
		{"", ""},
	}
	for _, c := range cases {
		got, err := bsds.TruncationRBA(rbas(t, c.last)[0])
		var wrong *bsds.AddressError
		if got.String() != c.want || (err != nil) != (c.want == "") || err != nil && !errors.As(err, &wrong) {
			t.Errorf("TruncationRBA(%s) = %s, %v, want %q", c.last, got, err, c.want)
		}
	}
}

// Carries: what is added is taken away again, an order is that of the numbers,
// the width stays, and what does not fit is refused.
func TestArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]bsds.Width{bsds.Six, bsds.Eight}).Draw(t, "width")
		highest := ^uint64(0) >> (64 - 8*uint(width))
		value := rapid.OneOf(rapid.Uint64Range(0, highest), rapid.Uint64Range(highest-9, highest), rapid.Uint64Range(0, 9)).Draw(t, "value")
		n := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9), rapid.Just(highest-value)).Draw(t, "n")
		a, err := bsds.NewRBA(value, width)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := bsds.ParseRBA(a.String()); err != nil || read != a {
			t.Fatalf("%s is read as %s, %v", a, read, err)
		}
		sum, err := a.Add(n)
		if fits := n <= highest-value; fits != (err == nil) {
			t.Fatalf("%s + %d: %v", a, n, err)
		}
		if err != nil {
			return
		}
		if order, ok := a.Compare(sum); !ok || sum.Width() != width || sum.Value() != value+n || (order == 0) != (n == 0) || order > 0 {
			t.Fatalf("%s + %d = %s, compared %d %v", a, n, sum, order, ok)
		}
		if back, err := sum.Sub(n); err != nil || back != a {
			t.Fatalf("%s - %d = %s, %v", sum, n, back, err)
		}
		if _, err := a.Sub(value); err != nil {
			t.Fatal(err)
		}
		if value < highest {
			if _, err := a.Sub(value + 1); err == nil {
				t.Fatalf("%s - %d is below zero", a, value+1)
			}
		}
	})
}

func TestWidthsAreNotMixed(t *testing.T) {
	six, eight := rbas(t, "000000529193")[0], rbas(t, "0000000000529193")[0]
	if _, ok := six.Compare(eight); ok || six.Before(eight) || eight.Before(six) {
		t.Error("two widths were compared")
	}
	if six.Wide() != eight || eight.Wide() != eight || (bsds.RBA{}).Wide().Known() {
		t.Error("Wide does not give the same place in eight bytes")
	}
	if _, err := bsds.NewRBA(1<<48, bsds.Six); err == nil {
		t.Error("seven bytes were made six")
	}
	if _, err := bsds.NewLRSN(1, 5); err == nil {
		t.Error("five bytes are no width")
	}
}

func TestTexts(t *testing.T) {
	for _, text := range []string{"", "000000529193", "00DE3F00A0000000"} {
		var rba bsds.RBA
		var lrsn bsds.LRSN
		if err := errors.Join(rba.UnmarshalText([]byte(text)), lrsn.UnmarshalText([]byte(text))); err != nil {
			t.Fatal(err)
		}
		first, _ := rba.MarshalText()
		second, _ := lrsn.MarshalText()
		if string(first) != text || string(second) != text {
			t.Errorf("%q became %q and %q", text, first, second)
		}
	}
	rba := rbas(t, "000000529193")[0]
	if err := rba.UnmarshalText([]byte("x")); err == nil || rba.String() != "000000529193" {
		t.Errorf("a text that is none left %s, %v", rba, err)
	}
}

func lrsns(t *testing.T, texts ...string) []bsds.LRSN {
	t.Helper()
	return parsed(t, bsds.ParseLRSN, texts)
}

func rbas(t *testing.T, texts ...string) []bsds.RBA {
	t.Helper()
	return parsed(t, bsds.ParseRBA, texts)
}

// parsed reads texts; an empty one is not known.
func parsed[T any](t *testing.T, parse func(string) (T, error), texts []string) []T {
	t.Helper()
	all := make([]T, len(texts))
	for i, text := range texts {
		if text == "" {
			continue
		}
		var err error
		if all[i], err = parse(text); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
