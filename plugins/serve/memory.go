package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// InMemory is a plugin that is served to its own process: the messages are
// those that travel to a host, and so are panics, records and cancelled
// calls. Tests of plugins use it, through plugins/plugintest.
type InMemory struct {
	Client wire.PluginClient

	served *server
	server *grpc.Server
	conn   *grpc.ClientConn
}

// Memory serves p in memory. What would go to standard error, the stack of a
// panic and records outside any call, goes to stderr.
func Memory(p plugins.Plugin, stderr io.Writer) (*InMemory, error) {
	listener := bufconn.Listen(windowSize)
	conn, err := grpc.NewClient("passthrough:///memory",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage)))
	if err != nil {
		return nil, fmt.Errorf("connecting to a plugin in memory: %w", err)
	}
	m := &InMemory{
		Client: wire.NewPluginClient(conn),
		served: &server{plugin: p, stderr: stderr, fallback: slog.NewJSONHandler(stderr, nil)},
		server: grpc.NewServer(serverOptions()...),
		conn:   conn,
	}
	wire.RegisterPluginServer(m.server, m.served)
	go func() { _ = m.server.Serve(listener) }() // ends with Stop
	return m, nil
}

// Stop ends the connection and waits for the calls under way, but no longer
// than limit. A call that has not ended by then would have been killed with
// its process.
func (m *InMemory) Stop(limit time.Duration) error {
	_ = m.conn.Close()
	m.server.Stop()
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		m.served.settle()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-settled:
		return nil
	case <-timer.C:
		return fmt.Errorf("a call of the plugin did not end within %s", limit)
	}
}

// TooLate tells whether an error of a call on Client says that its deadline
// was over: the stream may hear of that before the context does.
func TooLate(err error) bool { return status.Code(err) == codes.DeadlineExceeded }
