package due

import (
	"testing"
	"time"
)

func TestCheckpoint(t *testing.T) {
	last := time.Date(2026, 7, 14, 22, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		operations uint64
		after      time.Duration
		want       Occasion
	}{
		{0, 24 * time.Hour, Never},
		{99, 24 * time.Hour, Never},
		{100, 29 * time.Minute, Never},
		{100, 30 * time.Minute, Interim},
		{100, -30 * time.Minute, Interim},
		{100, -29 * time.Minute, Never},
		{9_999, time.Minute, Never},
		{10_000, 0, Counted},
		{10_000, time.Hour, Counted},
	} {
		if got := Checkpoint(test.operations, last, last.Add(test.after)); got != test.want {
			t.Errorf("%d operations, %s later: %q, wanted %q", test.operations, test.after, got, test.want)
		}
	}
}
