package bsds

import "slices"

// Place is a log data set of the inventory.
type Place struct {
	Archived bool // in the table of archive logs, else in that of active logs
	Copy     int  // 1 or 2
	Log      Log
}

// Where tells where a place of the log is.
type Where uint8

// The answers to where a place of the log is.
const (
	Unclear   Where = iota // it can't be compared with what was printed
	InArchive              // in an archive; perhaps in an active log too
	InActive               // in an active log alone: it is not archived yet
	Dropped                // older than all that the inventory has: the archives of it are of no use any more
	Missing                // between two log data sets of the inventory
	Ahead                  // behind all that the inventory has
)

// String names the answer in words for people.
func (w Where) String() string {
	return [...]string{"unclear", "in an archive log", "in an active log", "older than the inventory",
		"missing from the inventory", "behind the end of the log"}[min(w, Ahead)]
}

// logs gives all log data sets that have a range, archives first.
func (p *Print) logs() []Place {
	var places []Place
	for _, table := range []struct {
		archived bool
		copies   [Copies][]Log
	}{{true, p.Archive}, {false, p.Active}} {
		for i, logs := range table.copies {
			for _, log := range logs {
				if log.Start.Known() && !log.empty() {
					places = append(places, Place{table.archived, i + 1, log})
				}
			}
		}
	}
	return places
}

// empty tells whether nothing was ever written to the data set: it is new, or
// its range is from zero to zero.
func (l Log) empty() bool { return l.Status == New || l.Start.Zero() && l.End.Zero() }

// holds tells whether the range holds a place.
func (l Log) holds(rba RBA) bool {
	from, ok := l.Start.Compare(rba)
	to, too := l.End.Compare(rba)
	return ok && too && from <= 0 && to >= 0
}

// holdsLRSN does the same for an LRSN. The end of a log that is still written
// has not come yet.
func (p *Print) holdsLRSN(place Place, lrsn LRSN) bool {
	from, ok := place.Log.StartLRSN.Compare(lrsn)
	if !ok || place.Log.StartLRSN.Zero() || from > 0 {
		return false
	}
	to, ok := place.Log.EndLRSN.Compare(lrsn)
	return p.unended(place) || ok && to >= 0
}

// unended tells whether a log data set is still written, so that its last LRSN
// is printed as F only, as zero, or not at all.
func (p *Print) unended(place Place) bool {
	end := place.Log.EndLRSN
	return end.Open() || (!end.Known() || end.Zero()) && !place.Archived && !p.closed(place)
}

// Holding gives every log data set whose range holds a place of the log:
// archives first, copy 1 before copy 2. How far the log is written plays no part:
// the BSDS is told of it late, sometimes by hours (manual topic q022440_).
func (p *Print) Holding(rba RBA) []Place {
	return slices.DeleteFunc(p.logs(), func(place Place) bool { return !place.Log.holds(rba) })
}

// HoldingLRSN gives every log data set whose range of LRSNs holds one. Between
// the ranges of two data sets may lie some in which the member wrote nothing;
// what has to be kept from an LRSN on says [Print.ArchivesFromLRSN].
func (p *Print) HoldingLRSN(lrsn LRSN) []Place {
	return slices.DeleteFunc(p.logs(), func(place Place) bool { return !p.holdsLRSN(place, lrsn) })
}

// Find tells where a place of the log is.
func (p *Print) Find(rba RBA) Where {
	places := p.Holding(rba)
	switch {
	case !rba.Known():
		return Unclear
	case len(places) > 0 && places[0].Archived:
		return InArchive
	case len(places) > 0:
		return InActive
	}
	below, above := false, false
	for _, place := range p.logs() {
		order, ok := place.Log.Start.Compare(rba)
		if !ok {
			return Unclear
		}
		below, above = below || order < 0, above || order > 0
	}
	switch {
	case below && above:
		return Missing
	case above:
		return Dropped
	case below:
		return Ahead
	}
	return Unclear
}

// ArchivesFrom gives the archives of a copy that hold anything at or behind a
// place of the log, in the order of the print. One whose range can't be compared
// with it is among them: nobody can say that it is not needed.
func (p *Print) ArchivesFrom(of int, rba RBA) []Log {
	return p.archives(of, func(log Log) bool { return log.End.Before(rba) })
}

// ArchivesFromLRSN gives the archives of a copy that hold anything at or behind
// an LRSN, and those of which that can't be said.
func (p *Print) ArchivesFromLRSN(of int, lrsn LRSN) []Log {
	return p.archives(of, func(log Log) bool { return !log.EndLRSN.Zero() && log.EndLRSN.Before(lrsn) })
}

// archives gives the archives of a copy without those that are older.
func (p *Print) archives(of int, older func(Log) bool) []Log {
	if of < 1 || of > Copies {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Archive[of-1]), older)
}

// Newest gives the newest log data set that is not written any more, and whether
// it is in the table of active logs alone. In an archived BSDS it always is: the
// log that this very offload copied stands there as an active log that was just
// ended ("Alternative site recovery", trap 17). False when there is none.
func (p *Print) Newest() (newest Place, activeOnly, ok bool) {
	places := p.logs()
	for _, place := range places {
		if !place.Archived && !p.closed(place) {
			continue
		}
		if !ok || newest.Log.End.Before(place.Log.End) {
			newest, ok = place, true
		}
	}
	return newest, ok && !newest.Archived, ok
}

// closed tells whether an active log is not written any more: it was ended, it
// ends within what was written, or another one begins behind it.
func (p *Print) closed(place Place) bool {
	log := place.Log
	if log.Truncated || !log.EndLRSN.Open() && !log.End.Open() && p.HighestWritten.Known() && !p.HighestWritten.Before(log.End) {
		return true
	}
	next, err := log.End.Add(1)
	return err == nil && slices.ContainsFunc(p.Active[place.Copy-1], func(other Log) bool {
		return other.Start == next && !other.empty()
	})
}
