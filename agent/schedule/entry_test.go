package schedule

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Firings keep their order and stay within their jitter, however long that is.
func TestStartsKeepOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Parse(expressions(t, rapid.Bool().Draw(t, "fixed")), rapid.SampledFrom(oracleZones).Draw(t, "zone"))
		if err != nil {
			return
		}
		e := Entry{Name: rapid.String().Draw(t, "name"), Schedule: s, Jitter: time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "jitter"))}
		moment := time.Unix(rapid.Int64Range(1e9, 2e9).Draw(t, "moment"), 0)
		list := e.From(moment, 50)
		for i, due := range list {
			late := due.Start.Sub(due.Firing.At)
			if late < 0 || late > e.Jitter || due.Start.Before(moment) {
				t.Fatalf("%s from %v: %v", s, moment, due)
			}
			if i > 0 && !list[i-1].Start.Before(due.Firing.At) {
				t.Fatalf("%s: %v and then %v", s, list[i-1], due)
			}
		}
	})
}

// Where a list begins makes no difference to what is in it.
func TestFromIncludesItsMoment(t *testing.T) {
	e := Entry{Name: "n", Schedule: parsed(t, "0 2 * * *", "UTC"), Jitter: time.Hour}
	all := e.From(at, 5)
	for i, due := range all {
		if got := e.From(due.Start, 1)[0]; got != due {
			t.Errorf("from %v: %v, want %v", due.Start, got, due)
		}
		if got := e.From(due.Start.Add(1), 1)[0]; i < 4 && got != all[i+1] {
			t.Errorf("just after %v: %v, want %v", due.Start, got, all[i+1])
		}
	}
	if list := (Entry{}).From(at, 3); list != nil {
		t.Errorf("an entry without a schedule has %v", list)
	}
}

func TestMemoryForgets(t *testing.T) {
	var m memory
	for i := range remembered + 10 {
		m.note(time.Unix(int64(i), 0))
	}
	if len(m.order) != remembered || len(m.times) != remembered {
		t.Errorf("%d and %d remembered", len(m.order), len(m.times))
	}
	if f, ok := m.again(Firing{At: time.Unix(9, 0), Key: "k"}, false); !ok || f.Key != "k" {
		t.Errorf("a forgotten run: %v, %v", f, ok)
	}
	if _, ok := m.again(Firing{At: time.Unix(10, 0)}, false); ok {
		t.Error("a known run is done again")
	}
}
