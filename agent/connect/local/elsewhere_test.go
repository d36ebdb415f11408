package local

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/recovery"
)

// The writer itself looks where the queue manager runs: another host may have
// taken the log over since anybody looked.
func TestRestoreElsewhere(t *testing.T) {
	either(t, case18(), func(t *testing.T, s *station) {
		s.must(os.Remove(s.path(105)))
		before := s.names()
		w := s.writer()
		for _, word := range []string{"Running elsewhere", "Running as standby", "Running as secondary", "Replica", "Starting"} {
			s.change(func(m *standin.Manager) { m.Status, m.Ended = word, true })
			copied := recovery.Copy{Segment: s.id(105), Bytes: 65536}
			if _, err := w.Restore(t.Context(), copied, connect.Store{}, bytes.NewReader(make([]byte, 65536))); !errors.Is(err, connect.ErrNotHere) {
				t.Errorf("%s: %v", word, err)
			}
		}
		if after := s.names(); !slices.Equal(before, after) {
			t.Errorf("%q are there, and %q were", after, before)
		}
	})
}
