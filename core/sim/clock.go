package sim

import (
	"sync"
	"time"
)

// clock is that of one system. It stands still until it is set.
type clock struct {
	mu     sync.Mutex
	now    time.Time // the estate's time
	offset time.Duration
	zone   *time.Location
}

// Now gives what the system's clock shows.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Add(c.offset).In(c.zone)
}

// set moves the time forward; it never goes back but by [clock.step].
func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.After(c.now) {
		c.now = now
	}
}

// estate gives the estate's time, whatever the clock shows.
func (c *clock) estate() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// step puts the clock forward or back, as a person would, and gives how far it
// is off then.
func (c *clock) step(by time.Duration) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := checkTime(c.now.Add(c.offset).Add(by)); err != nil {
		return c.offset, err
	}
	c.offset += by
	return c.offset, nil
}
