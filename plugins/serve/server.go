package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// server answers the host's calls with a plugin.
type server struct {
	wire.UnimplementedPluginServer
	plugin   plugins.Plugin
	stderr   io.Writer    // as it was at the start
	fallback slog.Handler // for records that no stream can take
	restore  func()       // gives os.Stderr back to the plugin; nil: it was not taken
	restored sync.Once
	calls    sync.RWMutex // held for reading by each call
}

// duplex is the plugin's side of one stream.
type duplex = grpc.BidiStreamingServer[wire.FromHost, wire.FromPlugin]

// Describe says what the plugin is and which of the optional calls it has.
func (s *server) Describe(context.Context, *wire.DescribeRequest) (reply *wire.DescribeReply, err error) {
	err = s.guarded("Describe", func() (err error) {
		reply, err = wire.EncodeDescription(s.plugin.Describe())
		return err
	})
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	_, reply.Checks = s.plugin.(plugins.Checker)
	_, reply.Confirms = s.plugin.(plugins.Confirmer)
	_, reply.Performs = s.plugin.(plugins.Performer)
	return reply, nil
}

// Check asks the plugin's Checker; without one there are no complaints.
func (s *server) Check(ctx context.Context, message *wire.CheckRequest) (reply *wire.CheckReply, err error) {
	checker, ok := s.plugin.(plugins.Checker)
	if !ok {
		return &wire.CheckReply{}, nil
	}
	err = s.guarded("Check", func() error {
		request, err := wire.DecodeRequest(s.plugin.Describe().Schema, message.GetRequest())
		if err != nil {
			return err
		}
		reply = wire.EncodeComplaints(checker.Check(ctx, request))
		return nil
	})
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return reply, nil
}

// Plan makes one plan over one stream.
func (s *server) Plan(stream duplex) error {
	return s.serve("Plan", stream, func(session *session, start *start) error {
		request, err := wire.DecodeRequest(s.plugin.Describe().Schema, start.message.GetRequest())
		if err != nil {
			return err
		}
		request.Earlier = start.earlier
		plan, err := s.plugin.Plan(stream.Context(), request, session)
		if err != nil {
			return err
		}
		return wire.EncodePlan(plan, func(part *wire.PlanPart) error {
			return session.send(&wire.FromPlugin{Message: &wire.FromPlugin_Plan{Plan: part}})
		})
	})
}

// Confirm asks the plugin's Confirmer whether an action was done.
func (s *server) Confirm(stream duplex) error {
	confirmer, ok := s.plugin.(plugins.Confirmer)
	if !ok {
		return status.Error(codes.Unimplemented, "the plugin confirms no actions")
	}
	return s.onAction("Confirm", stream, func(session *session, action plugins.Action) (plugins.Result, error) {
		return confirmer.Confirm(stream.Context(), action, session)
	})
}

// Perform has the plugin's Performer do a custom action.
func (s *server) Perform(stream duplex) error {
	performer, ok := s.plugin.(plugins.Performer)
	if !ok {
		return status.Error(codes.Unimplemented, "the plugin performs no actions")
	}
	return s.onAction("Perform", stream, func(session *session, action plugins.Action) (plugins.Result, error) {
		return performer.Perform(stream.Context(), action, hands{session})
	})
}

func (s *server) onAction(call string, stream duplex, do func(*session, plugins.Action) (plugins.Result, error)) error {
	return s.serve(call, stream, func(session *session, start *start) error {
		action, err := wire.DecodeAction(start.message.GetStrings(), start.message.GetAction())
		if err != nil {
			return err
		}
		result, err := do(session, action)
		if err != nil {
			return err
		}
		return session.send(&wire.FromPlugin{Message: &wire.FromPlugin_Result{Result: wire.EncodeResult(result)}})
	})
}

// serve runs one call over its stream. What the plugin's code fails with is
// the call's result, not the stream's error, so that its type survives.
func (s *server) serve(call string, stream duplex, do func(*session, *start) error) error {
	start, err := receiveStart(stream)
	if err != nil {
		return err
	}
	session := newSession(stream, start.level(), s.fallback)
	defer session.close()
	go session.receive()
	err = s.guarded(call, func() error { return do(session, start) })
	if err == nil {
		return nil
	}
	if ctxErr := stream.Context().Err(); ctxErr != nil {
		return status.FromContextError(ctxErr).Err()
	}
	failure := &wire.FromPlugin_Failure{Failure: wire.EncodeError(err)}
	return session.send(&wire.FromPlugin{Message: failure})
}

// guarded turns a panic into an error that names the author's line; its stack goes to standard error,
// where the host keeps the last lines. It also takes go-plugin's pipe away
// from os.Stderr: what is written there just before the process ends would
// be lost in it.
func (s *server) guarded(call string, do func() error) (err error) {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if s.restore != nil {
		s.restored.Do(s.restore)
	}
	defer func() {
		if value := recover(); value != nil {
			err = &wire.Error{Text: fmt.Sprintf("panic in %s: %v%s", call, value, culprit()), Panic: true}
			_, _ = fmt.Fprintf(s.stderr, "%v\n%s", err, stack())
		}
	}()
	return do()
}

// settle waits until the calls have ended. Their contexts end with the
// connection; a call that does not heed its own is killed by the host.
func (s *server) settle() {
	s.calls.Lock()
	s.calls.Unlock() //nolint:gocritic,staticcheck // nothing to do but to wait
}
