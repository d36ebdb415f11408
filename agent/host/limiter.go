package host

import "time"

// A plugin may write so many lines or log records at once, and so many a
// second for long.
const (
	burst     = 2000
	perSecond = 200
)

// limiter counts what is over the rate. It is not safe for concurrent use.
type limiter struct {
	now     func() time.Time
	last    time.Time
	spent   float64
	dropped int // since the last call of take that was let through
}

// allow tells whether one more may pass.
func (l *limiter) allow() bool {
	now := l.now()
	if !l.last.IsZero() {
		l.spent = max(0, l.spent-now.Sub(l.last).Seconds()*perSecond)
	}
	l.last = now
	if l.spent+1 > burst {
		l.dropped++
		return false
	}
	l.spent++
	return true
}

// lost gives how many did not pass since it was last asked.
func (l *limiter) lost() int {
	n := l.dropped
	l.dropped = 0
	return n
}
