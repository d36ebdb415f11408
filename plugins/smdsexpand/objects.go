package smdsexpand

import (
	"fmt"
	"strconv"

	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// The kinds of objects. The numbers among their facts that the host keeps for
// later forecasts are bare: used_blocks, data_blocks, extents, hi_a_rba,
// lowest_free; of a structure size_used and entries_used.
const (
	dataSetKind   = "data-set"
	structureKind = "structure"
)

// objects gives every data set, then every structure that has some.
func objects(v view, c config) []plugins.Object {
	list := make([]plugins.Object, 0, len(v.dataSets)+len(v.structures))
	for _, s := range v.dataSets {
		verdict, reason := s.verdict(c)
		list = append(list, plugins.Object{Kind: dataSetKind, Name: s.Structure, Owner: s.Owner, Facts: s.facts(c), Verdict: verdict, Reason: reason})
	}
	for _, s := range v.structures {
		list = append(list, structureObject(s))
	}
	return list
}

// facts are those of a data set; what is not known is not among them.
func (s *state) facts(c config) map[string]string {
	f := map[string]string{"status": string(s.Status), "access": s.Access, "name": s.Name, "dsexpand": s.expands.String(), "expandst": s.expansion()}
	number := func(name string, n qsg.Number) {
		if n.Known {
			f[name] = strconv.FormatInt(n.Value, 10)
		}
	}
	number("used_blocks", s.Usage.Used)
	number("data_blocks", s.Usage.Data)
	number("total_blocks", s.Usage.Total)
	number("used_percent", s.part)
	number("messages", s.Usage.Messages)
	number("block_bytes", s.block)
	number("buffers", s.pool.now)
	number("buffer_bytes", s.pool.storage())
	number("lowest_free", s.pool.lowest)
	number("wait_percent", s.pool.waits)
	if s.Catalog != nil && s.Catalog.Allocated.Known {
		f["hi_a_rba"] = strconv.FormatInt(s.Catalog.Allocated.Value, 10)
	}
	if s.room.known {
		f["extents"] = strconv.FormatInt(s.room.extents, 10)
		f["extents_left"] = strconv.FormatInt(s.room.left, 10)
		f["extents_limit"] = fmt.Sprintf("%d (%s)", s.room.most, s.room.why)
		f["expansions_left"] = fmt.Sprintf("%d to %d", s.room.sure(c.limits), s.room.best(c.limits))
	}
	if s.steps && s.size.Known {
		f["next_expansion"] = points.SizeDown(s.growth.step(s.size.Value))
		if s.room.known {
			f["largest"] = points.SizeDown(s.room.largest(c.limits, s.growth, s.size.Value))
		}
	}
	if s.Usage.Used.Known || s.look.made {
		f["forecast"] = s.look.String()
	}
	f["connections"] = s.connections()
	for name, value := range f {
		if value == "" {
			delete(f, name)
		}
	}
	return f
}

// connections says how many members can use the data set.
func (s *state) connections() string {
	if len(s.Connections) == 0 {
		return ""
	}
	good := 0
	for _, c := range s.Connections {
		if !useless(c) {
			good++
		}
	}
	return fmt.Sprintf("%d of %d usable", good, len(s.Connections))
}

// verdict says in a word how a data set stands, and why.
func (s *state) verdict(c config) (verdict, reason string) {
	stuck := s.stuck()
	switch d, grows := s.demandOf(c); {
	case s.failed():
		return "failed", "its messages can't be read"
	case !s.part.Known:
		return "not-known", "how much is in use is not known"
	case s.part.Value >= expandsAt && stuck != "":
		return "full", stuck
	case s.expansion() == "FAILED" || s.expansion() == "MAXIMUM":
		return "stuck", stuck
	case grows && s.room.known && !d.enough:
		return "runs-out", d.String()
	case s.part.Value >= expandsAt:
		return "expands", s.nextText()
	case s.part.Value >= c.full:
		return "filling", s.nextText()
	case grows && s.room.known:
		return "grows", d.String()
	case s.room.known && s.room.left <= c.few:
		return "few-extents", s.leftText(c.limits)
	case !s.room.known:
		return "fits", "for now; how many extents it has is not known"
	}
	return "fits", ""
}

func structureObject(s held) plugins.Object {
	f := map[string]string{}
	number := func(name string, n qsg.Number) {
		if n.Known {
			f[name] = strconv.FormatInt(n.Value, 10)
		}
	}
	o := offloadOf(*s.Structure)
	number("size_used", s.SizeUsed)
	number("entries_used", s.EntriesUsed)
	number("entries_max", s.EntriesMax)
	number("size_max_kb", s.SizeMaxKB)
	number("fill_percent", o.fill)
	f["offloaded_now"], f["offload_next"] = o.activeText(), o.nextText()
	if when := s.reaches(o); when != "" {
		f["offload_next_when"] = when
	}
	f["in_data_sets"] = points.SizeUp(s.bytes)
	if s.OffloadUse != "" {
		f["offlduse"] = s.OffloadUse
	}
	if s.Status != "" {
		f["status"] = string(s.Status)
	}
	verdict := "offloads"
	if o.active != nil {
		verdict = "offloads-more"
	}
	return plugins.Object{Kind: structureKind, Name: s.Name, Facts: f, Verdict: verdict}
}
