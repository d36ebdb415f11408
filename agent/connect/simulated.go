package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	machine "github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/plugins"
)

// mostWaiting bounds how much of an estate's time passes while a job waits for
// a reply. Nobody is there to give one.
const mostWaiting = 10 * time.Minute

// simulated is a job on the systems of an estate.
type simulated struct {
	held *held
	user string

	// What follows is used by whose turn it is.
	closed bool
	job    *os400.Job // nil: it begins with the next command
}

var _ sender = (*simulated)(nil)

// begin waits until the estate is free for something.
func (s *simulated) begin(ctx context.Context) (*sim.Estate, error) {
	if err := s.held.turn.take(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	if s.closed {
		s.held.turn.give()
		return nil, fmt.Errorf("%w: the writer: %w", ErrNotSent, fs.ErrClosed)
	}
	if s.job == nil {
		s.job = s.held.estate.JobOf(s.user)
	}
	return s.held.estate, nil
}

func (s *simulated) send(ctx context.Context, c plugins.Command) (observe.Answer, error) {
	return s.give(ctx, c, (*sim.Estate).CL)
}

func (s *simulated) sendLater(ctx context.Context, c plugins.Command) (observe.Answer, error) {
	return s.give(ctx, c, (*sim.Estate).CLLater)
}

func (s *simulated) force(ctx context.Context) error {
	estate, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer s.held.turn.give()
	return estate.Force()
}

// give carries out a command in one of the estate's two ways.
func (s *simulated) give(ctx context.Context, c plugins.Command, cl func(*sim.Estate, context.Context, string, *os400.Job, string) (machine.Result, error)) (observe.Answer, error) {
	estate, err := s.begin(ctx)
	if err != nil {
		return observe.Answer{}, fmt.Errorf("%s: %w", c.Text, err)
	}
	defer s.held.turn.give()
	result, err := cl(estate, ctx, c.QueueManager, s.job, c.Text)
	answer := observe.Answer{Body: []byte(result.String()), At: estate.Now()}
	var waiting *os400.Waiting
	var escape *os400.Error
	switch {
	case err == nil:
		return answer, nil
	case errors.As(err, &waiting):
		return answer, s.wait(ctx, estate, c, waiting)
	case errors.As(err, &escape):
		answer.Body = fmt.Appendf(answer.Body, "%s: %s\n", escape.ID, escape.Text)
	}
	return answer, answered(c.Text, err)
}

// answered turns an error of the estate into one of a sender.
func answered(what string, err error) error {
	var escape *os400.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sim.ErrNoManager):
		return fmt.Errorf("%s: %w: %w", what, ErrNotSent, err)
	case errors.As(err, &escape):
		return &MessageError{ID: escape.ID, Text: escape.Text, What: what}
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
}

// wait gives a job that waits for a reply the time that there is, on the
// estate's clock, and ends it then, as a person would who finds it in MSGW.
func (s *simulated) wait(ctx context.Context, estate *sim.Estate, c plugins.Command, w *os400.Waiting) error {
	after := mostWaiting
	if deadline, ok := ctx.Deadline(); ok {
		after = min(after, max(0, time.Until(deadline)))
	}
	ctx = context.WithoutCancel(ctx)
	_, passed := estate.Advance(ctx, after, nil)
	_, ended := estate.CL(ctx, c.QueueManager, estate.Job(), "ENDJOB JOB("+w.Job.Name+") OPTION(*IMMED)")
	if ended != nil {
		ended = fmt.Errorf("ending job %s: %w", w.Job.Name, ended)
	}
	s.job = nil
	inquiry := &MessageError{ID: w.Message, Text: w.Error(), What: c.Text}
	return &Timeout{Command: c, After: after, Ended: ended == nil, Err: errors.Join(inquiry, passed, ended)}
}

func (s *simulated) fetch(ctx context.Context, queueManager string, file cl.Qualified) (io.ReadCloser, int64, error) {
	estate, err := s.begin(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer s.held.turn.give()
	content, bytes, err := estate.Fetch(queueManager, file.Library, file.Name)
	return content, bytes, answered("reading "+file.String(), err)
}

func (s *simulated) put(ctx context.Context, queueManager string, file cl.Qualified, content io.Reader) error {
	estate, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer s.held.turn.give()
	return answered("writing "+file.String(), estate.Send(ctx, queueManager, file.Library, file.Name, content))
}

// associate uses the simulator's own way, which stands for a screen.
func (s *simulated) associate(ctx context.Context, queueManager string) error {
	estate, err := s.begin(ctx)
	if err != nil {
		return err
	}
	manager := estate.Manager(queueManager)
	s.held.turn.give()
	if manager == nil {
		return fmt.Errorf("associating: %w: %q", sim.ErrNoManager, queueManager)
	}
	text := "CHGJRN JRN(" + manager.Journal().String() + ") JRNRCV(*ASSOC)"
	_, err = s.send(ctx, plugins.Command{Language: observe.CL, QueueManager: queueManager, Text: text})
	return err
}

func (s *simulated) log() string { return s.held.dir }

// Close ends the job, once, when no command of it is under way.
func (s *simulated) Close() error {
	s.held.turn <- struct{}{}
	again := s.closed
	s.closed = true
	s.held.turn.give()
	if again {
		return nil
	}
	return s.held.leave()
}
