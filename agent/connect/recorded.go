package connect

import (
	"context"
	"io"
	"sync"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
)

// Recording passes on what a dialer's first reader answers, and keeps it.
type Recording struct {
	dialer Dialer
	target observe.Target

	mu       sync.Mutex
	recorder *transcript.Recorder
}

// Record makes a dialer that keeps what one target is asked.
func Record(dialer Dialer, target observe.Target) *Recording {
	return &Recording{dialer: dialer, target: target}
}

// Reader opens the connection; what is asked over it is kept, in place of
// what was asked over an earlier one.
func (r *Recording) Reader(ctx context.Context) (Reader, error) {
	reader, err := r.dialer.Reader(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recorder = transcript.NewRecorder(reader, []observe.Target{r.target})
	return recordedReader{r.recorder, reader}, nil
}

// Writer refuses: what changes a system is not recorded.
func (r *Recording) Writer(context.Context) (Writer, error) { return nil, ErrReadOnly }

// Transcript gives what was asked so far; nil before anything was.
func (r *Recording) Transcript() *transcript.Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recorder == nil {
		return nil
	}
	return r.recorder.Transcript()
}

type recordedReader struct {
	observe.Asker
	io.Closer
}
