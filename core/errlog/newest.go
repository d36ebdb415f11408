package errlog

import (
	"slices"
	"time"
)

// sighting is a record with what puts it in order.
type sighting struct {
	Sighting
	in     *series
	at     position
	extent string // of a mark
}

// track keeps the sightings of one series that may be the newest: by place, by
// UTC time, and by the local date in each order.
type track struct {
	byPlace, byTime sighting // no file: none yet
	byDate          [orders]datedSighting
}

type datedSighting struct {
	sighting
	read time.Time
}

// add takes one more.
func (t *track) add(s *sighting) {
	t.addPlace(s)
	switch {
	case s.Clock == UTC:
		t.addTime(s)
	case s.Date != "":
		t.addDate(s)
	}
}

// last takes one more where only the newest is wanted, and no doubt about it.
func (t *track) last(s *sighting) {
	if s.Clock == UTC {
		t.addTime(s)
	} else {
		t.addPlace(s)
	}
}

func (t *track) addPlace(s *sighting) {
	if t.byPlace.in == nil || !t.byPlace.at.after(s.at) {
		t.byPlace = *s
	}
}

func (t *track) addTime(s *sighting) {
	old := &t.byTime
	if old.in == nil || s.Time.After(old.Time) || s.Time.Equal(old.Time) && s.at.after(old.at) {
		*old = *s
	}
}

func (t *track) addDate(s *sighting) {
	for o, read := range readDate(s.Date) {
		old := &t.byDate[o]
		if !read.IsZero() && (read.After(old.read) || read.Equal(old.read) && s.at.after(old.at)) {
			*old = datedSighting{*s, read}
		}
	}
}

// candidates gives the sightings, each once.
func (t *track) candidates() []sighting {
	var list []sighting
	add := func(s sighting) {
		same := func(o sighting) bool { return o.at == s.at }
		if s.in != nil && !slices.ContainsFunc(list, same) {
			list = append(list, s)
		}
	}
	add(t.byPlace)
	add(t.byTime)
	for _, dated := range &t.byDate {
		add(dated.sighting)
	}
	return list
}

// candidates gives those of all series, with their local dates resolved.
func (c *collector) candidates(of func(*series) *track) []sighting {
	var list []sighting
	for _, in := range c.series {
		list = append(list, of(in).candidates()...)
	}
	return list
}

// resolved settles a local date by the evidence of its series.
func resolved(s sighting) sighting {
	if s.Clock == Ambiguous {
		s.Time, s.Clock = s.in.resolve(s.Date)
	}
	return s
}

// byClock compares two sightings by their times. False: they can't be compared.
func byClock(a, b sighting) (order int, known bool) {
	if a.Clock == UTC && b.Clock == UTC {
		return a.Time.Compare(b.Time), true
	}
	at, known := wall(a)
	bt, also := wall(b)
	return at.Compare(bt), known && also
}

// wall gives the local time of a sighting.
func wall(s sighting) (time.Time, bool) {
	if s.Clock == Local {
		return s.Time, true
	}
	if s.Date == "" {
		return time.Time{}, false
	}
	at, clock := s.in.resolve(s.Date)
	return at, clock == Local
}

// newer tells whether a is newer than b: by time, then by place.
func newer(a, b sighting) bool {
	if order, known := byClock(a, b); known && order != 0 {
		return order > 0
	}
	return a.in == b.in && a.at.after(b.at)
}

// surelyOlder tells whether a is older than b in every reading: in one series
// by place, and not newer by time; in two by time.
func surelyOlder(a, b sighting) bool {
	order, known := byClock(a, b)
	if a.in != b.in {
		return known && order < 0
	}
	return b.at.after(a.at) && (!known || order <= 0)
}

// surelyAfter tells whether a was written after b in every reading: in one
// series by place, and not earlier by time; in two later by time. Times of two
// kinds can't be compared, and one that can't be read puts nothing in order.
func surelyAfter(a, b sighting) bool {
	order := a.Time.Compare(b.Time)
	switch {
	case a.Clock != b.Clock || a.Clock != UTC && a.Clock != Local:
		return false
	case a.in != b.in:
		return order > 0
	}
	return order >= 0 && a.at.after(b.at)
}

// lives are the meanings that tell one life of a queue manager from another.
var lives = []Meaning{Created, Starting, Started, Ended}

// outlived finds the sign of another life that a mark is not surely after.
func (c *collector) outlived(mark sighting) *Sighting {
	for _, of := range lives {
		for _, s := range c.candidates(func(in *series) *track { return &in.newest[of] }) {
			if s = resolved(s); !surelyAfter(mark, s) {
				return &s.Sighting
			}
		}
	}
	return nil
}

// best gives the newest of several.
func best(list []sighting) sighting {
	var found sighting
	for i, s := range list {
		if s = resolved(s); i == 0 || newer(s, found) {
			found = s
		}
	}
	return found
}

// newest gives the newest sighting of a meaning, nil when there is none.
func (c *collector) newest(of Meaning) *Sighting {
	list := c.candidates(func(in *series) *track { return &in.newest[of] })
	if len(list) == 0 {
		return nil
	}
	newest := best(list).Sighting
	return &newest
}

// newestMark gives the newest mark of a kind, nil when there is none.
func (c *collector) newestMark(of Meaning) *Mark {
	list := c.candidates(func(in *series) *track { return &in.newest[of] })
	if len(list) == 0 {
		return nil
	}
	newest := best(list)
	mark := &Mark{Extent: newest.extent, Seen: newest.Sighting}
	for _, s := range list {
		known := func(r Rival) bool { return r.Extent == s.extent }
		s = resolved(s)
		if s.extent != newest.extent && !surelyOlder(s, newest) && !slices.ContainsFunc(mark.Rivals, known) {
			mark.Rivals = append(mark.Rivals, Rival{s.extent, s.Sighting})
		}
	}
	mark.Damaged = newest.in.damagedBehind(newest.at)
	mark.Outlived = c.outlived(newest)
	for _, s := range c.candidates(func(in *series) *track { return &in.rejected[of] }) {
		mark.Unread = mark.Unread || !surelyOlder(resolved(s), newest)
	}
	return mark
}
