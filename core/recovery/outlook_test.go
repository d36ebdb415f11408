package recovery

import "testing"

// Each row gives, for the three recoveries, whether it can begin and where
// what it reads would be: read = on the system + in the store + nowhere.
func TestOutlook(t *testing.T) {
	conservative := Promise{Strategy: Conservative}
	fast := Promise{Strategy: FastStartup}
	aggressive := Promise{Strategy: Aggressive}
	ready := func(n int) Recovery { return Recovery{Ready: AtOnce, Needs: n, OnSystem: n} }
	restore := func(system, store int, first, last string) Recovery {
		return Recovery{RestoreFirst, system + store, system, store, 0, first, last}
	}
	impossible := func(system, store, missing int, first, last string) Recovery {
		return Recovery{Impossible, system + store + missing, system, store, missing, first, last}
	}
	tests := []struct {
		name           string
		chain          string
		restart, media int // -1: not known
		promise        Promise
		change         func(*Inventory)
		want           Outlook
	}{
		{"conservative", "sssssc", 4, 2, conservative, nil, Outlook{ready(2), ready(4), ready(4)}},
		{"conservative, restart is the older", "sssssc", 2, 4, conservative, nil, Outlook{ready(4), ready(2), ready(4)}},
		{"fast-startup", "sssssc", 4, 2, fast, nil, Outlook{ready(2), restore(2, 2, "2", "3"), restore(2, 2, "2", "3")}},
		{"fast-startup, in the store already", "sssssc", 4, 2, fast, copies(2, 3), Outlook{ready(2), restore(2, 2, "2", "3"), restore(2, 2, "2", "3")}},
		{"fast-startup, both points in one segment", "sssssc", 4, 4, fast, nil, Outlook{ready(2), ready(2), ready(2)}},
		{"aggressive", "sssssc", 4, 2, aggressive, nil, Outlook{restore(1, 1, "4", "4"), restore(1, 3, "2", "4"), restore(1, 3, "2", "4")}},
		{"aggressive, points in what is being written", "ssc", 2, 2, aggressive, nil, Outlook{ready(1), ready(1), ready(1)}},
		{"only the older of both is published", "sssc", -1, -1, conservative, needs(needAt(Published, 1)), Outlook{ready(3), ready(3), ready(3)}},
		{"of two published ones the older", "sssc", -1, -1, conservative, needs(needAt(Published, 2), needAt(Published, 1)), Outlook{ready(3), ready(3), ready(3)}},
		{"of two published ones the older, whatever the order", "sssc", -1, -1, conservative, needs(needAt(Published, 1), needAt(Published, 2)), Outlook{ready(3), ready(3), ready(3)}},
		{"of two units of work the older", "sssc", 3, 3, conservative, needs(needAt(UnitOfWork, 1), needAt(UnitOfWork, 2)), Outlook{ready(3), ready(1), ready(3)}},
		{"restart and the published one", "sssc", 2, -1, conservative, needs(needAt(Published, 1)), Outlook{ready(2), ready(3), ready(3)}},
		{"a unit of work is read by a restart", "sssc", 3, 2, conservative, needs(needAt(UnitOfWork, 1)), Outlook{ready(3), ready(2), ready(3)}},
		{"nothing known", "sssc", -1, -1, conservative, nil, Outlook{}},
		{"restart alone known", "sssc", 2, -1, conservative, nil, Outlook{Restart: ready(2)}},
		{"media alone known", "sssc", -1, 2, conservative, nil, Outlook{Rebuild: ready(2)}},
		{"lost", "sasc", 3, 1, conservative, nil, Outlook{ready(1), impossible(2, 0, 1, "", ""), impossible(2, 0, 1, "", "")}},
		{"lost and in the store", "aasc", 3, 0, fast, copies(0), Outlook{ready(1), impossible(2, 1, 1, "0", "0"), impossible(2, 1, 1, "0", "0")}},
		{"freed, with a copy", "sfsc", 2, 1, fast, copies(1), Outlook{ready(2), restore(2, 1, "1", "1"), restore(2, 1, "1", "1")}},
		{"partial, no copy", "spsc", 2, 1, fast, nil, Outlook{ready(2), impossible(2, 0, 1, "", ""), impossible(2, 0, 1, "", "")}},
		{"before all that is known", "ssc", 2, 2, conservative, needs(Need{Kind: Media, From: 1}), Outlook{ready(1), impossible(3, 0, 1, "", ""), impossible(3, 0, 1, "", "")}},
		{"empty and reuse ones are not read", "sercsr", 0, 0, conservative, func(inv *Inventory) { inv.Segments[4].State = Empty }, Outlook{ready(2), ready(2), ready(2)}},
		{"a hold is no recovery", "sssc", 3, 3, conservative, needs(needAt(Hold, 0)), Outlook{ready(1), ready(1), ready(1)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain(test.chain)}
			if test.restart >= 0 {
				inv.Needs = append(inv.Needs, needAt(Restart, test.restart))
			}
			if test.media >= 0 {
				inv.Needs = append(inv.Needs, needAt(Media, test.media))
			}
			if test.change != nil {
				test.change(&inv)
			}
			got := Decide([]Inventory{inv}, test.promise).Managers[0].Outlook
			for _, c := range []struct {
				what      string
				got, want Recovery
			}{
				{"restart", got.Restart, test.want.Restart},
				{"rebuild", got.Rebuild, test.want.Rebuild},
				{"start-up damage", got.StartUpDamage, test.want.StartUpDamage},
			} {
				if c.got != c.want {
					t.Errorf("%s:\n got %+v\nwant %+v", c.what, c.got, c.want)
				}
			}
		})
	}
}

// What a strategy promises is what a sound chain gives when the media point
// is the older one.
func TestPromisedIsKept(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssssc"), Needs: []Need{needAt(Restart, 4), needAt(Media, 2)}}
	for _, strategy := range []Strategy{Conservative, FastStartup, Aggressive} {
		got, want := Decide([]Inventory{inv}, Promise{Strategy: strategy}).Managers[0].Outlook, strategy.Promised()
		if got.Restart.Ready != want.Restart.Ready || got.Rebuild.Ready != want.Rebuild.Ready || got.StartUpDamage.Ready != want.StartUpDamage.Ready {
			t.Errorf("%s promises %+v and gives %+v", strategy, want, got)
		}
	}
}
