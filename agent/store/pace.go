package store

import (
	"context"
	"io"
	"time"
)

// paced reads at most so many bytes a second, so that a queue manager's log
// is not slowed by the reading of it, and stops when its context ends.
type paced struct {
	ctx  context.Context
	from io.Reader
	rate int64     // bytes a second; 0: no limit
	next time.Time // when the next read may begin; zero: at once
}

// A read takes what a sixteenth of a second allows, within these bounds: a
// log's disk sees small reads, and a slow rate still moves.
const (
	shortestRead = 512
	longestRead  = 256 << 10
)

func (p *paced) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if p.rate <= 0 {
		return p.from.Read(b)
	}
	if err := p.wait(); err != nil {
		return 0, err
	}
	most := min(max(p.rate/16, shortestRead), longestRead)
	began := time.Now()
	n, err := p.from.Read(b[:min(int64(len(b)), most)])
	// Counted from the beginning of the read: time that the source took itself
	// is not waited for again, and none is saved up for a rush later.
	p.next = began.Add(time.Duration(float64(n) / float64(p.rate) * float64(time.Second)))
	return n, err
}

func (p *paced) wait() error {
	left := time.Until(p.next)
	if p.next.IsZero() || left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}
