package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// progressEvery is how often progress is sent at most: a person sees no more.
const progressEvery = 50 * time.Millisecond

// errOver says that the host's ear was used after the call had ended.
var errOver = errors.New("the call this host belongs to is over")

// session is one call's stream, as the plugin's code sees it: plugins.Host.
type session struct {
	stream   duplex
	logger   *slog.Logger
	level    slog.Level
	sending  sync.Mutex // a stream takes one sender at a time
	closed   chan struct{}
	closeAll sync.Once

	mu       sync.Mutex
	next     uint64
	waiting  map[uint64]*pending
	progress time.Time // when it was last sent
}

// pending is a question whose answer has not come yet.
type pending struct {
	body   []byte
	answer chan *wire.Answer // the last part; has room for it
}

func newSession(stream duplex, level slog.Level, fallback slog.Handler) *session {
	s := &session{stream: stream, level: level, closed: make(chan struct{}), waiting: make(map[uint64]*pending)}
	s.logger = slog.New(&logHandler{session: s, fallback: fallback})
	return s
}

// close ends every wait; what comes later finds the session over.
func (s *session) close() { s.closeAll.Do(func() { close(s.closed) }) }

func (s *session) over() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// send hands one message to the host, in the order of the calls.
func (s *session) send(message *wire.FromPlugin) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.over() {
		return errOver
	}
	if err := s.stream.Send(message); err != nil {
		return fmt.Errorf("sending to the host: %w", err)
	}
	return nil
}

// receive takes the host's answers until the stream ends.
func (s *session) receive() {
	defer s.close()
	for {
		message, err := s.stream.Recv()
		if err != nil {
			return
		}
		if part := message.GetAnswer(); part != nil {
			s.take(part)
		}
	}
}

// take joins a part to its answer. Parts of an answer that nobody waits for
// any more are dropped.
func (s *session) take(part *wire.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting, ok := s.waiting[part.GetId()]
	if !ok {
		return
	}
	if waiting.body == nil {
		waiting.body = part.GetBody()
	} else {
		waiting.body = append(waiting.body, part.GetBody()...)
	}
	if part.GetLast() {
		delete(s.waiting, part.GetId())
		waiting.answer <- part
	}
}

// Ask sends a question and waits for its answer. It may be called from
// several goroutines; the answers come in any order.
func (s *session) Ask(ctx context.Context, question observe.Question) (observe.Answer, error) {
	return s.exchange(ctx, func(id uint64) *wire.FromPlugin {
		return &wire.FromPlugin{Message: &wire.FromPlugin_Question{Question: wire.EncodeQuestion(id, question)}}
	})
}

// exchange sends what message makes of a fresh id and waits for the answer to
// that id.
func (s *session) exchange(ctx context.Context, message func(id uint64) *wire.FromPlugin) (observe.Answer, error) {
	if err := ctx.Err(); err != nil {
		return observe.Answer{}, err
	}
	id, waiting := s.expect()
	defer s.forget(id)
	if err := s.send(message(id)); err != nil {
		return observe.Answer{}, err
	}
	select {
	case last := <-waiting.answer:
		return wire.DecodeAnswer(last, waiting.body)
	case <-ctx.Done():
		_ = s.send(&wire.FromPlugin{Message: &wire.FromPlugin_Cancel{Cancel: &wire.Cancel{Id: id}}})
		return observe.Answer{}, ctx.Err()
	case <-s.closed:
		if err := s.stream.Context().Err(); err != nil {
			return observe.Answer{}, err
		}
		return observe.Answer{}, errOver
	}
}

func (s *session) expect() (uint64, *pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	waiting := &pending{answer: make(chan *wire.Answer, 1)}
	s.waiting[s.next] = waiting
	return s.next, waiting
}

func (s *session) forget(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id)
}

// Progress tells a person how far it is; what comes too fast for one is
// dropped, but not the end.
func (s *session) Progress(done, total int64, what string) {
	now := time.Now()
	s.mu.Lock()
	tooSoon := now.Sub(s.progress) < progressEvery && done != total
	if !tooSoon {
		s.progress = now
	}
	s.mu.Unlock()
	if tooSoon {
		return
	}
	progress := &wire.Progress{Done: done, Total: total, What: what}
	_ = s.send(&wire.FromPlugin{Message: &wire.FromPlugin_Progress{Progress: progress}})
}

// Log gives the logger whose records travel on this stream.
func (s *session) Log() *slog.Logger { return s.logger }

// hands adds to a session what a Performer may do.
type hands struct{ *session }

// Do sends the action's own command; the host refuses any other.
func (h hands) Do(ctx context.Context, command plugins.Command) (observe.Answer, error) {
	return h.exchange(ctx, func(id uint64) *wire.FromPlugin {
		do := &wire.Do{Id: id, Command: wire.EncodeCommand(command)}
		return &wire.FromPlugin{Message: &wire.FromPlugin_Do{Do: do}}
	})
}
