package smdsexpand

import (
	"fmt"

	"github.com/mqhk/mqhk/plugins/points"
)

// demand is what a data set is to hold: by its forecast, or by what the site
// expects.
type demand struct {
	bytes      int64
	why        string
	expansions int64 // that it needs until it is less full than where one begins; -1: not known, or more than there can be
	enough     bool  // there is room for these for certain
}

// demandOf tells whether a data set has to grow for what is to come. False when
// it need not, or when nothing is known.
func (s *state) demandOf(c config) (demand, bool) {
	d := demand{bytes: sane(s.look.highest(), s.block.Value).Value, why: "the forecast goes up to " + plural(s.look.highest(), "block")}
	if !s.look.made || !s.block.Known {
		d = demand{}
	}
	if c.expect > d.bytes {
		d = demand{bytes: c.expect, why: "it is expected to hold " + points.SizeUp(c.expect)}
	}
	if d.bytes <= 0 || d.bytes > absurd || !s.size.Known || s.size.Value <= 0 {
		return demand{}, false
	}
	wanted := holds(d.bytes)
	if s.size.Value >= wanted {
		return demand{}, false
	}
	d.expansions, d.enough = -1, s.stuck() == ""
	if !s.steps || !s.room.known {
		return d, true
	}
	d.enough = d.enough && s.room.largest(c.limits, s.growth, s.size.Value) >= wanted
	if wanted <= c.limits.extended {
		d.expansions = s.growth.passes(s.size.Value, wanted-1)
	}
	return d, true
}

// String says what is to come, and what it needs.
func (d demand) String() string {
	if d.expansions < 0 {
		return d.why
	}
	return fmt.Sprintf("%s, for which it needs %s", d.why, plural(d.expansions, "expansion"))
}
