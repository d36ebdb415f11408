package serve

import (
	"fmt"
	"log/slog"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// start is what the host says before a call begins.
type start struct {
	message *wire.Start
	earlier []plugins.Result
}

func (s *start) level() slog.Level { return slog.Level(s.message.GetLogLevel()) }

// receiveStart reads the host's Start and the earlier results that it
// announces.
func receiveStart(stream duplex) (*start, error) {
	first, err := stream.Recv()
	if err != nil {
		return nil, fmt.Errorf("receiving the start of a call: %w", err)
	}
	message := first.GetStart()
	if message == nil {
		return nil, status.Errorf(codes.InvalidArgument, "a call begins with %T, not with Start", first.GetMessage())
	}
	begun := &start{message: message}
	for range message.GetEarlierParts() {
		next, err := stream.Recv()
		if err != nil {
			return nil, fmt.Errorf("receiving the results of earlier rounds: %w", err)
		}
		part, ok := next.GetMessage().(*wire.FromHost_Earlier)
		if !ok {
			return nil, status.Errorf(codes.InvalidArgument, "%T comes where Earlier should", next.GetMessage())
		}
		for _, result := range part.Earlier.GetResults() {
			begun.earlier = append(begun.earlier, wire.DecodeResult(result))
		}
	}
	return begun, nil
}
