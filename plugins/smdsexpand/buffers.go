package smdsexpand

import (
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// mostBuffers is the largest number that DSBUFS takes (ALTER SMDS).
const mostBuffers = 9999

// pool is the buffers that a queue manager has for a structure: it reads and
// writes its own data set through them, and reads those of the others.
type pool struct {
	now    qsg.Number // DSBUFS
	block  qsg.Number // bytes of one
	lowest qsg.Number // free; negative: so many requests waited at once (case 47)
	waits  qsg.Number // per cent of the requests that waited
}

// poolOf gives the pool of a data set's owner. DISPLAY USAGE shows what there is,
// and the definition what there is to be.
func poolOf(s *qsg.Structure, d qsg.DataSet) pool {
	p := pool{now: d.Buffers.Total, block: d.Buffers.BlockBytes, lowest: d.Buffers.LowestFree, waits: d.Buffers.WaitRate}
	if s == nil {
		return p
	}
	if defined := s.Buffers(d); defined.Known {
		p.now = defined
	}
	if !p.block.Known {
		p.block = s.Defined.DSBlock
	}
	return p
}

// storage is what the pool takes; not known where one of its factors is not.
func (p pool) storage() qsg.Number {
	if !p.now.Known || !p.block.Known {
		return qsg.Number{}
	}
	return sane(p.now.Value, p.block.Value)
}

// enlarged is the number of buffers that would have spared the waits.
type enlarged struct {
	buffers int64
	short   int64 // so many more would have been needed, and are over what the site allows
}

// enlarge adds as many buffers as requests waited at once, and not more than fit
// into the storage that the site allows. False when nothing is to be done: the
// lowest number of free buffers was 0 or more, so that nobody waited, or it is
// not known.
func (p pool) enlarge(most int64) (enlarged, bool) {
	if !p.now.Known || !p.block.Known || p.block.Value <= 0 || !p.lowest.Known || p.lowest.Value >= 0 {
		return enlarged{}, false
	}
	wanted := p.now.Value - p.lowest.Value
	e := enlarged{buffers: max(p.now.Value, min(wanted, mostBuffers, most/p.block.Value))}
	e.short = wanted - e.buffers
	return e, true
}
