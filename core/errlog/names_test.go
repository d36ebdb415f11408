package errlog

import (
	"strings"
	"testing"
)

// Case 14: the extent stands on the second line, at a place that depends on
// the length of the queue manager's name.
func TestExtentWrapped(t *testing.T) {
	for length := 1; length <= 48; length++ {
		manager := strings.Repeat("QM.A_%/1", 6)[:length]
		for _, level := range []int{70, 75, 91} {
			l := modern
			l.level = level
			first, second := restart(manager, "2026-05-01 10:00:00", "S0000128.LOG"), media(manager, "2026-05-01 10:00:00", "S0000104.LOG")
			got := scan(t, first.asText(l)+second.asText(l))
			if len(got.records) != 2 || len(got.damage) > 0 {
				t.Fatalf("%s: %+v", manager, got)
			}
			for i, want := range []string{"S0000128.LOG", "S0000104.LOG"} {
				r := got.records[i]
				if extent, err := r.Extent(); err != nil || extent != want || !r.Of(manager) {
					t.Errorf("%s: %s, %v", manager, extent, err)
				}
			}
		}
	}
}

func TestExtent(t *testing.T) {
	tests := map[string]struct {
		text   string
		insert string
		want   string
	}{
		"full stop":                  {"QM1 is S0000104.LOG.", "", "S0000104.LOG"},
		"end":                        {"QM1 is S0000104.LOG", "", "S0000104.LOG"},
		"quoted":                     {"'QM1' is 'S0000104.LOG'.", "", "S0000104.LOG"},
		"first":                      {"S0000104.LOG: QM1", "", "S0000104.LOG"},
		"small letters":              {"QM1 is s0000104.log.", "", "S0000104.LOG"},
		"insert alone":               {"QM1", "S0000104.LOG", "S0000104.LOG"},
		"the same in both":           {"QM1 is S0000104.LOG.", "S0000104.LOG", "S0000104.LOG"},
		"the same twice":             {"S0000104.LOG, S0000104.LOG", "", "S0000104.LOG"},
		"last number":                {"S9999999.LOG", "", "S9999999.LOG"},
		"none":                       {"QM1 is .", "", ""},
		"two":                        {"S0000104.LOG S0000105.LOG", "", ""},
		"another in an insert":       {"S0000104.LOG", "S0000105.LOG", ""},
		"R extent":                   {"QM1 is R0000104.LOG.", "", ""},
		"broken over two lines":      {"QM1 is S00001 04.LOG.", "", ""},
		"six digits":                 {"S000104.LOG", "", ""},
		"eight digits":               {"S00000104.LOG", "", ""},
		"within a longer name":       {"QM.S0000104.LOG", "", ""},
		"a longer name begins":       {"S0000104.LOG.QM", "", ""},
		"name and extension run":     {"S0000104.LOGS", "", ""},
		"a path":                     {"/var/mqm/log/QM1/active/S0000104.LOG", "", ""},
		"queue manager of that name": {"queue manager S0000128.LOG is S0000104.LOG.", "", ""},
	}
	for name, test := range tests {
		r := Record{ID: "AMQ7468", Text: test.text, Comment: [3]string{"QM1", test.insert}}
		extent, err := r.Extent()
		if extent != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: %q, %v", name, extent, err)
		}
	}
}

func TestOf(t *testing.T) {
	tests := map[string]struct {
		record Record
		want   owner
	}{
		"header":                   {Record{QueueManager: "QM1"}, ours},
		"header of another":        {Record{QueueManager: "QM10", Text: "QM1"}, foreign},
		"another case":             {Record{QueueManager: "qm1"}, foreign},
		"insert":                   {Record{Comment: [3]string{"", "", "QM1"}}, ours},
		"message":                  {Record{Text: "of queue manager QM1."}, ours},
		"quoted in the message":    {Record{Text: "'QM1'"}, ours},
		"a longer name":            {Record{Text: "QM10 QM1.A /QM1 QM1_"}, unsaid},
		"a longer one, then ours":  {Record{Text: "QM1.A QM1"}, ours},
		"nothing":                  {Record{}, unsaid},
		"another in the message":   {Record{Text: "of queue manager QM2."}, unsaid},
		"behind a double-byte end": {Record{Text: "\x83\x58QM1 "}, ours},
	}
	for name, test := range tests {
		if got := test.record.owner("QM1"); got != test.want || test.record.Of("QM1") != (test.want == ours) {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func TestStatistics(t *testing.T) {
	tests := map[string]struct {
		text  string
		want  [3]int64
		found bool
	}{
		"English": {"AMQ7490I: Log extent statistics: 55 created. 3 reused. 12 deleted.", [3]int64{55, 3, 12}, true},
		"German":  {"AMQ7490I: Statistik: 55 erstellt. 0 wiederverwendet. 0 gelöscht.", [3]int64{55, 0, 0}, true},
		"two":     {"AMQ7490I: 55 created. 3 reused.", [3]int64{}, false},
		"four":    {"AMQ7490I: 1 2 3 4", [3]int64{}, false},
		"huge":    {"AMQ7490I: 99999999999999999999 2 3", [3]int64{}, false},
	}
	for name, test := range tests {
		if got, found := (Record{Text: test.text}).statistics(); got != test.want || found != test.found {
			t.Errorf("%s: %v, %v", name, got, found)
		}
	}
}

func TestPercent(t *testing.T) {
	tests := map[string]struct {
		record Record
		want   float64
		found  bool
	}{
		"insert":  {Record{Arith: [2]string{"14.49"}, Text: "'/a/50%/b' is 14.49% used"}, 14.49, true},
		"text":    {Record{Text: "'/a/50%/b' is 14.49% used"}, 14.49, true},
		"comma":   {Record{Text: "zu 14,5 % belegt"}, 14.5, true},
		"none":    {Record{Text: "is used"}, 0, false},
		"too big": {Record{Arith: [2]string{"869"}}, 869, false},
	}
	for name, test := range tests {
		if got, found := test.record.percent(); got != test.want || found != test.found {
			t.Errorf("%s: %v, %v", name, got, found)
		}
	}
}
