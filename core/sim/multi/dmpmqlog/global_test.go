package dmpmqlog

import (
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// Every record of a unit of work that another coordinator prepares has the same
// XTranid, from whatever record the dump begins and wherever it ends (SEED 7.6).
func TestXTranidIsTheSameThroughoutAUnitOfWork(t *testing.T) {
	const xa, mqi = "TranType: XA    XID{CAFE}", "TranType: MQI    TranNum{High 0, Low 2}"
	for _, commit := range []bool{true, false} {
		r := newRig(t, extents.Linear)
		ctx := t.Context()
		u, err := r.e.Begin()
		r.must(err)
		other, err := r.e.Begin()
		r.must(err)
		for _, u := range []*engine.Unit{u, other, u} {
			_, err := u.Put(ctx, "QL.A", engine.Message{Persistent: true, Body: make([]byte, 20_000)})
			r.must(err)
		}
		r.must(other.Commit(ctx))
		r.must(u.Prepare(ctx, []byte{0xCA, 0xFE}))
		if commit {
			r.must(u.Commit(ctx))
		} else {
			r.must(u.Backout(ctx))
		}
		log := r.end()
		_, all := parse(t, dumped(t, log, Options{Base: true}))
		global := 0
		for i, p := range all {
			if p.fields["XTranid"][0] == xa {
				global++
			}
			_, rest := parse(t, dumped(t, log, Options{Start: p.lsn}))
			for j, same := range rest {
				if want, got := all[i+j].fields["XTranid"], same.fields["XTranid"]; !slices.Equal(want, got) {
					t.Errorf("from %s: %s at %s has %q, not %q", p.kind, same.kind, same.lsn, got, want)
				}
			}
			_, upTo := parse(t, dumped(t, log, Options{Base: true, End: p.lsn}))
			if last := upTo[len(upTo)-1]; !slices.Equal(last.fields["XTranid"], p.fields["XTranid"]) {
				t.Errorf("up to %s: it has %q", p.kind, last.fields["XTranid"])
			}
			if x := p.fields["XTranid"][0]; x != xa && x != mqi && x != "TranType: NULL" {
				t.Errorf("%s has %s", p.kind, x)
			}
		}
		// Its beginning, two messages of two records, what prepares and what ends it.
		if want := map[bool]int{true: 7, false: 8}[commit]; global != want {
			t.Errorf("commit %v: %d records of it, wanted %d", commit, global, want)
		}
	}
}
