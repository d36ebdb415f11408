package host

import "time"

// burst is how many seconds' worth of lines or log records a plugin may write
// at once.
const burst = 10

// limiter counts what is over the rate. It is not safe for concurrent use.
type limiter struct {
	now     func() time.Time
	rate    int // that may pass a second
	last    time.Time
	spent   float64
	dropped int // since lost was last asked
}

// allow tells whether one more may pass.
func (l *limiter) allow() bool {
	now := l.now()
	if !l.last.IsZero() {
		l.spent = max(0, l.spent-now.Sub(l.last).Seconds()*float64(l.rate))
	}
	l.last = now
	if l.spent+1 > float64(burst*l.rate) {
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
