package local

import (
	"context"
	"io"
	"time"
)

// paced reads at most so many bytes a second, and stops when its context ends.
type paced struct {
	ctx  context.Context
	from io.Reader
	rate int64     // bytes a second; 0: no limit
	next time.Time // when the next read may begin
}

// most bounds a read, so that the disk of the log sees small ones.
const most = 256 << 10

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
	began := time.Now()
	n, err := p.from.Read(b[:min(int64(len(b)), max(p.rate/16, 512), most)])
	p.next = began.Add(time.Duration(float64(n) / float64(p.rate) * float64(time.Second)))
	return n, err
}

func (p *paced) wait() error {
	left := time.Until(p.next)
	if left <= 0 {
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
