package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Of extents that are nowhere both ends and their number are named, around the
// end of the numbers too; of receivers each that is known of.
func TestMissingIsNamedWhole(t *testing.T) {
	absent := func(name string, from, to int) recovery.Segment {
		return recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Name: name}, From: recovery.Position(from), To: recovery.Position(to), State: recovery.Absent}
	}
	for name, test := range map[string]struct {
		newestFirst []recovery.Segment
		want        string
	}{
		"eleven":          {[]recovery.Segment{absent("S0000110.LOG", 11, 11), absent("S0000100.LOG", 1, 10)}, "S0000100.LOG .. S0000110.LOG: 11"},
		"two":             {[]recovery.Segment{absent("S0000101.LOG", 2, 2), absent("S0000100.LOG", 1, 1)}, "S0000100.LOG .. S0000101.LOG: 2"},
		"one":             {[]recovery.Segment{absent("S0000100.LOG", 1, 1)}, "S0000100.LOG: it"},
		"the wrap":        {[]recovery.Segment{absent("S0000001.LOG", 4, 4), absent("S9999998.LOG", 1, 3)}, "S9999998.LOG .. S0000001.LOG: 4"},
		"a copy between":  {[]recovery.Segment{absent("S0000104.LOG", 5, 5), absent("S0000102.LOG", 3, 3), absent("S0000100.LOG", 1, 2)}, "S0000104.LOG: it; S0000100.LOG .. S0000102.LOG: 3"},
		"receivers":       {[]recovery.Segment{absent("AMQA000005", 50, 60), absent("AMQA000002", 20, 30)}, "AMQA000005: it; AMQA000002: it"},
		"nothing at all ": {nil, ""},
	} {
		var list []missing
		for _, s := range test.newestFirst {
			list = appendMissing(list, s)
		}
		var got []string
		for _, m := range list {
			one := m.restored()
			if one.State != plugins.Failed {
				t.Errorf("%s: %s", name, one.State)
			}
			got = append(got, one.Name()+": "+strings.Fields(one.Evidence)[0])
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %s, want %s", name, text, test.want)
		}
	}
}

// A rehearsal of a restore says which file each copy would become.
func TestRestoreSaysWhereTo(t *testing.T) {
	s := newExtents(t, longMedia())
	s.apply("fast-startup")
	list, err := Restore(t.Context(), RestoreOrder{Order: s.order(connect.Plan, "fast-startup"), Target: s.target, Needed: true, For: recovery.Media})
	s.must(err)
	if len(list) != 7 {
		t.Fatalf("%d are to come back: %+v", len(list), list)
	}
	for _, one := range list {
		if one.State != plugins.Planned || one.Path != observe.ExtentPath(s.log, one.Segment.Name) || one.Copy.Store != "vault" || len(one.Copy.SHA256) != 64 {
			t.Errorf("%+v", one)
		}
	}
}

// A picture of extents is headed by whose log it is and where, and nothing else
// of what it belongs to.
func TestPictureIsHeadedByTheLog(t *testing.T) {
	for incarnation, want := range map[string]string{
		"qmid=QM1_2026-01-01_00.00.00; log=/var/mqm/log/QM1; begun=2026-01-01 00.00.00 <0:0:0:4820>": "QM1, log in /var/mqm/log/QM1",
		"qmid=QM1_2026-01-01_00.00.00": "QM1",
		"QMORDERS/AMQAJRN":             "QMORDERS/AMQAJRN",
		"":                             "",
	} {
		if got := titleOf(recovery.Inventory{QueueManager: "QM1", Incarnation: incarnation}); got != want {
			t.Errorf("%q: %q", incarnation, got)
		}
	}
	s := newExtents(t, standin.Manager{Name: "QM1", First: 100, Current: 105, Restart: 104, Media: 103})
	pictures := s.run(connect.Plan, "saved").Targets[0].Pictures
	if len(pictures) != 1 || pictures[0].Title != fmt.Sprintf("QM1, log in %s", strings.TrimSuffix(s.log, "/active")) {
		t.Errorf("%+v", pictures)
	}
}
