package plugintest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// stream is the host's side of one call.
type stream interface {
	Send(*wire.FromHost) error
	Recv() (*wire.FromPlugin, error)
}

// call is one stream from its start to its result. It answers as a host does:
// a question that is no display, or in a language that the description does
// not list, is refused before it gets to the asker.
type call struct {
	description plugins.Description
	asker       observe.Asker
	events      Events
	do          Do
	command     plugins.Command

	stream    stream
	sending   sync.Mutex
	answering sync.WaitGroup
	mu        sync.Mutex
	open      map[uint64]context.CancelFunc

	plan   wire.PlanDecoder
	result *plugins.Result
}

func (m *caller) call(asker observe.Asker, events Events) *call {
	return &call{description: m.description, asker: asker, events: events, open: make(map[uint64]context.CancelFunc)}
}

// Plan has the plugin plan.
func (m *caller) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, events Events) (plugins.Plan, error) {
	message, err := wire.EncodeRequest(request)
	if err != nil {
		return plugins.Plan{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := m.memory.Client.Plan(ctx)
	if err != nil {
		return plugins.Plan{}, ended(ctx, err)
	}
	c := m.call(asker, events)
	if err := c.converse(ctx, s, &wire.Start{Request: message}, wire.EncodeResults(request.Earlier)); err != nil {
		return plugins.Plan{}, err
	}
	plan, err := c.plan.Plan()
	if err != nil {
		return plugins.Plan{}, err
	}
	for _, action := range plan.Actions {
		if !slices.Contains(m.description.Actions, action.Kind) {
			return plugins.Plan{}, fmt.Errorf("action %q is of kind %q, which its description does not list", action.ID, action.Kind)
		}
	}
	return plan, nil
}

// Confirm asks whether an action was done.
func (m *caller) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, events Events) (plugins.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := m.memory.Client.Confirm(ctx)
	if err != nil {
		return plugins.Result{}, ended(ctx, err)
	}
	return m.call(asker, events).onAction(ctx, s, action)
}

// Perform has the plugin do its own action.
func (m *caller) Perform(ctx context.Context, action plugins.Action, asker observe.Asker, do Do, events Events) (plugins.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := m.memory.Client.Perform(ctx)
	if err != nil {
		return plugins.Result{}, ended(ctx, err)
	}
	c := m.call(asker, events)
	c.do, c.command = do, action.Command
	return c.onAction(ctx, s, action)
}

func (c *call) onAction(ctx context.Context, s stream, action plugins.Action) (plugins.Result, error) {
	texts, message := wire.EncodeAction(action)
	if err := c.converse(ctx, s, &wire.Start{Strings: texts, Action: message}, nil); err != nil {
		return plugins.Result{}, err
	}
	switch {
	case c.result == nil:
		return plugins.Result{}, errors.New("it answered with a plan")
	case c.result.Action == "":
		c.result.Action = action.ID
	case c.result.Action != action.ID:
		return plugins.Result{}, fmt.Errorf("its result is that of action %q, not of %q", c.result.Action, action.ID)
	}
	return *c.result, nil
}

// converse says what to do and reads what comes until the result.
func (c *call) converse(ctx context.Context, s stream, start *wire.Start, earlier []*wire.Earlier) error {
	c.stream = s
	start.LogLevel = c.level(ctx)
	start.EarlierParts = uint32(len(earlier))
	c.send(&wire.FromHost{Message: &wire.FromHost_Start{Start: start}})
	for _, part := range earlier {
		c.send(&wire.FromHost{Message: &wire.FromHost_Earlier{Earlier: part}})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer c.answering.Wait()
	defer cancel()
	for {
		message, err := s.Recv()
		if err != nil {
			return ended(ctx, err)
		}
		if done, err := c.take(ctx, message); done || err != nil {
			return err
		}
	}
}

// send sends one message; where the stream is gone its reader says why.
func (c *call) send(message *wire.FromHost) {
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.stream.Send(message)
}

// take acts on one message; done says that it was the result.
func (c *call) take(ctx context.Context, message *wire.FromPlugin) (done bool, err error) {
	switch m := message.GetMessage().(type) {
	case *wire.FromPlugin_Question:
		c.ask(ctx, m.Question.GetId(), wire.DecodeQuestion(m.Question))
	case *wire.FromPlugin_Do:
		c.perform(ctx, m.Do.GetId(), wire.DecodeCommand(m.Do.GetCommand()))
	case *wire.FromPlugin_Cancel:
		c.cancel(m.Cancel.GetId())
	case *wire.FromPlugin_Progress:
		if c.events.Progress != nil {
			c.events.Progress(m.Progress.GetDone(), m.Progress.GetTotal(), m.Progress.GetWhat())
		}
	case *wire.FromPlugin_Record:
		if c.events.Log != nil {
			_ = c.events.Log.Handle(ctx, wire.DecodeRecord(m.Record))
		}
	case *wire.FromPlugin_Plan:
		err := c.plan.Add(m.Plan)
		return err == nil && c.plan.Done(), err
	case *wire.FromPlugin_Result:
		result := wire.DecodeResult(m.Result)
		c.result = &result
		return true, nil
	case *wire.FromPlugin_Failure:
		return true, wire.DecodeError(m.Failure, nil)
	}
	return false, nil
}

// ended prefers what the context says of a stream's end.
func ended(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case serve.TooLate(err): // the stream heard of it before the context
		return context.DeadlineExceeded
	case errors.Is(err, io.EOF):
		return errors.New("it ended without a result")
	default:
		return err
	}
}
