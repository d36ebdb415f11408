package policies

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/plugins/schema"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  string
	}{
		{"0s", 0, ""},
		{"30s", 30 * time.Second, ""},
		{"90m", 90 * time.Minute, ""},
		{"7d", 7 * 24 * time.Hour, ""},
		{"1w", 7 * 24 * time.Hour, ""},
		{"1d12h", 36 * time.Hour, ""},
		{"1w1d1h1m1s1ms", 8*24*time.Hour + time.Hour + time.Minute + time.Second + time.Millisecond, ""},
		{"", 0, "empty"},
		{"30", 0, "missing unit"},
		{"1h30", 0, "missing unit"},
		{"0", 0, "missing unit"},
		{"-5m", 0, "must not be negative"},
		{"1h-5m", 0, `unit "h-" is not known`},
		{"h", 0, "not a number"},
		{" 5m", 0, "not a number"},
		{"5 m", 0, `unit " m" is not known`},
		{"+5m", 0, "not a number"},
		{"1.5h", 0, "numbers are whole"},
		{"5M", 0, `write "m"`},
		{"5min", 0, "use w, d, h, m, s, ms"},
		{"5us", 0, "use w, d, h, m, s, ms"},
		{"1m1h", 0, "twice or after a smaller one"},
		{"1h1h", 0, "twice or after a smaller one"},
		{"99999999999999999999s", 0, "too large"},
		{"15251w", 0, "too large"},
		{"15250w6d", 0, "too large"},
		{"١m", 0, "not a number"}, // another script's digit
	}
	for _, test := range tests {
		got, err := ParseDuration(test.text)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v, %q", test.text, got, err, test.want, test.err)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		text string
		want int64
		err  string
	}{
		{"16MiB", 16 << 20, ""},
		{"100MB", 100e6, ""},
		{"10GiB", 10 << 30, ""},
		{"1TB", 1e12, ""},
		{"512B", 512, ""},
		{"0B", 0, ""},
		{"", 0, "empty"},
		{"16", 0, "missing unit"},
		{"-1MB", 0, "must not be negative"},
		{"16M", 0, "use TiB"},
		{"16mib", 0, `write "MiB"`},
		{"1.5GiB", 0, "numbers are whole"},
		{"1GiB1MiB", 0, "not known"},
		{"8388608TiB", 0, "too large"},
		{"1e3KB", 0, "not known"},
	}
	for _, test := range tests {
		got, err := ParseSize(test.text)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("ParseSize(%q) = %v, %v; want %v, %q", test.text, got, err, test.want, test.err)
		}
	}
}

// What is shown can be written back.
func TestDurationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1<<53).Draw(t, "ms") % (1 << 43) * int64(time.Millisecond))
		if got, err := ParseDuration(formatDuration(d)); err != nil || got != d {
			t.Fatalf("%v is written %q and read %v, %v", d, formatDuration(d), got, err)
		}
	})
}

func FuzzQuantity(f *testing.F) {
	for _, seed := range []string{"1d12h", "30", "-5m", "16MiB", "99999999999999999999w", "1h1h", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDuration(text); err == nil && d < 0 {
			t.Errorf("ParseDuration(%q) = %v", text, d)
		} else if err != nil && errors.Is(err, errMissingUnit) && strings.Trim(text, "0123456789wdhms") != "" {
			t.Errorf("ParseDuration(%q): %v", text, err)
		}
		if n, err := ParseSize(text); err == nil && n < 0 {
			t.Errorf("ParseSize(%q) = %d", text, n)
		}
	})
}

func TestWritten(t *testing.T) {
	for _, test := range []struct {
		kind  schema.Kind
		value any
		want  string
	}{
		{schema.Duration, 30 * 24 * time.Hour, `"30d"`},
		{schema.Size, int64(16 << 20), `"16MiB"`},
		{schema.Int, int64(80), "80"},
		{schema.Bool, true, "true"},
		{schema.String, "a b", `"a b"`},
		{schema.Strings, []string{"SYSTEM.*"}, `["SYSTEM.*"]`},
	} {
		if got := Written(test.kind, test.value); got != test.want {
			t.Errorf("%v: %s, want %s", test.value, got, test.want)
		}
	}
}
