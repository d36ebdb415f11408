package store

import (
	"context"
	"io"
	"sync"
	"time"
)

// LogRate is how many bytes a second are read of a log on this machine where a
// store says nothing else: more than a log is written in the long run, and less
// than a disk gives, which the queue manager needs meanwhile.
const LogRate = 100 << 20

// pace is how fast a store reads, over all that it reads at the same time.
type pace struct {
	rate int64 // bytes a second; 0: no limit

	mu   sync.Mutex
	next time.Time // when the next read may begin; zero: at once
}

// paced reads at a pace, so that a queue manager's log is not slowed by the
// reading of it, and stops when its context ends.
type paced struct {
	ctx  context.Context
	from io.Reader
	pace *pace // nil: no limit
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
	if p.pace == nil || p.pace.rate <= 0 {
		return p.from.Read(b)
	}
	if err := p.pace.wait(p.ctx); err != nil {
		return 0, err
	}
	most := min(max(p.pace.rate/16, shortestRead), longestRead)
	began := time.Now()
	n, err := p.from.Read(b[:min(int64(len(b)), most)])
	p.pace.took(n, began)
	return n, err
}

// wait waits until the next read may begin.
func (p *pace) wait(ctx context.Context) error {
	p.mu.Lock()
	left := time.Until(p.next)
	p.mu.Unlock()
	if left <= 0 {
		return nil
	}
	return wait(ctx, left)
}

// took counts what was read, from the beginning of the read: time that the
// source took itself is not waited for again, and none is saved up for a rush
// later.
func (p *pace) took(n int, began time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(began) {
		p.next = began
	}
	p.next = p.next.Add(time.Duration(float64(n) / float64(p.rate) * float64(time.Second)))
}

// wait waits so long, or until the context ends.
func wait(ctx context.Context, long time.Duration) error {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
