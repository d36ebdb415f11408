package agent

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/policies"
)

// Whenever a firing is claimed before the next one is due, its moment is found
// again by its key: in every zone, across changes of the clocks.
func TestDealtWithIsTheMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expression := rapid.SampledFrom([]string{"30 2 * * *", "0 0 * * *", "*/20 * * * *", "15 1,2,3 * * *", "0 3 * * 0", "@every 90m", "0 0 29 2 *", "* * * * *"}).Draw(t, "cron")
		zone := rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/Santiago", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia", "America/Havana"}).Draw(t, "zone")
		when, err := schedule.Parse(expression, zone)
		if err != nil {
			t.Fatal(err)
		}
		from := time.Unix(rapid.Int64Range(1262304000, 1893456000).Draw(t, "from"), 0)
		firing, ok := when.Next(from)
		next, more := when.Next(firing.At)
		if !ok || !more {
			t.Fatal("no firings")
		}
		claimed := firing.At.Add(time.Duration(rapid.Int64Range(0, int64(next.At.Sub(firing.At))-1).Draw(t, "late")))
		fired := ledger.Fired{Key: firing.Key, At: claimed.UTC(), State: ledger.FiringDone}
		if got := dealtWith(when, fired); !got.Equal(firing.At) {
			t.Errorf("%s %s: firing %s claimed at %s counts as of %s", expression, zone, firing.Key, claimed, got)
		}
		fired.State = ledger.FiringRunning
		if again, _ := when.Next(dealtWith(when, fired)); again.Key != firing.Key {
			t.Errorf("%s %s: %s never ended, and %s is next", expression, zone, firing.Key, again.Key)
		}
	})
}

// shelf is a ledger of which only the firings are there.
type shelf map[string][]ledger.Fired

func (s shelf) Firings(_ context.Context, target, _ string, _ int) ([]ledger.Fired, error) {
	rows, ok := s[target]
	if !ok {
		return nil, errors.New("the disk is gone")
	}
	return rows, nil
}
func (shelf) Missed(context.Context, ledger.Firing, string) error {
	return errors.New("the disk is gone")
}

func TestPast(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2000, 1, day, hour, 0, 0, 0, time.UTC) }
	row := func(key string, at time.Time, state string) ledger.Fired {
		return ledger.Fired{Key: key, At: at, State: state}
	}
	done := row("2000-01-03T01:00", at(3, 1), ledger.FiringDone)
	for name, c := range map[string]struct {
		rows  shelf
		last  time.Time
		begun string
	}{
		"nothing is known": {shelf{"ORDERS": {}, "STOCK": {}}, time.Time{}, ""},
		"a new target":     {shelf{"ORDERS": {done}, "STOCK": {}}, at(3, 1), ""},
		"one is behind":    {shelf{"ORDERS": {done}, "STOCK": {row("2000-01-02T01:00", at(2, 5), ledger.FiringMissed)}}, at(2, 1), ""},
		"clock was ahead":  {shelf{"ORDERS": {row("2099-01-01T01:00", time.Date(2099, 1, 1, 1, 0, 0, 0, time.UTC), ledger.FiringDone), done}, "STOCK": {}}, at(3, 1), ""},
		"clock ahead only": {shelf{"ORDERS": {row("2099-01-01T01:00", time.Date(2099, 1, 1, 1, 0, 0, 0, time.UTC), ledger.FiringDone)}, "STOCK": {}}, time.Time{}, ""},
		"other schedule":   {shelf{"ORDERS": {row("2000-01-03T01:17", at(3, 2), ledger.FiringDone)}, "STOCK": {}}, at(3, 2), ""},
		"never ended":      {shelf{"ORDERS": {row("2000-01-03T01:00", at(3, 1), ledger.FiringRunning)}, "STOCK": {}}, at(3, 1).Add(-1), "2000-01-03T01:00"},
	} {
		when, err := schedule.Parse("0 1 * * *", "UTC")
		if err != nil {
			t.Fatal(err)
		}
		task := Task{Policy: policies.Policy{Name: "p", Tasks: []policies.Task{{Name: "t"}}}, when: when}
		task.Targets = append(task.Targets, orders, orders)
		task.Targets[1].Name = "STOCK"
		p, err := task.past(t.Context(), c.rows, at(4, 0))
		begun := ""
		if len(p.begun) > 0 {
			begun = p.begun[0]
		}
		if err != nil || !p.last.Equal(c.last) || begun != c.begun || len(p.begun) > 1 {
			t.Errorf("%s: last %s, begun %q, %v", name, p.last, p.begun, err)
		}
	}
}
