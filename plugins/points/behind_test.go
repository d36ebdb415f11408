package points

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "less than a minute", 29 * time.Second: "less than a minute", 31 * time.Second: "1m", 90 * time.Minute: "1h30m", 47 * time.Hour: "47h0m", 50 * time.Hour: "2 days",
	} {
		if got := Age(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
