package main

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

func copyMade(segment, incarnation, opened string, made int) entry {
	return entry{Entry: store.Entry{
		Copy:     recovery.Copy{Segment: recovery.SegmentID{QueueManager: "QM1", Name: segment}},
		Manifest: store.Manifest{QueueManager: "QM1", Segment: segment, Incarnation: incarnation, Opened: opened, Closed: opened, Made: time.Unix(int64(made), 0).UTC()},
	}}
}

func segmentsOf(list []entry) string {
	var names []string
	for _, e := range list {
		names = append(names, e.Manifest.Segment)
	}
	return strings.Join(names, " ")
}

// The oldest stand first: extents by their distance, around the end of the
// numbers too (case 17), those of an earlier life of the queue manager before;
// receivers by their times.
func TestCopiesOldestFirst(t *testing.T) {
	for name, test := range map[string]struct {
		list []entry
		want string
	}{
		"the wrap": {[]entry{copyMade("S0000000.LOG", "qmid=1", "", 9), copyMade("S9999998.LOG", "qmid=1", "", 8), copyMade("S9999999.LOG", "qmid=1", "", 3), copyMade("S0000001.LOG", "qmid=1", "", 1)},
			"S9999998.LOG S9999999.LOG S0000000.LOG S0000001.LOG"},
		"two lives": {[]entry{copyMade("S0000000.LOG", "qmid=2", "", 20), copyMade("S0000007.LOG", "qmid=1", "", 10), copyMade("S0000006.LOG", "qmid=1", "", 11)},
			"S0000006.LOG S0000007.LOG S0000000.LOG"},
		"receivers": {[]entry{copyMade("AMQA000001", "", "2026-05-27-14.00.00.000000", 1), copyMade("AMQA000002", "", "2026-05-27-13.00.00.000000", 2)},
			"AMQA000002 AMQA000001"},
	} {
		oldestFirst(test.list)
		if got := segmentsOf(test.list); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Whatever order a store lists them in and wherever the numbers begin: they stand
// as they were written.
func TestCopiesOldestFirstAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, n := rapid.IntRange(0, 9_999_999).Draw(t, "from"), rapid.IntRange(1, 30).Draw(t, "n")
		var list []entry
		var want []string
		for i := range n {
			want = append(want, observe.ExtentName(from+i))
			list = append(list, copyMade(want[i], "qmid=1", "", rapid.IntRange(0, 99).Draw(t, "made")))
		}
		list = rapid.Permutation(list).Draw(t, "list")
		oldestFirst(list)
		if got := segmentsOf(list); got != strings.Join(want, " ") {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

// A list says when each copy was made, and of extents nothing that they have not;
// the JSON names the log that each is of.
func TestArchiveListShowsWhenCopiesWereMade(t *testing.T) {
	for _, test := range []struct {
		e          entry
		head, line string
	}{
		{copyMade("S0000100.LOG", "qmid=1", "", 60), "STORE QUEUE MANAGER SEGMENT MADE SIZE STATE", " QM1 S0000100.LOG 1970-01-01T00:01:00Z "},
		{copyMade("AMQA000001", "", "2026-05-27-13.59.00.000000", 60), "STORE QUEUE MANAGER SEGMENT OPENED CLOSED MADE SIZE STATE",
			" QM1 AMQA000001 2026-05-27-13.59.00.000000 2026-05-27-13.59.00.000000 1970-01-01T00:01:00Z "},
	} {
		vault, err := store.NewDirectory(store.Settings{Name: "vault", Path: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		test.e.in = vault
		c := copyOf(test.e, nil)
		text := strings.Join(strings.Fields(archiveText(archiveListing{Copies: []archiveCopy{c}})), " ")
		if !strings.Contains(text, test.head) || !strings.Contains(text, test.line) {
			t.Error(text)
		}
		if c.Incarnation != test.e.Manifest.Incarnation || c.Made != "1970-01-01T00:01:00Z" {
			t.Errorf("%+v", c)
		}
	}
}
