package smdsexpand

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

const (
	unusedSize      = 64 << 10 // OFFLDnSZ(64K): the rule is not used
	unusedThreshold = 100      // OFFLDnTH(100): likewise
)

// rule is an offload rule that is used.
type rule struct {
	number          int // 1 to 3
	size, threshold int64
}

// String says it as the definition does.
func (r rule) String() string {
	return fmt.Sprintf("OFFLD%dSZ(%dK) OFFLD%dTH(%d)", r.number, r.size>>10, r.number, r.threshold)
}

// offload is which rules of a structure hold at its present fill. They are looked
// at with each put, so that a structure which fills changes how fast its data sets
// grow.
type offload struct {
	fill   qsg.Number // per cent
	active *rule      // by which the smallest messages go to the data sets; nil: only those over 63 KB do
	next   *rule      // that comes into force next; nil: none
}

// fillOf is how full a structure is, in per cent: of its space or its entries,
// whichever is fuller. It is full when either runs out (2192).
func fillOf(s qsg.Structure) qsg.Number {
	fill := s.SizeUsed
	if s.EntriesUsed.Known && s.EntriesMax.Known && s.EntriesMax.Value > 0 {
		if entries := s.EntriesUsed.Value * 100 / s.EntriesMax.Value; !fill.Known || entries > fill.Value {
			fill = qsg.Of(entries)
		}
	}
	return fill
}

// offloadOf tells which rule is in force, and which comes next. A rule that lets
// fewer messages go than one in force does nothing.
func offloadOf(s qsg.Structure) offload {
	o := offload{fill: fillOf(s)}
	if !o.fill.Known {
		return o
	}
	used := usedRules(s.Defined)
	for i := range used {
		if r := &used[i]; r.threshold <= o.fill.Value && (o.active == nil || r.size < o.active.size) {
			o.active = r
		}
	}
	for i := range used {
		r := &used[i]
		adds := o.active == nil || r.size < o.active.size
		sooner := o.next == nil || r.threshold < o.next.threshold || r.threshold == o.next.threshold && r.size < o.next.size
		if r.threshold > o.fill.Value && adds && sooner {
			o.next = r
		}
	}
	return o
}

// usedRules gives the rules that can ever hold. Those of Db2 fill no data set.
func usedRules(d qsg.Definition) []rule {
	var used []rule
	for i, r := range d.Rules {
		if d.Offload == "DB2" || !r.Size.Known || !r.Threshold.Known || r.Size.Value >= unusedSize || r.Threshold.Value >= unusedThreshold {
			continue
		}
		used = append(used, rule{i + 1, r.Size.Value, r.Threshold.Value})
	}
	return used
}

// usualRules are those that a structure gets by default (DEFINE CFSTRUCT).
const usualRules = "OFFLD1SZ(32K) OFFLD1TH(70) OFFLD2SZ(4K) OFFLD2TH(80) OFFLD3SZ(0K) OFFLD3TH(90)"

// usualFrom is from which per cent on the first of them holds.
const usualFrom = 70

// unruled tells whether a structure fills without any rule that would keep it
// from being full.
func (o offload) unruled(d qsg.Definition) bool {
	return o.fill.Known && o.fill.Value >= usualFrom && d.Offload == "SMDS" && d.Rules[0].Size.Known && len(usedRules(d)) == 0
}

// activeText says which messages go to the data sets now.
func (o offload) activeText() string {
	switch {
	case !o.fill.Known:
		return "not known"
	case o.active == nil:
		return "messages over 63 KB"
	case o.active.size == 0:
		return "all messages, by " + o.active.String()
	default:
		return fmt.Sprintf("messages from %d KB on, by %s", o.active.size>>10, *o.active)
	}
}

// nextText says which rule comes next, and when.
func (o offload) nextText() string {
	switch {
	case !o.fill.Known:
		return "not known"
	case o.next == nil:
		return "none"
	default:
		return fmt.Sprintf("%s, in %d per cent more", *o.next, o.next.threshold-o.fill.Value)
	}
}
