package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// rowCost is added for each row of a plan to its bytes on the wire: an empty
// row takes two bytes there, and more in memory.
const rowCost = 128

// duplex is the host's side of one stream.
type duplex = grpc.BidiStreamingClient[wire.FromHost, wire.FromPlugin]

// call is one stream: the host has said what to do, answers questions and
// waits for the result.
type call struct {
	process *Process
	name    string
	stream  duplex
	sending sync.Mutex
	desk    *desk
	listen  *listener
	plan    wire.PlanDecoder
	size    int64 // of the plan so far
	result  *plugins.Result
}

// deadline bounds a call by its context, the call limit and the life of the
// process.
func (p *Process) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, p.settings.CallLimit)
	unhook := context.AfterFunc(p.life, cancel)
	return ctx, func() {
		unhook()
		cancel()
	}
}

// opener is one of the three streams of the generated client.
type opener func(context.Context, ...grpc.CallOption) (duplex, error)

// converse opens a stream, says what to do, and reads what comes until the
// result. All errors are those that the package's calls return.
func (c *call) converse(ctx context.Context, open opener, start *wire.Start, earlier []*wire.Earlier) error {
	began := time.Now()
	bounded, cancel := c.process.deadline(ctx)
	err := c.exchange(bounded, open, start, earlier)
	if err != nil {
		err = c.process.failed(bounded, c.name, began, err)
	}
	cancel()
	c.desk.close()
	c.listen.tellLost(ctx)
	return err
}

func (c *call) exchange(ctx context.Context, open opener, start *wire.Start, earlier []*wire.Earlier) (err error) {
	if c.stream, err = open(ctx); err != nil {
		return err
	}
	start.LogLevel = int32(c.listen.level(ctx))
	start.EarlierParts = uint32(len(earlier))
	if err := c.send(&wire.FromHost{Message: &wire.FromHost_Start{Start: start}}); err != nil {
		return err
	}
	for _, part := range earlier {
		if err := c.send(&wire.FromHost{Message: &wire.FromHost_Earlier{Earlier: part}}); err != nil {
			return err
		}
	}
	for {
		message, err := c.stream.Recv()
		if err != nil {
			return err
		}
		if done, err := c.take(ctx, message); done || err != nil {
			return err
		}
	}
}

// send sends one message. A stream that is gone says why to its reader, so
// io.EOF stands for "ask Recv".
func (c *call) send(message *wire.FromHost) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	if err := c.stream.Send(message); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// take acts on one message; done says that it was the result.
func (c *call) take(ctx context.Context, message *wire.FromPlugin) (done bool, err error) {
	switch m := message.GetMessage().(type) {
	case *wire.FromPlugin_Question:
		return false, c.badly(c.desk.ask(ctx, m.Question))
	case *wire.FromPlugin_Do:
		return false, c.badly(c.desk.perform(ctx, m.Do))
	case *wire.FromPlugin_Cancel:
		c.desk.cancel(m.Cancel.GetId())
	case *wire.FromPlugin_Progress:
		c.listen.progress(m.Progress)
	case *wire.FromPlugin_Record:
		c.listen.record(ctx, m.Record)
	case *wire.FromPlugin_Plan:
		return c.takePlan(m.Plan)
	case *wire.FromPlugin_Result:
		result := wire.DecodeResult(m.Result)
		c.result = &result
		return true, nil
	case *wire.FromPlugin_Failure:
		return true, c.badly(wire.DecodeError(m.Failure, nil))
	}
	return false, nil // of a newer plugin; what matters would have a new version
}

// takePlan adds one part of a plan, within the limit on all of them.
func (c *call) takePlan(part *wire.PlanPart) (done bool, err error) {
	rows := len(part.GetSegments()) + len(part.GetVerdicts()) + len(part.GetNeeds()) + len(part.GetCopies()) +
		len(part.GetOpen()) + len(part.GetDecisionFindings()) + len(part.GetObjects()) + len(part.GetActions()) + len(part.GetFindings())
	c.size += int64(proto.Size(part)) + int64(rows)*rowCost
	if limit := c.process.settings.MaxResult; c.size > limit {
		return true, c.badly(&LimitError{Plugin: c.process.source.Name, Call: c.name, What: "bytes of a plan", Limit: limit, Got: c.size})
	}
	if err := c.plan.Add(part); err != nil {
		return true, c.badly(fmt.Errorf("reading its plan: %w", err))
	}
	return c.plan.Done(), nil
}

// badly marks an error as the plugin's fault; nil stays nil.
func (c *call) badly(err error) error {
	if err == nil {
		return nil
	}
	return &PluginError{Plugin: c.process.source.Name, Call: c.name, Err: err}
}

// failed says what the failure of a call means: a limit, its end in time, the
// process's end, or something that the plugin said.
func (p *Process) failed(ctx context.Context, name string, began time.Time, err error) error {
	if over := p.over.Load(); over != nil {
		exceeded := *over
		exceeded.Call = name
		return &exceeded
	}
	switch cause := context.Cause(ctx); {
	case p.life.Err() != nil:
		return fmt.Errorf("plugin %s: %s: %w", p.source.Name, name, ErrStopped)
	case errors.Is(cause, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded:
		return &DeadlineError{Plugin: p.source.Name, Call: name, After: time.Since(began)}
	case cause != nil:
		return fmt.Errorf("plugin %s: %s: %w", p.source.Name, name, cause)
	}
	var said *PluginError
	if errors.As(err, &said) {
		return err
	}
	if status.Code(err) == codes.Unavailable || errors.Is(err, io.ErrUnexpectedEOF) {
		exit, _ := p.child.Load().ended(lastWords)
		return &CrashError{Plugin: p.source.Name, Call: name, Exit: exit, Stderr: p.log.tail(), Err: err}
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("it ended without a result")
	}
	if s, ok := status.FromError(err); ok {
		err = errors.New(clean(s.Message(), maxLine))
	}
	return &PluginError{Plugin: p.source.Name, Call: name, Err: err}
}
