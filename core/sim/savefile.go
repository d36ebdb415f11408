package sim

import (
	"context"
	"io"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Fetch reads a save file on the system of a queue manager, byte for byte, and
// gives its length. An answer of the system that it can't be is an *os400.Error.
// It may be read while the estate goes on.
func (e *Estate) Fetch(queueManager, library, name string) (io.ReadCloser, int64, error) {
	s, err := e.ibmi(queueManager)
	if err != nil {
		return nil, 0, err
	}
	return s.os.FetchSaveFile(os400.ID{Library: library, Name: name})
}

// Send gives a save file on the system of a queue manager its content. The file
// must be there (CRTSAVF); what is no save is refused when it is restored. An
// answer of the system that it can't be is an *os400.Error. It takes as much of
// the estate's time as a command.
func (e *Estate) Send(ctx context.Context, queueManager, library, name string, content io.Reader) error {
	s, err := e.ibmi(queueManager)
	if err != nil {
		return err
	}
	if err := s.os.SendSaveFile(os400.ID{Library: library, Name: name}, patient{ctx, content}); err != nil {
		return err
	}
	return e.pass(ctx)
}

// patient reads as long as somebody waits for it.
type patient struct {
	ctx  context.Context
	from io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.from.Read(b)
}
