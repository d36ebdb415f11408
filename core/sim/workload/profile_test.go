package workload

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBundledProfiles(t *testing.T) {
	want := []string{"busy", "deep", "night-batch", "office", "quiet"}
	if got := Profiles(); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	for _, name := range want {
		p := named(t, name)
		if p.Name != name || p.Description == "" {
			t.Errorf("%s is called %q: %q", name, p.Name, p.Description)
		}
		content, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Error(diff)
		}
	}
	_, err := Named("noisy")
	if !errors.Is(err, ErrNoProfile) || !strings.Contains(err.Error(), "night-batch") {
		t.Error(err)
	}
}

// What the names promise.
func TestBundledProfilesAreWhatTheyAreCalled(t *testing.T) {
	busy, deep, office, night := named(t, "busy"), named(t, "deep"), named(t, "office"), named(t, "night-batch")
	if busy.Messages.Persistent != 100_000 {
		t.Errorf("busy: %v a day", busy.Messages)
	}
	if deep.Queues[0].Keep != 20_000 {
		t.Errorf("deep: %+v", deep.Queues)
	}
	most := slices.Max(office.Hours)
	if office.Hours[10] < most || office.Hours[15] < most || office.Hours[12] >= most {
		t.Errorf("office: %v", office.Hours)
	}
	if night.Hours[2] <= 10*night.Hours[14] {
		t.Errorf("night-batch: %v", night.Hours)
	}
}

func TestValidate(t *testing.T) {
	cases := []struct {
		change func(*Profile)
		want   string
	}{
		{func(p *Profile) { p.Name = "a b" }, `name: "a b" is not made of letters, digits and hyphens`},
		{func(p *Profile) { p.Name = "" }, `name: "" is not made of letters, digits and hyphens`},
		{func(p *Profile) { p.Messages.Persistent = -1 }, "messages.persistent: -1 is not from 0 to 1e+08"},
		{func(p *Profile) { p.Messages.NonPersistent = math.NaN() }, "messages.non_persistent: NaN is not from 0 to 1e+08"},
		{func(p *Profile) { p.Hours = p.Hours[:23] }, "hours: there are 23 weights, a day has 24"},
		{func(p *Profile) { p.Hours[7] = -2 }, "hours[7]: -2 is not from 0 to 1e+09"},
		{func(p *Profile) { p.Hours = make([]float64, 24) }, "hours: none is above 0"},
		{func(p *Profile) { p.Weekend = 11 }, "weekend: 11 is not from 0 to 10"},
		{func(p *Profile) { p.Sizes.Min = 16 }, "sizes: 16 to 20000 is not within 17 to 4194304"},
		{func(p *Profile) { p.Sizes.Typical = 50 }, "sizes.typical: 50 is not from min 60 to max 20000"},
		{func(p *Profile) { p.Unit.Max = 3001 }, "unit: 1 to 3001 is not within 1 to 3000"},
		{func(p *Profile) { p.Alone = 1.5 }, "alone: 1.5 is not from 0 to 1"},
		{func(p *Profile) { p.Backouts = -0.5 }, "backouts: -0.5 is not from 0 to 1"},
		{func(p *Profile) { p.Queues = nil }, "queues: there are 0, 1 to 1000 are allowed"},
		{func(p *Profile) { p.Queues[1].Name = "ORDERS IN" }, `queues[1].name: "ORDERS IN" is no name of a queue: 1 to 48 letters, digits, and . / _ %`},
		{func(p *Profile) { p.Queues[2].Name = "ORDERS.IN" }, `queues[2].name: "ORDERS.IN" is that of queues[0] too`},
		{func(p *Profile) { p.Queues[0].Share = -1 }, "queues[0].share: -1 is not from 0 to 1e+09"},
		{func(p *Profile) { p.Queues = []Queue{{Name: "A"}} }, "queues: none is above 0"},
		{func(p *Profile) { p.Queues[0].Stays = -1 }, "queues[0].stays: -1ns is not from 0s to 8784h0m0s"},
		{func(p *Profile) { p.Queues[0].Keep = 1_000_001 }, "queues[0].keep: 1.000001e+06 is not from 0 to 1e+06"},
		{func(p *Profile) { p.Long.PerDay = -1 }, "long.per_day: -1 is not from 0 to 1e+08"},
		{func(p *Profile) { p.Long.Lasts = 0 }, "long.lasts: is missing"},
		{func(p *Profile) { p.Long.InDoubt = 2 }, "long.in_doubt: 2 is not from 0 to 1"},
		{func(p *Profile) { p.Long.Prepared = 0 }, "long.prepared: is missing"},
		{func(p *Profile) { p.Bursts.PerDay = -1 }, "bursts.per_day: -1 is not from 0 to 1e+08"},
		{func(p *Profile) { p.Bursts.Times = 0.5 }, "bursts.times: 0.5 is not from 1 to 1000"},
		{func(p *Profile) { p.Bursts.Lasts = Span(9000 * time.Hour) }, "bursts.lasts: 9000h0m0s is not from 0s to 8784h0m0s"},
		{func(p *Profile) { p.Long, p.Bursts = Long{}, Bursts{} }, ""},
		{func(p *Profile) { p.Weekend, p.Alone = -1, 2 }, "weekend: -1 is not from 0 to 10\nalone: 2 is not from 0 to 1"},
	}
	for _, c := range cases {
		p := named(t, "office")
		c.change(&p)
		got := ""
		if err := p.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
		if _, err := New(p, 1, time.Now()).Run(t.Context(), newManager(t, time.UTC), time.Now(), nil); (err == nil) != (c.want == "") {
			t.Errorf("%s: running it: %v", c.want, err)
		}
	}
}

func TestParseComplains(t *testing.T) {
	content, err := bundled.ReadFile("profiles/quiet.json")
	if err != nil {
		t.Fatal(err)
	}
	good := string(content)
	for _, c := range []struct{ old, new, want string }{
		{`"weekend"`, `"week_end"`, `unknown field "week_end"`},
		{`"20m"`, `"20"`, `"20" is no length of time such as 90s or 1h30m`},
		{`"20m"`, `20`, "cannot unmarshal number"},
		{`"weekend": 0.2`, `"weekend": -1`, "weekend: -1 is not from 0 to 10"},
		{"{\n", "[]{\n", "cannot unmarshal array"},
		{"{\n", "{} {\n", "something follows behind it"},
	} {
		if _, err := Parse([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}
