package bsds

import (
	"cmp"
	"slices"
)

// Range is a part of a log, both ends included.
type Range struct{ From, To RBA }

// Cover says which log data sets hold a part of the log of one member.
type Cover struct {
	Range    Range
	Archives []Place // all that hold any of it
	Actives  []Place
	Gaps     []Range // what none of them holds
}

// Whole tells whether every byte is in some log data set of the inventory.
func (c Cover) Whole() bool { return c.Range.From.Known() && len(c.Gaps) == 0 }

// Cover gives the log data sets that hold a part of the log. Either copy is
// enough to read it. False when the range can't be compared with the inventory:
// then nothing is known of it.
func (p *Print) Cover(from, to RBA) (Cover, bool) {
	if order, ok := from.Compare(to); !ok || order > 0 {
		return Cover{}, false
	}
	cover := Cover{Range: Range{from, to}}
	var holding []Place
	for _, place := range p.logs() {
		start, ok := place.Log.Start.Compare(to)
		end, too := place.Log.End.Compare(from)
		switch {
		case !ok || !too:
			return Cover{}, false
		case start > 0 || end < 0:
		case place.Archived:
			cover.Archives = append(cover.Archives, place)
			holding = append(holding, place)
		default:
			cover.Actives = append(cover.Actives, place)
			holding = append(holding, place)
		}
	}
	cover.Gaps = gaps(cover.Range, holding)
	return cover, true
}

// gaps gives what of a range no place holds.
func gaps(whole Range, holding []Place) []Range {
	slices.SortStableFunc(holding, func(a, b Place) int { return cmp.Compare(a.Log.Start.value, b.Log.Start.value) })
	var gaps []Range
	next, end := whole.From, whole.To
	for _, place := range holding {
		if next.Before(place.Log.Start) {
			before, _ := place.Log.Start.Sub(1) // above next, so above zero
			gaps = append(gaps, Range{next, before})
		}
		if place.Log.End.Before(next) {
			continue
		}
		if !place.Log.End.Before(end) {
			return gaps
		}
		next, _ = place.Log.End.Add(1) // below end, so there is one
	}
	return append(gaps, Range{next, end})
}

// CoverLRSN gives the log data sets that hold the log of the member from an LRSN
// to its end, as far as the BSDS knows of it: what RECOVER CFSTRUCT reads of this
// member. It begins with the data set in whose time the LRSN falls, or with the
// next one when the member wrote nothing at that time: what is missing in front of
// that one is a gap. False when that can't be said: the inventory has no LRSNs of
// this width, or begins later.
func (p *Print) CoverLRSN(from LRSN) (Cover, bool) {
	end := p.HighestWritten
	if newest, _, ok := p.Newest(); ok && (!end.Known() || end.Before(newest.Log.End)) {
		end = newest.Log.End
	}
	first, ok := p.firstFrom(from)
	if !ok || !end.Known() {
		return Cover{}, false
	}
	if end.Before(first) { // the log that is written now begins there
		end = first
	}
	return p.Cover(p.behind(first, from), end)
}

// behind gives where the log goes on behind the data sets before a place, if the
// data set that begins there begins later than an LRSN: one of that time may be
// missing in between. Else it is the place itself.
func (p *Print) behind(first RBA, from LRSN) RBA {
	next := RBA{}
	for _, place := range p.logs() {
		switch {
		case place.Log.Start == first && !from.Before(place.Log.StartLRSN):
			return first
		case place.Log.End.Before(first):
			if after, err := place.Log.End.Add(1); err == nil && (!next.Known() || next.Before(after)) {
				next = after
			}
		}
	}
	if next.Known() && next.Before(first) {
		return next
	}
	return first
}

// firstFrom gives the first byte of the oldest log data set that is needed from
// an LRSN on. The inventory must reach back to the LRSN, and every log data set
// from there on must say where it ends.
func (p *Print) firstFrom(from LRSN) (RBA, bool) {
	var first RBA
	var silent []RBA // where those begin that have no LRSN
	reaches := false
	for _, place := range p.logs() {
		log := place.Log
		start, ok := log.StartLRSN.Compare(from)
		reaches = reaches || ok && start <= 0 && !log.StartLRSN.Zero()
		end, ok := log.EndLRSN.Compare(from)
		switch {
		case p.unended(place), ok && !log.EndLRSN.Zero() && end >= 0:
			if !first.Known() || log.Start.Before(first) {
				first = log.Start
			}
		case !ok || log.EndLRSN.Zero():
			silent = append(silent, log.Start)
		}
	}
	behind := func(start RBA) bool { return !start.Before(first) }
	return first, reaches && first.Known() && !slices.ContainsFunc(silent, behind)
}
