package connect

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
)

// Sim reaches the queue managers of a simulated estate, which is opened for
// each reader and only to be looked at: nothing can be written through it.
func Sim(dir string) Dialer { return estate{dir} }

type estate struct{ dir string }

func (e estate) Reader(ctx context.Context) (Reader, error) {
	open, err := sim.Look(ctx, e.dir)
	if err != nil {
		return nil, err
	}
	return looking{open}, nil
}

// Writer refuses: an estate is changed by the simulator's own commands.
func (e estate) Writer(context.Context) (Writer, error) { return nil, ErrReadOnly }

// looking is a reader of an estate.
type looking struct{ estate *sim.Estate }

// Ask asks the simulated system. Of what the host knows there is nothing yet:
// no stores, holds or notes.
func (l looking) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return observe.Answer{At: l.estate.Now()}, nil
	}
	return l.estate.Ask(ctx, q)
}

func (l looking) Close() error { return l.estate.Close(context.Background()) }
