package observe

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseStamp(t *testing.T) {
	tests := []struct{ text, want string }{
		{"2026-05-27-13.59.00.000000", "2026-05-27T13:59:00"},
		{"2026-05-27-13.59.00.123456", "2026-05-27T13:59:00.123456"},
		{"2026-05-27-13.59.00", "2026-05-27T13:59:00"},
		{"2026-05-27 13:59:00", "2026-05-27T13:59:00"},
		{"2026-05-27 13.59.00", "2026-05-27T13:59:00"},
		{"2026-05-27T13:59:00", "2026-05-27T13:59:00"},
		{"2026-05-27T13:59:00,5", "2026-05-27T13:59:00.5"},
		{"2026-05-27 13:59:00.123456789", "2026-05-27T13:59:00.123456789"},
		{"  2026-05-27 13:59:00 ", "2026-05-27T13:59:00"},
		{"20260527140535", "2026-05-27T14:05:35"},
		{"20260527140535123", "2026-05-27T14:05:35.123"},
		{"19991231235959999", "1999-12-31T23:59:59.999"},
		{"20240229000000000", "2024-02-29T00:00:00"},
		{"21000101000000000", "2100-01-01T00:00:00"}, // 4-digit years: right, where jrnmaint reads 2000
		{"20030527140535123", "2003-05-27T14:05:35.123"},
		{"1030527140535", "2003-05-27T14:05:35"}, // C=1 is 20xx
		{"1030527140535123", "2003-05-27T14:05:35.123"},
		{"0991231235959", "1999-12-31T23:59:59"}, // C=0 is 19xx
		{"1240229000000", "2024-02-29T00:00:00"},
	}
	for _, test := range tests {
		got, err := ParseStamp(test.text)
		if err != nil || got.Format("2006-01-02T15:04:05.999999999") != test.want {
			t.Errorf("%q: %v, %v; want %s", test.text, got.Time, err, test.want)
		}
	}
}

// Zeros stand for none: not detached yet, not saved.
func TestParseStampNone(t *testing.T) {
	for _, text := range []string{"", "   ", "0000000000000", "00000000000000000", "0000-00-00-00.00.00.000000", "00/00/00", "0001-01-01-00.00.00.000000"} {
		if got, err := ParseStamp(text); err != nil || !got.IsZero() || got.String() != "" {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestParseStampWrong(t *testing.T) {
	for _, text := range []string{
		"20260230140535123", "20250229000000000", "2026-02-30-13.59.00.000000", "2026-04-31 13:59:00", // no such day
		"20260527240000000", "2026-05-27-24.00.00.000000", "20260527146000000", "20260527140560000", // no such hour, minute, second
		"20261327140535123", "20260027140535123", "20260500140535123", // no such month, day
		"2026052714053", "202605271405351", "2026052714053512", "202605271405351234", // lengths
		"2030527140535", "9030527140535", // no such century digit
		"2026-05-27-13.59.00.", "2026-05-27-13.59.00..5", "2026-05-27-13.59.00.5x", "2026-05-27-13.59.00.1234567891", // fractions
		"2026-05-27-13.59.00+02", "2026-05-27-13.59.00Z", "2026-05-27-13.59.0", "2026-05-27-3.59.00", "2026-05-27", "26-05-27-13.59.00",
		"05/27/26 13:59:00", "2026/05/27 13:59:00", "****************************", "*****************", "AMQA000008", "2026052714O535123",
		"+0260527140535123", "-1", "\x00", "\uff12\uff10\uff12\uff16",
	} {
		if got, err := ParseStamp(text); err == nil {
			t.Errorf("%q: read as %v", text, got.Time)
		}
	}
}

// Every moment survives each of the forms, as exactly as the form is.
func TestParseStampRoundTrip(t *testing.T) {
	forms := []struct {
		layout string
		exact  time.Duration
	}{
		{"2006-01-02-15.04.05.000000", time.Microsecond},
		{"2006-01-02 15:04:05.000000000", 1},
		{"20060102150405.000", time.Millisecond},
		{"20060102150405", time.Second},
	}
	rapid.Check(t, func(t *rapid.T) {
		moment := time.Unix(rapid.Int64Range(-2208988800, 4102444800).Draw(t, "second"), rapid.Int64Range(0, 999999999).Draw(t, "nano")).UTC()
		form := rapid.SampledFrom(forms).Draw(t, "form")
		text := moment.Format(form.layout)
		if form.exact == time.Millisecond {
			text = text[:14] + text[15:]
		}
		got, err := ParseStamp(text)
		if err != nil || !got.Equal(moment.Truncate(form.exact)) {
			t.Fatalf("%q: %v, %v", text, got.Time, err)
		}
	})
}

func TestStampString(t *testing.T) {
	for text, want := range map[string]string{
		"20260527140535":    "2026-05-27 14:05:35",
		"20260527140535120": "2026-05-27 14:05:35.120",
	} {
		s, err := ParseStamp(text)
		if err != nil || s.String() != want || s.Second().String() != want[:19] {
			t.Errorf("%s: %s, %v", text, s, err)
		}
	}
}

func TestLocalStamp(t *testing.T) {
	moment := time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("", 7200))
	if s := LocalStamp(moment); s.String() != "2026-05-28 02:00:00" || s.Location() != time.UTC {
		t.Error(s)
	}
	if s := LocalStamp(moment.UTC()); s.String() != "2026-05-28 00:00:00" {
		t.Error(s)
	}
	if s := LocalStamp(time.Time{}); !s.IsZero() {
		t.Error(s)
	}
}
