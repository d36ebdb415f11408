package store

import (
	"sync"
	"weak"
)

// stock is what is used again. A sync.Pool would keep some of it for each
// processor of the machine.
type stock struct {
	frames []*frame
	codecs []*codec
}

// enter opens the stock for a content that goes through the pool.
func (p *pool) enter() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users == 0 {
		if p.stock = p.idle.Value(); p.stock == nil {
			p.stock = &stock{}
		}
	}
	p.users++
}

func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 {
		p.idle, p.stock = weak.Make(p.stock), nil
	}
}

// pop gives what is in stock, or nil.
func pop[T any](mu *sync.Mutex, stock *[]*T) *T {
	mu.Lock()
	defer mu.Unlock()
	last := len(*stock) - 1
	if last < 0 {
		return nil
	}
	one := (*stock)[last]
	*stock = (*stock)[:last]
	return one
}

func push[T any](mu *sync.Mutex, stock *[]*T, one *T) {
	mu.Lock()
	defer mu.Unlock()
	*stock = append(*stock, one)
}
