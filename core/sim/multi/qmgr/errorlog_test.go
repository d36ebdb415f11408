package qmgr

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// What the reader of the housekeeper finds in the error logs is what QMSTATUS
// says: in each layout, as text and as JSON, right behind a start too, when
// nothing may look like a mark of the life before.
func TestErrorLogsTellTheMarks(t *testing.T) {
	for _, release := range []string{"7.5.0.0", "9.1.0.0", "9.4.0.0"} {
		for _, name := range []string{"Q", "PROD.PAYMENTS.QM01"} {
			for _, ending := range []string{"LOG", "json"} {
				t.Run(release+name+ending, func(t *testing.T) {
					s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
					s.site = siteAt(s.root, s.clock, release)
					s.create(Spec{Name: name, Log: small(extents.Linear, extents.Manual), JSON: true})
					t.Cleanup(s.halt)
					s.start()
					s.define("FILL", "Q")
					s.marksAreTold(t, ending)
					s.fill(2)
					_, err := s.m.Image(s.ctx, Selection{"all", "*"})
					s.must(err)
					s.fill(1)
					s.must(s.m.Checkpoint(s.ctx))
					s.marksAreTold(t, ending)
					if st := s.m.Status(); st.RecLog == "S0000000.LOG" || st.MediaLog == "S0000000.LOG" {
						t.Errorf("%s, %s", st.RecLog, st.MediaLog)
					}
					s.must(s.m.Crash())
					s.start()
					s.marksAreTold(t, ending)
				})
			}
		}
	}
}

func (s *station) marksAreTold(t *testing.T, ending string) {
	t.Helper()
	var files []errlog.File
	for n := 1; n <= 3; n++ {
		file := fmt.Sprintf("AMQERR%02d.%s", n, ending)
		content, err := disk.ReadAll(s.site.Disk, s.m.path("errors/"+file))
		s.must(err)
		files = append(files, errlog.File{Name: file, Log: bytes.NewReader(content)})
	}
	m, err := errlog.Watermarks(s.m.Name(), files...)
	s.must(err)
	status := s.m.Status()
	if m.Restart == nil || m.Media == nil || m.Damages+m.Rejects != 0 {
		t.Fatalf("%+v", m)
	}
	if m.Restart.Extent != status.RecLog || m.Media.Extent != status.MediaLog {
		t.Errorf("%s and %s are told, RECLOG(%s) MEDIALOG(%s)", m.Restart.Extent, m.Media.Extent, status.RecLog, status.MediaLog)
	}
	if m.Restart.Outlived != nil || m.Media.Outlived != nil || len(m.Restart.Rivals) != 0 {
		t.Errorf("the marks are in doubt: %+v", m.Restart)
	}
	if m.Started == nil {
		t.Error("AMQ8003 is not told")
	}
}
