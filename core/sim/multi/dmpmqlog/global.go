package dmpmqlog

import (
	"context"
	"slices"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/wal"
)

// learn reads what is going to be printed once before, for the identifiers of
// global units of work: every record of one has its XTranid (SEED 7.6), and that
// of a unit of work which another coordinator prepares is not in the log before
// it does. What can't be read the printing tells.
func (p *printer) learn(ctx context.Context, log *Source, from wal.LSN) {
	begun := map[uint64]bool{} // before
	for e, err := range engine.Entries(ctx, log.Open, log.Segments, from, 0) {
		if err != nil {
			break
		}
		for i := range e.Units {
			if u := &e.Units[i]; len(u.XID) > 0 {
				p.global(u.ID, u.XID)
			}
		}
		switch {
		case e.Unit == 0:
		case len(e.XID) > 0:
			p.global(e.Unit, e.XID)
		case e.Prev != 0 && e.Prev < from && !begun[e.Unit]:
			begun[e.Unit] = true
			p.lookBack(ctx, log, &e)
		}
	}
}

func (p *printer) global(unit uint64, xid []byte) {
	if p.xids[unit] == nil {
		p.xids[unit] = slices.Clone(xid)
	}
}

// lookBack goes from the first record of a unit of work that is read to those
// before it, up to the one that has its identifier. An extent that is there no
// more ends that: then it is not known.
func (p *printer) lookBack(ctx context.Context, log *Source, e *engine.Entry) {
	for at := e.Prev; at != 0; {
		before := wal.LSN(0)
		for e, err := range engine.Entries(ctx, log.Open, log.Segments, at, 0) {
			if err != nil {
				return
			}
			if len(e.XID) > 0 {
				p.global(e.Unit, e.XID)
				return
			}
			before = e.Prev
			break
		}
		at = before
	}
}
