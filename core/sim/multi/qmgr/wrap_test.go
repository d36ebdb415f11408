package qmgr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
)

// The ring is gone over many times, and the numbers of a linear log begin anew
// behind 9999999: after a crash of the system in every round each message that
// was acknowledged is there.
func TestCrashesWhileTheLogWraps(t *testing.T) {
	for _, settings := range []extents.Settings{
		{Kind: extents.Circular, Primary: 3, Secondary: 3, FilePages: 64},
		{Kind: extents.Linear, Primary: 3, Secondary: 3, FilePages: 64, First: 9_999_995},
		{Kind: extents.Linear, Management: extents.Automatic, Primary: 3, Secondary: 3, FilePages: 64, First: 9_999_995},
	} {
		t.Run(string(settings.Kind)+string(settings.Management), func(t *testing.T) {
			s := inMemory(t, Spec{Log: settings})
			s.start()
			s.define("FILL", "KEPT")
			var kept, open []string
			seen := map[string]bool{}
			for round := range 16 {
				body := fmt.Sprint("message ", round)
				s.put("KEPT", body)
				kept = append(kept, body)
				u, err := s.m.Begin("APP")
				s.must(err)
				_, err = u.Put(s.ctx, "KEPT", text("open "+body))
				s.must(err)
				s.fill(1)
				if settings.Kind == extents.Linear {
					_, err = s.m.Image(s.ctx, Selection{"all", "*"})
					s.must(err)
					seen[s.m.Status().CurrLog], seen[s.m.Status().RecLog] = true, true
				}
				if round == 7 { // a unit of work in doubt over two rounds
					s.must(u.Prepare(s.ctx, []byte("in doubt")))
					open = append(open, "open "+body)
				}
				if round == 8 {
					for _, tr := range s.m.Transactions() {
						if tr.Prepared {
							s.must(s.m.Resolve(s.ctx, tr.Number, true))
							kept = append(kept, open...)
						}
					}
				}
				s.must(s.m.Crash())
				s.crash.CrashAfter(int64(round * 100))
				s.reopen()
				s.start()
				got := s.bodies("KEPT")
				slices.Sort(got)
				want := slices.Sorted(slices.Values(kept))
				if !slices.Equal(got, want) {
					t.Fatalf("round %d: %q, wanted %q", round, got, want)
				}
			}
			status, err := s.m.EngineStatus()
			s.must(err)
			if ring := wal.LSN(6 * 64 * 4096); status.End < 2*ring {
				t.Errorf("the log ends at %d: it did not go twice over %d", status.End, ring)
			}
			if settings.Kind == extents.Linear && (!seen["S9999999.LOG"] || !seen["S0000000.LOG"] || !seen["S0000001.LOG"]) {
				t.Errorf("the extents seen are %v", seen)
			}
			if settings.Kind == extents.Circular {
				names := strings.Join(s.extentNames(), " ")
				if !strings.HasPrefix(names, "S0000000.LOG S0000001.LOG S0000002.LOG") || len(s.extentNames()) > 6 {
					t.Error(names)
				}
			}
		})
	}
}
