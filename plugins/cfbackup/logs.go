package cfbackup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// logShelf is the log of a member: what its BSDS knows, and which data sets of
// that can be read.
type logShelf struct {
	member   *qsg.Member
	print    *bsds.Print // all of it
	sure     *bsds.Print // without the data sets of which it is not known that they can be read
	possible *bsds.Print // without those that are known to be gone
	entries  map[string]idcams.NonVSAM
	missing  map[string]bool
}

func newLogShelf(m *qsg.Member) *logShelf {
	shelf := &logShelf{member: m, print: m.BSDS, entries: map[string]idcams.NonVSAM{}, missing: map[string]bool{}}
	for _, entry := range m.Archives.NonVSAM {
		shelf.entries[strings.ToUpper(entry.Name)] = entry
	}
	for _, name := range m.Archives.Missing {
		shelf.missing[strings.ToUpper(name)] = true
	}
	shelf.sure = shelf.only(func(state answer, _ bsds.Log) bool { return state == yes })
	shelf.possible = shelf.only(func(state answer, _ bsds.Log) bool { return state != no })
	return shelf
}

// only gives the print with the data sets that fit.
func (l *logShelf) only(fits func(answer, bsds.Log) bool) *bsds.Print {
	p := *l.print
	for c := range bsds.Copies {
		p.Active[c], p.Archive[c] = nil, nil
		for _, log := range l.print.Active[c] {
			if fits(activeState(log), log) {
				p.Active[c] = append(p.Active[c], log)
			}
		}
		for _, log := range l.print.Archive[c] {
			if fits(l.archiveState(log), log) {
				p.Archive[c] = append(p.Archive[c], log)
			}
		}
	}
	return &p
}

// activeState tells whether an active log data set can be read. One that is
// STOPPED had an error (reference of CSQJU004).
func activeState(log bsds.Log) answer {
	if log.Status == bsds.Stopped {
		return no
	}
	return yes
}

// archiveState tells whether an archive data set can be read, by the catalog. Of
// one that was never catalogued (CATALOG(NO), trap 35) the catalog says nothing.
func (l *logShelf) archiveState(log bsds.Log) answer {
	name := strings.ToUpper(log.DataSet)
	switch _, there := l.entries[name]; {
	case there:
		return yes
	case log.Catalogued == bsds.No:
		return notKnown
	case l.missing[name]:
		return no
	}
	return notKnown
}

// held is whether a part of the log can be read, and where it lies.
type held struct {
	state  answer
	why    string
	places []bsds.Place
}

// image looks for a part of the log that one member wrote.
func (l *logShelf) image(from, to bsds.RBA) held {
	whole, ok := l.print.Cover(from, to)
	if !ok {
		return held{state: notKnown, why: "it can't be compared with the BSDS"}
	}
	h := held{state: yes, places: slices.Concat(whole.Archives, whole.Actives)}
	if l.print.Find(to) == bsds.Ahead {
		h.state, h.why = notKnown, "it is behind the end of the BSDS, of which the print is older"
		return h
	}
	h.state, h.why = l.readable(whole, from, to)
	return h
}

// readable tells whether every byte of a range is in some data set that can be
// read.
func (l *logShelf) readable(whole bsds.Cover, from, to bsds.RBA) (answer, string) {
	if len(whole.Gaps) > 0 {
		return no, fmt.Sprintf("the BSDS has no log data set of %s to %s", whole.Gaps[0].From, whole.Gaps[0].To)
	}
	if cover, _ := l.possible.Cover(from, to); len(cover.Gaps) > 0 {
		return no, fmt.Sprintf("%s to %s is in %s, and not catalogued", cover.Gaps[0].From, cover.Gaps[0].To, l.names(cover.Gaps[0]))
	}
	if cover, _ := l.sure.Cover(from, to); len(cover.Gaps) > 0 {
		return notKnown, fmt.Sprintf("whether %s can be read was not told by the catalog", l.names(cover.Gaps[0]))
	}
	return yes, ""
}

// names gives the data sets that should hold the beginning of a range.
func (l *logShelf) names(r bsds.Range) string {
	var names []string
	for _, place := range l.print.Holding(r.From) {
		names = append(names, place.Log.DataSet)
	}
	return strings.Join(names, " and ")
}

// span is from where on a recovery reads logs: not before low, and not behind
// high.
type span struct{ low, high bsds.LRSN }

// readOf is what tells readings apart.
type readOf struct {
	member string
	from   span
}

// logRead is what a recovery reads of the log of one member.
type logRead struct {
	member  string
	state   answer
	why     string
	places  []bsds.Place // archives first
	bytes   int64
	counted bool
	risks   []string
	expires map[string]time.Time // data sets that go before the next backup, by name
}

// read looks for the log of a member from an LRSN to its end. Most structures are
// backed up close together, so that one look serves many.
func (j *judge) read(name string, from span) logRead {
	shelf := j.logs[name]
	if shelf == nil {
		read := logRead{member: name, state: notKnown, why: "its BSDS was not read"}
		if _, ok := j.group.Member(name); !ok {
			read.why = "the group has no such member any more"
		}
		return read
	}
	key := readOf{name, span{low: from.low}}
	whole, ok := j.done[key]
	if !ok {
		whole = j.readFrom(shelf, from.low)
		j.done[key] = whole
	}
	if whole.state == yes {
		return whole
	}
	key.from = from
	read, ok := j.done[key]
	if !ok {
		read = j.narrowed(shelf, whole, from)
		j.done[key] = read
	}
	return read
}

// readFrom looks for the log from an LRSN on.
func (j *judge) readFrom(l *logShelf, low bsds.LRSN) logRead {
	read := logRead{member: l.member.Name}
	whole, ok := l.since(low)
	if !ok {
		read.state, read.why = l.beginsLater(low)
		return read
	}
	read.places = slices.Concat(whole.Archives, whole.Actives)
	read.bytes, read.counted = l.length(whole.Range)
	read.state, read.why = l.readable(whole, whole.Range.From, whole.Range.To)
	if latest := l.member.Log.Latest; read.state == yes && latest.Known() && l.print.Find(latest) == bsds.Ahead {
		read.state, read.why = notKnown, fmt.Sprintf("it goes to %s, and the print of the BSDS ends before that", latest)
	}
	j.expiring(l, whole, &read)
	return read
}

// narrowed judges a log of which not all can be read that may be needed: a no is
// one only if some of that is gone which is surely needed.
func (j *judge) narrowed(l *logShelf, low logRead, from span) logRead {
	if low.state == notKnown && low.places != nil {
		return low
	}
	high := j.readFrom(l, from.high)
	if low.places == nil { // the inventory does not reach back to low
		if high.state == no || high.places == nil {
			return high
		}
		low = high
		low.why = fmt.Sprintf("the BSDS does not reach back to %s, which may be needed", from.low)
	}
	if high.state != no {
		low.state = notKnown
	}
	return low
}

// since gives the log from an LRSN to its end. A log that begins at address zero
// was never longer.
func (l *logShelf) since(from bsds.LRSN) (bsds.Cover, bool) {
	if cover, ok := l.print.CoverLRSN(from); ok {
		return cover, true
	}
	first, ok := l.oldest()
	if !ok || !first.Start.Zero() || !from.Before(first.StartLRSN) {
		return bsds.Cover{}, false
	}
	return l.print.CoverLRSN(first.StartLRSN)
}

// oldest gives the log data set that begins first.
func (l *logShelf) oldest() (bsds.Log, bool) {
	var first bsds.Log
	for _, table := range [][bsds.Copies][]bsds.Log{l.print.Archive, l.print.Active} {
		for _, logs := range table {
			for _, log := range logs {
				if log.StartLRSN.Known() && !log.StartLRSN.Zero() && (!first.Start.Known() || log.Start.Before(first.Start)) {
					first = log
				}
			}
		}
	}
	return first, first.Start.Known()
}

// beginsLater tells why a BSDS does not reach back to an LRSN: its oldest log is
// newer, so that older ones are of no use any more (trap 10); or it has no LRSNs.
func (l *logShelf) beginsLater(from bsds.LRSN) (answer, string) {
	if first, ok := l.oldest(); ok && from.Before(first.StartLRSN) {
		return no, fmt.Sprintf("its BSDS begins at LRSN %s with %s, and the log is needed from %s on", first.StartLRSN, first.DataSet, from)
	}
	return notKnown, fmt.Sprintf("its BSDS has no range for LRSN %s", from)
}

// length gives the bytes of a range, as far as the log is written.
func (l *logShelf) length(r bsds.Range) (int64, bool) {
	end := r.To
	if latest := l.member.Log.Latest; r.To.Before(latest) {
		end = latest
	}
	if order, ok := r.From.Compare(end); !ok || order > 0 {
		return 0, false
	}
	return int64(min(end.Value()-r.From.Value(), 1<<62)), true //nolint:gosec // bounded
}
