package connect

import (
	"context"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// sender is what a connection to an IBM i system has to be able to do, so that
// an [ibmi] writes through it. One sender is one job of the system, which
// several queue managers may share. Its methods are called one after the other.
//
// An answer of the system that it refuses is a *[MessageError]; what never got
// to it wraps [ErrNotSent]. After any other error nobody knows.
type sender interface {
	// send carries out one CL command in the job, and gives what it told.
	// Where the job waits for a reply, or does not come back until the context
	// ends, the sender ends the job and says *[Timeout]; the next command has a
	// job of its own.
	send(ctx context.Context, c plugins.Command) (observe.Answer, error)
	// sendLater is send for one of many commands, which may become durable as
	// late as force returns.
	sendLater(ctx context.Context, c plugins.Command) (observe.Answer, error)
	force(ctx context.Context) error
	// fetch reads a save file as it is. The length is exact.
	fetch(ctx context.Context, queueManager string, file cl.Qualified) (io.ReadCloser, int64, error)
	// put replaces the content of a save file that is there.
	put(ctx context.Context, queueManager string, file cl.Qualified, content io.Reader) error
	// associate has restored receivers join the chain of the queue manager's
	// journal: option 9 of WRKJRN, or QSYS2.ASSOCIATE_JOURNAL_RECEIVER. None
	// that would is no error.
	associate(ctx context.Context, queueManager string) error
	// log gives a path of this machine on the file system of the receivers;
	// empty when they are on another machine.
	log() string
	io.Closer
}

// ibmi changes an IBM i system, over any connection to one.
type ibmi struct {
	sender
	turn turn
}

func newIBMi(s sender) *ibmi { return &ibmi{s, newTurn()} }

var _ Writer = (*ibmi)(nil)

// Do sends one command, which [Aimed] has seen. Changes of MQ are CL commands
// too: another language is *observe.Refused.
func (w *ibmi) Do(ctx context.Context, c plugins.Command) (observe.Answer, plugins.State, error) {
	if c.Language != observe.CL {
		return refuse(c, "IBM i is changed by CL commands")
	}
	return w.once(ctx, c, w.send)
}

// Remove sends DLTJRNRCV. A receiver that was never saved, and may not go so,
// has the job wait for a reply (CPA7025) until it is ended (case 6).
func (w *ibmi) Remove(ctx context.Context, r Removal) (observe.Answer, plugins.State, error) {
	c, err := deleteReceiver(r.Segment, r.Unsaved)
	if err != nil {
		return observe.Answer{}, plugins.Failed, err
	}
	return w.once(ctx, c, w.sendLater)
}

// MarkArchived fails: a queue manager on IBM i waits for no such word
// (SET LOG is not valid there).
func (w *ibmi) MarkArchived(_ context.Context, id recovery.SegmentID) (observe.Answer, plugins.State, error) {
	return observe.Answer{}, plugins.Failed, fmt.Errorf("reporting %s as archived: a queue manager on IBM i does not wait for that", id)
}

// Force waits until the system has made durable what it deleted.
func (w *ibmi) Force(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	defer w.turn.give()
	return w.force(ctx)
}

// once sends one command when it is its turn.
func (w *ibmi) once(ctx context.Context, c plugins.Command, send func(context.Context, plugins.Command) (observe.Answer, error)) (observe.Answer, plugins.State, error) {
	if err := w.begin(ctx); err != nil {
		return observe.Answer{}, plugins.Failed, fmt.Errorf("%s: %w", c.Text, err)
	}
	defer w.turn.give()
	answer, err := send(ctx, c)
	return answer, outcome(err), err
}

// begin waits until nothing else is under way.
func (w *ibmi) begin(ctx context.Context) error {
	if err := w.turn.take(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	return nil
}
