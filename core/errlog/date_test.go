package errlog

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestReadDate(t *testing.T) {
	tests := []struct {
		date, want string // empty: not known
		clock      Clock
	}{
		{"12/29/2018 11:31:51 PM", "2018-12-29 23:31:51", Local},
		{"12/29/2018 12:31:51 AM", "2018-12-29 00:31:51", Local},
		{"12/29/2018 12:31:51 PM", "2018-12-29 12:31:51", Local},
		{"29/12/18 23:31:51", "2018-12-29 23:31:51", Local},
		{"29.12.2018 23:31:51", "2018-12-29 23:31:51", Local},
		{"01.02.2018 23:31:51", "2018-02-01 23:31:51", Local},
		{"2018-12-29 23:31:51", "2018-12-29 23:31:51", Local},
		{"2018-02-01 03:31:51", "2018-02-01 03:31:51", Local},
		{"2018年12月29日 23時31分51秒", "2018-12-29 23:31:51", Local},
		{"2018年12月29日 下午11时31分51秒", "2018-12-29 23:31:51", Local},
		{"2018/12/29 午前 11:31:51", "2018-12-29 11:31:51", Local},
		{"29.12.2018 23.31.51", "2018-12-29 23:31:51", Local},
		{"03/03/2018 23:31:51", "2018-03-03 23:31:51", Local}, // whichever comes first
		{"29/12/18 11:31:51 nachm.", "", NoClock},             // not guessed
		{"29/12/18 13:31:51 Uhr", "2018-12-29 13:31:51", Local},
		{"01/02/2018 23:31:51", "", Ambiguous},
		{"01/02/03 23:31:51", "", Ambiguous},
		{"13/02/03 23:31:51", "2003-02-13 23:31:51", Local},
		{"99/02/03 23:31:51", "2099-02-03 23:31:51", Local},
		{"32/02/03 23:31:51", "2032-02-03 23:31:51", Local},
		{"13/32/2018 23:31:51", "", NoClock},
		{"29/02/2019 23:31:51", "", NoClock},
		{"29/12/2018 24:31:51", "", NoClock},
		{"29/12/2018 23:61:51", "", NoClock},
		{"29/12/2561 23:31:51", "", NoClock}, // another calendar
		{"29 December 2018 23:31:51", "", NoClock},
		{"129/12/2018 23:31:51", "", NoClock},
		{"", "", NoClock},
	}
	for _, test := range tests {
		at, clock := readDate(test.date).alone()
		got := ""
		if !at.IsZero() {
			got = at.Format(time.DateTime)
		}
		if got != test.want || clock != test.clock {
			t.Errorf("%q: %q, %d", test.date, got, clock)
		}
	}
}

// Day and month that one date can't tell apart, other dates of the log may; and
// so may the UTC time beside it.
func TestResolve(t *testing.T) {
	utc := func(stamp string) Record {
		r := Record{}
		r.setTime(stamp)
		return r
	}
	with := func(r Record, date string) Record { r.Date = date; return r }
	tests := map[string]struct {
		seen []Record
		date string
		want string
	}{
		"nothing":                      {nil, "01/02/2018 23:31:51", ""},
		"day first":                    {[]Record{{Date: "29/12/2017 23:31:51"}}, "01/02/2018 23:31:51", "2018-02-01 23:31:51"},
		"month first":                  {[]Record{{Date: "12/29/2017 23:31:51"}}, "01/02/2018 23:31:51", "2018-01-02 23:31:51"},
		"two digits, not the day":      {[]Record{{Date: "03/04/31 23:31:51"}}, "01/02/03 23:31:51", ""},
		"two digits, both ways":        {[]Record{{Date: "29/04/31 23:31:51"}, {Date: "31/04/29 23:31:51"}}, "01/02/03 23:31:51", ""},
		"the locale changed":           {[]Record{{Date: "29/12/2017 23:31:51"}, {Date: "12/29/2017 23:31:51"}}, "01/02/2018 23:31:51", ""},
		"another shape says nothing":   {[]Record{{Date: "29.12.2017 23:31:51"}}, "01/02/2018 23:31:51", ""},
		"UTC beside another":           {[]Record{with(utc("2018-02-03T04:05:06Z"), "03/02/2018 05:05:06")}, "01/02/2018 23:31:51", "2018-02-01 23:31:51"},
		"UTC beside another, month":    {[]Record{with(utc("2018-03-02T04:05:06Z"), "03/02/2018 05:05:06")}, "01/02/2018 23:31:51", "2018-01-02 23:31:51"},
		"the same day again is passed": {[]Record{{Date: "29/12/2017 23:31:51"}, {Date: "29/12/2017 23:31:52"}}, "01/02/2018 23:31:51", "2018-02-01 23:31:51"},
	}
	for name, test := range tests {
		in := newCollector("QM1").in(fileName{before: "x"})
		for _, r := range test.seen {
			in.learn(r)
		}
		at, clock := in.resolve(test.date)
		got := ""
		if clock == Local {
			got = at.Format(time.DateTime)
		}
		if got != test.want {
			t.Errorf("%s: %q, %d", name, got, clock)
		}
	}
}

// A stamp as MQ writes it is read as time.Parse reads it, or not at all.
func TestThousandths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(most int, what string) int { return rapid.IntRange(0, most).Draw(t, what) }
		stamp := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", n(9999, "year"), n(13, "month"), n(32, "day"), n(25, "hour"), n(61, "minute"), n(61, "second"), n(999, "thousandths"))
		want, err := time.Parse(time.RFC3339Nano, stamp)
		if got, ok := thousandths(stamp); ok != (err == nil) || ok && !got.Equal(want) {
			t.Fatalf("%s: %s, %v; want %s, %v", stamp, got, ok, want, err)
		}
	})
	for _, other := range []string{"", "2026-05-01T12:34:56Z", "2026-05-01 12:34:56.789Z", "2026-05-01T12:34:56.789+", "2O26-05-01T12:34:56.789Z"} {
		if at, ok := thousandths(other); ok {
			t.Errorf("%q was read as %s", other, at)
		}
	}
}
