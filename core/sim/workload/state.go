package workload

import (
	"math/rand/v2"
	"slices"
	"time"
)

// State is how far the applications of one queue manager are. It is kept as
// JSON between two commands; a process that dies loses what came after the
// state that was kept, and the applications then do that again, with other
// units of work. Make it with [New]. It is not safe for concurrent use.
type State struct {
	at progress
	// ready is what the profile means for drawing, once it was looked at.
	ready *mix
	body  bodies
}

// progress is a state as it is kept.
type progress struct {
	Seed    uint64  `json:"seed"`
	Profile Profile `json:"profile"`
	// From is when the applications began, Until where the last run ended.
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	// Random is the state of the random numbers.
	Random source `json:"random"`
	// Begun: the queues are defined, those that are kept deep were filled.
	Begun bool `json:"begun"`
	// Border is when the streams are drawn next: the next minute.
	Border moment `json:"border"`
	// Streams holds the next moment of each kind of work; 0: none before the
	// border.
	Streams [streams]moment `json:"streams"`
	// BurstEnd is when the burst that is on ends; 0: none is.
	BurstEnd moment `json:"burst_end"`
	// Messages counts those that were made, for their numbers.
	Messages uint64 `json:"messages"`
	// Order counts what was put in Due and Long: of two things at the same
	// moment the one that was planned first is first.
	Order uint64 `json:"order"`
	// Due are the gets to come.
	Due agenda `json:"due"`
	// Behind is by how many gets the readers of each queue have stayed behind,
	// since some failed or were backed out.
	Behind []int `json:"behind"`
	// Long are the long units of work, the one that goes on first in front.
	Long []longUnit `json:"long"`
}

// moment is a time as the number of microseconds since 1970 UTC.
type moment int64

const (
	second = moment(time.Second / time.Microsecond)
	minute = 60 * second
)

func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

func (m moment) in(zone *time.Location) time.Time { return time.UnixMicro(int64(m)).In(zone) }

func (m moment) after(d time.Duration) moment { return m + moment(d/time.Microsecond) }

// New gives applications that begin at a time. The profile must be valid; its
// mistakes show again when the state is run.
func New(p Profile, seed uint64, from time.Time) *State {
	p.Hours, p.Queues = slices.Clone(p.Hours), slices.Clone(p.Queues)
	s := &State{at: progress{
		Seed: seed, Profile: p, From: from, Until: from, Border: momentOf(from),
		Behind: make([]int, len(p.Queues)),
	}}
	// The second half of the seed is a constant, so that one number names a
	// workload.
	s.at.Random.PCG = *rand.NewPCG(seed, 0x6d71686b)
	return s
}

// Profile gives the profile that was given to [New].
func (s *State) Profile() Profile {
	p := s.at.Profile
	p.Hours, p.Queues = slices.Clone(p.Hours), slices.Clone(p.Queues)
	return p
}

// Seed gives the seed that was given to [New].
func (s *State) Seed() uint64 { return s.at.Seed }

// Until gives the time up to which the applications have worked.
func (s *State) Until() time.Time { return s.at.Until }

// Next gives a time before which nothing happens: who has several queue
// managers runs the one whose next time is the earliest, up to the end of that
// second. It is in UTC and moves with every run that reaches behind it.
func (s *State) Next() time.Time {
	at, _ := s.at.next()
	return at.in(time.UTC)
}

// Pause lets the applications rest until a time, as they do while their queue
// manager is down: nothing is put, and what was to be got or ended meanwhile is
// due then. A time that has been reached changes nothing.
func (s *State) Pause(until time.Time) {
	p := &s.at
	if !until.After(p.Until) {
		return
	}
	p.Until, p.Border, p.Streams = until, momentOf(until), [streams]moment{}
}

// kind is what happens next. At the same moment the first in this list does.
type kind int

const (
	atBorder kind = iota
	atBurstEnd
	atDue
	atLong
	atStream // and the number of the stream
)

// next gives what happens next and when. What is late is due at once.
func (p *progress) next() (moment, kind) {
	at, what := p.Border, atBorder
	sooner := func(m moment, k kind) {
		if m != 0 && m < at {
			at, what = m, k
		}
	}
	sooner(p.BurstEnd, atBurstEnd)
	if len(p.Due) > 0 {
		sooner(p.Due[0].At, atDue)
	}
	if len(p.Long) > 0 {
		sooner(p.Long[0].At, atLong)
	}
	for i, m := range p.Streams {
		sooner(m, atStream+kind(i))
	}
	return max(at, momentOf(p.Until)), what
}

// order gives the next number of what is planned.
func (p *progress) order() uint64 {
	p.Order++
	return p.Order
}
