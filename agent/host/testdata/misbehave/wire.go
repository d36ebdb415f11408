package main

import (
	"context"
	"strings"

	goplugin "github.com/hashicorp/go-plugin"

	"google.golang.org/grpc"

	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// serveWire serves the protocol without the kit, which would not let a plugin
// do what these do.
func serveWire(behaviour string) {
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  serve.Handshake(),
		VersionedPlugins: serve.Versions(&bare{behaviour: strings.TrimPrefix(behaviour, "wire: ")}),
		GRPCServer:       goplugin.DefaultGRPCServer,
	})
}

// bare answers every call as its behaviour says.
type bare struct {
	wire.UnimplementedPluginServer
	behaviour string
}

func (b *bare) Describe(context.Context, *wire.DescribeRequest) (*wire.DescribeReply, error) {
	reply := &wire.DescribeReply{Name: "misbehave", Version: "1.0.0", Languages: []string{"MQSC"}, Performs: true, Confirms: true, Checks: true}
	switch b.behaviour {
	case "an enormous description":
		reply.Doc = strings.Repeat("x", 64<<20)
	case "no name":
		reply.Name = ""
	}
	return reply, nil
}

func (b *bare) Check(context.Context, *wire.CheckRequest) (*wire.CheckReply, error) {
	return &wire.CheckReply{Complaints: []*wire.Complaint{{Text: strings.Repeat("x", 64<<20)}}}, nil
}

type stream = grpc.BidiStreamingServer[wire.FromHost, wire.FromPlugin]

func (b *bare) Plan(s stream) error { return b.talk(s) }

func (b *bare) Confirm(s stream) error { return b.talk(s) }

func (b *bare) Perform(s stream) error { return b.talk(s) }

func (b *bare) talk(s stream) error {
	if _, err := s.Recv(); err != nil {
		return err
	}
	plan := func(part *wire.PlanPart) *wire.FromPlugin {
		return &wire.FromPlugin{Message: &wire.FromPlugin_Plan{Plan: part}}
	}
	switch b.behaviour {
	case "an enormous reply":
		return s.Send(plan(&wire.PlanPart{Strings: []string{strings.Repeat("x", 64<<20)}, Last: true}))
	case "a plan without end":
		for {
			part := &wire.PlanPart{Objects: make([]*wire.Object, 1000)}
			for i := range part.Objects {
				part.Objects[i] = &wire.Object{}
			}
			if err := s.Send(plan(part)); err != nil {
				return err
			}
		}
	case "progress without end":
		for {
			if err := s.Send(&wire.FromPlugin{Message: &wire.FromPlugin_Progress{Progress: &wire.Progress{Done: 1, What: "on and on"}}}); err != nil {
				return err
			}
		}
	case "a million questions at once":
		for id := range uint64(1_000_000) {
			if err := s.Send(ask(id, "DISPLAY QMSTATUS")); err != nil {
				return err
			}
		}
	case "one id twice":
		_ = s.Send(ask(1, "DISPLAY QMSTATUS"))
		_ = s.Send(ask(1, "DISPLAY QMSTATUS"))
	case "a command in a plan":
		command := &wire.Command{Language: "MQSC", QueueManager: "QM1", Text: "DELETE QLOCAL(PAYROLL)"}
		if err := s.Send(&wire.FromPlugin{Message: &wire.FromPlugin_Do{Do: &wire.Do{Id: 1, Command: command}}}); err != nil {
			return err
		}
		answer, err := s.Recv()
		if err != nil {
			return err
		}
		return s.Send(&wire.FromPlugin{Message: &wire.FromPlugin_Failure{Failure: answer.GetAnswer().GetFailure()}})
	case "a plan for a result":
		return s.Send(plan(&wire.PlanPart{Last: true}))
	case "no result":
		return nil
	}
	<-s.Context().Done()
	return s.Context().Err()
}

func ask(id uint64, text string) *wire.FromPlugin {
	question := &wire.Question{Id: id, Language: "MQSC", QueueManager: "QM1", Text: text}
	return &wire.FromPlugin{Message: &wire.FromPlugin_Question{Question: question}}
}
