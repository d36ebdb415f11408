package smdsexpand

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// state is a data set with all that is made of its facts.
type state struct {
	qsg.DataSet
	structure *qsg.Structure // nil: nobody speaks of it

	block   qsg.Number // bytes of a logical block
	size    qsg.Number // bytes that are allocated
	part    qsg.Number // per cent of its blocks in use
	expands qsg.Flag   // DSEXPAND as it holds

	room   room
	growth growth
	steps  bool // how large an expansion is is known
	pool   pool
	grown  grown
	look   outlook

	noted bool             // something was said of its growth
	worst finding.Severity // of that
}

// view is a group as this plugin sees it.
type view struct {
	dataSets   []*state // by structure and owner
	structures []held   // that have data sets
	history    series
	empty      []qsg.Event // readers' messages that say that nothing was added
}

// viewOf makes the view of a group's facts.
func viewOf(ctx context.Context, g *qsg.Group, c config) view {
	said, empty := messages(g, c.recent)
	v := view{history: seriesOf(g), empty: empty}
	for _, d := range g.DataSets {
		s := &state{DataSet: d, room: c.limits.roomOf(d.Catalog, c.placing(d))}
		s.structure, _ = g.Structure(d.Structure)
		s.block = d.Buffers.BlockBytes
		if s.structure != nil {
			s.expands = s.structure.Expands(d)
			if s.structure.Defined.DSBlock.Known {
				s.block = s.structure.Defined.DSBlock
			}
		}
		s.size = allocated(d, s.block)
		s.part = partOf(d.Usage)
		s.growth, s.steps = growthOf(d.Catalog)
		s.pool = poolOf(s.structure, d)
		if grown := said[key(d)]; grown != nil {
			s.grown = *grown
		}
		v.dataSets = append(v.dataSets, s)
	}
	v.forecasts(ctx, g, c)
	v.structures = structures(v.dataSets, v.history, g.Observed, c)
	return v
}

// partOf is how much of a data set is in use.
func partOf(u qsg.SpaceUsage) qsg.Number {
	switch {
	case u.Part.Known:
		return u.Part
	case u.Used.Known && u.Data.Known && u.Data.Value > 0:
		return qsg.Of(u.Used.Value * 100 / u.Data.Value)
	}
	return qsg.Number{}
}

// forecasts looks ahead for those that were ever the fullest.
func (v view) forecasts(ctx context.Context, g *qsg.Group, c config) {
	history, byPeak := v.history, slices.Clone(v.dataSets)
	slices.SortStableFunc(byPeak, func(a, b *state) int {
		return cmp.Compare(b.share(history.peak(b.DataSet)), a.share(history.peak(a.DataSet)))
	})
	for i, s := range byPeak {
		switch {
		case ctx.Err() != nil:
			return
		case !s.Usage.Used.Known && len(history.of(qsg.UsedBlocks, s.DataSet)) == 0:
			s.look = outlook{why: "how much is in use is not known"}
		case i >= mostForecasts:
			s.look = outlook{why: "not made: others were fuller"}
		default:
			s.look = history.look(s.DataSet, g.Observed, c.horizon)
		}
	}
}

// share is how much of the data set so many blocks are, in parts of a thousand.
func (s *state) share(blocks int64) int64 {
	if s.Usage.Data.Value <= 0 {
		return blocks
	}
	return blocks * 1000 / s.Usage.Data.Value
}

// expansion is EXPANDST: FAILED or MAXIMUM where any member says so, else what
// one says; empty: not known.
func (s *state) expansion() string {
	said := ""
	for _, c := range s.Connections {
		switch c.Expansion {
		case "MAXIMUM":
			return c.Expansion
		case "FAILED":
			said = c.Expansion
		default:
			said = cmp.Or(said, c.Expansion)
		}
	}
	return said
}

// stuck tells why the data set can't expand; empty: it can, as far as is known.
func (s *state) stuck() string {
	switch {
	case s.expansion() == "MAXIMUM":
		return "EXPANDST(MAXIMUM): it has as many extents as it can have"
	case s.expansion() == "FAILED":
		return "EXPANDST(FAILED): an expansion failed, and none is tried until DSEXPAND is altered"
	case s.expands == qsg.No:
		return "DSEXPAND(NO)"
	case s.room.known && s.room.left == 0:
		return "no extent is left: " + s.room.why
	case s.room.known && s.size.Known && s.steps && s.size.Value+s.growth.step(s.size.Value) > s.room.bytes:
		return "its size: " + s.room.bytesWhy
	}
	return ""
}

// useless are the states of a connection by which no message is read or written.
func useless(c qsg.DataSetConnection) bool {
	return strings.HasSuffix(c.Status, "FAIL") || c.Status == "NOTENABLED" || c.Available == "ERROR" || c.Available == "STOPPED"
}

// failed tells whether the data set itself has failed; its messages can't be
// read.
func (s *state) failed() bool { return s.Status == qsg.Failed || s.Access == "SUSPENDED" }

// usedBytes is what lies in the data set; 0: nothing, or not known.
func (s *state) usedBytes() int64 { return sane(s.Usage.Used.Value, s.block.Value).Value }
