package observe_test

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

const sightings = "AT,KIND,LIBRARY,SEGMENT,POSITION\n"

// A point that went back keeps everything until a run that applies has stopped
// for it, however many looks came after.
func TestPutBack(t *testing.T) {
	u := usual() // RECLOG 112, MEDIALOG 104
	const (
		before = "2026-05-27T02:00:00Z,restart,,S0000120.LOG,\n"
		after  = "2026-05-27T03:00:00Z,restart,,S0000112.LOG,\n"
	)
	row := func(kind string) string { return "2026-05-27T02:30:00Z," + kind + ",,S0000125.LOG,\n" }
	for _, c := range []struct {
		name, rows, goes, open string
		putBack                bool
	}{
		{"it went back", before, "", "mark-went-back", true},
		{"a look came after", before + after, "", "mark-went-back", true},
		{"the point caught up since, and a dry run saw it", "2026-05-27T02:00:00Z,restart,,S0000110.LOG,\n" + row("put-back-seen"), "", "mark-went-back", true},
		{"a run stopped for it", before + row("put-back") + after, usualGoes, "", false},
		{"a run stopped for what a dry run had seen", before + "2026-05-27T02:20:00Z,put-back-seen,,S0000125.LOG,\n" + row("put-back"), usualGoes, "", false},
		{"once more since", row("put-back") + "2026-05-27T03:00:00Z,restart,,S0000121.LOG,\n", "", "mark-went-back", true},
	} {
		facts := u.with(seen, sightings+c.rows).read(t)
		if letGo(facts) != c.goes || openCodes(facts) != c.open || facts.PutBack != c.putBack {
			t.Errorf("%s: %q goes, open %v, put back %t", c.name, letGo(facts), facts.Inventory.Open, facts.PutBack)
		}
	}
}

// A copy from before the log was put back stands for no extent of now; one that
// was made since does, also when nobody remembers it but the manifests.
func TestCopiesOfLives(t *testing.T) {
	u := usual()
	lost := u.edit(t, active, file("S0000105.LOG"), "")
	const row = "2026-05-27T02:30:00Z,put-back,,S0000125.LOG,\n"
	life := func(at string) string { return thisLog + "; life=" + at }
	of := func(incarnation string) string { return manifestWith(105, 16785408, "YES", incarnation) }
	for _, c := range []struct {
		name, rows, copies, goes, open string
	}{
		{"never put back", "", of(thisLog), "S0000100-S0000103", ""},
		{"from before", row, of(thisLog), "", "copies-of-another-log"},
		{"of a log that is not told", row, of(""), "", "copies-of-another-log"},
		{"made since", row, of(life("2026-05-27T02:30:00Z")), "S0000100-S0000103", ""},
		{"of the life before", row, of(life("2026-05-26T02:30:00Z")), "", "copies-of-another-log"},
		{"only the manifest remembers it", "", of(life("2026-05-27T02:30:00Z")), "S0000100-S0000103", ""},
		{"and another is from before", "", manifestOf(104) + of(thisLog) + manifestWith(106, 16785408, "YES", life("2026-05-27T02:30:00Z")), "", "copies-of-another-log"},
		{"ahead, of this life", row, of(life("2026-05-27T02:30:00Z")) + manifestWith(131, 16785408, "YES", life("2026-05-27T02:30:00Z")), "", "mark-went-back copies-of-another-log"},
		{"ahead, from before", row, of(life("2026-05-27T02:30:00Z")) + manifestOf(131), "S0000100-S0000103", ""},
	} {
		facts := lost.with(seen, sightings+c.rows).with(manifests, manifestColumns+c.copies).read(t)
		goes := decided(facts, recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.DeleteUnsaved}, recovery.Delete)
		if goes != c.goes || openCodes(facts) != c.open {
			t.Errorf("%s: %q goes, open %v", c.name, goes, facts.Inventory.Open)
		}
	}
}

// What has no life is from before any; it is compared whatever else is told.
func TestSameLogOfLives(t *testing.T) {
	const first, second = thisLog + "; life=2026-05-26T02:30:00Z", thisLog + "; life=2026-05-27T02:30:00Z"
	for _, c := range []struct {
		a, b        string
		same, known bool
	}{
		{first, first, true, true}, {thisLog, thisLog, true, true}, {"log=/l; life=x", "log=/l; life=x", true, false},
		{first, second, false, true}, {first, thisLog, false, true}, {thisLog, first, false, true}, {first, "", false, true}, {"", first, false, true},
	} {
		if same, known := observe.SameLog(c.a, c.b); same != c.same || known != c.known {
			t.Errorf("%s\n%s: %t, %t", c.a, c.b, same, known)
		}
	}
	if folder, ok := observe.LogOf(strings.TrimPrefix(second, "qmid=QM1_2024-01-01_12.00.00; ")); folder != "/var/mqm/log/QM1" || !ok {
		t.Error(folder, ok)
	}
}
