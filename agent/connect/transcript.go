package connect

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
)

// Transcript reaches a target in a transcript: every reader plays it from
// the beginning, and there is no writer.
func Transcript(t *transcript.Transcript) Dialer { return recorded{t} }

type recorded struct{ transcript *transcript.Transcript }

func (r recorded) Reader(context.Context) (Reader, error) {
	return player{r.transcript.Player()}, nil
}

func (r recorded) Writer(context.Context) (Writer, error) { return nil, ErrReadOnly }

// player is a reader that has nothing to close.
type player struct{ observe.Asker }

func (player) Close() error { return nil }
