package connect

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
)

// Hosted reaches a target that knows nothing of stores, holds, notes and
// earlier runs: the host answers those questions itself. A transcript has its
// own blocks for them.
func Hosted(dialer Dialer, host observe.Asker) Dialer { return hosted{dialer, host} }

type hosted struct {
	Dialer
	host observe.Asker
}

// Reader opens the connection with the host beside it.
func (h hosted) Reader(ctx context.Context) (Reader, error) {
	reader, err := h.Dialer.Reader(ctx)
	if err != nil {
		return nil, err
	}
	return hostedReader{reader, h.host}, nil
}

type hostedReader struct {
	Reader
	host observe.Asker
}

// Ask asks the host what is its own, and the target everything else.
func (r hostedReader) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return r.host.Ask(ctx, q)
	}
	return r.Reader.Ask(ctx, q)
}

// Hosted tells whether the host itself answers for a target's stores, holds,
// notes and earlier runs.
func (g Gate) Hosted(target observe.Target) bool {
	dialer := g.dial[target.Name]
	if recording, ok := dialer.(*Recording); ok {
		dialer = recording.dialer
	}
	_, ok := dialer.(hosted)
	return ok
}
