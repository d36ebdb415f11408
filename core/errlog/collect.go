package errlog

import (
	"cmp"
	"errors"
	"hash/maphash"
	"slices"
)

// maxRemembered bounds how many records are remembered to know those that
// come twice.
const maxRemembered = 1 << 16

// collector gathers what the logs of one queue manager tell.
type collector struct {
	manager string
	series  []*series
	seed    maphash.Seed
	result  Marks
}

// noticeKey is what messages have in common that count as one notice.
type noticeKey struct{ id, about string }

// notice gathers one in a series.
type notice struct {
	count  int
	newest track
}

func newCollector(manager string) *collector {
	return &collector{manager: manager, seed: maphash.MakeSeed()}
}

// file reads one log.
func (c *collector) file(file File) error {
	name := splitName(file.Name)
	in := c.in(name)
	in.numbers[name.number] = file.Name
	for r, err := range Scan(file.Log) {
		if err == nil {
			at := position{-name.number, r.Offset}
			c.record(file, in, &sighting{Sighting: Sighting{file.Name, r}, in: in, at: at})
		} else if err := c.damage(file, in, err); err != nil {
			return err
		}
		in.filled[name.number] = true
	}
	return nil
}

// damage takes an error that is damage, and gives any other back.
func (c *collector) damage(file File, in *series, err error) error {
	var damage *Damage
	if !errors.As(err, &damage) {
		return err
	}
	number := splitName(file.Name).number
	at := position{-number, damage.Offset}
	if damage.Kind == Unfinished {
		in.unfinished[number] = at
	} else {
		in.damages[number] = at
	}
	c.result.Damages++
	if len(c.result.Damage) < maxListed {
		c.result.Damage = append(c.result.Damage, Place{file.Name, damage})
	}
	return nil
}

// record takes one record.
func (c *collector) record(file File, in *series, s *sighting) {
	whose := s.owner(c.manager)
	in.learn(s.Record)
	if whose == foreign || whose == unsaid && file.Shared {
		c.result.Foreign++
		return
	}
	c.result.Records++
	in.newest[Other].last(s)
	m := meaningOf[s.ID]
	switch m.of {
	case Other:
	case RestartPoint, MediaPoint:
		c.mark(in, s, m.of, whose)
	case Created, Starting, Started, Ended, LogStatistics:
		in.newest[m.of].add(s)
	default:
		c.notice(in, s, m)
	}
}

// mark takes a message that names a recovery point.
func (c *collector) mark(in *series, s *sighting, of Meaning, whose owner) {
	extent, err := s.Extent()
	if whose == unsaid {
		err = errors.Join(errors.New(s.ID+" does not name the queue manager"), err)
	}
	if err == nil {
		s.extent = extent
		in.newest[of].add(s)
		return
	}
	in.rejected[of].add(s)
	c.result.Rejects++
	if len(c.result.Rejected) < maxListed {
		c.result.Rejected = append(c.result.Rejected, Rejected{s.Sighting, err})
	}
}

// notice counts a message that a person should know of.
func (c *collector) notice(in *series, s *sighting, m meaning) {
	if c.again(in, s) {
		return
	}
	key := noticeKey{id: s.ID}
	if m.each != nil && len(in.notices) < maxListed {
		key.about = m.each(s.Record)
	}
	n := in.notices[key]
	if n == nil {
		n = new(notice)
		in.notices[key] = n
	}
	n.count++
	n.newest.add(s)
}

// again tells whether a record was in the series already: the log was rotated
// between the reading of two files.
func (c *collector) again(in *series, s *sighting) bool {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, part := range []string{s.ID, s.Date, s.Time.String(), s.Process, s.Text} {
		h.WriteString(part)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	if in.twins[sum] {
		return true
	}
	if len(in.twins) < maxRemembered {
		in.twins[sum] = true
	}
	return false
}

// marks puts together what was gathered.
func (c *collector) marks() Marks {
	// Where nothing tells which of two is newer, the order of the files must not.
	slices.SortFunc(c.series, func(a, b *series) int { return cmp.Compare(a.name.with(0), b.name.with(0)) })
	m := &c.result
	m.Complete = len(c.series) > 0
	for _, in := range c.series {
		m.Gaps = append(m.Gaps, in.gaps()...)
		_, unfinished := in.unfinished[in.first()]
		m.Unfinished = m.Unfinished || unfinished
		m.Complete = m.Complete && !in.rotatedAway()
	}
	m.Restart, m.Media = c.newestMark(RestartPoint), c.newestMark(MediaPoint)
	m.Newest = c.newest(Other)
	m.Created, m.Started, m.Ended = c.newest(Created), c.newest(Started), c.newest(Ended)
	if s := c.newest(LogStatistics); s != nil {
		if n, found := s.statistics(); found {
			m.Statistics = &Statistics{n[0], n[1], n[2], *s}
		}
	}
	c.putNotices(m)
	return *m
}

// putNotices puts the notices of all series together. Each series has a
// message once, so the largest count of any is how many there were.
func (c *collector) putNotices(m *Marks) {
	counts := make(map[noticeKey]int)
	candidates := make(map[noticeKey][]sighting)
	for _, in := range c.series {
		for key, n := range in.notices {
			counts[key] = max(counts[key], n.count)
			candidates[key] = append(candidates[key], n.newest.candidates()...)
		}
	}
	for key, list := range candidates {
		newest := best(list).Sighting
		meaning := newest.Meaning()
		if percent, found := newest.percent(); meaning == FileSystemUse && found {
			m.FileSystems = append(m.FileSystems, FileSystem{key.about, percent, newest})
			continue
		}
		m.Notices = append(m.Notices, Notice{meaning, newest, counts[key]})
	}
	slices.SortFunc(m.FileSystems, func(a, b FileSystem) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(m.Notices, func(a, b Notice) int {
		return cmp.Or(cmp.Compare(a.Newest.ID, b.Newest.ID), cmp.Compare(a.Newest.Text, b.Newest.Text))
	})
}
