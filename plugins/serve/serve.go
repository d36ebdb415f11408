package serve

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// windowSize is how many bytes may be under way on one stream before the
// reader must have taken some: four parts, so that making, sending and
// reading them overlap.
const windowSize = 4 * wire.PartSize

// Option changes how a plugin is served.
type Option func(*options)

type options struct{ level slog.Leveler }

// LogLevel sets from which level on records outside any call are written;
// the default is info. Within a call the host says which records it wants.
func LogLevel(level slog.Leveler) Option { return func(o *options) { o.level = level } }

// Plugin serves p and returns when the host has asked the plugin to end and
// the calls under way have ended; their contexts are cancelled by then.
// Nothing may be printed on standard output before it is called. When the
// process was not started by a host it says so on standard error and exits
// with 1; when the host dies it exits with 1 at once.
//
// It makes slog's default logger write JSON lines to standard error, which
// the host reads with their level.
func Plugin(p plugins.Plugin, opts ...Option) {
	o := options{level: slog.LevelInfo}
	for _, option := range opts {
		option(&o)
	}
	handshake := Handshake()
	if os.Getenv(handshake.MagicCookieKey) != handshake.MagicCookieValue {
		fmt.Fprintf(os.Stderr, "%s is a plugin of mqhk: it is started by mqhk, not by hand\n", os.Args[0])
		os.Exit(1)
	}
	stderr := os.Stderr // go-plugin puts a pipe in its place
	if err := watchLifeline(os.Getenv(EnvLifeline), os.Exit); err != nil {
		fmt.Fprintf(stderr, "serving the plugin: %v\n", err)
		os.Exit(1)
	}
	fallback := slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: o.level})
	slog.SetDefault(slog.New(fallback))
	served := &server{plugin: p, stderr: stderr, fallback: fallback, restore: func() { os.Stderr = stderr }}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: Versions(served),
		TLSProvider:      secured(os.Getenv(EnvCertificate)),
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: io.Writer(stderr), JSONFormat: true}),
		GRPCServer: func(given []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(given, serverOptions()...)...)
		},
	})
	served.settle()
}

func serverOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessage),
		grpc.InitialWindowSize(windowSize),
		grpc.InitialConnWindowSize(4 * windowSize),
	}
}
