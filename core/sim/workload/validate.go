package workload

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// The ends of the ranges that a profile has to keep.
const (
	maxPerDay   = 100_000_000
	maxWeight   = 1e9
	maxBody     = 4 << 20 // MAXMSGL of a new queue and queue manager
	maxUnit     = 3000    // a unit of work that gets may take three such: MAXUMSGS is 10000
	maxKeep     = 1_000_000
	maxSpan     = Span(366 * 24 * time.Hour)
	maxQueues   = 1000
	maxNameLong = 48 // MQ_OBJECT_NAME_LENGTH
)

// Validate tells everything that is wrong with a profile, one complaint a line,
// each with the name of its field as it is in JSON.
func (p Profile) Validate() error {
	var c complaints
	if p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		c.add("name", "%q is not made of letters, digits and hyphens", p.Name)
	}
	c.number("messages.persistent", p.Messages.Persistent, 0, maxPerDay)
	c.number("messages.non_persistent", p.Messages.NonPersistent, 0, maxPerDay)
	c.hours(p.Hours)
	c.number("weekend", p.Weekend, 0, 10)
	c.spread("sizes", p.Sizes, len(Marker), maxBody)
	c.spread("unit", p.Unit, 1, maxUnit)
	c.number("alone", p.Alone, 0, 1)
	c.number("backouts", p.Backouts, 0, 1)
	c.queues(p.Queues)
	c.number("long.per_day", p.Long.PerDay, 0, maxPerDay)
	c.span("long.lasts", p.Long.Lasts, p.Long.PerDay > 0)
	c.number("long.in_doubt", p.Long.InDoubt, 0, 1)
	c.span("long.prepared", p.Long.Prepared, p.Long.PerDay > 0 && p.Long.InDoubt > 0)
	c.number("bursts.per_day", p.Bursts.PerDay, 0, maxPerDay)
	if p.Bursts.PerDay > 0 || p.Bursts.Times != 0 {
		c.number("bursts.times", p.Bursts.Times, 1, 1000)
	}
	c.span("bursts.lasts", p.Bursts.Lasts, p.Bursts.PerDay > 0)
	return errors.Join(c...)
}

type complaints []error

func (c *complaints) add(field, format string, values ...any) {
	*c = append(*c, fmt.Errorf(field+": "+format, values...))
}

// number has to be within a range; NaN is in none.
func (c *complaints) number(field string, n, low, high float64) bool {
	if n >= low && n <= high {
		return true
	}
	c.add(field, "%v is not from %v to %v", n, low, high)
	return false
}

// span has to be there if it is used.
func (c *complaints) span(field string, s Span, used bool) {
	switch {
	case s < 0 || s > maxSpan:
		c.add(field, "%v is not from 0s to %v", time.Duration(s), time.Duration(maxSpan))
	case used && s == 0:
		c.add(field, "is missing")
	}
}

func (c *complaints) spread(field string, s Spread, low, high int) {
	if s.Min < low || s.Max > high {
		c.add(field, "%d to %d is not within %d to %d", s.Min, s.Max, low, high)
	}
	if s.Typical < s.Min || s.Typical > s.Max {
		c.add(field+".typical", "%d is not from min %d to max %d", s.Typical, s.Min, s.Max)
	}
}

// weights have to be there for at least one.
func (c *complaints) weights(field string, sum float64) {
	if sum == 0 {
		c.add(field, "none is above 0")
	}
}

func (c *complaints) hours(weights []float64) {
	if len(weights) != 24 {
		c.add("hours", "there are %d weights, a day has 24", len(weights))
		return
	}
	sum := 0.0
	for i, w := range weights {
		if !c.number(fmt.Sprintf("hours[%d]", i), w, 0, maxWeight) {
			w = math.Inf(1)
		}
		sum += w
	}
	c.weights("hours", sum)
}

func (c *complaints) queues(all []Queue) {
	if len(all) == 0 || len(all) > maxQueues {
		c.add("queues", "there are %d, 1 to %d are allowed", len(all), maxQueues)
		return
	}
	sum := 0.0
	seen := make(map[string]int, len(all))
	for i, q := range all {
		field := fmt.Sprintf("queues[%d]", i)
		if first, ok := seen[q.Name]; ok {
			c.add(field+".name", "%q is that of queues[%d] too", q.Name, first)
		}
		seen[q.Name] = i
		c.queue(field, q)
		sum += q.Share
	}
	c.weights("queues", sum)
}

func (c *complaints) queue(field string, q Queue) {
	if !validName(q.Name) {
		c.add(field+".name", "%q is no name of a queue: 1 to %d letters, digits, and . / _ %%", q.Name, maxNameLong)
	}
	c.number(field+".share", q.Share, 0, maxWeight)
	c.span(field+".stays", q.Stays, false)
	c.number(field+".keep", float64(q.Keep), 0, maxKeep)
}

// validName follows "Rules for naming IBM MQ objects".
func validName(name string) bool {
	for _, b := range []byte(name) {
		letter := b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
		if !letter && !strings.ContainsRune("0123456789./_%", rune(b)) {
			return false
		}
	}
	return name != "" && len(name) <= maxNameLong
}
