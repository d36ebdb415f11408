package connect

import (
	"context"
	"sync"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
)

// Sim reaches the queue managers of a simulated estate. One dialer may serve
// several targets of it: they share the estate while one of them is changed.
// Where one run has several dialers to an estate they are made by one
// [Estates].
func Sim(dir string) Dialer { return NewEstates().At(dir) }

// dialer reaches an estate that others may have open too.
type dialer struct {
	*held
	user string // profile that asks and gives commands; empty: QMQM
}

// LogHere gives the folder of the estate, which holds all logs in it.
func (d dialer) LogHere(string) string { return d.dir }

// Reader opens the estate only to be looked at; while a writer of this process
// has it, the reader looks at that one, and sees what it does.
func (d dialer) Reader(ctx context.Context) (Reader, error) {
	estate, leave, err := d.look(ctx)
	if err != nil {
		return nil, err
	}
	return &looking{held: d.held, user: d.user, estate: estate, leave: sync.OnceValue(leave)}, nil
}

// Writer opens the estate for this process alone. It waits some seconds for
// others that have it open, readers of this process among them, and then gives
// an error that wraps [sim.ErrLocked].
func (d dialer) Writer(ctx context.Context) (Writer, error) {
	if err := d.join(ctx); err != nil {
		return nil, err
	}
	return newIBMi(&simulated{held: d.held, user: d.user}), nil
}

// looking is a reader of an estate.
type looking struct {
	held   *held
	user   string
	estate *sim.Estate
	leave  func() error
}

// Ask asks the simulated system. What the host knows is not there: [Hosted]
// adds it.
func (l *looking) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if !q.Language.OfHost() {
		return l.estate.AskAs(ctx, l.user, q)
	}
	if err := l.held.turn.take(ctx); err != nil {
		return observe.Answer{}, err
	}
	defer l.held.turn.give()
	return observe.Answer{At: l.estate.Now()}, nil
}

// Close closes the reader, once.
func (l *looking) Close() error { return l.leave() }
