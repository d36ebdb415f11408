package multi

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// A backup queue manager on another machine, fed with the complete extents of
// the first (reference, Multiplatforms 7 item 119): it takes over with every
// message of them.
func TestBackupQueueManager(t *testing.T) {
	first, second := ready(t, extents.Linear), ready(t, extents.Linear)
	first.well("endmqm", "-w", "QM1")
	second.well("endmqm", "-w", "QM1")
	second.fails(unexpected, "no backup", "strmqm", "-a", "QM1")
	copyTo := func(folder string) {
		restoreTree(t, filepath.Join(first.root, folder), filepath.Join(second.root, folder))
	}
	copyTo("var/mqm/qmgrs/QM1")
	copyTo("var/mqm/log/QM1")
	second.edit("var/mqm/qmgrs/QM1/qm.ini", first.root, second.root)
	second.well("strmqm", "-r", "QM1")
	second.fails(unexpected, "activated", "strmqm", "QM1")

	first.well("strmqm", "QM1")
	want := []string{"kept"}
	for round := range 3 {
		more := numbered(round*40, round*40+40)
		first.put("Q", more...)
		want = append(want, more...)
		first.mqsc("RESET QMGR TYPE(ADVANCELOG)")
		current := value(first.mqsc("DISPLAY QMSTATUS CURRLOG"), "CURRLOG")
		for _, name := range first.extents() {
			if name < current { // also one that was being written when it was copied first
				copyTree(t, first.extent(name), second.extent(name))
			}
		}
		if out := second.well("strmqm", "-r", "QM1"); !strings.Contains(out, "log records accessed on queue manager 'QM1' during the log replay phase.") {
			t.Error(out)
		}
	}
	first.put("Q", "lost with the machine")
	second.well("strmqm", "-a", "QM1")
	second.fails(unexpected, "updated no more", "strmqm", "-r", "QM1")
	second.well("strmqm", "QM1")
	second.holds("Q", want...)
	second.well("endmqm", "-w", "QM1")
	second.well("strmqm", "QM1")

	circular := ready(t, extents.Circular)
	circular.fails(alreadyRuns, "AMQ7005", "strmqm", "-r", "QM1")
	circular.well("endmqm", "-w", "QM1")
	circular.fails(unexpected, "linear", "strmqm", "-r", "QM1")
}
