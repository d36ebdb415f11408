package workload

import (
	"math"
	"math/rand/v2"
	"time"
)

// The streams: the kinds of work that begin at random.
const (
	putPersistent = iota
	putOther
	beginLong
	beginBurst
	streams
)

// mix is a profile made ready for drawing.
type mix struct {
	profile *Profile
	// perDay is how often each stream comes on a working day.
	perDay [streams]float64
	// hours are the parts of a working day that fall into one microsecond of
	// each hour.
	hours [24]float64
	// shares are those of the queues, each with all before it; the last is 1
	// but for rounding.
	shares []float64
}

func newMix(p *Profile) *mix {
	m := &mix{profile: p}
	perUnit := p.Alone + (1-p.Alone)*p.Unit.mean()
	m.perDay = [streams]float64{p.Messages.Persistent / perUnit, p.Messages.NonPersistent, p.Long.PerDay, p.Bursts.PerDay}
	sum := 0.0
	for _, w := range p.Hours {
		sum += w
	}
	for i, w := range p.Hours {
		m.hours[i] = w / sum / float64(60*minute)
	}
	sum = 0
	for _, q := range p.Queues {
		sum += q.Share
		m.shares = append(m.shares, sum)
	}
	for i := range m.shares {
		m.shares[i] /= sum
	}
	return m
}

// queue draws one by the shares.
func (m *mix) queue(rng *rand.Rand) int {
	x := rng.Float64()
	last := 0
	for i, upTo := range m.shares {
		if m.profile.Queues[i].Share == 0 {
			continue
		}
		if x < upTo {
			return i
		}
		last = i
	}
	return last
}

// now gives how much of a working day one microsecond is worth, by the wall
// clock.
func (m *mix) now(wall time.Time) float64 {
	part := m.hours[wall.Hour()]
	if day := wall.Weekday(); day == time.Saturday || day == time.Sunday {
		part *= m.profile.Weekend
	}
	return part
}

// rate gives how often a stream comes in a microsecond.
func (m *mix) rate(stream int, wall time.Time, burst bool) float64 {
	r := m.perDay[stream] * m.now(wall)
	switch {
	case burst && (stream == putPersistent || stream == putOther):
		r *= m.profile.Bursts.Times
	case burst && stream == beginBurst:
		r = 0
	}
	return r
}

// draw gives the next moment of a process of a rate, behind another moment; 0:
// none before the border.
func draw(rng *rand.Rand, rate float64, from, border moment) moment {
	if rate == 0 {
		return 0
	}
	gap := rng.ExpFloat64() / rate
	if gap >= float64(border-from) {
		return 0
	}
	return from + moment(math.Round(gap))
}

// drawStream draws the next moment of a stream.
func (r *runner) drawStream(stream int, from moment) {
	p := r.p
	p.Streams[stream] = 0
	if from < p.Border {
		p.Streams[stream] = draw(r.rng, r.mix.rate(stream, from.in(r.zone), p.BurstEnd != 0), from, p.Border)
	}
}

// drawAll draws all streams anew. A Poisson process has no memory, so what was
// drawn and has not come may be forgotten wherever a rate changes.
func (r *runner) drawAll(from moment) {
	for i := range streams {
		r.drawStream(i, from)
	}
}
